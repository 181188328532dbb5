// The job of a friction problem (kernels/assembly/contact-law/local-contact.ts, filled by dynamics/block-sweeps.ts):
// offsets of its cells [B]. TypeScript and AssemblyScript compile this file.

export const CONTACT_COUNT = 0; // i32
export const ROW_START = 4; // address of i32
export const COLUMN = 8; // address of i32
export const DIAGONAL = 12; // address of i32
export const VALUES = 16; // address of T, 9 per block
export const OFFSET = 20; // address of T: b, 3 per contact
export const FRICTION = 24; // address of T: mu
export const LAW = 28; // address of i32: LAW_* (solvers/row-law), or 0: all are contacts
export const IMPULSE = 32; // address of T: r, 3 per contact
export const REST = 36; // address of i32: sweeps that each contact still rests
export const BEST = 40; // address of T: best r, 3 per contact
export const SOLVER = 44; // i32: the codes below
export const SWEEPS = 48; // i32: sweeps to do
export const CHECK_INTERVAL = 52; // i32: sweeps between two looks at the residual, 0 = none
export const FREEZE_SWEEPS = 56; // i32: sweeps that a quiet contact is left alone
export const WITH_ERRORS = 60; // i32: whether local failures are counted
export const FREEZE_THRESHOLD = 64; // f64
export const TARGET = 72; // f64 [m/s]
export const RESIDUAL = 80; // f64, out: of the best r [m/s]
export const LARGEST = 88; // f64, in and out: largest change of the sweep before [m/s]
export const SWEEPS_DONE = 96; // i32, out
export const CALLS = 100; // i32 each from here on, added up
export const FAIL_SAFES = 104; // newton missed
export const LAST_CALLS = 108; // enumeration missed, too
export const FAILURES = 112; // error above FAILURE
export const UNSOLVABLE = 116; // enumeration found no solution
export const SKIPPED = 120; // contacts left alone
export const JOB_BYTES = 128;
