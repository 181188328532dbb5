// One engine, one scene or scan, one process: started by runs.mjs with the job as JSON, answers with one message.
// A process of its own gives every engine a fresh heap and lets one that crashes take only its own row with it.

import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { ENGINES } from './adapters/index.mjs';
import { runScan, runScene } from './run-scene.mjs';
import { SCANS } from './scenes.mjs';

const job = JSON.parse(process.argv[2]);
console.log = () => {}; // some engines greet
console.warn = () => {};

async function work() {
  const begin = performance.now();
  const engine = await ENGINES[job.engine].import();
  const version = await engine.init(job);
  const initMs = performance.now() - begin;
  const run = SCANS[job.scene] ? runScan : runScene;
  return { version, initMs, ...run(engine, job.scene, job) };
}

// Where this repository lies is nobody's business in a result.
const here = new URL('../../../', import.meta.url);
const shorten = (text) => text.replaceAll(here.href, '').replaceAll(fileURLToPath(here), '').slice(0, 600);

const row = await work().catch((error) => ({ error: shorten(String(error?.stack ?? error)) }));
process.send(row, () => process.exit(0)); // worker threads of some engines would keep it alive
