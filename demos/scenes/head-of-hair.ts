// Straight, wavy or curly hair on a head that looks about, in the wind, and a comb for the visitor's hand.

import { type mat3, quat, vec3 } from 'gl-matrix';
import { bust, CENTRE, HEAD, type Swing, swingHead } from './bust';
import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type Pose,
  type Quat,
  type SceneResult,
  soundness,
  tidy,
  unit,
  type Vec3,
} from './demo-scene';
import { reachOf } from './hair-reach';
import { STYLES, styleHair } from './hair-styles';
import { strandFile } from './strand-file';

const HAIR = 3.7e-5; // radius [m]
/** Roots sit this far above the skin [m]. */
const LIFT = 2e-4;
const USUAL = 400;
const FRICTION = 0.25;
/** How quickly hair takes on the speed of the air [1/s]. */
const DRAG = 2.5;

/** The comb: teeth along −z of its own axes, side by side along x. */
const TEETH = { count: 9, spacing: 0.009, length: 0.036, radius: 0.0016 };
/** Its back stays this far from the skin; the teeth reach almost to it [m]. */
const AWAY = TEETH.length + 0.009;
const PARKED: Pose = { position: [0.2, 0.5, 0.17], rotation: facing(unit([0.2, 0.1, 0.17])) };

function comb(): BodyFile {
  const wide = 0.5 * (TEETH.count - 1) * TEETH.spacing + 0.006;
  const half = 0.5 * TEETH.length - TEETH.radius;
  const s = Math.SQRT1_2;
  return {
    name: 'comb',
    type: 'kinematic',
    material: 'comb',
    ...PARKED,
    shape: {
      compound: [
        { position: [0, 0, 0.008], shape: { box: [wide, 0.004, 0.009] } },
        ...Array.from({ length: TEETH.count }, (_, i) => ({
          position: [(i - 0.5 * (TEETH.count - 1)) * TEETH.spacing, 0, -0.5 * TEETH.length] as Vec3,
          rotation: [s, 0, 0, s] as Quat,
          shape: { capsule: [TEETH.radius, half] as [number, number] },
        })),
      ],
    },
  };
}

/** Over the head the comb follows its skin, teeth inwards; beside it, it goes where the pointer is. */
function aim(origin: Vec3, direction: Vec3): Pose {
  const from = vec3.subtract([0, 0, 0], origin, CENTRE);
  const nearest = vec3.scaleAndAdd([0, 0, 0], from, direction, -vec3.dot(from, direction));
  const off = vec3.length(nearest);
  const reach = HEAD + AWAY;
  const back = off < reach ? Math.sqrt(reach * reach - off * off) : 0;
  const place = vec3.scaleAndAdd([0, 0, 0], nearest, direction, -back) as Vec3;
  return { position: vec3.add([0, 0, 0], place, CENTRE) as Vec3, rotation: facing(unit(place)) };
}

/** Turns z to `normal` and x level. */
function facing(normal: Vec3): Quat {
  const x = unit(Math.abs(normal[1]) < 0.98 ? [normal[2], 0, -normal[0]] : [1, 0, 0]);
  const y = vec3.cross([0, 0, 0], normal, x) as Vec3;
  return quat.fromMat3([0, 0, 0, 1], [...x, ...y, ...normal] as mat3) as Quat;
}

/** Looks to both sides, nods, leans. */
const MOVES: readonly Swing[] = [
  [[0, 1, 0], 0.75, 1, 4],
  [[1, 0, 0], 0.3, 1, 3],
  [[0, 0, 1], 0.25, 1, 3],
];

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  const { least, most } = reachOf(result.endPoints('hair'), CENTRE);
  if (least < HEAD - 1e-3) return `a hair is ${HEAD - least} m inside the head`;
  if (most > 0.6) return `a hair is ${most} m from the head`;
  return result.strandContacts > 0 ? null : 'the hair touches nothing';
}

export const headOfHair: DemoScene = {
  id: 'head-of-hair',
  title: 'Comb and wind',
  description: 'Straight, wavy or curly hair that sticks and slips. Draw the comb through it; turn up the wind.',
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Comb and wind',
      description: 'Hair on a head that looks about, with a comb beside it',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        linen: { density: 1000, friction: 0.3, restitution: 0 },
        brass: { density: 8500, friction: 0.3, restitution: 0 },
        comb: { density: 1200, friction: 0.15, restitution: 0 },
      },
      bodies: [GROUND, ...bust(), comb()],
      grooms: [
        {
          name: 'hair',
          file: 'hair.data',
          position: CENTRE,
          rod: {
            radius: HAIR,
            friction: Number(values?.friction ?? FRICTION),
            stretchModulus: 1e6,
            airDrag: DRAG,
            attachStart: 'head',
          },
        },
      ],
      motions: [{ body: 'head', keys: swingHead(1.5, MOVES, 1), loop: true }],
    }),
  files: (amount = USUAL, values) =>
    new Map([['hair.data', strandFile(styleHair(Number(values?.style ?? STYLES.wavy), amount, LIFT))]]),
  amount: {
    ...{ label: 'strands', least: 100, most: 3000, step: 100, usual: USUAL, tested: 100 },
    onGpu: { usual: 10_000, most: 32_000 },
  },
  parameters: [
    { key: 'style', label: 'style', options: STYLES, usual: STYLES.wavy },
    { key: 'wind', label: 'wind', least: 0, most: 8, step: 0.25, usual: 0, live: true },
    { key: 'friction', label: 'friction', least: 0, most: 0.8, step: 0.05, usual: FRICTION, live: true },
  ],
  tune: (values, tuner) => tuner.setRod('hair', { friction: Number(values.friction) }),
  drive(time, values, tuner) {
    const wind = Number(values.wind);
    // Gusts from the left and a little from the front.
    const gust = wind * (0.7 + 0.3 * Math.sin(1.9 * time) + 0.2 * Math.sin(5.3 * time + 1));
    tuner.setWind([0.9 * gust, 0.05 * gust, -0.35 * gust * (1 + 0.5 * Math.sin(0.7 * time))]);
  },
  tool: { body: 'comb', aim, speed: 0.7, spin: 8 },
  camera: { target: [0.01, 0.345, 0], distance: 0.78, yaw: 0.5, pitch: 0.08, upright: true },
  promise: 'no hair enters the head',
  seconds: 1.5,
  check,
  paint: (name) => (name === 'comb' ? '#3f6f78' : undefined),
  strands: () => ({
    finish: 'hair',
    colors: ['#38200f', '#56301c', '#75482a', '#472717'],
    radius: 2.6e-4,
    lock: 0.006,
  }),
};
