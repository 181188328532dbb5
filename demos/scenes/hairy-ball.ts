// A ball with hair on its upper half, shaken about three axes in turn: Kaufman and others 2014, Daviet 2020 (Fig. 10).

import { vec3 } from 'gl-matrix';
import {
  combine,
  cross,
  type DemoScene,
  type Files,
  GROUND,
  type KeyFile,
  type Quat,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  turn,
  unit,
  type Vec3,
} from './demo-scene';
import { reachOf } from './hair-reach';
import { PALETTE } from './palette';
import { strandFile } from './strand-file';

const BALL = 0.09; // radius [m]
const HAIR = 3.7e-5; // radius [m]
const CENTRE: Vec3 = [0, 0.42, 0];
const LENGTH = 0.21; // of the longest strands [m]
/** Catches the shadow, out of reach of the hair: radius, half height [m]. */
const PLINTH: [number, number] = [0.34, 0.04];
const USUAL = 500;
const FRICTION = 0.2;
/** Hair does not stretch visibly with this either, and moves more freely at 60 steps a second [Pa]. */
const SOFT = 1e6;

/** Edges of a strand: of many strands each may be coarser, and they all fit. */
const edgesOf = (count: number) => (count > 24_000 ? 15 : count > 8000 ? 22 : 30);

/** Slightly frizzy strands that stand on the upper half, in the ball's axes. */
function hair(count: number): Uint8Array {
  const random = scatter(2020);
  const edges = edgesOf(count);
  const strands: Vec3[][] = [];
  for (let s = 0; s < count; s++) {
    // An even spiral from the top down to the equator.
    const y = 1 - (s + 0.5) / count;
    const flat = Math.sqrt(1 - y * y);
    const around = s * Math.PI * (3 - Math.sqrt(5));
    const out: Vec3 = [flat * Math.cos(around), y, flat * Math.sin(around)];
    const side = Math.abs(y) < 0.9 ? unit([out[2], 0, -out[0]]) : unit([0, -out[2], out[1]]);
    const third = cross(out, side);
    const length = LENGTH * (0.8 + 0.2 * random());
    const wave = 0.0022 * (0.4 + random());
    const turns = 2.5 + 2 * random();
    const phase = 2 * Math.PI * random();
    const lean = 0.035 * (random() - 0.5);
    const points: Vec3[] = [];
    for (let i = 0; i <= edges; i++) {
      const t = i / edges;
      const reach = BALL + HAIR + length * t;
      // The frizz begins beyond the clamped root.
      const grow = Math.min(1, 5 * Math.max(0, t - 1 / edges));
      const angle = phase + 2 * Math.PI * turns * t;
      const a = wave * grow * Math.cos(angle) + lean * t * t;
      const b = wave * grow * Math.sin(angle);
      const point = vec3.scaleAndAdd([0, 0, 0], vec3.scale([0, 0, 0], out, reach), side, a);
      points.push(vec3.scaleAndAdd(point, point, third, b) as Vec3);
    }
    strands.push(points);
  }
  return strandFile(strands);
}

const STILL = 1; // the hair falls into place first [s]
const SHAKE = 3; // about each axis [s]
const SWINGS = 3; // in that time
const AXES: Vec3[] = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

/** To and fro about each axis in turn, swelling and dying away. */
function shake(): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: CENTRE, rotation: [0, 0, 0, 1] }];
  const rate = 30; // keys a second
  AXES.forEach((axis, i) => {
    const start = STILL + i * SHAKE;
    for (let k = 0; k <= SHAKE * rate; k++) {
      const t = k / (SHAKE * rate);
      const angle = (i === 2 ? 1.5 : 0.95) * Math.sin(Math.PI * t) * Math.sin(2 * Math.PI * SWINGS * t);
      const rotation: Quat = combine(turn(axis, angle), [0, 0, 0, 1]);
      if (k > 0 || i === 0) keys.push({ time: start + k / rate, position: CENTRE, rotation });
    }
  });
  return keys;
}

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  const { least, most } = reachOf(result.endPoints('hair'), CENTRE);
  if (least < BALL - 5e-4) return `a hair is ${BALL - least} m inside the ball`;
  if (most > BALL + 1.1 * LENGTH) return `a hair reaches ${most} m from the middle of the ball`;
  return result.strandContacts > 0 ? null : 'the hair touches nothing';
}

export const hairyBall: DemoScene = {
  id: 'hairy-ball',
  title: 'Hairy ball',
  description: 'Hair that sticks and slips, shaken about three axes. Pull a lock with the mouse.',
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Hairy ball',
      description: 'Frizzy hair on the upper half of a ball of 18 cm that is shaken about three axes',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        scalp: { density: 1000, friction: 0.2, restitution: 0 },
      },
      bodies: [
        GROUND,
        { name: 'ball', type: 'kinematic', material: 'scalp', position: CENTRE, shape: { sphere: BALL } },
        { name: 'plinth', type: 'static', material: 'floor', position: [0, 0.04, 0], shape: { cylinder: PLINTH } },
      ],
      grooms: [
        {
          name: 'hair',
          file: 'hair.data',
          position: CENTRE,
          rod: {
            radius: HAIR,
            friction: Number(values?.friction ?? FRICTION),
            stretchModulus: SOFT,
            attachStart: 'ball',
          },
        },
      ],
      motions: [{ body: 'ball', keys: shake(), loop: true }],
    }),
  files: (amount = USUAL): Files => new Map([['hair.data', hair(amount)]]),
  amount: {
    ...{ label: 'strands', least: 100, most: 5000, step: 100, usual: USUAL, tested: 100 },
    onGpu: { usual: 8000, most: 64_000 },
  },
  parameters: [{ key: 'friction', label: 'friction', least: 0, most: 0.8, step: 0.05, usual: FRICTION, live: true }],
  tune: (values, tuner) => tuner.setRod('hair', { friction: Number(values.friction) }),
  camera: { target: [0, 0.28, 0], distance: 1, yaw: 0.5, pitch: 0.15, upright: true, sun: 1.1 },
  promise: 'no hair enters the ball or stretches by 10 %',
  seconds: 1.5,
  check,
  paint: (name) => (name === 'ball' ? '#4a3326' : name === 'plinth' ? PALETTE.cream : undefined),
  strands: () => ({ finish: 'hair', colors: ['#3c251b', '#553221', '#6f4a2e', '#5a3a26'], radius: 3e-4, lock: 0.006 }),
};
