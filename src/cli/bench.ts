// `stiction bench`: the benchmarks, each against its peers in the same run.
//
// The benchmarks are scripts of the repository (test/bench) and no part of the published package: this file checks
// the call, finds them and hands over. They run the built library in processes of their own.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { benchConjugateResidual, FULL_CONJUGATE_RESIDUAL, QUICK_CONJUGATE_RESIDUAL } from '../bench/conjugate-residual';
import { showConjugateResidualBench } from '../bench/conjugate-residual-tables';
import { GPU_FLAGS, runGpuBench } from '../bench/gpu-command';
import { showGpuBench } from '../bench/gpu-tables';
import { benchRods, FULL as FULL_RODS, QUICK as QUICK_RODS } from '../bench/rods';
import { showRodBench } from '../bench/rods-tables';
import { benchSagFree, FULL as FULL_SAG_FREE, QUICK as QUICK_SAG_FREE } from '../bench/sag-free';
import { showSagFreeBench } from '../bench/sag-free-tables';
import { benchShells, FULL as FULL_SHELLS, QUICK as QUICK_SHELLS, SHELL_PARTS, type ShellPart } from '../bench/shells';
import { showShellBench } from '../bench/shells-tables';
import { benchSnapshots, FULL_SNAPSHOTS, QUICK_SNAPSHOTS } from '../bench/snapshots';
import { showSnapshotBench } from '../bench/snapshots-tables';
import { benchSolids, FULL_SOLIDS, QUICK_SOLIDS } from '../bench/solids';
import { showSolidBench } from '../bench/solids-tables';
import { benchSolvers, FULL, QUICK as QUICK_SOLVERS } from '../bench/solvers';
import { showSolverBench } from '../bench/solvers-tables';
import { benchThreads, FULL_THREADS, QUICK_THREADS, showThreadBench, type ThreadBench } from '../bench/threads';
import { type Arguments, parseArguments, wholeArgument } from './arguments';
import { prepareOutput } from './files';
import { CallError, type Command, EXIT, type Streams } from './usage';

const NAMES: readonly string[] = [
  'rigid',
  'solvers',
  'conjugate-residual',
  'rods',
  'shells',
  'solids',
  'snapshots',
  'sag-free',
  'gpu',
];
const DEFAULT_ROUNDS = 3;
const DEFAULT_CAP = 150; // [s]

const help = `stiction bench [NAME] [options]

Runs a benchmark against its peers, each run in a process of its own, and prints one table a scene.
NAME: ${NAMES.join(', ')}.

rigid (the default): rigid bodies; it needs the repository.
solvers: contact solvers, local and global, on problems of running scenes and on published ones; it knows --quick,
--json and --out, and takes some ten minutes in full.
conjugate-residual: elastic blocks in contact, conjugate residuals beside ADMM and the methods of the literature; flags
like solvers, some minutes in full.
rods: strands, both backends stage by stage, and the tables of the literature again; flags and time like solvers.
shells: sheets that hang, drape, slide and are dashed about, in the scenes that other engines were measured in; flags
like solvers, and --scenes (hang, drape, cape, layers, flag, incline, cusick, growth, argus).
solids: a heap of jelly and a clamped bar, in the scenes that other engines were measured in, a stack, a slope; flags
like solvers, some minutes in full.
snapshots: what a snapshot adds to a ring for rollback, and what taking and restoring it costs; flags like solvers, half
a minute in full.
sag-free: strands that stay as drawn, the tables of the literature again; flags like solvers, a minute in full.
gpu: strands on WebGPU, checked against WebAssembly, then measured, on the adapter that the package webgpu finds; flags
like solvers and those of its own below. A software adapter is checked and counted, never timed.

  --scenes a,b     scenes and scans to run (default: all scenes but the largest pile; all: everything)
  --scans          runs the scans, too; without --scenes the scans alone
  --engines a,b    engines to run (default: one build of each; all: everything)
  --quick          the scenes that tell most: a few minutes with three engines
  --rounds N       rounds of each scene (default ${DEFAULT_ROUNDS})
  --steps N        steps instead of each scene's own
  --cap N          most seconds of one run (default ${DEFAULT_CAP})
  --sleep          leaves the engines' sleeping on
  --library FILE   the build of ours to measure (default dist/index.js)
  --threads a,b    rods, rigid, shells: a few scenes with so many threads, instead of all else
  --strands a,b    gpu: strands of the hairy balls
  --vertices a,b   gpu: points of a strand
  --budgets a,b    gpu: budgets to keep [ms]
  --adapter NAME   gpu: the adapter of that name
  --conformance    gpu: runs the checks alone
  --json           prints the results as JSON instead of tables
  --out FILE.json  writes the results to FILE.json and the tables to FILE.md
  --help           this text

The peers are installed by: npm install --prefix test/bench. Without them ours runs alone.
Exit status: 0 done, 1 ours or a check failed, 2 the call is wrong or the benchmarks are not here.
`;

const QUICK = [
  ...['pyramid10', 'pyramid20', 'stack100', 'cardhouse3', 'arch15', 'slide'],
  ...['slope-0.998', 'slope-0.998-yaw45', 'slope-1.002', 'slope-1.002-yaw45'],
];

/** What test/bench/rigid/rigid.mjs exports. */
interface RigidBench {
  readonly KNOWN: {
    readonly scenes: readonly string[];
    readonly scans: readonly string[];
    readonly engines: readonly string[];
  };
  benchRigid(
    options: BenchOptions,
    output: { print(text: string): void; note(text: string): void; progress(text: string): void },
  ): Promise<{ results: unknown; markdown: string; failed: boolean }>;
}

interface BenchOptions {
  readonly scenes?: readonly string[];
  readonly engines?: readonly string[];
  readonly scans: boolean;
  readonly rounds: number;
  readonly steps?: number;
  /** [s] */
  readonly cap: number;
  readonly sleep: boolean;
  /** Address of the library's entry. */
  readonly library: string;
}

/** The command `bench`. */
export const bench: Command = {
  name: 'bench',
  summary: 'run the benchmarks, each against its peers',
  help,
  async run(args, streams) {
    const parsed = parseArguments(args, {
      scenes: 'value',
      engines: 'value',
      rounds: 'value',
      steps: 'value',
      cap: 'value',
      library: 'value',
      out: 'value',
      threads: 'value',
      scans: 'switch',
      quick: 'switch',
      sleep: 'switch',
      json: 'switch',
      ...GPU_FLAGS,
    });

    for (const name of parsed.positionals) {
      if (!NAMES.includes(name))
        throw new CallError(`NAME: must be one of ${NAMES.join(', ')}, got ${JSON.stringify(name)}`);
    }
    if (parsed.positionals.length > 1) throw new CallError(`one NAME at a time, got ${parsed.positionals.join(' ')}`);
    const [name] = parsed.positionals;
    if (name !== 'gpu') refuseFlags(name ?? 'rigid', Object.keys(GPU_FLAGS), parsed);
    if (parsed.value('threads') !== undefined) return runThreads(name ?? 'rigid', parsed, streams);
    if (name !== undefined && name !== 'rigid') return runAlone(name as Alone, parsed, streams);
    const root = findRepository();
    const library = findLibrary(root, parsed.value('library'));
    const script: RigidBench = await import(/* @vite-ignore */ pathToFileURL(join(root, RIGID)).href);
    const options = readOptions(parsed, script.KNOWN, library);
    const deliver = prepareFiles(parsed.value('out'));
    const json = parsed.has('json');

    const { results, markdown, failed } = await script.benchRigid(options, {
      print: json ? () => {} : streams.out,
      note: (text) => streams.err(`stiction bench: ${text}\n`),
      progress: createLine(streams),
    });
    const text = `${JSON.stringify(results, null, 1)}\n`;
    deliver(text, markdown);
    if (json) streams.out(text);
    return failed ? EXIT.failed : EXIT.done;
  },
};

/** Flags that mean nothing to the others. */
const RIGID_ONLY = ['scenes', 'engines', 'rounds', 'steps', 'cap', 'library', 'scans', 'sleep'];

function refuseFlags(name: string, flags: readonly string[], parsed: Arguments): void {
  for (const flag of flags) {
    if (parsed.has(flag) || parsed.value(flag) !== undefined) throw new CallError(`--${flag}: not for ${name}`);
  }
}

type Alone = 'solvers' | 'conjugate-residual' | 'rods' | 'shells' | 'solids' | 'snapshots' | 'sag-free' | 'gpu';

/** A benchmark that needs nothing but the program itself, or with `gpu` an adapter. */
async function runAlone(name: Alone, parsed: Arguments, streams: Streams): Promise<number> {
  refuseFlags(name, name === 'shells' ? RIGID_ONLY.filter((flag) => flag !== 'scenes') : RIGID_ONLY, parsed);
  const deliver = prepareFiles(parsed.value('out'));
  const progress = createLine(streams);
  const quick = parsed.has('quick');
  let result: object;
  let page: string;
  let failed = false;

  if (name === 'solvers') {
    const solvers = benchSolvers(quick ? QUICK_SOLVERS : FULL, progress);
    [result, page] = [solvers, showSolverBench(solvers)];
  } else if (name === 'conjugate-residual') {
    const blocks = benchConjugateResidual(quick ? QUICK_CONJUGATE_RESIDUAL : FULL_CONJUGATE_RESIDUAL, progress);
    [result, page] = [blocks, showConjugateResidualBench(blocks)];
  } else if (name === 'rods') {
    const rods = benchRods(quick ? QUICK_RODS : FULL_RODS, progress);
    [result, page] = [rods, showRodBench(rods)];
  } else if (name === 'shells') {
    const shells = benchShells(quick ? QUICK_SHELLS : FULL_SHELLS, progress, readParts(parsed.value('scenes')));
    [result, page] = [shells, showShellBench(shells)];
  } else if (name === 'solids') {
    const solids = benchSolids(quick ? QUICK_SOLIDS : FULL_SOLIDS, progress);
    [result, page] = [solids, showSolidBench(solids)];
  } else if (name === 'snapshots') {
    const snapshots = benchSnapshots(quick ? QUICK_SNAPSHOTS : FULL_SNAPSHOTS, progress);
    [result, page] = [snapshots, showSnapshotBench(snapshots)];
  } else if (name === 'sag-free') {
    const strands = benchSagFree(quick ? QUICK_SAG_FREE : FULL_SAG_FREE, progress);
    [result, page] = [strands, showSagFreeBench(strands)];
  } else {
    const gpu = await runGpuBench(parsed, progress);
    [result, page] = [gpu, showGpuBench(gpu)];
    failed = gpu.findings.some(({ passed }) => !passed);
  }

  return hand(result, page, failed, deliver, parsed, streams);
}

/** Writes and prints a result; returns the exit status. */
function hand(
  result: object,
  page: string,
  failed: boolean,
  deliver: (json: string, markdown: string) => void,
  parsed: Arguments,
  streams: Streams,
): number {
  const json = `${JSON.stringify(result, null, 1)}\n`;
  deliver(json, page);
  streams.out(parsed.has('json') ? json : page);
  return failed ? EXIT.failed : EXIT.done;
}

/** Benchmarks that know --threads. */
const THREADED: readonly string[] = ['rods', 'rigid', 'shells'] satisfies ThreadBench[];

/** The scenes of a benchmark with several numbers of threads. */
async function runThreads(name: string, parsed: Arguments, streams: Streams): Promise<number> {
  if (!THREADED.includes(name)) refuseFlags(name, ['threads'], parsed);
  refuseFlags(`${name} --threads`, RIGID_ONLY, parsed);
  const counts = readThreads(parsed);
  const deliver = prepareFiles(parsed.value('out'));
  const size = parsed.has('quick') ? QUICK_THREADS : FULL_THREADS;
  const result = await benchThreads(name as ThreadBench, counts, size, createLine(streams));
  const failed = result.rows.some(({ isSame }) => !isSame);
  return hand(result, showThreadBench(result), failed, deliver, parsed, streams);
}

/** The numbers of --threads. */
function readThreads(parsed: Arguments): number[] {
  const text = parsed.value('threads') ?? '';
  const counts = text.split(',').map(Number);
  if (counts.every((count) => Number.isInteger(count) && count >= 0 && count <= 64)) return counts;
  throw new CallError(`--threads: must be whole numbers 0..64, got ${JSON.stringify(text)}`);
}

/** The parts of `bench shells` that are asked for: all, where nothing is said. */
function readParts(text: string | undefined): readonly ShellPart[] {
  if (text === undefined) return SHELL_PARTS;
  return text.split(',').map((word) => {
    const part = SHELL_PARTS.find((name) => name === word);
    if (part === undefined)
      throw new CallError(`--scenes: must be of ${SHELL_PARTS.join(', ')}, got ${JSON.stringify(word)}`);
    return part;
  });
}

const RIGID = join('test', 'bench', 'rigid', 'rigid.mjs');

/** Folder of the repository: above the built file, or above this source. */
function findRepository(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = [resolve(here, '..'), resolve(here, '..', '..')].find((folder) => existsSync(join(folder, RIGID)));
  if (root === undefined) throw new CallError('the benchmarks are not part of the package: run this in the repository');
  return root;
}

function findLibrary(root: string, given: string | undefined): string {
  const path = given === undefined ? join(root, 'dist', 'index.js') : resolve(given);
  if (existsSync(path)) return pathToFileURL(path).href;
  throw new CallError(
    given === undefined
      ? 'the library is not built: npm run build'
      : `--library: must be a built library, got ${JSON.stringify(given)}`,
  );
}

function readOptions(parsed: Arguments, known: RigidBench['KNOWN'], library: string): BenchOptions {
  if (parsed.has('quick') && parsed.value('scenes') !== undefined)
    throw new CallError('--quick and --scenes: one of them');
  return {
    scenes: parsed.has('quick') ? QUICK : readNames(parsed, 'scenes', [...known.scenes, ...known.scans]),
    engines: readNames(parsed, 'engines', known.engines),
    scans: parsed.has('scans'),
    rounds: wholeArgument(parsed, 'rounds', 1) ?? DEFAULT_ROUNDS,
    steps: wholeArgument(parsed, 'steps', 1),
    cap: wholeArgument(parsed, 'cap', 1) ?? DEFAULT_CAP,
    sleep: parsed.has('sleep'),
    library,
  };
}

/** The names of a list flag, each once; undefined when it is not given. */
function readNames(parsed: Arguments, flag: string, known: readonly string[]): readonly string[] | undefined {
  const text = parsed.value(flag);
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(','))];
  if (names.length === 1 && names[0] === 'all') return names;
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return names;
  throw new CallError(`--${flag}: must be all, or some of ${known.join(',')}, got ${JSON.stringify(wrong)}`);
}

/** Makes sure that both files can be written; returns what writes them. */
function prepareFiles(path: string | undefined): (json: string, markdown: string) => void {
  if (path === undefined) return () => {};
  if (!path.endsWith('.json')) throw new CallError(`--out: must end with .json, got ${JSON.stringify(path)}`);
  const data = prepareOutput(path);
  const page = prepareOutput(path.replace(/\.json$/, '.md'));
  return (json, markdown) => {
    data.write(json);
    page.write(markdown);
  };
}

/** Says on a terminal, in a line that is overwritten, what runs now. */
function createLine(streams: Streams): (text: string) => void {
  return (text) => {
    if (streams.terminal) streams.err(`\r${text}\u001b[K`);
  };
}
