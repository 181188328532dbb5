// The engine for whole runs of the tests (BUILT_ENGINE=1, as run.mjs and its like have it), built once for all; a run
// of a file or two is on the sources.

import process from 'node:process';
import { buildEngine } from '../cli/program';

export default async function buildOnce(): Promise<void> {
  if (process.env.BUILT_ENGINE) await buildEngine();
}
