// The statics of through-wasm.test.ts on the device, with its tolerances; all rods in one
// world, which it advances at once.
//
// Nothing touches, so the contact detection and solve are left out: software takes a tenth of a second a step for them.

import { expect } from 'vitest';
import { createGpuStrands } from '../../../src/gpu/rod/strands';
import { stepStrands } from '../../gpu/strand-worlds';
import { longGpuTest, withDevice } from '../../gpu/test-device';
import { createRodWorld, fastest, loadNode, nodeAt, type RodWorld } from '../strand-worlds';
import catenary from './catenary.json';
import elastica from './elastica.json';
import heavy from './heavy-elastica.json';
import { addCantilever, addChain, BEND, LENGTH, NODES, SIZES } from './statics-scenes';

/** Steps recorded before what they do is waited for. */
const AHEAD = 8;

/** Runs `steps` steps of a world on the device; `load` comes before each, `look` after every `often` steps. */
async function run(
  world: RodWorld,
  steps: number,
  load: (step: number) => void,
  often = steps,
  look: () => void = () => {},
): Promise<void> {
  // Rods that wait to be made are made.
  world.physics.hash();
  const { arena, tables } = world.physics.internal.engine;
  await withDevice(async (context) => {
    const strands = await createGpuStrands(context);
    strands.upload(arena, tables);
    for (let i = 0; i < steps; i++) {
      load(i);
      strands.uploadForces(tables);
      tables.nodes.force.fill(0);
      stepStrands(strands, { timeStep: 1 / 60, gravity: [0, -9.81, 0] });
      if (i % AHEAD === AHEAD - 1) await context.device.queue.onSubmittedWorkDone();
      if (i % often !== often - 1) continue;
      strands.readBack(tables);
      await strands.settle();
      look();
    }
    expect(strands.quarantined).toBe(0);
    strands.dispose();
  });
}

longGpuTest('heavy elastica, tip load and catenary', async () => {
  const world = createRodWorld();
  const loads: (() => void)[] = [];
  const results: { name: string; errors(): number[] }[] = [];
  let z = 0;
  const next = () => [0, 0, z++];
  for (const { Gamma, W_over_L, H_over_L } of heavy.rows) {
    const tips = SIZES.map((n) => addCantilever(world, n, { weight: Gamma, at: next() }) + n - 1);
    const error = ([x, y]: number[]) => Math.hypot(x / LENGTH - W_over_L, y / LENGTH + H_over_L);
    results.push({ name: `Γ ${Gamma}`, errors: () => tips.map((tip) => error(nodeAt(world, tip))) });
  }
  const { alpha, reach_over_L, drop_over_L } = elastica.tipLoad.rows[0];
  const tips = SIZES.map((n) => addCantilever(world, n, { at: next() }) + n - 1);
  for (const tip of tips) loads.push(() => loadNode(world, tip, [0, (-alpha * BEND) / LENGTH ** 2, 0]));
  const error = ([x, y]: number[]) => Math.hypot(x / LENGTH - reach_over_L, y / LENGTH + drop_over_L);
  results.push({ name: `α ${alpha}`, errors: () => tips.map((tip) => error(nodeAt(world, tip))) });
  for (const { span_over_L, sag_over_L } of catenary.inextensible) {
    const chain = addChain(world, span_over_L, next());
    loads.push(chain.hold);
    const sag = () => -nodeAt(world, chain.middle)[1] / LENGTH;
    results.push({ name: `span ${span_over_L}`, errors: () => [1, Math.abs(sag() / sag_over_L - 1)] });
  }
  await run(world, 900, () => {
    for (const load of loads) load();
  });
  if (process.env.SHOW_ERRORS) {
    for (const { name, errors } of results) console.log(name, ...errors().map((e) => e.toExponential(2)));
  }
  expect(fastest(world)).toBeLessThan(1e-3);
  for (const { name, errors } of results) {
    const found = errors();
    expect(found[found.length - 1], name).toBeLessThan(0.02);
    expect(found[found.length - 1], name).toBeLessThan(found[0]);
  }
});

longGpuTest('a clamped column stands at 0.98 of its Euler load and gives way at 1.02', async () => {
  const known = (elastica.eulerLoads.clamped_free * BEND) / LENGTH ** 2;
  const world = createRodWorld();
  const columns = [0.98, 1.02].map((share, z) => {
    const tip = addCantilever(world, NODES, { direction: [0, 1, 0], at: [0, 0, z] }) + NODES - 1;
    return { share, tip, way: [] as number[] };
  });
  const load = (step: number) => {
    for (const { share, tip } of columns) loadNode(world, tip, [step < 60 ? 1e-3 * known : 0, -share * known, 0]);
  };
  await run(world, 2400, load, 600, () => {
    for (const { tip, way } of columns) way.push(Math.abs(nodeAt(world, tip)[0]));
  });
  if (process.env.SHOW_ERRORS) for (const { share, way } of columns) console.log(share, ...way);
  const [stays, goes] = columns.map(({ way }) => way[3] / way[1]);
  expect(stays).toBeLessThan(1);
  expect(goes).toBeGreaterThan(1);
});
