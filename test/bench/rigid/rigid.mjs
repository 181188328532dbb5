// `stiction bench rigid`: the same scenes in every engine, ours beside its peers in one run.
//
// In: options from the command line (src/cli/bench.ts). Out: tables as they come, and all results at the end. Speed is
// told as a ratio to Rapier of the same round; quality is computed here, from poses alone (measure.mjs). Needs the
// built library and, for the peers, their own install in this folder's package.json.

import fs from 'node:fs';
import os from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DEFAULT_ENGINES, ENGINES } from './adapters/index.mjs';
import { runRounds } from './runs.mjs';
import { DEFAULT_SCENES, SCANS, SCENES } from './scenes.mjs';
import { measureSize } from './size.mjs';
import { alignTable, markdownTable, tableOf } from './tables.mjs';
import { judgeTargets, targetTable } from './targets.mjs';

const INSTALL = 'npm install --prefix test/bench';

/** Names that `--scenes` and `--engines` know; 'all' stands for all of them. */
export const KNOWN = { scenes: Object.keys(SCENES), scans: Object.keys(SCANS), engines: Object.keys(ENGINES) };

const manifestOf = (engine) => new URL(`../node_modules/${ENGINES[engine].package}/package.json`, import.meta.url);
const isInstalled = (engine) => !ENGINES[engine].package || fs.existsSync(manifestOf(engine));

/** name@version of each peer's package. */
function listVersions(engines) {
  const peers = engines.filter((engine) => ENGINES[engine].package);
  return Object.fromEntries(
    peers.map((engine) => {
      const { name, version } = JSON.parse(fs.readFileSync(manifestOf(engine), 'utf8'));
      return [engine, `${name}@${version}`];
    }),
  );
}

const choose = (asked, known, otherwise) => (asked === undefined ? otherwise : asked[0] === 'all' ? known : asked);

/**
 * Copies the built scripts beside `library` (a file: address) to where the packages they import are found, so that a
 * build during the run does not change what is measured. Returns the copy's address and what removes it.
 */
function freezeLibrary(library) {
  const folder = fileURLToPath(new URL(`../../../node_modules/.cache/stiction-bench-${process.pid}/`, import.meta.url));
  const from = dirname(fileURLToPath(library));
  fs.mkdirSync(folder, { recursive: true });
  for (const name of fs.readdirSync(from)) {
    if (name.endsWith('.js')) fs.copyFileSync(join(from, name), join(folder, name));
  }
  const modules = join(from, 'modules');
  if (fs.existsSync(modules)) fs.cpSync(modules, join(folder, 'modules'), { recursive: true });
  // As the package says of itself: else the size of a game is that of all modules.
  fs.writeFileSync(join(folder, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
  const copy = pathToFileURL(join(folder, basename(fileURLToPath(library)))).href;
  return { copy, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Runs the benchmark. `options`: scenes, engines (lists of known names, or undefined), scans (all of them as well),
 * rounds, cap [s] of one run, steps (undefined: the scene's own), sleep, library (file: address of our entry).
 * `print(text)` gets the tables, `note(text)` remarks of a line, `progress(text)` what runs now ('' for nothing).
 * Returns { results, markdown }: plain data, and the same as a page.
 */
export async function benchRigid(options, output) {
  const { copy, remove } = freezeLibrary(options.library);
  try {
    return await runAll({ ...options, built: fs.statSync(new URL(options.library)).mtime, library: copy }, output);
  } finally {
    remove();
  }
}

async function runAll(options, { print, note, progress }) {
  const wanted = choose(options.engines, KNOWN.engines, DEFAULT_ENGINES);
  const engines = wanted.filter(isInstalled);
  const missing = wanted.filter((engine) => !isInstalled(engine));
  if (missing.length > 0) note(`not installed: ${missing.join(', ')} (install the peers with: ${INSTALL})`);
  const scenes = choose(options.scenes, [...KNOWN.scenes, ...KNOWN.scans], options.scans ? [] : DEFAULT_SCENES);
  const names = options.scans ? [...scenes, ...KNOWN.scans.filter((scan) => !scenes.includes(scan))] : scenes;
  const results = { bench: 'rigid', ...describeMachine(options), versions: listVersions(engines), engines, scenes: {} };
  const tables = [];
  const show = (title, table) => {
    progress('');
    print(alignTable(title, table));
    tables.push(markdownTable(title, table));
  };
  print(`${headline(results)}\n`);
  for (const name of engines.length > 0 ? names : []) {
    const rounds = SCANS[name] ? 1 : options.rounds;
    const rows = await runRounds(name, { ...options, engines, rounds }, progress);
    results.scenes[name] = rows;
    show(name, tableOf(name, rows));
  }
  if (engines.includes('stiction')) {
    progress('size of the library');
    results.size = await measureSize(options.library).catch(() => undefined);
    const { size } = results;
    if (size) note(`library, bundled and minified: ${size.bytes} bytes, gzip ${size.gzip} bytes`);
    else note('the size of the library could not be measured: its development packages are not installed');
    results.targets = judgeTargets(results.scenes, size);
    if (results.targets.length > 0) show('targets', targetTable(results.targets));
  }
  progress('');
  const failed = Object.values(results.scenes).some((rows) => rows.stiction?.error);
  return { results, failed, markdown: `${pageHead(results)}${tables.join('')}` };
}

function describeMachine({ rounds, cap, steps, sleep, built }) {
  const cpus = os.cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus[0]?.model.trim() ?? 'unknown processor'}, ${cpus.length} cores, ${os.platform()} ${os.arch()}`,
    load: os.loadavg().map((x) => Math.round(100 * x) / 100),
    built: built.toISOString(),
    rounds,
    cap,
    steps,
    sleep,
  };
}

function headline({ date, node, machine, load, rounds, sleep, built }) {
  const parts = [`bench rigid, ${date.slice(0, 16).replace('T', ' ')} UTC`, `Node ${node}`, machine];
  parts.push(`load ${load.join(' ')}`, `${rounds} rounds`, `sleeping ${sleep ? 'on' : 'off'}`);
  return `${parts.join('; ')}; library built ${built.slice(0, 16).replace('T', ' ')} UTC`;
}

function pageHead(results) {
  return `# Rigid bodies against their peers

${headline(results)}.
Peers: ${Object.values(results.versions).join(', ') || 'none'}.

Fixed step of 1/60 s, engine-default solver settings, one process a run, ratio = median step over Rapier's of the same
round (median of the rounds, [smallest..largest]). Penetration, drift (horizontal), sag (vertical) and late motion
(since 1 s; piles: over the last 5 s) are the worst of any body, from poses alone.
`;
}
