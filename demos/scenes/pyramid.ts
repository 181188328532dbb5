// A pyramid under a load that only an exact solve carries: sweeps hold the bare pyramid, too.

import { type BodyFile, type DemoScene, GROUND, ramp, soundness, tidy, worstDrift } from './demo-scene';
import { PALETTE } from './palette';
import { sweepsRival } from './rivals';

const BASE = 10;
const HALF = 0.5; // [m]
const GAP = 0.05; // between neighbours, so that the load goes straight down [m]
const CAPSTONE = 1e6; // [kg]; the others have 1000

function blocks(): BodyFile[] {
  const bodies: BodyFile[] = [];
  const pitch = 2 * HALF + GAP;
  for (let row = 0; row < BASE; row++) {
    const count = BASE - row;
    for (let i = 0; i < count; i++) {
      bodies.push({
        name: `block-${row}-${i}`,
        material: 'plaster',
        position: [(i - (count - 1) / 2) * pitch, HALF + row * 2 * HALF, 0],
        shape: { box: [HALF, HALF, HALF] },
        ...(row === BASE - 1 && { mass: CAPSTONE }),
      });
    }
  }
  return bodies;
}

export const pyramid: DemoScene = {
  id: 'pyramid',
  title: 'Pyramid',
  description: '54 blocks of 1 t, each on two others, under one of 1000 t. Nothing holds them but friction.',
  build: () =>
    tidy({
      version: 1,
      title: 'Pyramid',
      description: 'Ten courses of one-metre blocks, the topmost a thousand times heavier',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        plaster: { density: 1000, friction: 0.6, restitution: 0 },
      },
      bodies: [GROUND, ...blocks()],
    }),
  camera: { target: [0, 4.4, 0], distance: 22, yaw: 0.5, pitch: 0.2, width: 10.8 },
  promise: 'no block drifts 1 mm',
  seconds: 5,
  check(result) {
    const [drift, name] = worstDrift(result, (body) => body !== 'ground');
    return soundness(result) ?? (drift < 1e-3 ? null : `${name} drifted ${drift} m; the pyramid must stand`);
  },
  rival: sweepsRival(
    'Sweeps carry the load down a few of ten courses a step: those below are pressed too little to hold.',
  ),
  paint(name) {
    if (name === `block-${BASE - 1}-0`) return PALETTE.terracotta;
    const row = /^block-(\d+)-/.exec(name)?.[1];
    return row === undefined
      ? undefined
      : ramp([PALETTE.navy, PALETTE.sea, PALETTE.mint, PALETTE.cream], +row / (BASE - 1));
  },
};
