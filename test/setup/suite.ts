// `npm test` has what a newcomer waits for; `npm run test:long` (SUITE=long) also what takes more than seconds and
// guards no room alone.

import process from 'node:process';
import { test } from 'vitest';

/** Whether the long tests run. */
export const isLongSuite = process.env.SUITE === 'long';

/** A test of `npm run test:long` only. */
export const longTest = isLongSuite ? test : test.skip;

/** What a test does by the suite: less in `npm test`, all of it in the long one. */
export const bySuite = <T>(short: T, long: T): T => (isLongSuite ? long : short);
