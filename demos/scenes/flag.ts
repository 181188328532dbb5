// A flag: cloth without contact, wind that turns and comes in gusts.

import { type DemoScene, GROUND, type SceneResult, soundness, tidy, type Values, type Vec3 } from './demo-scene';
import { PALETTE } from './palette';
import { columnsOf, fabric, flatGrid, sheet, stretchesOf } from './sheets';

const [WIDTH, HEIGHT] = [1.8, 1.1]; // [m]
const TOP = 2.9; // of the cloth [m]
const POLE = 0.035; // radius [m]
/** Cells along the short side to those along the long one. */
const SHARE = HEIGHT / WIDTH;

const rowsOf = (columns: number) => Math.round((columns - 1) * SHARE) + 1;

function cloth(columns: number) {
  return sheet(columns, rowsOf(columns), (u, v): Vec3 => {
    // A little slack, or it would begin as a board.
    const ripple = 0.05 * u * Math.sin(7 * u + 2 * v);
    return [POLE + 0.012 + WIDTH * u, TOP - HEIGHT * (1 - v) - 0.06 * u * u, ripple];
  });
}

const flat = flatGrid(WIDTH, HEIGHT, rowsOf);
const USUAL = 32;

/** Speed along x, the gusts' share of it, and how the direction swings: periods that never meet. */
export function windAt(time: number, speed: number): Vec3 {
  const gust = 1 + 0.22 * Math.sin(1.9 * time) + 0.13 * Math.sin(4.7 * time + 1);
  const swing = 0.3 * Math.sin(1.3 * time) + 0.22 * Math.sin(3.1 * time + 2) + 0.14 * Math.sin(7.9 * time);
  return [speed * gust * Math.cos(swing), 0.06 * speed * Math.sin(2.3 * time), speed * gust * Math.sin(swing)];
}

export const flag: DemoScene = {
  id: 'flag',
  title: 'Flag',
  description: 'A cloth on a pole in gusts of wind. Pull at a corner, turn the wind off, make it stiffer.',
  amount: { label: 'Vertices along', least: 16, most: 72, step: 4, usual: USUAL },
  parameters: [
    { key: 'wind', label: 'Wind, m/s', least: 0, most: 12, step: 0.5, usual: 4.5, live: true },
    { key: 'bending', label: 'Stiffness, mN·mm', least: 5, most: 500, step: 5, usual: 20 },
  ],
  build(amount = USUAL, values: Values = {}) {
    const { vertices, triangles, columns, rows } = cloth(amount);

    return tidy({
      version: 1,
      title: 'Flag',
      description: 'Cloth on a pole in the wind',
      materials: {
        floor: { density: 2000, friction: 0.6 },
        steel: { density: 7800, friction: 0.3 },
        brass: { density: 8500, friction: 0.3 },
      },
      bodies: [
        GROUND,
        {
          name: 'pole',
          type: 'static',
          material: 'steel',
          position: [0, 1.52, 0],
          shape: { cylinder: [POLE, 1.52] },
        },
        {
          name: 'knob',
          type: 'static',
          material: 'brass',
          position: [0, 3.09, 0],
          shape: { sphere: 0.06 },
        },
      ],
      shells: [
        {
          name: 'flag',
          vertices,
          triangles,
          restVertices: vertices.map((_, i): Vec3 => [...flat(i, vertices.length), 0]),
          ...fabric(0.2, 4000, 1e-6 * Number(values.bending ?? 20), 0.002, {
            damping: 0.002,
            friction: 0.3,
            airDrag: 0.6,
          }),
          pins: Array.from({ length: rows }, (_, j) => j * columns),
        },
      ],
    });
  },
  drive: (time, values, tuner) => tuner.setWind(windAt(time, Number(values.wind ?? 4.5))),
  camera: { target: [0.75, 1.75, 0], distance: 5.3, yaw: 0.32, pitch: 0.06, width: 2.6 },
  // One edge where a corner folds over itself may stretch by more (a tenth in 20 s).
  promise: 'it flies, and ninety-nine edges in a hundred stretch less than 4 %',
  seconds: 2,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const now = result.endPoints('flag');
    const { triangles, vertices } = cloth(columnsOf(now.length / 3, rowsOf));
    const rest = vertices.flatMap((_, i) => [...flat(i, vertices.length), 0]);
    const stretches = stretchesOf(triangles, rest, now);
    const most = stretches[Math.floor(0.99 * stretches.length)];
    const longest = stretches[stretches.length - 1];
    if (!(longest < 1.15)) return `an edge is stretched by ${100 * (longest - 1)} %`;
    if (!(most < 1.04)) return `one edge in a hundred is stretched by ${100 * (most - 1)} % and more`;
    return null;
  },
  shells: () => ({
    finish: 'silk',
    colors: [PALETTE.wine, PALETTE.saffron, PALETTE.sea],
    pattern: { kind: 'stripes', size: [WIDTH, HEIGHT] },
    thread: 0.005,
    flat,
  }),
};
