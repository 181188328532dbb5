// A field of small towers that fall asleep at once. The ball wakes what it touches, and nothing else.

import { blend, type DemoScene, GROUND, ramp, soundness, tidy } from './demo-scene';
import { PALETTE } from './palette';

const SIDE = 15;
const TALL = 4;
const HALF = 0.25; // [m]
const PITCH = 1.3; // between towers [m]
const ORIGIN = (-(SIDE - 1) * PITCH) / 2;

export const sleepingField: DemoScene = {
  id: 'sleeping-field',
  title: 'Sleeping field',
  description: '225 towers, 900 boxes. What sleeps costs nothing; one ball wakes its lane.',
  build: () =>
    tidy({
      version: 1,
      title: 'Sleeping field',
      description: 'Many stacks at rest and one ball',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        plaster: { density: 800, friction: 0.6, restitution: 0 },
        iron: { density: 4000, friction: 0.5, restitution: 0 },
      },
      bodies: [
        GROUND,
        {
          name: 'ball',
          material: 'iron',
          position: [ORIGIN - 9, 0.6, 0.45],
          velocity: [9, 0, -0.55],
          angularVelocity: [-0.9, 0, -15],
          angularDamping: 0.6,
          linearDamping: 0.05,
          shape: { sphere: 0.6 },
        },
      ],
      repeat: [
        {
          count: [SIDE, TALL, SIDE],
          spacing: [PITCH, 2 * HALF, PITCH],
          origin: [ORIGIN, HALF, ORIGIN],
          body: { name: 'box', material: 'plaster', shape: { box: [HALF, HALF, HALF] } },
        },
      ],
    }),
  camera: { target: [0.4, 0.4, 0.6], distance: 27, yaw: -0.62, pitch: 0.42, width: 21.5, portrait: { width: 25 } },
  promise: 'three in four boxes sleep',
  seconds: 6,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const boxes = result.names.length - 2;
    return result.awake < boxes / 4 ? null : `${result.awake} of ${boxes} boxes are awake; the field must sleep`;
  },
  paint(name) {
    if (name === 'ball') return PALETTE.terracotta;
    const index = /^box-(\d+)$/.exec(name)?.[1];
    if (index === undefined) return undefined;
    // Copies run along x, then up, then along z: rings of colour around the middle.
    const [x, y, z] = [+index % SIDE, Math.floor(+index / SIDE) % TALL, Math.floor(+index / (SIDE * TALL))];
    const middle = (SIDE - 1) / 2;
    const ring = Math.hypot(x - middle, z - middle) / (1.42 * middle);
    return blend(ramp([PALETTE.cream, PALETTE.mint, PALETTE.sea, PALETTE.navy], ring), PALETTE.cream, y * 0.07);
  },
};
