import { type BodyFile, type DemoScene, GROUND, ramp, soundness, tidy, worstDrift } from './demo-scene';
import { PALETTE } from './palette';

const BASE = 10;
const HALF = 0.5; // [m]
const GAP = 0.05; // between neighbours, so that the load goes straight down [m]

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
      });
    }
  }
  return bodies;
}

export const pyramid: DemoScene = {
  id: 'pyramid',
  title: 'Pyramid',
  description: '55 blocks, each on two others. Nothing holds them but friction.',
  build: () =>
    tidy({
      version: 1,
      title: 'Pyramid',
      description: 'Ten courses of one-metre blocks',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        plaster: { density: 1000, friction: 0.6, restitution: 0 },
      },
      bodies: [GROUND, ...blocks()],
    }),
  camera: { target: [0, 4.4, 0], distance: 20, yaw: 0.5, pitch: 0.2, width: 10.8 },
  promise: 'no block drifts 1 mm',
  awake: true,
  seconds: 5,
  check(result) {
    const [drift, name] = worstDrift(result, (body) => body !== 'ground');
    return soundness(result) ?? (drift < 1e-3 ? null : `${name} drifted ${drift} m; the pyramid must stand`);
  },
  paint(name) {
    const row = /^block-(\d+)-/.exec(name)?.[1];
    return row === undefined
      ? undefined
      : ramp([PALETTE.navy, PALETTE.sea, PALETTE.mint, PALETTE.cream], +row / (BASE - 1));
  },
};
