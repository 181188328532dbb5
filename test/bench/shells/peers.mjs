// Cloth in ours and in the peers that have any in JavaScript, one run: hang, drape, cape, layers, incline.
//
//     npm run build && npm install --prefix test/bench
//     node test/bench/shells/peers.mjs [--engines a,b] [--scenes x,y] [--cap SECONDS] [--library FILE] [--out FILE]
//
// A process for each scene and engine; a run ends after `cap` seconds of steps. Times are of the processor, of all
// threads; what has not ended long after that is killed (MuJoCo's incline was). FILE.json gets the numbers and FILE.md
// the tables; what is not run again keeps its row.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ENGINES } from './adapters.mjs';
import { crossings, insideCapsule, mean, overBall, quantile, stretch } from './measure.mjs';
import { FRICTION, GRAVITY, SCENES, STEP } from './scenes.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const here = fileURLToPath(import.meta.url);
const library = resolve(option('--library', fileURLToPath(new URL('../../../dist/index.js', import.meta.url))));
const cap = Number(option('--cap', 40));

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Steps a scene; `watch` sees the step, the positions and the pose. */
function play(create, scene, watch = () => {}) {
  for (const sheet of scene.sheets) sheet.area = areaOf(sheet);
  const world = create(scene);
  const now = scene.sheets.map(({ points }) => new Float64Array(points.length));
  const times = [];
  let spent = 0;
  for (let step = 1; step <= scene.steps && spent < 1000 * cap; step++) {
    const start = cpu();
    if (scene.poses) world.pose(scene.poses[step]);
    world.step();
    times.push(cpu() - start);
    spent += times[times.length - 1];
    now.forEach((out, s) => {
      world.read(s, out);
    });
    if (now.some((points) => points.some((x) => !(Math.abs(x) < 1e3)))) {
      world.close();
      return { now, steps: step, median: Number.NaN, p99: Number.NaN, exploded: step };
    }
    watch(step, now, scene.poses?.[step]);
  }
  world.close();
  const timed = times.slice(Math.min(20, times.length >> 1));
  return { now, steps: times.length, median: quantile(timed, 0.5), p99: quantile(timed, 0.99) };
}

function areaOf({ points, triangles }) {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [u, v] = [1, 2].map((k) =>
      [0, 1, 2].map((i) => points[3 * triangles[t + k] + i] - points[3 * triangles[t] + i]),
    );
    area += 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  }
  return area;
}

/** Where all vertices were half a second before the end: their speed, root mean square [mm/s]. */
function late(steps) {
  let before = null;
  return {
    watch(step, now) {
      if (step === steps - 30) before = now.map((points) => points.slice());
    },
    speed(now) {
      if (!before) return Number.NaN;
      let [sum, count] = [0, 0];
      now.forEach((points, s) => {
        for (let k = 0; k < points.length; k++) sum += (points[k] - before[s][k]) ** 2;
        count += points.length / 3;
      });
      return (1000 * Math.sqrt(sum / count)) / (30 * STEP);
    },
  };
}

const MEASURES = {
  hang(create) {
    const scene = SCENES.hang();
    const { now, ...run } = play(create, scene);
    const { most, p99 } = stretch(scene.sheets[0], now[0]);
    return { ...run, stretch: most, stretchP99: p99, crossings: crossings(scene.sheets, now) };
  },
  drape(create) {
    const scene = SCENES.drape();
    const end = late(scene.steps);
    let deepest = 0;
    const { now, ...run } = play(create, scene, (step, points) => {
      end.watch(step, points);
      deepest = Math.max(deepest, overBall(points[0]).deepest);
    });
    const quality = {
      gap: 1000 * overBall(now[0]).gap,
      deepest: 1000 * deepest,
      stretchP99: stretch(scene.sheets[0], now[0]).p99,
    };
    return { ...run, ...quality, crossings: crossings(scene.sheets, now), speed: end.speed(now) };
  },
  cape(create) {
    const scene = SCENES.cape();
    let [inside, most, through] = [0, 0, 0];
    const { now, ...run } = play(create, scene, (step, points, pose) => {
      inside = Math.max(inside, insideCapsule(points[0], pose));
      if (step > 30 && step % 5 === 0) most = Math.max(most, stretch(scene.sheets[0], points[0]).most);
      if (step % 30 === 0) through = Math.max(through, crossings(scene.sheets, points));
    });
    return { ...run, inside, stretch: most, crossings: Math.max(through, crossings(scene.sheets, now)) };
  },
  layers(create) {
    const scene = SCENES.layers();
    const end = late(scene.steps);
    const { now, ...run } = play(create, scene, end.watch);
    const heights = now.map((points) => 1000 * mean(points, 1));
    const gaps = heights.slice(1).map((height, k) => height - heights[k]);
    const range = { gapLeast: Math.min(...gaps), gapMost: Math.max(...gaps) };
    return { ...run, ...range, crossings: crossings(scene.sheets, now), speed: end.speed(now) };
  },
  incline(create) {
    let timed = null;
    /** Mean speed between two and four seconds, and what it should be [m/s]. */
    const speed = (tangent) => {
      const scene = SCENES.incline(tangent);
      let early = 0;
      const { now, ...run } = play(create, scene, (step, points) => {
        if (step === 120) early = mean(points[0], 0);
      });
      timed ??= run;
      const pull = GRAVITY * (Math.sin(scene.slope) - FRICTION * Math.cos(scene.slope));
      return { speed: (mean(now[0], 0) - early) / 2, expected: 3 * Math.max(0, pull) };
    };
    const sticks = (tangent) => Math.abs(speed(tangent).speed) < 1e-3;
    const slides = (tangent) => {
      const run = speed(tangent);
      return run.speed > 0.5 * run.expected && run.speed > 1e-3;
    };
    const bisect = (holds, from, to) => {
      if (!holds(from)) return Number.NaN;
      let [yes, no] = [from, to];
      for (let k = 0; k < 8; k++) {
        const middle = (yes + no) / 2;
        if (holds(middle)) yes = middle;
        else no = middle;
      }
      return yes;
    };
    const stick = bisect(sticks, 0.02, 1.1);
    return { ...timed, sticks: stick, slides: bisect(slides, 1.5, 0.95), creep: 1000 * speed(0.9).speed };
  },
};

const COLUMNS = {
  hang: { stretch: 'longest edge, %', stretchP99: '99 of 100, %', crossings: 'crossings' },
  drape: {
    gap: 'gap, mm (5)',
    deepest: 'deepest, mm',
    stretchP99: '99 of 100, %',
    crossings: 'crossings',
    speed: 'at rest, mm/s',
  },
  cape: { inside: 'vertices inside', stretch: 'longest edge, %', crossings: 'crossings' },
  layers: { gapLeast: 'least gap, mm (10)', gapMost: 'largest', crossings: 'crossings', speed: 'at rest, mm/s' },
  incline: { sticks: 'sticks to (1)', slides: 'slides from (1)', creep: 'creep at 0.9, mm/s' },
};

const number = (x) => (typeof x === 'number' && Number.isFinite(x) ? String(Number(x.toPrecision(3))) : '–');

function tables({ scenes, when, cpu: model }) {
  const lines = [
    '# Cloth beside other engines',
    '',
    `test/bench/shells/peers.mjs, ${when}; Node ${process.version}; ${model}. One run each, own settings (adapters.mjs`,
    'says what is equal and what cannot be); times are of the processor, all threads; steps of 1/60 s.',
  ];
  for (const [scene, rows] of Object.entries(scenes)) {
    const columns = Object.entries(COLUMNS[scene]);
    lines.push('', `## ${scene}`, '');
    lines.push(`| engine | median ms | p99 ms | steps | ${columns.map(([, title]) => title).join(' | ')} |`);
    lines.push(`| --- | --- | --- | --- | ${columns.map(() => '---').join(' | ')} |`);
    for (const [engine, row] of Object.entries(rows)) {
      const cells = columns.map(([key]) => number(row[key]));
      const state = row.failed ?? (row.exploded ? `explodes at ${row.exploded}` : row.steps);
      lines.push(`| ${[engine, number(row.median), number(row.p99), state, ...cells].join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** One scene of one engine in a process of its own. */
function measureApart(engine, scene) {
  return new Promise((done) => {
    const args = ['--one', `${engine}/${scene}`, '--cap', String(cap), '--library', library];
    const child = spawn(process.execPath, [here, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const stop = setTimeout(() => child.kill(), 1000 * (scene === 'incline' ? 100 : 20) * cap + 600_000);
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
    });
    child.on('close', () => {
      clearTimeout(stop);
      const line = text.split('\n').find((part) => part.startsWith('{'));
      done(line ? JSON.parse(line) : { failed: 'ended without a result' });
    });
  });
}

async function main() {
  const engines = option('--engines', Object.keys(ENGINES).join()).split(',');
  const scenes = option('--scenes', Object.keys(SCENES).join()).split(',');
  const out = option('--out', fileURLToPath(new URL('../results/shells-peers', import.meta.url)));
  const stored = fs.existsSync(`${out}.json`) ? JSON.parse(fs.readFileSync(`${out}.json`, 'utf8')) : { scenes: {} };
  for (const scene of scenes) {
    for (const engine of engines) {
      process.stderr.write(`${scene}, ${engine}\n`);
      stored.scenes[scene] = { ...stored.scenes[scene], [engine]: await measureApart(engine, scene) };
      stored.when = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      stored.cpu = `${os.cpus().length} × ${os.cpus()[0].model}, load ${os.loadavg()[0].toFixed(1)}`;
      fs.writeFileSync(`${out}.json`, `${JSON.stringify(stored, null, 2)}\n`);
      fs.writeFileSync(`${out}.md`, tables(stored));
    }
  }
}

const one = option('--one');
if (one) {
  const [engine, scene] = one.split('/');
  const create = await ENGINES[engine](pathToFileURL(library).href);
  process.stdout.write(`\n${JSON.stringify(MEASURES[scene](create))}\n`);
  process.exit(0);
} else await main();
