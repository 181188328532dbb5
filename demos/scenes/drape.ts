// A cloth falls over a ball, a box and a cone, and balls fall on the cloth.

import { vec3 } from 'gl-matrix';
import {
  type BodyFile,
  type DemoScene,
  GROUND,
  pointAt,
  type SceneResult,
  soundness,
  tidy,
  type Values,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { fabric, sheet } from './sheets';

const SIZE = 2.6; // of the cloth [m]
const START = 1.35; // height of the cloth [m]
const THICKNESS = 0.008; // [m]
const BALL: Vec3 = [-0.55, 0.5, 0.25];
const BALL_RADIUS = 0.38;
const BOX: Vec3 = [0.45, 0.32, 0.45];
const BOX_HALF: Vec3 = [0.3, 0.32, 0.24];
const CONE: Vec3 = [0.3, 0.45, -0.5];
const CONE_SHAPE: [number, number] = [0.34, 0.45]; // radius, half height
const USUAL = 24;

function falling(): BodyFile[] {
  const at: [number, number, number, number][] = [
    [-0.15, 0.02, 2.4, 0.11],
    [0.12, 0.1, 3.6, 0.13],
    [-0.1, 0.35, 5, 0.1],
    [0.15, -0.1, 6.6, 0.12],
    [-0.5, 0.28, 8.4, 0.1],
  ];
  return at.map(([x, z, y, radius], i) => ({
    name: `ball-${i}`,
    material: 'toy',
    position: [x, y, z],
    angularDamping: 0.3,
    shape: { sphere: radius },
  }));
}

export const drape: DemoScene = {
  id: 'drape',
  title: 'Drape',
  description: 'A cloth falls over a ball, a box and a cone, and five balls into its folds. It touches itself, too.',
  amount: { label: 'Vertices a side', least: 16, most: 80, step: 4, usual: USUAL, tested: 20 },
  parameters: [
    { key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.4 },
    { key: 'bending', label: 'Stiffness, mN·mm', least: 5, most: 2000, step: 5, usual: 60 },
    { key: 'thickness', label: 'Thickness, mm', least: 2, most: 16, step: 1, usual: 1000 * THICKNESS },
  ],
  build(amount = USUAL, values: Values = {}) {
    const { vertices, triangles } = sheet(amount, amount, (u, v) => [SIZE * (u - 0.5), START, SIZE * (0.5 - v)]);
    const friction = Number(values.friction ?? 0.4);
    return tidy({
      version: 1,
      title: 'Drape',
      description: 'Cloth over a ball, a box and a cone; balls fall on it',
      materials: {
        floor: { density: 2000, friction },
        plaster: { density: 1500, friction },
        toy: { density: 350, friction },
      },
      bodies: [
        GROUND,
        { name: 'ball', type: 'static', material: 'plaster', position: BALL, shape: { sphere: BALL_RADIUS } },
        { name: 'box', type: 'static', material: 'plaster', position: BOX, shape: { box: BOX_HALF } },
        { name: 'cone', type: 'static', material: 'plaster', position: CONE, shape: { cone: CONE_SHAPE } },
        ...falling(),
      ],
      shells: [
        {
          name: 'cloth',
          vertices,
          triangles,
          ...fabric(0.25, 3000, 1e-6 * Number(values.bending ?? 60), 1e-3 * Number(values.thickness ?? 8), {
            damping: 0.004,
            friction,
            airDrag: 0.5,
          }),
        },
      ],
    });
  },
  camera: { target: [0, 0.45, 0], distance: 3.8, yaw: 0.5, pitch: 0.27, width: 3 },
  promise: 'nothing goes through the cloth',
  seconds: 3,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const points = result.endPoints('cloth');
    for (let k = 0; k < points.length; k += 3) {
      const away = vec3.distance(pointAt(points, k), BALL) - BALL_RADIUS;
      if (away < 0) return `vertex ${k / 3} is ${-away} m inside the ball`;
      const inside = Math.min(...BOX_HALF.map((half, i) => half - Math.abs(points[k + i] - BOX[i])));
      if (inside > 0) return `vertex ${k / 3} is ${inside} m inside the box`;
    }
    return null;
  },
  paint(name) {
    const colors = [PALETTE.saffron, PALETTE.terracotta, PALETTE.cream, PALETTE.mint, PALETTE.apricot];
    return name.startsWith('ball-') ? colors[+name.slice(5)] : undefined;
  },
  shells: () => ({ finish: 'cloth', colors: [PALETTE.sea], lining: PALETTE.navy, thread: 0.009 }),
};
