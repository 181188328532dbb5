// Worlds with joints for tests, on wasm and on the device: the same scene in both, stepped side by side.

import { expect } from 'vitest';
import { enableGpuStrands, type GpuStrandsHandle, type GpuStrandsOptions, type PhysicsSettings } from '../../src/index';
import { addBody, addStrands, createRodWorld, line, type RodWorld, tie } from '../validation/strand-worlds';
import { withDevice } from './test-device';

export interface Twins {
  readonly wasm: RodWorld;
  readonly gpu: RodWorld;
  readonly handle: GpuStrandsHandle;
  /** Steps both; what comes back is waited for. */
  step(count: number): Promise<void>;
}

/** One iteration: enough where nothing touches. */
const FEW = { iterations: 1, sweeps: 1, looks: 1, readBack: 0 };

/** Runs `work` with a scene on wasm and on the device, where it must be to the end. */
export async function withTwins(
  build: (world: RodWorld) => void,
  work: (twins: Twins) => Promise<void>,
  settings: PhysicsSettings = {},
  options: GpuStrandsOptions = {},
): Promise<void> {
  await withDevice(async ({ device }) => {
    const [wasm, gpu] = [createRodWorld(settings), createRodWorld(settings)];
    const handle = await enableGpuStrands(gpu.physics, { device, ...FEW, ...options });
    build(wasm);
    build(gpu);
    const step = async (count: number) => {
      for (let k = 0; k < count; k++) {
        wasm.physics.step();
        gpu.physics.step();
        await handle.settle();
      }
    };
    await work({ wasm, gpu, handle, step });
    expect(handle.reason).toBe(null);
    wasm.physics.dispose();
    gpu.physics.dispose();
  });
}

/** Why a scene goes to wasm within a few steps; null if it does not. */
export async function reasonOf(build: (world: RodWorld) => void): Promise<string | null> {
  return withDevice(async ({ device }) => {
    const world = createRodWorld();
    const handle = await enableGpuStrands(world.physics, { device, ...FEW });
    build(world);
    for (let k = 0; k < 6 && handle.state === 'webgpu'; k++) {
      world.physics.step();
      await handle.settle();
    }
    const { reason } = handle;
    world.physics.dispose();
    return reason;
  });
}

/** A rope of 1 m (0.31 kg) down from the origin, tied to the world; a crate hangs on it. Slots and rows are the first. */
export function addHangingCrate(world: RodWorld, mass: number, isSideways = false): void {
  const along = isSideways ? [1, 0, 0] : [0, -1, 0];
  const crate = addBody(world, {
    type: 'dynamic',
    shape: { box: [0.1, 0.2, 0.1] },
    mass,
    position: along.map((x) => 1.2 * x),
  });
  addStrands(world, { points: line([0, 0, 0], along, 11), young: 1e8, damping: 0.01 });
  tie(world, 0, 0, -1, [0, 0, 0]);
  tie(
    world,
    0,
    10,
    crate.slot,
    along.map((x) => -0.2 * x),
  );
}

/** Two ropes of 2 m side by side, clamped at their ends, with three crates of 1 kg between them. */
export function addBridge(world: RodWorld): void {
  for (const z of [-0.1, 0.1]) {
    const points = line([-1, 0, z], [1, 0, z], 21);
    addStrands(world, { points, young: 1e8, clampStart: true, clampEnd: true, damping: 0.05 });
  }
  for (const node of [5, 10, 15]) {
    const position = [-1 + 0.1 * node, 0, 0];
    const crate = addBody(world, { type: 'dynamic', shape: { box: [0.04, 0.02, 0.1] }, mass: 1, position });
    for (const rope of [0, 1]) tie(world, rope, node, crate.slot, [0, 0, rope === 0 ? -0.1 : 0.1]);
  }
}

/** Largest distance of the nodes of two worlds [m]. */
export function nodesApart({ wasm, gpu }: Twins, nodes: number): number {
  let most = 0;
  for (let i = 0; i < nodes; i++) {
    let square = 0;
    for (let k = 4 * i; k < 4 * i + 3; k++) {
      square += (wasm.tables.nodes.position[k] - gpu.tables.nodes.position[k]) ** 2;
    }
    most = Math.max(most, Math.sqrt(square));
  }
  return most;
}

/** Force of an attachment on its node [N]. */
export function forceOf({ tables }: RodWorld, knot: number): number[] {
  return Array.from(tables.attachments.impulse.subarray(4 * knot, 4 * knot + 3), (x) => 60 * x);
}

/** Largest difference of the forces of attachments over the largest of them. */
export function forceError({ wasm, gpu }: Twins, knots: readonly number[]): number {
  let error = 0;
  let most = 0;
  for (const knot of knots) {
    const known = forceOf(wasm, knot);
    most = Math.max(most, ...known.map(Math.abs));
    error = Math.max(error, ...forceOf(gpu, knot).map((force, k) => Math.abs(force - known[k])));
  }
  return error / most;
}

/**
 * A rope across a fixed bar with a ball on either end, by the two knots returned; another rope falls onto the light ball: joints and contacts
 * share strand and ball.
 */
export function addLoadedBar(world: RodWorld): number[] {
  addBody(world, { type: 'static', shape: { box: [0.05, 0.05, 0.3] }, position: [0, -0.061, 0], friction: 0.3 });
  const balls = [0.5, 0.1].map((mass, k) => {
    const position = [k === 0 ? -0.55 : 0.55, 0, 0];
    return addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass, position }).slot;
  });
  addStrands(world, { points: line([-0.5, 0, 0], [0.5, 0, 0], 21), young: 1e7, damping: 0.01, friction: 0.3 });
  const points = line([0.55, 0.061, -0.2], [0.55, 0.061, 0.2], 9);
  addStrands(world, { points, velocity: [0, -2, 0], young: 1e7, damping: 0.01 });
  return [tie(world, 0, 0, balls[0], [0.05, 0, 0]), tie(world, 0, 20, balls[1], [-0.05, 0, 0])];
}

/** Largest difference of the nodes' velocities over the largest change of one by joints and weight. */
export function velocityError(wasm: RodWorld, gpu: RodWorld, before: Float64Array, nodes: number): number {
  let error = 0;
  let change = 0;
  for (let i = 0; i < 4 * nodes; i++) {
    if (i % 4 === 3) continue;
    error = Math.max(error, Math.abs(wasm.tables.nodes.velocity[i] - gpu.tables.nodes.velocity[i]));
    change = Math.max(change, Math.abs(wasm.tables.nodes.velocity[i] - before[i]));
  }
  return error / change;
}
