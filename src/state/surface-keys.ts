// Bits of the keys of contacts that surfaces take part in; NODE_CONTACT_KEY in layout.ts says how they are made up.

export const SURFACE_MARK = -2147483648; // bit 31
export const SURFACE_BODY = 1073741824; // bit 30 of high
export const SURFACE_ROD = 536870912; // bit 29 of high
export const SURFACE_IMPACT = 268435456; // bit 28 of high
export const SURFACE_KIND_SHIFT = 29;
export const SURFACE_PLACE_BITS = 8;
