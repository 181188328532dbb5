// Every fuzzer of this folder runs a short form with the tests and a long one by `npm run
// fuzz`. FUZZ_SEED looks elsewhere, FUZZ_ROUNDS says how long.

import process from 'node:process';

/** Whether this is the long form: which scenes and settings are tried hangs on it alone. */
export const isLong = process.env.FUZZ === 'long';

/** How many cases to try: `short` with the tests, `long` under `npm run fuzz`, or as FUZZ_ROUNDS says. */
export function rounds(short: number, long: number): number {
  return Number(process.env.FUZZ_ROUNDS ?? (isLong ? long : short));
}

/** Seed of the random cases: the same on every machine unless FUZZ_SEED says otherwise. */
export function seed(): number {
  return Number(process.env.FUZZ_SEED ?? 20261121);
}
