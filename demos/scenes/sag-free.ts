// One groom three times: as every simulator takes it, with the rest shape changed alone, and sag-free. The heads shake.

import { vec3 } from 'gl-matrix';
import {
  type BodyFile,
  cross,
  type DemoScene,
  GROUND,
  type GroomFile,
  type KeyFile,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  unit,
  type Vec3,
} from './demo-scene';
import { strandFile } from './strand-file';

const BALL = 0.09; // radius [m]
const HAIR = 4e-5; // radius [m]
const LENGTH = 0.16; // [m]
const EDGES = 24;
const USUAL = 90;
const HEIGHT = 0.36; // of the heads [m]
const ROUND = 8; // from shake to shake [s]
const SHAKE = 1.5; // begins in each round [s]
const BACK = 5.2; // the hair has come back in each round [s]
/** The three heads, from left to right, and what their grooms ask for. */
const HEADS: readonly { name: string; x: number; sagFree: GroomFile['sagFree'] }[] = [
  { name: 'naive', x: -0.5, sagFree: false },
  // However far the rest shape may go, strands of this length do not stand by it alone: they need the stiffness.
  { name: 'rest-shape', x: 0, sagFree: { change: 'rest-shape', curvatureChange: 0.02 } },
  { name: 'sag-free', x: 0.5, sagFree: { curvatureChange: 0.02 } },
];

/** Curls that stand off the head on all sides, in its axes. */
function curls(count: number): Uint8Array {
  const random = scatter(2025);
  const strands: Vec3[][] = [];
  for (let s = 0; s < count; s++) {
    // An even spiral from the top to a little below the equator.
    const y = 1 - (1.15 * (s + 0.5)) / count;
    const flat = Math.sqrt(1 - y * y);
    const around = s * Math.PI * (3 - Math.sqrt(5));
    const out: Vec3 = [flat * Math.cos(around), y, flat * Math.sin(around)];
    const side = Math.abs(y) < 0.9 ? unit([out[2], 0, -out[0]]) : unit([0, -out[2], out[1]]);
    const third = cross(out, side);
    const phase = 2 * Math.PI * random();
    const turns = 1.5 + random();
    const points: Vec3[] = [];
    for (let i = 0; i <= EDGES; i++) {
      const t = i / EDGES;
      const wide = 0.012 * Math.min(1, 4 * Math.max(0, t - 1 / EDGES));
      const angle = phase + 2 * Math.PI * turns * t;
      const a = wide * Math.cos(angle);
      const b = wide * Math.sin(angle);
      const point = vec3.scale([0, 0, 0], out, BALL + HAIR + LENGTH * t);
      vec3.scaleAndAdd(point, point, side, a);
      points.push(vec3.scaleAndAdd(point, point, third, b) as Vec3);
    }
    strands.push(points);
  }
  return strandFile(strands);
}

function head(name: string, x: number): BodyFile {
  const position: Vec3 = [x, HEIGHT, 0];
  return { name: `head-${name}`, type: 'kinematic', material: 'linen', position, shape: { sphere: BALL }, mask: 0 };
}

/** Still for 1.5 s, three quick shakes to the sides, still again. */
function shake(x: number): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: [x, HEIGHT, 0] }];
  for (let k = 0; k <= 6; k++) {
    const off = k === 0 || k === 6 ? 0 : k % 2 === 1 ? 0.04 : -0.04;
    keys.push({ time: SHAKE + 0.12 * k, position: [x + off, HEIGHT, 0] });
  }
  return [...keys, { time: ROUND, position: [x, HEIGHT, 0] }];
}

/** How far the strands of a groom are from where they were drawn, at most [m]. */
function driftOf(result: SceneResult, name: string): number {
  const start = result.startPoints(name);
  const end = result.endPoints(name);
  let square = 0;
  for (let k = 0; k < start.length; k += 3) {
    square = Math.max(
      square,
      [0, 1, 2].reduce((sum, axis) => sum + (end[k + axis] - start[k + axis]) ** 2, 0),
    );
  }
  return Math.sqrt(square);
}

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  const [naive, restShape, ours] = HEADS.map(({ name }) => driftOf(result, name));
  if (!(naive > 0.02)) return `hair with the drawn shape as rest shape sags by ${naive} m only`;
  if (!(restShape > 0.002)) return `hair with its rest shape changed alone sags by ${restShape} m only`;
  // As drawn until the first shake; later back from the last one, to where it falls asleep.
  const phase = result.time % ROUND;
  if (phase > SHAKE && phase < BACK) return null;
  const least = result.time > SHAKE ? 2e-3 : 1e-3 * LENGTH;
  return ours < least ? null : `sag-free hair is ${ours} m away from where it was drawn`;
}

export const sagFree: DemoScene = {
  id: 'sag-free',
  title: 'Sag-free hair',
  description:
    'One groom three times, from the left: as drawn, it sags; with another rest shape alone it falls as well, ' +
    'being too long to stand; with rest shape and stiffness found together it stays. All are shaken.',
  build: () =>
    tidy({
      version: 1,
      title: 'Sag-free hair',
      description:
        'The drawn shape as rest shape; the rest shape changed alone; rest shape and stiffness found together',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        linen: { density: 1000, friction: 0.3, restitution: 0 },
      },
      bodies: [GROUND, ...HEADS.map(({ name, x }) => head(name, x))],
      grooms: HEADS.map(({ name, x, sagFree }) => ({
        ...{ name, file: 'curls.data', position: [x, HEIGHT, 0] as Vec3, sagFree },
        rod: {
          ...{ radius: HAIR, damping: 0.005, airDrag: 1.5, attachStart: `head-${name}` },
          // Strands alone, without contacts: what is seen is their own equilibrium.
          ...{ selfContact: false, mask: 0 },
        },
      })),
      motions: HEADS.map(({ name, x }) => ({ body: `head-${name}`, keys: shake(x), loop: true })),
    }),
  files: (amount = USUAL) => new Map([['curls.data', curls(amount)]]),
  amount: { label: 'strands', least: 30, most: 400, step: 10, usual: USUAL, tested: 30 },
  camera: {
    ...{ target: [0, 0.34, 0], distance: 1.7, yaw: 0, pitch: 0.1, width: 1.42 },
    // One behind the other, the one that stays before them.
    portrait: { target: [0.09, 0.33, 0], yaw: 0.8, pitch: 0.5, width: 1.17 },
  },
  promise: 'sag-free hair stays within 0.16 mm, and 3 s after a shake within 2 mm',
  seconds: 1.3,
  check,
  strands: () => ({
    finish: 'hair',
    colors: ['#38200f', '#56301c', '#75482a', '#472717'],
    radius: 3.6e-4,
    lock: 0.006,
  }),
};
