// Rods that fall crosswise on each other and on the ground, from up to 1.2 m.

import { addBody, addStrands, createRodWorld, line, type RodWorld } from './strand-worlds';

/** How many, their nodes and radius [m]. */
export const COUNT = 100;
export const NODES = 16;
export const RADIUS = 0.004;

export function dropPile(backend: 'reference' | 'wasm', iterations: number): RodWorld {
  const world = createRodWorld({ elastic: { backend, iterations } });
  addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
  for (let i = 0; i < COUNT; i++) {
    const y = 0.02 + 0.012 * i;
    const angle = 2 * Math.PI * random();
    const [c, s] = [0.2 * Math.cos(angle), 0.2 * Math.sin(angle)];
    const [x, z] = [0.1 * random(), 0.1 * random()];
    addStrands(world, {
      points: line([x - c, y, z - s], [x + c, y, z + s], NODES),
      radius: RADIUS,
      young: 1e6,
      stretch: 1e7,
      damping: 0.002,
    });
  }
  return world;
}
