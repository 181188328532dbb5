// Places in `report` beside those that the host reads (REPORT_*).

const SWEEP = 2u;          // of the present projection
const WAITING = 9u;        // contacts without a colour after the rounds
const FASTEST = 11u;       // bits: of what takes part, without contacts [m/s]
const TOLERANCE = 12u;     // bits: of δ∞ [m/s]
const COLOUR = 13u;        // that is next in a walk over all of them (admm-sweep.wgsl)
const ARRIVED = 14u;       // workgroups that are done with it
