// Does this adapter compute what the WebAssembly backend does? Small worlds, each advanced
// by both or against what is known.
//
// For machines that have a driver of their own and no test suite at hand: `stiction bench gpu --conformance`. The
// suite's own tests (test/gpu, test/conformance) look closer, kernel by kernel, on a software adapter. Software takes a
// fraction of a second for the many dispatches of a step: there the worlds are advanced by fewer steps. Tolerances are
// those of f32 on the device against f64 or f32 on the CPU, several times what a software adapter shows.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { enableGpuStrands, type GpuStrandsHandle } from '../../systems/gpu-strands';
import type { Physics } from '../../systems/physics';
import { addRigidBody } from '../../systems/rigid-body';
import { addRod } from '../../systems/rods';
import type { GpuContext } from '../gpu/device/device';
import * as L from '../state/layout';
import { createCrossingDetection, depthInBall } from './rods-crossings';
import { createHairyBall, createTufts, type HairyBall } from './rods-worlds';

/** What one check found. */
export interface Finding {
  readonly name: string;
  readonly passed: boolean;
  /** Measured and allowed, or why it could not be run. */
  readonly detail: string;
}

interface Check {
  readonly name: string;
  run(context: GpuContext): Promise<Omit<Finding, 'name'>>;
}

/** Runs all checks; a check that throws has failed. */
export async function checkConformance(context: GpuContext, progress: (text: string) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, run } of CHECKS) {
    progress(name);
    try {
      findings.push({ name, ...(await run(context)) });
    } catch (error) {
      findings.push({ name, passed: false, detail: error instanceof Error ? error.message : String(error) });
    }
  }
  const { errors, isLost } = context;
  const complaint = isLost ? 'the device was lost' : (errors[0]?.split('\n')[0] ?? 'none');
  findings.push({ name: 'errors of the device', passed: errors.length === 0 && !isLost, detail: complaint });
  return findings;
}

/** A world that moves itself; bench worlds are such. */
interface Scene {
  readonly physics: Physics;
  advance(): void;
}

/** Moves a world to the device for as long as `work` takes. */
async function onDevice<T>(
  context: GpuContext,
  { physics }: Scene,
  work: (handle: GpuStrandsHandle) => Promise<T>,
): Promise<T> {
  const handle = await enableGpuStrands(physics, { device: context.device, readBack: 0, auto: 'all' });
  try {
    if (handle.state !== 'webgpu') throw new Error(`not on the device: ${handle.reason}`);
    return await work(handle);
  } finally {
    handle.dispose();
  }
}

/** Steps on the device, then brings the state back. */
async function runOnDevice(context: GpuContext, scene: Scene, steps: number): Promise<GpuStrandsHandle> {
  return onDevice(context, scene, async (handle) => {
    for (let i = 0; i < steps; i++) scene.advance();
    await handle.settle();
    return handle;
  });
}

/** Places of all nodes, x y z [m]. */
function places({ physics }: Scene): Float64Array {
  const { arena, tables } = physics.internal.engine;
  const count = arena.i32[L.NODE_COUNT >> 2];
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) out.set(tables.nodes.position.subarray(4 * i, 4 * i + 3), 3 * i);
  return out;
}

/** Root mean square of the difference of two lists [m]; no number if one of them has one that is none. */
function apart(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return Math.sqrt(sum / a.length);
}

const millimetres = (x: number) => `${(1000 * x).toPrecision(2)} mm`;

/** Makes the rows of its strands at once. */
function ready<T extends Scene>(scene: T): T {
  scene.physics.hash();
  return scene;
}

/** Both backends, `steps` on from the same moment; the way gone, the difference, contacts. */
async function compare(context: GpuContext, create: () => Scene, lead: number, steps: number) {
  const [known, found] = [ready(create()), ready(create())];
  for (let i = 0; i < lead; i++) for (const scene of [known, found]) scene.advance();
  const start = places(known);
  for (let i = 0; i < steps; i++) known.advance();
  const handle = await runOnDevice(context, found, steps);
  const result = {
    moved: apart(places(known), start),
    difference: apart(places(known), places(found)),
    contacts: [known.physics.report.strands.contacts, handle.report.contacts] as const,
  };
  for (const { physics } of [known, found]) physics.dispose();
  return result;
}

const TUFT = { rows: 5, columns: 5, vertices: 12 };

/** A rod of eight nodes across the slope; gravity slants instead of the plane. tan θ = `share` of the friction. */
function createSlope(share: number): Scene {
  const mu = 0.5;
  const tangent = share * mu;
  const down = 9.81 / Math.sqrt(1 + tangent * tangent);
  const physics = createPhysics(createWorld(), { sleeping: false, gravity: [tangent * down, -down, 0] });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: mu });
  const radius = 0.005;
  const points = Array.from({ length: 8 }, (_, i) => [0, radius, 0.02 * i] as [number, number, number]);
  addRod(physics, { points, radius, density: 1000, youngModulus: 1e7, friction: mu, selfContact: false });
  return { physics, advance: () => physics.step() };
}

async function slide(context: GpuContext, share: number, steps: number): Promise<number> {
  const scene = createSlope(share);
  await runOnDevice(context, scene, steps);
  const found = places(scene);
  scene.physics.dispose();
  let sum = 0;
  for (let i = 0; i < found.length; i += 3) sum += found[i];
  return (3 * sum) / found.length;
}

/** Locks of hair on a ball, and vertices of each. */
const [LOCKS, VERTICES] = [60, 16];

/** A small ball with thick locks that have fallen into contact. */
function createLocks(): HairyBall {
  const ball = createHairyBall(LOCKS, VERTICES, 'auto');
  for (let i = 0; i < 30; i++) ball.advance();
  return ball;
}

/** Steps of a check. */
const stepsOn = ({ isSoftware }: GpuContext, few: number, many: number) => (isSoftware ? few : many);

const CHECKS: readonly Check[] = [
  {
    name: 'strands without contacts, as on wasm',
    async run(context) {
      const create = () => createTufts(25, TUFT, false, 'auto');
      const { moved, difference } = await compare(context, create, 0, stepsOn(context, 10, 60));
      const share = difference / moved;
      return { passed: share < 0.01, detail: `${(100 * share).toPrecision(2)} % of the way gone, allowed 1 %` };
    },
  },
  {
    name: 'a step of locks in contact from the same moment, as on wasm',
    async run(context) {
      const { moved, difference, contacts } = await compare(context, createLocks, 0, 1);
      const share = difference / moved;
      const counts = Math.abs(contacts[1] / contacts[0] - 1);
      return {
        passed: share < 0.02 && counts < 0.1,
        detail: `${(100 * share).toPrecision(2)} % of the way gone, allowed 2 %; ${contacts.join(' and ')} contacts`,
      };
    },
  },
  {
    name: 'a rod on a slope sticks at 98 % of the friction angle’s tangent',
    async run(context) {
      const steps = stepsOn(context, 12, 60);
      const way = Math.abs(await slide(context, 0.98, steps));
      return { passed: way < 1e-4, detail: `${millimetres(way)} in ${steps} steps, allowed 0.1 mm` };
    },
  },
  {
    name: 'and slides at 120 % as a block does',
    async run(context) {
      const steps = stepsOn(context, 12, 60);
      const way = await slide(context, 1.2, steps);
      const slope = 0.6;
      // ½ a t² of symplectic Euler: n (n + 1) / 2 steps.
      const known = (0.5 * steps * (steps + 1) * 9.81 * (slope - 0.5)) / Math.sqrt(1 + slope * slope) / 3600;
      const error = Math.abs(way / known - 1);
      return { passed: error < 0.02, detail: `${millimetres(way)}, known ${millimetres(known)}, allowed 2 %` };
    },
  },
  {
    name: 'locks of a shaken ball go through no lock and not into the ball',
    async run(context) {
      const ball = createLocks();
      const detection = createCrossingDetection();
      let [crossings, pairs, depth] = [0, 0, Number.NEGATIVE_INFINITY];
      await onDevice(context, ball, async (handle) => {
        for (let step = 0; step < stepsOn(context, 8, 120); step++) {
          ball.advance();
          await handle.settle();
          const { previous, position, strand } = ball.physics.internal.engine.tables.nodes;
          const found = detection(previous, position, strand, LOCKS * VERTICES);
          crossings += found.count;
          pairs += found.pairs;
          depth = Math.max(depth, depthInBall(previous, position, strand, LOCKS * VERTICES, ball.radius, 2));
        }
      });
      ball.physics.dispose();
      const inside = depth > 0 ? `${millimetres(depth)} inside the ball` : 'none inside the ball';
      return {
        passed: crossings === 0 && pairs > 0 && depth < ball.strandRadius,
        detail: `${crossings} crossings in ${pairs} pairs, ${inside}`,
      };
    },
  },
  {
    name: 'the same run twice, bit for bit',
    async run(context) {
      const hashes: string[] = [];
      for (let i = 0; i < 2; i++) {
        const ball = createLocks();
        await runOnDevice(context, ball, stepsOn(context, 4, 60));
        hashes.push(ball.physics.hash());
        ball.physics.dispose();
      }
      return { passed: hashes[0] === hashes[1], detail: hashes.join(' and ') };
    },
  },
];
