// `stiction bake`: rest shape and stiffness of a groom such that it stays as drawn, into a file that games read.

import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { sceneSettings } from '../../systems/add-scene';
import { UsageError } from '../core/errors';
import { expandRods } from '../scene/expand-rods';
import { writeBaked } from '../scene/grooms/baked-groom';
import { readGroom } from '../scene/grooms/read-groom';
import { type ResampleOptions, resampleGroom } from '../scene/grooms/resample-groom';
import { strandsOf } from '../scene/grooms/scene-strands';
import { readScene } from '../scene/read';
import { type RodMaterial, resolveRodMaterial } from '../state/rod-material';
import type { GroomPoints } from '../static-equilibrium/bake-by-parts';
import { type BakeJob, reportStrands, requireBakeable } from '../static-equilibrium/bake-strands';
import { resolveSagFree, type SagFreeOptions } from '../static-equilibrium/sag-free-options';
import { type Arguments, parseArguments, wholeArgument } from './arguments';
import { bakeGroom } from './bake-groom';
import { isSameFile, prepareOutput, readBytes, readNamedFile, readText } from './files';
import { createProgress } from './progress';
import { type SettledGroom, settleGroom } from './settle-groom';
import { CallError, type Command, EXIT } from './usage';

const help = `stiction bake GROOM|SCENE --out FILE [options]

Finds the rest shape and the stiffness of every strand of a groom (.hair, .data, .tfx, or a groom of a *.scene.json)
such that the drawn shape is a stable equilibrium under gravity, and writes them with the strands to FILE, which
readGroom and scene files take as a groom. Prints a report as JSON. Killed, it goes on from FILE.part where it was.

  --out FILE            the baked groom (by custom *.sag)
  --workers N           threads (default: one a core); the result is the same for any number
  --groom NAME          which groom of the scene (default: the only one)
  --allow-files         a groom of the scene may lie outside its folder
  --rest-shape          changes the rest shape alone, no stiffness: may leave forces
  --curvature-change X  most a rest curvature differs from the drawn one (default 1)
  --stiffest X          largest factor on a stiffness (default 1e6)
  --no-stabilise        leaves strands as they are that would not stay by themselves
  --contacts SECONDS    of a scene: lets the groom settle for so long among what it touches, then bakes the shape
                        that it has with the forces of its contacts: hair drawn within a head lies on it, and stays
 for groom files (a scene says these itself):
  --vertices N  --max-strands N  --seed N  --scale S|head    as resampleGroom
  --gravity X,Y,Z       [m/s²] (default 0,-9.81,0)
  --radius M  --density D  --young-modulus P  --shear-modulus P  --stretch-modulus P    default: human hair
  --check               exit status 1 when a strand has a force left or is unstable
  --quiet               no progress bar and no notes
  --help                this text

Exit status: 0 done, 1 it ran and failed, 2 the input or the call is wrong.
`;

/** What `stiction bake` prints. */
export interface BakeResult {
  file: string;
  strands: number;
  points: number;
  /** Largest force left over weight [1]. */
  worstForce: number;
  forceLeft: readonly { readonly strand: number; readonly force: number }[];
  unstable: readonly number[];
  /** Strands stiffened to be stable, and the largest factor at a root [1]. */
  stiffened: number;
  stiffest: number;
  /**
   * With --contacts: farthest that a point settled from where it was drawn [m], and the fastest point at the end [m/s].
   */
  settled?: { moved: number; fastest: number };
}

/** The command `bake`. */
export const bake: Command = {
  name: 'bake',
  summary: 'find the rest shape and stiffness that keep a groom as drawn',
  help,
  async run(args, streams) {
    const parsed = parseArguments(args, FLAGS);
    const [path, ...others] = parsed.positionals;
    if (path === undefined) throw new CallError('GROOM is missing: stiction bake GROOM --out FILE');
    if (others.length > 0) throw new CallError(`one GROOM at a time, got ${JSON.stringify(others[0])} as well`);
    const out = parsed.value('out');
    if (out === undefined) throw new CallError('--out FILE is missing');
    const workers = wholeArgument(parsed, 'workers', 1) ?? availableParallelism();
    const output = prepareOutput(out);
    if (isSameFile(path, out)) throw new CallError(`--out: must not be ${path} itself, which would be lost`);
    const { strands, job, settle } = path.endsWith('.json') ? readFromScene(path, parsed) : readFromFile(path, parsed);
    requireBakeable('bake', strands.counts);

    // The strands, part by part.
    const quiet = parsed.has('quiet');
    const progress = createProgress(streams, strands.counts.length, quiet, 'strand');
    let last = performance.now();
    const bakeAll = (points: GroomPoints, own: BakeJob, parts: string) =>
      bakeGroom(points, own, workers, parts, {
        resumed: (count) => quiet || streams.err(`stiction bake: ${count} strands were baked before\n`),
        done(count) {
          const now = performance.now();
          progress.show(count, now - last);
          last = now;
        },
      });
    let { numbers, finish } = await bakeAll(strands, job, `${out}.part`);
    let bytes = writeBaked(strands, job.for, numbers);

    // Among contacts: settled as it was baked without them, then baked as it lies.
    const settled = settle?.(bytes, strands);
    if (settled) {
      const { forces } = settled;
      const finishFirst = finish;
      ({ numbers, finish } = await bakeAll(
        settled.strands,
        { ...job, settings: { ...job.settings, forces } },
        `${out}.contacts.part`,
      ));
      finishFirst();
      bytes = writeBaked(settled.strands, job.for, numbers);
    }
    progress.clear();
    output.write(bytes);
    finish();

    const { worstForce, forceLeft, unstable, stiffened } = reportStrands(numbers.strands);
    const result: BakeResult = {
      file: out,
      strands: strands.counts.length,
      points: strands.positions.length / 3,
      worstForce,
      forceLeft,
      unstable,
      stiffened: stiffened.length,
      stiffest: stiffened.reduce((most, { factor }) => Math.max(most, factor), 1),
    };
    if (settled) result.settled = { moved: settled.moved, fastest: settled.fastest };
    streams.out(`${JSON.stringify(result, null, 1)}\n`);
    return parsed.has('check') && forceLeft.length + unstable.length > 0 ? EXIT.failed : EXIT.done;
  },
};

/** Flags for groom files, and the material's number of each. */
const MATERIAL_FLAGS: Readonly<Record<string, keyof RodMaterial>> = {
  radius: 'radius',
  density: 'density',
  'young-modulus': 'youngModulus',
  'shear-modulus': 'shearModulus',
  'stretch-modulus': 'stretchModulus',
};
const FILE_FLAGS = ['vertices', 'max-strands', 'seed', 'scale', 'gravity', ...Object.keys(MATERIAL_FLAGS)];
const SAG_FREE_FLAGS = ['curvature-change', 'stiffest', 'contacts'];
const FLAGS: Readonly<Record<string, 'value' | 'switch'>> = {
  ...Object.fromEntries(['out', 'workers', 'groom', ...SAG_FREE_FLAGS, ...FILE_FLAGS].map((flag) => [flag, 'value'])),
  ...Object.fromEntries(
    ['rest-shape', 'no-stabilise', 'allow-files', 'check', 'quiet'].map((flag) => [flag, 'switch']),
  ),
};

interface Work {
  readonly strands: GroomPoints;
  readonly job: BakeJob;
  /** Where contacts are wanted: the groom at rest among them. */
  readonly settle?: (baked: Uint8Array, drawn: GroomPoints) => SettledGroom;
}

function numberArgument(parsed: Arguments, flag: string): number | undefined {
  const text = parsed.value(flag);
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) throw new CallError(`--${flag}: must be a number, got ${JSON.stringify(text)}`);
  return number;
}

/** The options on the command line over those of the scene. */
function sagFreeOptions(parsed: Arguments, scene: SagFreeOptions): SagFreeOptions {
  const options = { ...scene };
  if (parsed.has('rest-shape')) options.change = 'rest-shape';
  if (parsed.has('no-stabilise')) options.stabilise = false;
  const curvature = numberArgument(parsed, 'curvature-change');
  const stiffest = numberArgument(parsed, 'stiffest');
  if (curvature !== undefined) options.curvatureChange = curvature;
  if (stiffest !== undefined) options.stiffest = stiffest;
  return options;
}

function readFromFile(path: string, parsed: Arguments): Work {
  for (const flag of ['groom', 'contacts']) {
    if (parsed.value(flag) !== undefined) throw new CallError(`--${flag}: for scenes only`);
  }
  const options: ResampleOptions = {};
  const vertices = wholeArgument(parsed, 'vertices', 3);
  const maxStrands = wholeArgument(parsed, 'max-strands', 1);
  const seed = wholeArgument(parsed, 'seed', 0);
  if (vertices !== undefined) options.vertices = vertices;
  if (maxStrands !== undefined) options.maxStrands = maxStrands;
  if (seed !== undefined) options.seed = seed;
  const scale = parsed.value('scale');
  if (scale !== undefined) options.scale = scale === 'head' ? 'head' : numberArgument(parsed, 'scale');
  const material: Partial<RodMaterial> = {};
  for (const [flag, name] of Object.entries(MATERIAL_FLAGS)) {
    const value = numberArgument(parsed, flag);
    if (value !== undefined) material[name] = value;
  }
  const text = parsed.value('gravity') ?? '0,-9.81,0';
  const gravity = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (gravity.length !== 3 || !gravity.every(Number.isFinite)) {
    throw new CallError(`--gravity: must be three numbers X,Y,Z [m/s²], got ${JSON.stringify(text)}`);
  }
  const strands = inFile(path, () => resampleGroom(readGroom(readBytes(path), path), options));
  return { strands, job: makeJob(resolveRodMaterial('bake', material), gravity, sagFreeOptions(parsed, {}), false) };
}

function readFromScene(path: string, parsed: Arguments): Work {
  for (const flag of FILE_FLAGS) {
    if (parsed.value(flag) !== undefined) throw new CallError(`--${flag}: for groom files; a scene says it itself`);
  }
  const scene = inFile(path, () => readScene(readText(path)));
  const { grooms } = expandRods(scene);
  const names = grooms.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
  const wanted = parsed.value('groom');
  if (wanted === undefined && grooms.length !== 1) {
    throw new CallError(`--groom: must name one of ${names}, for the scene has ${grooms.length}`);
  }
  const placed = wanted === undefined ? grooms[0] : grooms.find(({ name }) => name === wanted);
  if (placed === undefined) throw new CallError(`--groom: must be one of ${names}, got ${JSON.stringify(wanted)}`);
  const { file, vertices, maxStrands, seed, scale, position, rotation, rod, sagFree } = placed.groom;
  const options: ResampleOptions = { seed, scale, position, rotation };
  if (vertices !== undefined) options.vertices = vertices;
  if (maxStrands !== undefined) options.maxStrands = maxStrands;
  const readFile = (name: string) => readNamedFile(dirname(path), name, parsed.has('allow-files'));
  const bytes = file === undefined ? null : readFile(file);
  const strands = inFile(file === undefined ? path : join(dirname(path), file), () =>
    resampleGroom(
      strandsOf(placed.groom, () => bytes as Uint8Array),
      options,
    ),
  );
  const { gravity = [0, -9.81, 0] } = sceneSettings(scene);
  const own = typeof sagFree === 'object' ? sagFree : {};
  const clampEnd = rod.clampEnd ?? rod.attachEnd !== undefined;
  if (rod.clampStart === false)
    throw new CallError(`groom ${JSON.stringify(placed.name)}: clampStart must be true, got false`);
  const work = {
    strands,
    job: makeJob(resolveRodMaterial('bake', numbersOf(rod)), gravity, sagFreeOptions(parsed, own), clampEnd),
  };
  const seconds = numberArgument(parsed, 'contacts');
  if (seconds === undefined) return work;
  if (!(seconds > 0)) throw new CallError(`--contacts: must be > 0 [s], got ${seconds}`);
  const settle: Work['settle'] = (baked, drawn) => settleGroom(scene, placed.name, baked, drawn, seconds, readFile);
  return { ...work, settle };
}

/** The material of a scene's rod. */
function numbersOf(rod: Partial<RodMaterial>): Partial<RodMaterial> {
  const { radius, density, youngModulus, shearModulus, stretchModulus, gravityScale } = rod;
  return { radius, density, youngModulus, shearModulus, stretchModulus, gravityScale };
}

function makeJob(
  material: RodMaterial,
  gravity: ArrayLike<number>,
  options: SagFreeOptions,
  clampEnd: boolean,
): BakeJob {
  const { radius, density, youngModulus, shearModulus, stretchModulus, gravityScale } = material;
  return {
    for: {
      radius,
      density,
      youngModulus,
      shearModulus,
      stretchModulus,
      gravity: [gravityScale * gravity[0], gravityScale * gravity[1], gravityScale * gravity[2]],
      clampEnd,
    },
    settings: resolveSagFree('bake', options),
  };
}

function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}
