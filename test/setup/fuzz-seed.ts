// Property tests repeat the same cases on every machine, so that what passes here passes there. To look for new
// ones, give another seed: FUZZ_SEED=123 npx vitest run test/scene

import fc from 'fast-check';
import { seed } from '../fuzz/rounds.js';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seed() });
