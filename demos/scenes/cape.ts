// A cape on a figure that dashes to and fro.

import { vec3 } from 'gl-matrix';
import {
  type DemoScene,
  GROUND,
  type KeyFile,
  type Quat,
  type SceneResult,
  soundness,
  tidy,
  turn,
  type Values,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { fabric, flatGrid, sheet } from './sheets';

const RADIUS = 0.2; // of the figure [m]
const HALF = 0.42; // half height of its straight part [m]
const MIDDLE = RADIUS + HALF + 0.02; // height of its middle [m]
const AROUND = 0.225; // radius at which the cape begins [m]
const LENGTH = 1.0; // of the cape [m]
const WIDTH = Math.PI * AROUND; // along the shoulders [m]
const FLARE = 1.35; // its hem is so much wider
const COLLAR = MIDDLE + HALF + 0.02; // height [m]
const THICKNESS = 0.008; // [m]
const USUAL = 20;
const [WAY, PAUSE, TURN] = [3.2, 0.5, 0.45]; // [m], [s], [s]

/** Dashes along x with `acceleration` to `speed` and back, turning about in between. */
function path(speed: number): KeyFile[] {
  const keys: KeyFile[] = [];
  const acceleration = 4 * speed;
  const ramp = speed / acceleration;
  const cruise = WAY / speed - ramp;
  const dash = 2 * ramp + cruise;
  const leg = dash + PAUSE + TURN;
  const at = (t: number) => {
    if (t < ramp) return 0.5 * acceleration * t * t;
    if (t < ramp + cruise) return 0.5 * speed * ramp + speed * (t - ramp);
    const left = Math.max(0, dash - t);
    return WAY - 0.5 * acceleration * left * left;
  };
  const steps = Math.round(120 * leg);
  for (let half = 0; half < 2; half++) {
    for (let i = 0; i < steps + half; i++) {
      const t = (i / steps) * leg;
      const share = Math.min(Math.max((t - dash - PAUSE / 2) / TURN, 0), 1);
      const yaw = Math.PI * (half + share * share * (3 - 2 * share));
      const x = at(Math.min(t, dash)) - WAY / 2;
      keys.push({ time: 1 + half * leg + t, position: [half === 0 ? x : -x, MIDDLE, 0], rotation: facing(yaw) });
    }
  }
  return [{ time: 0, position: [-WAY / 2, MIDDLE, 0], rotation: facing(0) }, ...keys];
}

/** Along +x at 0. */
const facing = (yaw: number): Quat => turn([0, 1, 0], yaw);

const rowsOf = (columns: number) => Math.round((columns - 1) * 1.15) + 1;

function cloth(columns: number) {
  return sheet(columns, rowsOf(columns), (u, v): Vec3 => {
    // About the figure's back, which looks along −x; from the hem up.
    const down = 1 - v;
    const radius = AROUND * (1 + (FLARE - 1) * down);
    const angle = Math.PI * (u - 0.5);
    return [-WAY / 2 - radius * Math.cos(angle), COLLAR - LENGTH * down, radius * Math.sin(angle)];
  });
}

export const cape: DemoScene = {
  id: 'cape',
  title: 'Cape',
  description: 'A figure dashes to and fro; its cape must neither go through it nor tear away. Make it faster.',
  amount: { label: 'Vertices across', least: 16, most: 56, step: 2, usual: USUAL, tested: 20 },
  parameters: [
    { key: 'speed', label: 'Speed, m/s', least: 1, most: 10, step: 0.5, usual: 6 },
    { key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.3 },
    { key: 'bending', label: 'Stiffness, mN·mm', least: 5, most: 1000, step: 5, usual: 80 },
  ],
  build(amount = USUAL, values: Values = {}) {
    const { vertices, triangles, columns, rows } = cloth(amount);
    const friction = Number(values.friction ?? 0.3);
    const collar = Array.from({ length: columns }, (_, i) => ({ vertex: (rows - 1) * columns + i, body: 'figure' }));

    return tidy({
      version: 1,
      title: 'Cape',
      description: 'A cape on a figure that dashes to and fro',
      materials: { floor: { density: 2000, friction: 0.6 }, plaster: { density: 1000, friction } },
      bodies: [
        GROUND,
        {
          name: 'figure',
          type: 'kinematic',
          material: 'plaster',
          position: [-WAY / 2, MIDDLE, 0],
          shape: {
            compound: [
              { shape: { capsule: [RADIUS, HALF] } },
              { position: [0.02, HALF + RADIUS + 0.11, 0], shape: { sphere: 0.13 } },
            ],
          },
        },
      ],
      shells: [
        {
          name: 'cape',
          vertices,
          triangles,
          restAngles: 'flat',
          ...fabric(0.22, 4000, 1e-6 * Number(values.bending ?? 80), THICKNESS, {
            damping: 0.003,
            friction,
            airDrag: 0.6,
          }),
          strainLimit: 0.1,
          pins: collar,
        },
      ],
      motions: [{ body: 'figure', keys: path(Number(values.speed ?? 6)), loop: false }],
    });
  },
  camera: {
    ...{ target: [-WAY / 2, 0.8, 0], distance: 3.1, yaw: 0.35, pitch: 0.1, width: 2.4, follow: 'figure' },
    portrait: { distance: 4.2, yaw: 0.6, pitch: 0.2, width: 1.9 },
  },
  promise: 'the cape stays outside the figure',
  seconds: 4,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const { position } = result.end('figure');
    const points = result.endPoints('cape');
    for (let k = 0; k < points.length; k += 3) {
      const [dx, dz] = [points[k] - position[0], points[k + 2] - position[2]];
      const dy = Math.max(0, Math.abs(points[k + 1] - position[1]) - HALF);
      const inside = RADIUS - vec3.length([dx, dy, dz]);
      if (inside > 0.002) return `vertex ${k / 3} is ${inside} m inside the figure`;
    }
    return null;
  },
  paint: (name) => (name === 'figure' ? PALETTE.cream : undefined),
  shells: () => ({
    finish: 'silk',
    colors: [PALETTE.wine],
    lining: PALETTE.saffron,
    thread: 0.006,
    flat: flatGrid(WIDTH, LENGTH, rowsOf),
  }),
};
