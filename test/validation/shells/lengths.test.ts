// What whips round in a step keeps its length, on both backends: linearised where the step begins, an edge that turns
// by φ comes out longer by φ²/2.
import { expect, test } from 'vitest';
import { loadScene, openSession } from '../../../demos/app/open-session';
import { cape } from '../../../demos/scenes/cape';
import type { Vec3 } from '../../../demos/scenes/demo-scene';
import { strainOf } from '../../../demos/scenes/sheets';
import { stretchOf } from '../../../src/bench/shells-measure';
import { createCape } from '../../../src/bench/shells-worlds';
import { addShell, shellPositions } from '../../../src/index';
import { longTest } from '../../setup/suite';
import { createGrid, createSheetWorld, place } from '../sheets';

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

test('a cape in a dash to 10 m/s and a turn stretches by less than 15 %', () => {
  const world = createCape(12);
  let most = 0;
  // The turn ends at 2 s.
  for (let step = 0; step < 105; step++) {
    world.advance();
    most = Math.max(most, stretchOf(world.sheets[0], world.sheets[0].positions()).most);
  }
  show('cape', most);
  expect(most).toBeLessThan(10);
});

longTest('the cape of the gallery does at 10 m/s, with drag on it: its limit of strain is 10 %', () => {
  const scene = cape.build(undefined, { speed: 10 });
  const session = openSession(loadScene(scene));
  const { entity, rest } = session.shells.get('cape')!;
  let most = 1;
  let keptApart = 0;
  while (session.physics.time < 4) {
    session.physics.step();
    keptApart += session.physics.report.strands.keptApart;
    const now = shellPositions(session.physics, entity);
    most = Math.max(most, strainOf(scene.shells?.[0].triangles as Vec3[], rest, now)[0]);
  }
  show('gallery', most, keptApart);
  expect(most).toBeLessThan(1.15);
  session.close();
});

test.each(['wasm', 'reference'] as const)('a free sheet thrown with a spin of a radian a step, %s', (backend) => {
  const physics = createSheetWorld({ gravity: [0, 0, 0], elastic: { backend } });
  const grid = createGrid(5, 5, 0.2, 0.2, 'turns');
  const shell = addShell(physics, {
    vertices: place(grid, (s, t) => [s - 0.1, t - 0.1, 0]),
    triangles: grid.triangles,
    stretchModulus: 1e7,
    damping: 0,
  });
  physics.step();
  const { nodes, strands, meshEdges } = physics.internal.engine.tables;
  expect(strands.nodes[0]).toBe(25);
  expect(physics.components.Shell.thickness[shell]).toBeGreaterThan(0);
  for (let i = 0; i < 25; i++) {
    const [x, y] = nodes.position.subarray(4 * i, 4 * i + 2);
    nodes.velocity.set([-60 * y + 3, 60 * x, 0], 4 * i);
  }
  let longest = 0;
  for (let step = 0; step < 10; step++) {
    physics.step();
    for (let e = 0; e < strands.meshEdges[1]; e++) {
      const [a, b] = meshEdges.node.subarray(4 * e, 4 * e + 2);
      let square = 0;
      for (let k = 0; k < 3; k++) square += (nodes.position[4 * a + k] - nodes.position[4 * b + k]) ** 2;
      longest = Math.max(longest, Math.sqrt(square) / meshEdges.rest[4 * e]);
    }
  }
  let momentum = 0;
  let mass = 0;
  for (let i = 0; i < 25; i++) {
    momentum += nodes.mass[2 * i] * nodes.velocity[4 * i];
    mass += nodes.mass[2 * i];
  }
  show(backend, longest, momentum / mass);
  expect(longest).toBeLessThan(1.025);
  // Pulling together changes no momentum.
  expect(Math.abs(momentum / mass - 3)).toBeLessThan(1e-3);
  physics.dispose();
});
