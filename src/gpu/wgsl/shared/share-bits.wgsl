/// Six bits of a strand's flags: its share of the contact weights, sixteenths of an octave over the least (weigh.wgsl).
const SHARE_SHIFT = 8u;
const SHARE_BITS = 63u << SHARE_SHIFT;
