// A hammock between two posts, and somebody who lets himself fall into it.

import { type DemoScene, GROUND, type SceneResult, soundness, tidy, turn, type Values, type Vec3 } from './demo-scene';
import { PALETTE } from './palette';
import { columnsOf, fabric, flatGrid, sheet, strainOf } from './sheets';

const [LENGTH, WIDTH] = [2.3, 1.1]; // of the cloth [m]
const SPAN = 2.0; // between the bars [m]
const HEIGHT = 1.25; // of the bars [m]
const SAG = 0.42; // of the empty hammock, about [m]
const THICKNESS = 0.01; // [m]
const USUAL = 28;
/** The ends are gathered: the cloth is so much narrower at the bars. */
const GATHER = 0.72;

const rowsOf = (columns: number) => Math.round(((columns - 1) * WIDTH) / LENGTH) + 1;
const flat = flatGrid(LENGTH, WIDTH, rowsOf);

function cloth(columns: number) {
  return sheet(columns, rowsOf(columns), (u, v): Vec3 => {
    const x = 2 * u - 1;
    const wide = GATHER + (1 - GATHER) * (1 - x * x);
    return [0.5 * SPAN * x, HEIGHT - SAG * (1 - x * x), wide * WIDTH * (0.5 - v)];
  });
}

export const hammock: DemoScene = {
  id: 'hammock',
  title: 'Hammock',
  description: 'Seventy kilograms fall into a kilogram of cloth. Lift the guest out, or make the guest heavier.',
  amount: { label: 'Vertices along', least: 20, most: 72, step: 4, usual: USUAL, tested: 28 },
  parameters: [
    { key: 'mass', label: 'Guest, kg', least: 5, most: 200, step: 5, usual: 70 },
    { key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.5 },
  ],
  build(amount = USUAL, values: Values = {}) {
    const { vertices, triangles, columns, rows } = cloth(amount);
    const friction = Number(values.friction ?? 0.5);
    const ends = Array.from({ length: rows }, (_, j) => [j * columns, j * columns + columns - 1]).flat();

    const posts = [-1, 1].flatMap((side) => [
      {
        name: `post${side}`,
        type: 'static' as const,
        material: 'wood',
        position: [side * (SPAN / 2 + 0.06), HEIGHT / 2 + 0.05, 0] as Vec3,
        shape: { cylinder: [0.05, HEIGHT / 2 + 0.05] as [number, number] },
      },
      {
        name: `bar${side}`,
        type: 'static' as const,
        material: 'wood',
        position: [side * (SPAN / 2), HEIGHT, 0] as Vec3,
        rotation: turn([1, 0, 0], Math.PI / 2),
        layers: 2,
        mask: 0,
        shape: { cylinder: [0.02, (GATHER * WIDTH) / 2 + 0.05] as [number, number] },
      },
    ]);

    return tidy({
      version: 1,
      title: 'Hammock',
      description: 'A heavy body in a cloth between two posts',
      materials: {
        floor: { density: 2000, friction: 0.6 },
        wood: { density: 700, friction: 0.5 },
        toy: { density: 1000, friction },
      },
      bodies: [
        GROUND,
        ...posts,
        {
          name: 'guest',
          material: 'toy',
          position: [0.05, HEIGHT + 0.25, 0],
          rotation: turn([0, 0, 1], Math.PI / 2 - 0.12),
          mass: Number(values.mass ?? 70),
          angularDamping: 0.2,
          shape: {
            compound: [{ shape: { capsule: [0.15, 0.38] } }, { position: [0, 0.66, 0], shape: { sphere: 0.115 } }],
          },
        },
      ],
      shells: [
        {
          name: 'hammock',
          vertices,
          triangles,
          restVertices: vertices.map((_, i): Vec3 => {
            const [x, z] = flat(i, vertices.length);
            return [x, 0, -z];
          }),
          ...fabric(0.4, 60_000, 2e-4, THICKNESS, { damping: 0.004, friction, airDrag: 0.5 }),
          pins: ends,
        },
      ],
    });
  },
  camera: { target: [0, 0.85, 0], distance: 3.8, yaw: 0.45, pitch: 0.22, width: 3 },
  promise: 'the guest lies in the hammock, which stretches less than 15 %',
  seconds: 4,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const { position } = result.end('guest');
    if (position[1] < HEIGHT - SAG - 0.35) return `the guest is at a height of ${position[1]} m`;
    if (Math.abs(position[0]) > SPAN / 2 || Math.abs(position[2]) > WIDTH / 2) return 'the guest fell out';
    const now = result.endPoints('hammock');
    const { vertices, triangles } = cloth(columnsOf(now.length / 3, rowsOf));
    const rest = vertices.flatMap((_, i) => {
      const [x, z] = flat(i, vertices.length);
      return [x, 0, -z];
    });
    const [most] = strainOf(triangles, rest, now);
    return most < 1.15 ? null : `the cloth is stretched by ${100 * (most - 1)} %`;
  },
  paint: (name) => (name === 'guest' ? PALETTE.saffron : undefined),
  shells: () => ({
    finish: 'cloth',
    colors: [PALETTE.sea, PALETTE.cream, PALETTE.mint, PALETTE.cream],
    pattern: { kind: 'stripes', size: [1, 0.36] },
    thread: 0.01,
    flat,
  }),
};
