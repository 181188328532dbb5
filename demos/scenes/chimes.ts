// A musical clockwork: a motor turns a pinion, two pairs of gears slow it down to a ninth, and the pins of the drum on
// the last axle lift hammers that drop on bars. The gears are joints, their teeth are for show; pins, hammers and bars
// meet by contact alone. It is no clock: nothing swings, the motor keeps the time.

import { type BodyFile, type DemoScene, GROUND, type ShapeFile, soundness, tidy, turn, type Vec3 } from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE, SUNSET } from './palette';

const SPEED = 6; // of the pinion [rad/s]
const [SMALL, LARGE] = [0.24, 0.72]; // radii of pinions and wheels [m]
const RATIO = LARGE / SMALL;
const LEVEL = 1.9; // height of the axles [m]
const MIDDLE = -0.6; // the second axle [m]
const AXLES = [MIDDLE - SMALL - LARGE, MIDDLE, MIDDLE + SMALL + LARGE]; // [m]
const FRONT = 0.12; // between the two planes of gears [m]

const HAMMERS = 5;
const FIRST = 0.5; // z of the first hammer [m]
const SPACE = 0.3; // between hammers along the drum [m]
const DRUM = 0.3; // its radius [m]
const PIN = 0.42; // how far pins reach from the axle [m]
const TIP = 0.36; // where hammers end, from the axle [m]
const ARM = 0.5; // half length of a hammer [m]
const PINS = 2; // for each hammer
const EARLY = 0.35; // angle of the first pin below its hammer [rad]

type Parts = Extract<ShapeFile, { compound: unknown }>['compound'];

const WHEELS = { layers: 2, mask: 4 };
const STRIKERS = { layers: 4, mask: 2 | 8 };
const BARS = { layers: 8, mask: 4 };
const ACROSS = turn([1, 0, 0], Math.PI / 2);

/** A wheel with teeth about the z axis. */
function wheel(radius: number, teeth: number, z: number, half = 0): Parts {
  return [
    { position: [0, 0, z], rotation: ACROSS, shape: { cylinder: [radius - 0.03, 0.04] } },
    ...Array.from({ length: teeth }, (_, i) => {
      const angle = (2 * Math.PI * (i + half)) / teeth;
      const position: Vec3 = [radius * Math.cos(angle), radius * Math.sin(angle), z];
      return { position, rotation: turn([0, 0, 1], angle), shape: { box: [0.035, 0.026, 0.04] as Vec3 } };
    }),
  ];
}

/** The drum and its pins, one hammer after the other. */
function drum(): Parts {
  const length = (HAMMERS - 1) * SPACE;
  const pins = Array.from({ length: HAMMERS * PINS }, (_, i) => {
    const angle = -EARLY - (2 * Math.PI * i) / (HAMMERS * PINS);
    const reach = (DRUM + PIN) / 2 - 0.01;
    return {
      position: [reach * Math.cos(angle), reach * Math.sin(angle), FIRST + SPACE * (i % HAMMERS)] as Vec3,
      rotation: turn([0, 0, 1], angle),
      shape: { box: [(PIN - DRUM) / 2 + 0.01, 0.025, 0.04] as Vec3 },
    };
  });
  const z = FIRST + length / 2;
  return [{ position: [0, 0, z], rotation: ACROSS, shape: { cylinder: [DRUM, length / 2 + 0.2] } }, ...pins];
}

function machine(): BodyFile[] {
  const parts = [
    { name: 'pinion', compound: wheel(SMALL, 8, 0) },
    { name: 'wheel', compound: [...wheel(LARGE, 24, 0, 0.5), ...wheel(SMALL, 8, FRONT)] },
    { name: 'drum', compound: [...wheel(LARGE, 24, FRONT, 0.5), ...drum()] },
  ];
  const moving = parts.map(
    ({ name, compound }, i): BodyFile => ({
      name,
      material: 'brass',
      position: [AXLES[i], LEVEL, 0],
      mass: [5, 20, 60][i],
      canSleep: false,
      ...WHEELS,
      shape: { compound },
    }),
  );
  const posts = AXLES.map(
    (x, i): BodyFile => ({
      name: `post-${i}`,
      type: 'static',
      material: 'wood',
      position: [x, LEVEL / 2, -0.16],
      layers: 16,
      mask: 16,
      shape: { box: [0.06, LEVEL / 2, 0.06] },
    }),
  );
  return [...moving, ...posts];
}

const hinge = (h: number): Vec3 => [AXLES[2] + TIP + 2 * ARM, LEVEL, FIRST + SPACE * h];

function hammers(): BodyFile[] {
  return Array.from({ length: HAMMERS }, (_, h): BodyFile[] => {
    const [x, y, z] = hinge(h);
    return [
      {
        name: `hammer-${h}`,
        material: 'wood',
        position: [x - ARM, y, z],
        mass: 1,
        ...STRIKERS,
        shape: {
          compound: [
            { shape: { box: [ARM, 0.03, 0.03] } },
            { position: [0, -0.08, 0], shape: { box: [0.06, 0.06, 0.06] } },
          ],
        },
      },
      {
        name: `bar-${h}`,
        type: 'static',
        material: 'bar',
        position: [x - ARM, y - 0.14 - 0.05, z],
        ...BARS,
        shape: { box: [0.4 - 0.04 * h, 0.05, 0.11] },
      },
    ];
  }).flat();
}

function joints(): JointFile[] {
  const axis: Vec3 = [0, 0, 1];
  const names = ['pinion', 'wheel', 'drum'];
  const axles = names.map(
    (name, i): JointFile => ({
      name: `axle-${name}`,
      type: 'hinge',
      ends: [{ body: name }, { world: true }],
      anchor: [AXLES[i], LEVEL, 0],
      axis,
      ...(i === 0 ? { motor: { velocity: SPEED, maxForce: 60 } } : {}),
    }),
  );
  const gears = [0, 1].map(
    (i): JointFile => ({
      name: `gear-${i}`,
      type: 'gear',
      ends: [{ body: names[i] }, { body: names[i + 1] }],
      axis,
      ratio: -RATIO,
    }),
  );
  const pivots = Array.from(
    { length: HAMMERS },
    (_, h): JointFile => ({
      name: `pivot-${h}`,
      type: 'hinge',
      ends: [{ body: `hammer-${h}` }, { world: true }],
      anchor: hinge(h),
      axis,
    }),
  );
  return [...axles, ...gears, ...pivots];
}

/** Turn about the z axis [rad], −π to π. */
const angleOf = ([, , z, w]: readonly number[]): number => {
  const half = 2 * Math.atan2(z, w);
  return half - 2 * Math.PI * Math.round(half / (2 * Math.PI));
};

export const chimes: DemoScene = {
  id: 'chimes',
  title: 'Chimes',
  description: 'Gears slow a motor down to a ninth; pins on a drum lift hammers, which drop on bars.',
  build: () =>
    tidy({
      version: 1,
      title: 'Chimes',
      description: 'Two pairs of gears, a drum with pins, hammers and bars',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        brass: { density: 3000, friction: 0.1, restitution: 0 },
        wood: { density: 700, friction: 0.1, restitution: 0 },
        bar: { density: 3000, friction: 0.3, restitution: 0.2 },
      },
      bodies: [GROUND, ...machine(), ...hammers()],
      joints: joints(),
    }),
  camera: { target: [0.1, 1.75, 0.5], distance: 4.9, yaw: 0.45, pitch: 0.25, width: 3.6 },
  promise: 'the drum makes one turn for nine of the pinion, to a thousandth of a radian',
  seconds: 6,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const [pinion, last] = [angleOf(result.end('pinion').rotation), angleOf(result.end('drum').rotation)];
    const apart = RATIO * RATIO * last - pinion;
    const slip = Math.abs(apart - 2 * Math.PI * Math.round(apart / (2 * Math.PI)));
    if (!(slip < 1e-3)) return `the gears slipped by ${slip} rad`;
    const due = (SPEED / RATIO ** 2) * result.time;
    const late = Math.abs(due - last - 2 * Math.PI * Math.round((due - last) / (2 * Math.PI)));
    return late < 0.1 ? null : `the drum is ${late} rad from where the motor should have it`;
  },
  paint: (name) => {
    if (name.startsWith('bar')) return SUNSET[+name[4]];
    if (name === 'pinion') return PALETTE.terracotta;
    if (name === 'wheel') return PALETTE.saffron;
    return name === 'drum' ? PALETTE.sand : undefined;
  },
};
