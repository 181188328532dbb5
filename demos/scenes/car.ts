// A car among ramps and cones: suspension, tyres in the exact solve, anti-roll bars. The visitor may drive.

import { vec3 } from 'gl-matrix';
import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type SceneFile,
  soundness,
  type Tuner,
  tidy,
  turn,
  uprightness,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';

const WHEELS = [1.25, -1.25].flatMap((z) => [0.78, -0.78].map((x): Vec3 => [x, -0.05, z]));
const RADIUS = 0.34; // [m]

function build(cones: number): SceneFile {
  const bodies: BodyFile[] = [GROUND];

  bodies.push({
    name: 'car',
    material: 'paint',
    mass: 1100,
    position: [0, 0.75, 0],
    shape: {
      compound: [
        { shape: { box: [0.75, 0.22, 1.9] } },
        { shape: { hull: cabin() }, position: [0, 0.22, 0] },
        ...trim(),
      ],
    },
  });

  WHEELS.forEach(([x, , z], i) => {
    bodies.push({
      name: `wheel-${i}`,
      type: 'kinematic',
      material: 'rubber',
      layers: 0,
      mask: 0,
      position: [x, RADIUS, z],
      rotation: turn([0, 0, 1], Math.PI / 2),
      shape: { cylinder: [RADIUS, 0.11] },
    });
  });

  for (const [i, x] of [-4, 4].entries()) {
    bodies.push({
      name: `ramp-${i}`,
      type: 'static',
      material: 'stone',
      position: [x, 0.12, -11],
      rotation: turn([1, 0, 0], 0.16),
      shape: { box: [1.6, 0.1, 2.2] },
    });
  }

  for (let i = 0; i < cones; i++) {
    const angle = (2 * Math.PI * i) / cones;
    bodies.push({
      name: `cone-${i}`,
      material: 'plastic',
      mass: 1.5,
      position: [9.2 * Math.sin(angle), 0.3, 6.4 * Math.cos(angle)],
      shape: { cone: [0.18, 0.3] },
    });
  }

  return tidy({
    version: 1,
    title: 'Car',
    description: 'A car on four wheels: springs, tyres with exact friction, anti-roll bars',
    materials: {
      floor: { friction: 0.8 },
      stone: { density: 2400, friction: 0.8 },
      paint: { density: 300, friction: 0.3 },
      rubber: { density: 1000, friction: 0.9 },
      plastic: { density: 400, friction: 0.4 },
    },
    bodies,
  });
}

/** Roof, pillars, lamps and bumpers: thin, on what is there anyhow. */
function trim(): { position: Vec3; shape: { box: Vec3 } }[] {
  const both = (x: number, y: number, z: number, box: Vec3) =>
    [-1, 1].map((side) => ({ position: [side * x, y, z] as Vec3, shape: { box } }));
  return [
    { position: [0, 0.62, -0.325], shape: { box: [0.56, 0.02, 0.6] } },
    ...both(0.5, 0.06, 1.89, [0.14, 0.07, 0.03]),
    ...both(0.5, 0.06, -1.89, [0.18, 0.06, 0.03]),
    ...[-1, 1].map((end) => ({ position: [0, -0.14, end * 1.89] as Vec3, shape: { box: [0.76, 0.07, 0.05] as Vec3 } })),
  ];
}

const GLASS = '#27323c';
/** Of the parts, in their order; the body's own where there is none. */
const PAINTS = [
  ...[undefined, GLASS, undefined],
  ...[PALETTE.cream, PALETTE.cream, PALETTE.wine, PALETTE.wine],
  ...[PALETTE.charcoal, PALETTE.charcoal],
];

function cabin(): Vec3[] {
  return [
    ...[-1.3, 0.8].flatMap((z): Vec3[] => [
      [0.7, 0, z],
      [-0.7, 0, z],
    ]),
    ...[-0.9, 0.25].flatMap((z): Vec3[] => [
      [0.55, 0.4, z],
      [-0.55, 0.4, z],
    ]),
  ];
}

/** A figure of eight by its marks (x, z) [m], and which comes next. */
const MARKS: readonly (readonly [number, number])[] = [
  ...([
    [5.6, 5.6],
    [10, 0],
    [5.6, -4.8],
    [0, 0],
    [-5.6, 5.6],
    [-10, 0],
    [-5.6, -4.8],
    [0, 0],
  ] as const),
];
const lap = { mark: 0, time: 0 };

/** Radius of the narrowest turn, and how near to a mark counts as there [m]. */
const [TURN, NEAR] = [5, 3];

/**
 * How a car steers to a mark `ahead` and `aside` of it [m], from −1 to 1, and whether it is there, or cannot
 * get there: round a mark within its turning circle it would go for ever.
 */
export function steerTo(ahead: number, aside: number): { steer: number; isDone: boolean } {
  const distance = Math.sqrt(ahead * ahead + aside * aside);
  const fromCentre = Math.abs(aside) - TURN;
  const isWithinTurn = ahead * ahead + fromCentre * fromCentre < (TURN - NEAR) * (TURN - NEAR);
  const side = aside / Math.max(distance, 1e-6);
  const steer = 1.6 * (ahead > 0 ? side : Math.sign(side));
  return { steer: Math.max(-1, Math.min(1, steer)), isDone: distance < NEAR || isWithinTurn };
}

/** On from mark to mark, or what the visitor says. */
function drive(time: number, tuner: Tuner): void {
  const keys = tuner.keys();
  if (keys) {
    const brake = keys.up ? 1 : 0;
    tuner.steer('car', { throttle: keys.y, steer: -keys.x, brake, handbrake: brake });
    return;
  }
  if (time < lap.time) lap.mark = 0;
  lap.time = time;
  const { position, rotation } = tuner.pose('car');
  const [fx, , fz] = vec3.transformQuat([0, 0, 0], [0, 0, 1], rotation);
  const [tx, tz] = MARKS[lap.mark];
  const [dx, dz] = [tx - position[0], tz - position[2]];
  const { steer, isDone } = steerTo(fx * dx + fz * dz, fz * dx - fx * dz);
  if (isDone) lap.mark = (lap.mark + 1) % MARKS.length;
  const isWaiting = time < 1;
  tuner.steer('car', {
    throttle: isWaiting ? 0 : 0.4,
    steer,
    brake: 0,
    handbrake: isWaiting ? 1 : 0,
  });
}

export const car: DemoScene = {
  id: 'car',
  title: 'Car',
  description: 'Springs, tyres with friction in the same solve, anti-roll bars. Arrow keys drive it, shift brakes.',
  build: (amount = 14) => build(amount),
  amount: { label: 'Cones', least: 0, most: 60, step: 1, usual: 14 },
  join(_tie, rig) {
    const wheels = WHEELS.map((mount, i) => ({
      mount,
      radius: RADIUS,
      travel: 0.28,
      maxSteer: i < 2 ? 0.55 : 0,
      axle: i < 2 ? 0 : 1,
      friction: 0.95,
      driveForce: i < 2 ? 0 : 2600,
      handbrakeForce: i < 2 ? 0 : 5000,
    }));
    rig?.car(
      'car',
      wheels,
      WHEELS.map((_, i) => `wheel-${i}`),
      { antiRoll: 15000, topSpeed: 6 },
    );
  },
  drive: (time, _values, tuner) => drive(time, tuner),
  camera: {
    ...{ target: [0, 0.5, 0], distance: 14, yaw: 0.6, pitch: 0.28, width: 13, follow: 'car' },
    portrait: { distance: 12, width: 8 },
  },
  promise: 'the car drives, upright on its wheels',
  seconds: 4,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    if (uprightness(result.end('car')) < 0.8) return 'the car lies on its side';
    return result.speed('car') > 1 || result.time < 3 ? null : `the car stands: ${result.speed('car')} m/s`;
  },
  paintParts: (name) => (name === 'car' ? PAINTS : undefined),
  paint(name) {
    if (name === 'car') return PALETTE.terracotta;
    if (name.startsWith('wheel')) return PALETTE.slate;
    return name.startsWith('cone') ? PALETTE.saffron : undefined;
  },
};
