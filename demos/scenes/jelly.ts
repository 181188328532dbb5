// Two blocks of jelly side by side, one across them, and a crate that falls on it.

import { type DemoScene, GROUND, type SceneResult, soundness, tidy, turn, type Values, type Vec3 } from './demo-scene';
import { jellyBlock, volumeOf } from './soft-shapes';

const SIZE = 0.4; // edge of a block [m]
const RADIUS = 0.004; // reach of its surface [m]
/** Where the blocks stand [m], and how they are turned about y [rad]. Three on each other tumble under the crate. */
const PLACES: readonly [Vec3, number][] = [
  [[-0.225, RADIUS, 0], 0.04],
  [[0.225, RADIUS, 0.02], -0.06],
  [[0.01, SIZE + 3 * RADIUS, 0], 0.3],
];
const CRATE = 0.12; // half its edge [m]
const USUAL = 2;
/** Raspberry, lime, orange: jelly is brighter than anything else here. */
const COLORS = ['#d81e5b', '#7fb41c', '#ff9a1f'];

const block = (cells: number) => jellyBlock(SIZE, cells, RADIUS);
const nameOf = (i: number) => `jelly${i}`;

export const jelly: DemoScene = {
  id: 'jelly',
  title: 'Jelly',
  description: 'Three blocks of jelly, 64 kg each, and a crate that falls on them. Pull at a block; make them softer.',
  amount: { label: 'Cells an edge', least: 2, most: 4, step: 1, usual: USUAL },
  parameters: [
    { key: 'young', label: 'Stiffness, kPa', least: 20, most: 400, step: 10, usual: 60, live: true },
    { key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.6, live: true },
    { key: 'damping', label: 'Damping, ms', least: 0, most: 50, step: 1, usual: 12, live: true },
    { key: 'mass', label: 'Crate, kg', least: 1, most: 120, step: 1, usual: 25 },
  ],
  build(amount = USUAL, values: Values = {}) {
    const { vertices, tetrahedra, surface } = block(amount);
    return tidy({
      version: 1,
      title: 'Jelly',
      description: 'Two elastic blocks, one across them, and a crate that falls on it',
      materials: {
        floor: { density: 2000, friction: 0.6 },
        wood: { density: 700, friction: 0.6 },
      },
      bodies: [
        GROUND,
        {
          name: 'crate',
          material: 'wood',
          position: [0.01, 2 * SIZE + 0.35, 0],
          rotation: turn([0.6, 0, 0.8], 0.2),
          mass: Number(values.mass ?? 25),
          shape: { box: [CRATE, CRATE, CRATE] },
        },
      ],
      solids: PLACES.map(([position, angle], i) => ({
        ...{ name: nameOf(i), vertices, tetrahedra, surface },
        position,
        rotation: turn([0, 1, 0], angle),
        ...{ radius: RADIUS, density: 1000, poissonRatio: 0.4 },
        ...materialOf(values),
      })),
    });
  },
  tune(values, tuner) {
    tuner.setSolids(materialOf(values));
  },
  camera: { target: [0, 0.5, 0], distance: 2.4, yaw: 0.45, pitch: 0.22, width: 1.25 },
  promise: 'the crate comes to rest on the blocks, which keep their volume to 10 %',
  seconds: 4,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const height = result.end('crate').position[1];
    if (height < 1.5 * SIZE) return `the crate is at a height of ${height} m`;
    for (const name of result.solids) {
      const now = result.endPoints(name);
      const { tetrahedra } = block(Math.round(Math.cbrt(now.length / 3)) - 1);
      const change = volumeOf(tetrahedra, now) / volumeOf(tetrahedra, result.startPoints(name)) - 1;
      if (!(Math.abs(change) < 0.1)) return `the volume of ${name} has changed by ${100 * change} %`;
    }
    return null;
  },
  solids: (name) => ({ color: COLORS[Number(name.slice(-1)) % COLORS.length], opacity: 0.78 }),
};

function materialOf(values: Values) {
  return {
    youngModulus: 1000 * Number(values.young ?? 60),
    friction: Number(values.friction ?? 0.6),
    damping: 0.001 * Number(values.damping ?? 12),
  };
}
