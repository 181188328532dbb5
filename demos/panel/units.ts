// Numbers for people: three digits and the unit that suits them.

const METRES = [
  [1, 'm'],
  [1e-3, 'mm'],
  [1e-6, 'µm'],
  [1e-9, 'nm'],
] as const;

/** A length [m]. */
export function metres(value: number): string {
  return inUnits(value, METRES, 'nm');
}

/** A speed [m/s]. */
export function speed(value: number): string {
  return inUnits(
    value,
    METRES.map(([size, unit]) => [size, `${unit}/s`] as const),
    'nm/s',
  );
}

function inUnits(value: number, units: readonly (readonly [number, string])[], smallest: string): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return '∞';
  const found = units.find(([unit]) => size >= unit);
  if (!found) return size < 1e-11 ? `0 ${smallest}` : `< 1 ${smallest}`;
  const scaled = value / found[0];
  return `${scaled >= 100 ? Math.round(scaled) : scaled.toPrecision(3)} ${found[1]}`;
}

/** A text whose lines do not break between a number and its unit. */
export function keepUnits(text: string): string {
  return text.replace(/(\d) (?=(?:%|t|kg|s|[nµmk]?m|kPa)(?![\w]))/g, '$1\u00a0');
}
