// The old trick: a cloth pulled from under a laid table. Whatever stands on the cloth is carried along with μ g at
// most, for as long as the cloth is under it; a cloth that comes more slowly than μ g takes everything with it.

import {
  type BodyFile,
  type DemoScene,
  driftOf,
  GROUND,
  type KeyFile,
  type SceneResult,
  soundness,
  tidy,
  type Values,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { fabric, sheet } from './sheets';

const G = 9.81; // [m/s²]
const TABLE: Vec3 = [0.8, 0.03, 0.5]; // half extents of the top [m]
const TOP = 0.78; // height of the table [m]
const CLOTH: [number, number] = [1.8, 1.24]; // [m]
const THICKNESS = 0.004; // [m]
const BAR_X = TABLE[0] + 0.12;
const PULL_AT = 1.5; // [s]
const FASTEST = 6; // [m/s]
const FRICTION = 0.25;
const USUAL = 30;

const rowsOf = (columns: number) => Math.round(((columns - 1) * CLOTH[1]) / CLOTH[0]) + 1;

/**
 * Path of the bar: it stands, is pulled with `acceleration` up to the speed of an arm, and stops where the cloth is
 * clear.
 */
function pull(acceleration: number): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: [BAR_X, TOP, 0] }];
  const end = 2.3; // [m]
  const ramp = FASTEST / acceleration;
  for (let i = 0; ; i++) {
    const t = i / 120;
    const way = t < ramp ? 0.5 * acceleration * t * t : 0.5 * acceleration * ramp * ramp + FASTEST * (t - ramp);
    keys.push({ time: PULL_AT + t, position: [BAR_X + Math.min(way, end), TOP, 0] });
    if (way >= end) return keys;
  }
}

/** How long the cloth takes to leave from under what stands `way` from its far edge [s]. */
function timeUnder(way: number, acceleration: number): number {
  const ramp = (FASTEST * FASTEST) / (2 * acceleration);
  return way < ramp ? Math.sqrt((2 * way) / acceleration) : FASTEST / acceleration + (way - ramp) / FASTEST;
}

/** Name, x, z, radius, half height, height of what it stands on [m], material. */
const CHINA: readonly [string, number, number, number, number, number, string][] = [
  ['plate-a', -0.42, 0.24, 0.13, 0.009, 0, 'ceramic'],
  ['plate-b', 0.3, 0.24, 0.13, 0.009, 0, 'ceramic'],
  ['plate-c', -0.42, -0.24, 0.13, 0.009, 0, 'ceramic'],
  ['plate-d', 0.3, -0.24, 0.13, 0.009, 0, 'ceramic'],
  ['bowl-a', -0.42, 0.24, 0.075, 0.03, 0.018, 'glaze'],
  ['bowl-d', 0.3, -0.24, 0.075, 0.03, 0.018, 'glaze'],
  ['cup-a', -0.06, 0.3, 0.036, 0.045, 0, 'glaze'],
  ['cup-b', -0.06, -0.3, 0.036, 0.045, 0, 'glaze'],
  ['pot', -0.06, 0, 0.075, 0.07, 0, 'brass'],
];

function china(): BodyFile[] {
  return CHINA.map(([name, x, z, radius, half, lift, material]) => ({
    name,
    material,
    position: [x, TOP + THICKNESS + lift + half + 0.0005, z],
    shape: { cylinder: [radius, half] },
  }));
}

function furniture(): BodyFile[] {
  const [hx, hy, hz] = TABLE;
  const legs = [-1, 1].flatMap((x) =>
    [-1, 1].map(
      (z): BodyFile => ({
        name: `leg${x}${z}`,
        type: 'static',
        material: 'wood',
        position: [x * (hx - 0.07), (TOP - 2 * hy) / 2, z * (hz - 0.07)],
        shape: { box: [0.03, (TOP - 2 * hy) / 2, 0.03] },
      }),
    ),
  );
  return [
    { name: 'table', type: 'static', material: 'wood', position: [0, TOP - hy, 0], shape: { box: TABLE } },
    ...legs,
    {
      name: 'bar',
      type: 'kinematic',
      material: 'frame',
      position: [BAR_X, TOP, 0],
      layers: 2,
      mask: 0,
      shape: { box: [0.015, 0.015, CLOTH[1] / 2] },
    },
  ];
}

export const tablecloth: DemoScene = {
  id: 'tablecloth',
  title: 'Tablecloth trick',
  description:
    'The cloth is pulled from under a laid table. Pulled hard, the china stays; more slowly than μ g, it comes along.',
  amount: { label: 'Vertices along', least: 24, most: 72, step: 2, usual: USUAL, tested: 32 },
  parameters: [
    { key: 'pull', label: 'Pull, m/s²', least: 1, most: 60, step: 1, usual: 40 },
    { key: 'friction', label: 'Friction', least: 0.05, most: 0.8, step: 0.05, usual: FRICTION },
  ],
  build(amount = USUAL, values: Values = {}) {
    const rows = rowsOf(amount);
    const { vertices, triangles } = sheet(amount, rows, (u, v) => [
      BAR_X - CLOTH[0] * (1 - u),
      TOP + THICKNESS / 2,
      CLOTH[1] * (0.5 - v),
    ]);
    const friction = Number(values.friction ?? FRICTION);
    return tidy({
      version: 1,
      title: 'Tablecloth trick',
      description: 'A cloth pulled from under a laid table',
      materials: {
        floor: { density: 2000, friction },
        wood: { density: 700, friction },
        ceramic: { density: 2200, friction },
        glaze: { density: 1600, friction },
        brass: { density: 1800, friction },
        frame: { density: 2000, friction },
      },
      bodies: [GROUND, ...furniture(), ...china()],
      shells: [
        {
          name: 'cloth',
          vertices,
          triangles,
          ...fabric(0.2, 6000, 2e-5, THICKNESS, { damping: 0.002, friction, airDrag: 0.3 }),
          pins: Array.from({ length: rows }, (_, j) => ({ vertex: j * amount + amount - 1, body: 'bar' })),
        },
      ],
      motions: [{ body: 'bar', keys: pull(Number(values.pull ?? 40)) }],
    });
  },
  camera: { target: [0.25, 0.7, 0], distance: 3.6, yaw: 0.45, pitch: 0.26, width: 2.8 },
  promise: 'the china stays on the table, moved no further than μ g allows',
  seconds: 4,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    for (const [name, x] of CHINA) {
      const { position } = result.end(name);
      if (position[1] < TOP) return `${name} fell off the table`;
      // It slides with the cloth, and as far again on the table.
      const t = timeUnder(x - (BAR_X - CLOTH[0]) + 0.13, 40);
      const most = FRICTION * G * t * t;
      const drift = driftOf(result, name);
      if (!(drift < 1.15 * most + 0.01)) return `${name} went ${drift} m; ${most} m is what friction gives`;
    }
    return null;
  },
  paint(name) {
    if (name.startsWith('plate')) return PALETTE.cream;
    if (name.startsWith('bowl')) return PALETTE.sea;
    if (name.startsWith('cup')) return PALETTE.mint;
    return undefined;
  },
  shells: () => ({
    finish: 'cloth',
    colors: [PALETTE.cream, PALETTE.terracotta],
    pattern: { kind: 'gingham', size: [0.12, 0.12] },
  }),
};
