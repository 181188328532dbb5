// One rope in ours and in the peers that have one in JavaScript, at their default settings and at equal time.
//
//     npm run build && npm install --prefix test/bench && node test/bench/rods/peers.mjs
//     [--out FILE.json] [--library FILE]
//
// Equal time: a peer's iterations are doubled as long as its step takes no longer than ours on the same scene.

import fs from 'node:fs';
import os from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENGINES } from './adapters.mjs';
import { capstan, FRICTION, hang, penetration, stretch } from './scenes.mjs';

/** Loads tried, as shares of what holds. */
const SHARES = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3];
/** Where the rope has to hold: how it lies is measured there. */
const SAFE = 0.7;
/** An end that goes farther than this in the last two seconds slips [m]. */
const SLIP = 0.02;
const LAST = 120; // [steps]

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

const library = pathToFileURL(
  resolve(option('--library') ?? new URL('../../../dist/index.js', import.meta.url).pathname),
).href;

function run(create, scene, effort) {
  const world = create(scene, effort);
  try {
    return measureRun(world, scene);
  } finally {
    world.close();
  }
}

function measureRun(world, scene) {
  const times = [];
  let [worst, whole, deep] = [0, 0, 0];
  let before = null;
  for (let step = 0; step < scene.steps; step++) {
    const start = performance.now();
    world.step();
    times.push(performance.now() - start);
    const points = world.points();
    if (!points.flat().every(Number.isFinite)) return { failed: `not a number at step ${step}` };
    if (step === scene.steps - LAST) before = points.at(-1);
    if (step < scene.steps - LAST) continue;
    const now = stretch(points, scene.points);
    worst = Math.max(worst, now.worst);
    whole = Math.max(whole, now.whole);
    if (scene.drum) deep = Math.max(deep, penetration(points));
  }
  times.sort((a, b) => a - b);
  const after = world.points().at(-1);
  const slid = Math.hypot(...after.map((x, k) => x - before[k]));
  return { milliseconds: times[times.length >> 1], worst, whole, deep, slid };
}

/** The largest share that holds, and the next one, which does not. */
function findHold(create, effort) {
  let holds = 0;
  for (const share of SHARES) {
    const { failed, slid } = run(create, capstan(share), effort);
    if (failed || slid > SLIP) return { holds, slips: share };
    holds = share;
  }
  return { holds, slips: null };
}

/** The dial at which the engine takes as long as ours, at least its default; no more than 256 times that. */
function equalEffort(create, entry, scene, target) {
  let effort = entry.effort;
  for (let k = 0; k < 8; k++) {
    const { milliseconds, failed } = run(create, scene, 2 * effort);
    if (failed || milliseconds > target) break;
    effort *= 2;
  }
  return effort;
}

const results = {
  bench: 'rods, peers',
  date: new Date().toISOString(),
  node: process.version,
  machine: `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} cores`,
  load: os.loadavg().map((x) => Math.round(100 * x) / 100),
  rows: [],
};
let ours = null;
for (const [name, entry] of Object.entries(ENGINES)) {
  let create;
  try {
    create = await entry.load(library);
    run(create, hang(), 0);
  } catch (error) {
    results.rows.push({ name, error: String(error?.message ?? error) });
    continue;
  }
  const measure = (effort, when) => {
    const carried = run(create, hang(), effort);
    const laid = run(create, capstan(SAFE), effort);
    results.rows.push({
      name,
      when,
      effort: effort || entry.effort,
      dial: entry.dial,
      hang: carried,
      laid,
      ...findHold(create, effort),
    });
    return { carried, laid };
  };
  const { carried, laid } = measure(0, 'default');
  if (ours === null) {
    ours = { hang: carried.milliseconds, capstan: laid.milliseconds };
    continue;
  }
  const effort = equalEffort(create, entry, capstan(SAFE), ours.capstan);
  if (effort > entry.effort) measure(effort, 'equal time');
}

const mm = (x) => (x * 1000 >= 100 ? (x * 1000).toFixed(0) : (x * 1000).toPrecision(3));
const percent = (x) => (Math.abs(x) < 1e-5 ? '0' : (100 * x).toPrecision(3));
const cells = (row) =>
  row.error
    ? [row.name, '-', '-', ...Array(6).fill('-'), `cannot run: ${row.error}`]
    : [
        row.name,
        row.when,
        `${row.effort} ${row.dial}`,
        row.hang.failed ?? row.hang.milliseconds.toFixed(3),
        row.hang.failed ? '-' : percent(row.hang.whole),
        row.laid.failed ?? row.laid.milliseconds.toFixed(3),
        row.laid.failed ? '-' : percent(row.laid.worst),
        row.laid.failed ? '-' : mm(row.laid.deep),
        row.laid.failed ? '-' : mm(row.laid.slid),
        `${row.holds || `< ${SHARES[0]}`} / ${row.slips ?? 'none'}`,
      ];
const head = [
  'engine',
  'at',
  'dial',
  'hang ms',
  'longer by %',
  'drum ms',
  'worst edge %',
  'in the drum mm',
  'creep mm',
  'holds / slips at',
];
const rows = results.rows.map(cells);
const width = head.map((_, k) => Math.max(...[head, ...rows].map((row) => String(row[k]).length)));
const line = (row) => `| ${row.map((cell, k) => String(cell).padEnd(width[k])).join(' | ')} |`;
const page = [
  '## One rope, ours and peers',
  `${results.date.slice(0, 16).replace('T', ' ')} UTC; Node ${results.node}; ${results.machine}; load ` +
    `${results.load.join(' ')}. Rope of 20 mm; 1.2 m carry 0.2 kg; over a drum of 0.2 m,`,
  `friction ${FRICTION}, half a turn: 0.2 kg against as much as to bring the tensions to a share of what ` +
    `Coulomb's law holds. "creep": way of the`,
  `heavy end within two seconds at a share of ${SAFE}; "holds": largest share at which it is under ` +
    `${1000 * SLIP} mm, and the next one tried. "equal time":`,
  'iterations doubled as long as a step takes no longer than ours.',
  '',
  line(head),
  line(width.map((w) => '-'.repeat(w))),
  ...rows.map(line),
  '',
].join('\n');
process.stdout.write(page);
const out = option('--out');
if (out) {
  fs.writeFileSync(out, `${JSON.stringify(results, null, 1)}\n`);
  fs.writeFileSync(out.replace(/\.json$/, '.md'), page);
}
