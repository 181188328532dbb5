// The gallery's colours: one restrained family, so that every scene belongs to the same set.

export const PALETTE = {
  cream: '#f3e9d8',
  sand: '#dcc7a1',
  saffron: '#e6a93c',
  apricot: '#ee8a4a',
  terracotta: '#c9553b',
  wine: '#7d2f3f',
  plum: '#6c4a80',
  navy: '#26456e',
  sea: '#2d7f8c',
  mint: '#86b8a1',
  moss: '#667f45',
  slate: '#56606b',
  charcoal: '#2e3238',
} as const;

/** Sunset over the sea, for rows and runs. */
export const SUNSET = [
  PALETTE.navy,
  PALETTE.sea,
  PALETTE.mint,
  PALETTE.saffron,
  PALETTE.apricot,
  PALETTE.terracotta,
  PALETTE.wine,
] as const;
