// A ball of fur that rolls to and fro and spins on the spot: fur is squeezed between
// ball and floor and springs up again.

import { vec3 } from 'gl-matrix';
import {
  combine,
  type DemoScene,
  type Files,
  GROUND,
  type GroomFile,
  type KeyFile,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { reachOf } from './hair-reach';
import { strandFile } from './strand-file';

const BALL = 0.11; // radius [m]
/** Between ball and floor, for the fur that is under it [m]. */
const GAP = 0.016;
const HAIR = 4.5e-5; // radius [m]
const LENGTH = [0.03, 0.045] as const; // [m]
const NODES = 10;
const USUAL = 1200;
const FRICTION = 0.3;
/** A hair that is pressed end-on must give way before it can bend: ten times softer than other scenes' hair [Pa]. */
const SOFT = 1e5;
/** It begins in the air, where no hair is in the floor. */
const START: Vec3 = [0, BALL + LENGTH[1] + 0.006, 0];
const LOW = BALL + GAP;

/** Two coats, each a groom of its own: base and stripes. */
const COATS = ['base', 'stripes'] as const;
type Coat = (typeof COATS)[number];
const COLORS: Readonly<Record<Coat, readonly string[]>> = {
  base: ['#b5702c', '#d18f45', '#e6b473', '#f3d5a4'],
  stripes: ['#1d1512', '#33231b', '#4a3122', '#2a1c16'],
};

/** Crooked bands about the ball. */
function coatOf([x, y, z]: Vec3): Coat {
  const bend = 1.3 * Math.sin(2.3 * x + 1) + 0.9 * Math.sin(3.7 * z - 2 * y);
  return Math.sin(11 * y + 2.2 * bend) > 0.42 ? 'stripes' : 'base';
}

/** Fur on the whole ball, in its axes: leaning one way, each hair a little curved. */
function fur(count: number): Map<Coat, Vec3[][]> {
  const random = scatter(77);
  const coats = new Map<Coat, Vec3[][]>(COATS.map((coat) => [coat, []]));
  for (let s = 0; s < count; s++) {
    const y = 1 - (2 * (s + 0.5)) / count;
    const flat = Math.sqrt(1 - y * y);
    const around = s * Math.PI * (3 - Math.sqrt(5));
    const out: Vec3 = [flat * Math.cos(around), y, flat * Math.sin(around)];
    const length = LENGTH[0] + (LENGTH[1] - LENGTH[0]) * random();
    // It lies back round the axis, and a little at random.
    const lean = [out[2], 0, -out[0]].map((value) => 0.35 * value + 0.3 * (random() - 0.5));
    const points: Vec3[] = [];
    for (let i = 0; i < NODES; i++) {
      const t = i / (NODES - 1);
      const side = length * Math.max(0, t - 1 / NODES) ** 1.6;
      const upright = vec3.scale([0, 0, 0], out, BALL + HAIR + length * t);
      points.push(vec3.scaleAndAdd(upright, upright, lean, side) as Vec3);
    }
    coats.get(coatOf(out))?.push(points);
  }
  return coats;
}

const RATE = 60; // keys a second
const REACH = 0.27; // to either side [m]

/** Sits down, rolls right, left and back, spins about its upright axis and gets up: ends as it began. */
function roll(): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: START, rotation: [0, 0, 0, 1] }];
  let time = 0;
  const move = (
    seconds: number,
    height: (t: number) => number,
    x: (t: number) => number,
    spin: (t: number) => number,
  ) => {
    for (let k = 1; k <= seconds * RATE; k++) {
      const at = ease(k / (seconds * RATE));
      const place = x(at);
      // Fur is no gear: what it rolls on is about as far out as the floor.
      const rotation = combine(turn([0, 1, 0], spin(at)), turn([0, 0, 1], -place / LOW));
      keys.push({ time: time + k / RATE, position: [place, height(at), 0], rotation });
    }
    time += seconds;
  };
  const still = () => 0;
  const low = () => LOW;
  move(0.7, (t) => START[1] + (LOW - START[1]) * t, still, still);
  move(0.4, low, still, still);
  move(1.0, low, (t) => REACH * t, still);
  move(1.6, low, (t) => REACH * (1 - 2 * t), still);
  move(1.0, low, (t) => -REACH * (1 - t), still);
  move(1.6, low, still, (t) => 4 * Math.PI * t);
  move(0.7, (t) => LOW + (START[1] - LOW) * t, still, still);
  return keys;
}

/** From rest to rest, quick in the middle. */
const ease = (t: number) => t * t * (3 - 2 * t);

function check(result: SceneResult): string | null {
  const sound = soundness(result, -1e-3);
  if (sound) return sound;
  const { position } = result.end('ball');
  for (const coat of COATS) {
    const { least, most } = reachOf(result.endPoints(coat), position);
    if (least < BALL - 1e-3) return `a hair is ${BALL - least} m inside the ball`;
    // Dragged under the ball the soft hairs stretch, never by a quarter in 20 s with the usual number of them.
    if (most > BALL + 1.25 * LENGTH[1]) return `a hair reaches ${most} m from the middle of the ball`;
  }
  // At the end of its round it is in the air.
  if (position[1] > LOW + 1e-3) return null;
  return result.strandContacts > 0 ? null : 'the fur touches nothing';
}

export const rollingFur: DemoScene = {
  id: 'rolling-fur',
  title: 'Rolling fur',
  description: 'Fur is squeezed between ball and floor, holds on by friction and springs up again.',
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Rolling fur',
      description: 'A ball with fur all over that rolls to and fro and spins',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        hide: { density: 1000, friction: 0.3, restitution: 0 },
      },
      bodies: [GROUND, { name: 'ball', type: 'kinematic', material: 'hide', position: START, shape: { sphere: BALL } }],
      grooms: COATS.map(
        (coat): GroomFile => ({
          name: coat,
          file: `${coat}.data`,
          position: START,
          rod: {
            radius: HAIR,
            friction: Number(values?.friction ?? FRICTION),
            stretchModulus: SOFT,
            attachStart: 'ball',
          },
        }),
      ),
      motions: [{ body: 'ball', keys: roll(), loop: true }],
    }),
  files: (amount = USUAL): Files =>
    new Map([...fur(amount)].map(([coat, strands]) => [`${coat}.data`, strandFile(strands)])),
  amount: {
    ...{ label: 'hairs', least: 100, most: 6000, step: 100, usual: USUAL },
    onGpu: { usual: 24_000, most: 64_000 },
  },
  parameters: [{ key: 'friction', label: 'friction', least: 0, most: 0.8, step: 0.05, usual: FRICTION, live: true }],
  tune(values, tuner) {
    for (const coat of COATS) tuner.setRod(coat, { friction: Number(values.friction) });
  },
  camera: { target: [0, 0.1, 0], distance: 0.82, yaw: 0.35, pitch: 0.13, follow: 'ball', portrait: { width: 0.55 } },
  promise: 'no hair enters the ball or stretches by 25 %',
  seconds: 2.5,
  check,
  paint: (name) => (name === 'ball' ? '#7a4a22' : undefined),
  strands: (name) => ({ finish: 'hair', colors: COLORS[name as Coat], radius: 3.2e-4, lock: 0.008 }),
};
