// Places in `report`, which solver-report.ts reads.

const ITERATIONS = 0u;
const SWEEPS = 1u;
const SWEEP = 2u;          // of the present projection
const SOLVED = 4u;
const UNCOLOURED = 5u;     // contacts of the crowd, in all looks
const LOOKS = 6u;
const SHARE = 7u;          // bits: of the start's forces that were kept
const CONTACTS = 8u;
const WAITING = 9u;        // contacts without a colour after the rounds
const LIMITED_STRANDS = 10u; // strands that came out too fast
const FASTEST = 11u;       // bits: of what takes part, without contacts [m/s]
const TOLERANCE = 12u;     // bits: of δ∞ [m/s]
const COLOUR = 13u;        // that is next in a walk over all of them (admm-sweep.wgsl)
const ARRIVED = 14u;       // workgroups that are done with it
const SPEED = 15u;         // bits: of the fastest strand at the end of the step [m/s]
const GAPS = 208u;         // 128: bits of ‖δ − π‖∞
const REPORT = 336u;
