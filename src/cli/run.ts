// `stiction run`: advances a scene without a picture and reports what came of it.

import { dirname, resolve } from 'node:path';
import { createWorld } from 'bitecs';
import { addScene, sceneSettings } from '../../systems/add-scene';
import type { AddSceneOptions } from '../../systems/add-scene-rods';
import { createPhysics } from '../../systems/create-physics';
import { enableGpuStrands, type GpuStrandsHandle } from '../../systems/gpu-strands';
import { MESH_FAMILIES, MESH_NAMES } from '../../systems/mesh-families';
import type { Physics } from '../../systems/physics';
import { enableSagFree } from '../../systems/sag-free';
import { UsageError } from '../core/errors';
import { captureProblem } from '../dynamics/capture-problem';
import { captureElasticProblem } from '../dynamics/elastic/capture-elastic';
import { type FrictionProblem, writeProblem } from '../scene/problem';
import { readScene } from '../scene/read';
import type { Scene } from '../scene/scene-types';
import { USUAL_ITERATIONS } from '../state/elastic-settings';
import { type Arguments, parseArguments, secondsArgument, wholeArgument, wordArgument } from './arguments';
import { openDawn } from './dawn';
import { type Output, prepareOutput, readNamedFile, readText } from './files';
import { createGauge } from './measurements';
import { createProgress, type Progress } from './progress';
import {
  makeResult,
  type RunResult,
  readBodies,
  readPresentMeshes,
  readRods,
  showResult,
  type TraceEntry,
} from './result';
import { problemFile } from './solve';
import { CallError, type Command, EXIT, type Streams } from './usage';

const DEFAULT_STEPS = 600;
const BACKENDS = ['auto', 'reference', 'wasm', 'webgpu'] as const;

const help = `stiction run SCENE [options]

Advances a scene file (*.scene.json) and prints the result as JSON: the final state of every body, rod, shell and solid
and a report (step times, residual, penetration, energy, contacts, solvers, a hash of the state). Files that the scene
names are looked for beside it and must lie in its folder; files are at most 512 MiB.

  --steps N       steps to take (default ${DEFAULT_STEPS})
  --seconds T     time to simulate [s], rounded to whole steps
  --backend B     where rods run: auto, reference, wasm, or webgpu, which needs the npm package webgpu and waits for
                  the device after every step; rigid bodies always run on wasm
  --every K       adds a trace: the state of all that is elastic and of all bodies that are not static, every K steps
  --out FILE      writes the result to FILE instead of standard output, on success only
  --no-sleep      keeps all bodies awake
  --dump-problem STEP FILE
                  writes the contact problem of that step's largest island to FILE (*.problem.json, for stiction solve):
                  in full form, with nodes, twists and bodies, where it holds a rod, shell or solid
  --check         exit status 1 when a body or rod was quarantined or a limit reached
  --allow-files   files that the scene names may lie anywhere
  --quiet         no progress bar and no notes, but still a warning where another solver was used than asked for
  --help          this text

Exit status: 0 done, 1 it ran and failed, 2 the input or the call is wrong.
`;

/** The command `run`. */
export const run: Command = {
  name: 'run',
  summary: 'advance a scene file and print the result as JSON',
  help,
  async run(args, streams) {
    const dump = takeDump(args);

    const parsed = parseArguments(dump.others, {
      steps: 'value',
      seconds: 'value',
      backend: 'value',
      every: 'value',
      out: 'value',
      'no-sleep': 'switch',
      check: 'switch',
      'allow-files': 'switch',
      quiet: 'switch',
    });

    const [path, ...rest] = parsed.positionals;
    if (path === undefined) throw new CallError('SCENE is missing: stiction run SCENE [options]');
    if (rest.length > 0) throw new CallError(`one SCENE at a time, got ${JSON.stringify(rest[0])} as well`);
    const backend = wordArgument(parsed, 'backend', BACKENDS, 'auto');
    const every = wholeArgument(parsed, 'every', 1);
    const amount = readAmount(parsed);
    const outPath = parsed.value('out');
    const output = outPath === undefined ? undefined : prepareOutput(outPath);
    const dumpOutput = dump.file === undefined ? undefined : prepareOutput(dump.file);
    const scene = await inFile(path, () => readScene(readText(path)));
    const steps = amount.steps ?? stepsIn(amount.seconds, scene);
    const quiet = parsed.has('quiet');
    const progress = createProgress(streams, steps, quiet);
    const options: RunOptions = { steps, every, sleeping: !parsed.has('no-sleep') };
    if (backend === 'reference' || backend === 'wasm') options.backend = backend;
    const folder = resolve(dirname(path));
    options.readFile = (name) => readNamedFile(folder, name, parsed.has('allow-files'));
    let problem: FrictionProblem | null = null;
    if (dump.step !== undefined) {
      if (dump.step > steps) throw new CallError(`--dump-problem: STEP must be 1..${steps}, got ${dump.step}`);
      options.capture = { step: dump.step, take: (taken) => (problem = taken) };
    }
    const asked = backend === 'auto' ? (scene.solver.backend ?? 'auto') : backend;
    const notes: string[] = [];

    if (asked === 'webgpu' && hasRods(scene)) {
      const gpu = await findGpu();
      if (typeof gpu === 'string') notes.push(missing(gpu));
      else options.gpu = gpu;
    }
    options.note = (text) => notes.push(text);
    const result = await inFile(path, () => runScene(scene, options, progress));
    if (dumpOutput) {
      if (!problem) throw new CallError(`--dump-problem: nothing touches in step ${dump.step}`);
      dumpOutput.write(writeProblem(problem));
    }
    deliver(showResult(result), output, streams);
    const shown = quiet ? otherSolver(result) : [...notes, ...notesOn(result, scene, asked)];
    for (const note of shown) streams.err(`stiction run: ${note}\n`);
    const failed = result.report.quarantined.length > 0 || result.report.limits.length > 0;
    return parsed.has('check') && failed ? EXIT.failed : EXIT.done;
  },
};

/** How far a run goes, and what it takes down. */
export interface RunOptions {
  steps: number;
  /** Steps between trace entries; undefined for no trace. */
  every?: number;
  sleeping?: boolean;
  /** Where rods run; without one, as the scene says. */
  backend?: 'reference' | 'wasm';
  /** Where to ask for the device that rods run on; without one they stay on the CPU. */
  gpu?: GPU;
  /** Is told what turned out otherwise than asked. */
  note?(text: string): void;
  /** Bytes of a groom's file. */
  readFile?: AddSceneOptions['readFile'];
  /** Hands over the contact problem of a step's largest island, null if nothing touches. */
  capture?: { step: number; take(problem: FrictionProblem | null): void };
}

/** Advances a scene. Rejects with UsageError when the engine refuses it. */
async function runScene(scene: Scene, options: RunOptions, progress?: Progress): Promise<RunResult> {
  const { steps, every, sleeping = true } = options;
  const settings = sceneSettings(scene);
  if (options.backend) settings.elastic = { ...settings.elastic, backend: options.backend };
  const warn = (text: string) => options.note?.(text.replace('stiction: ', 'warning: '));
  const physics = createPhysics(createWorld(), { ...settings, sleeping, warn });
  if ([...scene.rods, ...scene.grooms].some(({ sagFree }) => sagFree)) enableSagFree(physics);
  const added = addScene(physics, scene, { readFile: options.readFile });
  const { capture } = options;
  if (capture) {
    const dumpContacts = () => {
      if (physics.stepCount + 1 === capture.step) capture.take(takeProblem(physics));
    };
    physics.schedule.before('solve-contacts', dumpContacts);
  }
  const gauge = createGauge(physics);
  const trace: TraceEntry[] = [];
  try {
    const handle = options.gpu ? await moveToGpu(physics, options.gpu) : null;
    for (let k = 1; k <= steps; k++) {
      physics.step();
      // What is measured and traced is this step, not what came back last.
      await handle?.settle();
      gauge.record();
      if (every !== undefined && k % every === 0) {
        const bodies = readBodies(physics, added, false);
        const rods = added.rods.size > 0 ? { rods: readRods(physics, added) } : {};
        trace.push({ time: physics.time, bodies, ...rods, ...readPresentMeshes(physics, added) });
      }
      progress?.show(k, physics.profile.stepMilliseconds());
    }
    const result = makeResult(scene, physics, added, gauge.summary(), every === undefined ? undefined : trace);
    if (handle?.state === 'webgpu') result.backend = 'webgpu';
    else if (handle) options.note?.(missing(handle.reason ?? 'unknown reason'));
    return result;
  } finally {
    progress?.clear();
    physics.dispose();
  }
}

/** The problem of the largest island before it is solved: in full form where it is elastic. */
function takeProblem({ internal: { engine } }: Physics): FrictionProblem | null {
  const elastic = captureElasticProblem(engine);
  const rigid = captureProblem(engine);
  // What an elastic island shares with a rigid one is in both: the elastic one has all of it.
  if (elastic && elastic.contacts >= (rigid?.contactCount ?? 0)) return { version: 1, form: 'full', ...elastic };
  return rigid && problemFile(rigid);
}

const isElastic = (scene: Scene): boolean =>
  hasRods(scene) || MESH_NAMES.some((name) => scene[MESH_FAMILIES[name].list].length > 0);

const hasRods = (scene: Scene): boolean => scene.rods.length + scene.grooms.length > 0;

const missing = (reason: string): string => `note: no webgpu here (${reason}), wasm was used`;

/** Dawn on an adapter of this machine, or why there is none. */
async function findGpu(): Promise<GPU | string> {
  try {
    const gpu = await openDawn();
    return (await gpu.requestAdapter()) ? gpu : 'no adapter';
  } catch (error) {
    if (error instanceof CallError) return error.message;
    throw error;
  }
}

/** The strands of a world that the device can take, with as many iterations and sweeps as they would get on the CPU. */
function moveToGpu(physics: Physics, gpu: GPU): Promise<GpuStrandsHandle> {
  const { iterations, sweeps } = physics.internal.engine.settings.elastic;
  const most = iterations === 'auto' ? USUAL_ITERATIONS : iterations;
  return enableGpuStrands(physics, { gpu, readBack: 1, auto: 'all', iterations: most, sweeps });
}

/** Takes `--dump-problem STEP FILE` out of the arguments: the platform's parser knows no option with two values. */
function takeDump(args: readonly string[]): { others: string[]; step?: number; file?: string } {
  const at = args.indexOf('--dump-problem');
  if (at < 0) return { others: [...args] };
  const [step, file] = args.slice(at + 1, at + 3);
  if (!/^[1-9]\d{0,14}$/.test(step ?? '') || file === undefined || file.startsWith('-')) {
    throw new CallError(
      `--dump-problem: must be followed by STEP (>= 1) and FILE, got ${JSON.stringify(args.slice(at + 1, at + 3))}`,
    );
  }
  return { others: args.toSpliced(at, 3), step: Number(step), file };
}

function readAmount(parsed: Arguments): { steps?: number; seconds: number } {
  const steps = wholeArgument(parsed, 'steps', 0);
  const seconds = secondsArgument(parsed, 'seconds');
  if (steps !== undefined && seconds !== undefined) throw new CallError('give --steps or --seconds, not both');
  return seconds === undefined ? { steps: steps ?? DEFAULT_STEPS, seconds: 0 } : { seconds };
}

function stepsIn(seconds: number, scene: Scene): number {
  const steps = Math.round(seconds / scene.timeStep);
  if (!Number.isSafeInteger(steps)) {
    throw new CallError(`--seconds: must be fewer than 2^53 steps of ${scene.timeStep} s, got ${seconds}`);
  }
  return steps;
}

/** Runs `work`; what it refuses is said with the name of the file in front of every line. */
async function inFile<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) {
      throw new CallError(
        error.message
          .split('\n')
          .map((line) => `${path}: ${line}`)
          .join('\n'),
      );
    }
    throw error;
  }
}

function deliver(text: string, output: Output | undefined, streams: Streams): void {
  if (output) output.write(text);
  else streams.out(text);
}

function notesOn({ report }: RunResult, scene: Scene, asked: string): string[] {
  const notes: string[] = [];
  if ((asked === 'webgpu' || asked === 'reference') && !isElastic(scene)) {
    notes.push(`note: rigid bodies run on wasm, not on ${asked}`);
  }
  const bad = report.quarantined;
  if (bad.length > 0) {
    const names = bad.slice(0, 5).map((name) => JSON.stringify(name));
    const more = bad.length > 5 ? ` and ${bad.length - 5} more` : '';
    notes.push(`warning: no longer finite numbers, taken out of the simulation: ${names.join(', ')}${more}`);
  }
  const limits = report.limits.filter((limit) => !OTHER_SOLVER.test(limit)).slice(0, 5);
  return [...notes, ...otherSolver({ report }), ...limits.map((limit) => `warning: limit reached: ${limit}`)];
}

/** How limits begin that tell of a solver which was asked for and not used. */
const OTHER_SOLVER = /^(elastic\.)?solver '/;

/** What is said under --quiet, too: a result is not that of the solver that was asked for. */
function otherSolver({ report }: Pick<RunResult, 'report'>): string[] {
  return report.limits.filter((limit) => OTHER_SOLVER.test(limit)).map((limit) => `warning: ${limit}`);
}
