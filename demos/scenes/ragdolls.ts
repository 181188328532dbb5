// Ragdolls run off a landing, down a flight of stairs and against a pair of swing doors: ball joints with cones and
// twists, hinges with limits, dry friction in all of them, and door closers that are motors with a soft target.

import { vec3 } from 'gl-matrix';
import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type Pose,
  type Probe,
  type Quat,
  type SceneFile,
  type ShapeFile,
  scatter,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE } from './palette';

const STEPS = 9;
const RISER = 0.32; // [m]
const TREAD = 0.4; // [m]
const WIDTH = 1.7; // half [m]
const LANDING = 5.5; // [m]
const TOP = STEPS * RISER;
const FOOT = STEPS * TREAD; // where the stairs end (x) [m]

const DOOR = FOOT + 0.95; // (x) [m]
const LEAF: Vec3 = [0.03, 0.95, 0.62]; // half extents of a door leaf [m]

const DOLLS = 6;
const RUN = 3.6; // at the start [m/s]
/** Dry friction in the joints of a doll [N·m]: without any, arms that hang free would swing for ever. */
const STIFFNESS = 0.8;

interface Part {
  name: string;
  shape: ShapeFile;
  /** From the pelvis [m]. */
  at: Vec3;
  mass: number;
}

const SIDES = [
  ['left', -1],
  ['right', 1],
] as const;

const PARTS: readonly Part[] = [
  { name: 'pelvis', shape: { box: [0.15, 0.09, 0.1] }, at: [0, 0, 0], mass: 12 },
  { name: 'torso', shape: { box: [0.17, 0.22, 0.1] }, at: [0, 0.33, 0], mass: 22 },
  { name: 'head', shape: { sphere: 0.12 }, at: [0, 0.71, 0], mass: 5 },
  ...SIDES.flatMap(([side, s]): Part[] => [
    { name: `upper-arm-${side}`, shape: { capsule: [0.05, 0.1] }, at: [0.25 * s, 0.36, 0], mass: 2.5 },
    { name: `lower-arm-${side}`, shape: { capsule: [0.04, 0.1] }, at: [0.25 * s, 0.08, 0], mass: 1.8 },
    { name: `thigh-${side}`, shape: { capsule: [0.075, 0.13] }, at: [0.1 * s, -0.32, 0], mass: 8 },
    { name: `shin-${side}`, shape: { capsule: [0.055, 0.14] }, at: [0.1 * s, -0.74, 0], mass: 4.5 },
  ]),
];

/** A joint of a doll: the part that it moves, the one it is on, where [m], and how. */
type Link = readonly [part: string, on: string, at: Vec3, how: Partial<JointFile>];

const LINKS: readonly Link[] = [
  ['torso', 'pelvis', [0, 0.1, 0], { type: 'ball', axis: [0, 1, 0], cone: 0.5, twist: [-0.4, 0.4] }],
  ['head', 'torso', [0, 0.58, 0], { type: 'ball', axis: [0, 1, 0], cone: 0.6, twist: [-0.8, 0.8] }],
  ...SIDES.flatMap(([side, s]): Link[] => [
    [
      `upper-arm-${side}`,
      'torso',
      [0.25 * s, 0.5, 0],
      { type: 'ball', axis: [0, -1, 0], cone: 1.4, twist: [-0.8, 0.8] },
    ],
    [
      `lower-arm-${side}`,
      `upper-arm-${side}`,
      [0.25 * s, 0.22, 0],
      { type: 'hinge', axis: [1, 0, 0], limits: [-2.2, 0] },
    ],
    [`thigh-${side}`, 'pelvis', [0.1 * s, -0.1, 0], { type: 'ball', axis: [0, -1, 0], cone: 0.9, twist: [-0.4, 0.4] }],
    [`shin-${side}`, `thigh-${side}`, [0.1 * s, -0.53, 0], { type: 'hinge', axis: [1, 0, 0], limits: [0, 2.2] }],
  ]),
];

/** v turned by q. */
const rotate = (q: Quat, v: Vec3): Vec3 => vec3.transformQuat([0, 0, 0], v, q) as Vec3;
const add = (a: Vec3, b: Vec3): Vec3 => vec3.add([0, 0, 0], a, b) as Vec3;
const less = (a: Vec3, b: Vec3): Vec3 => vec3.subtract([0, 0, 0], a, b) as Vec3;

/** All facing down the stairs, in two files. */
const FACING = turn([0, 1, 0], Math.PI / 2);

function dolls(count: number): { bodies: BodyFile[]; joints: JointFile[] } {
  const random = scatter(12);
  const bodies: BodyFile[] = [];
  const joints: JointFile[] = [];
  for (let k = 0; k < count; k++) {
    const place: Vec3 = [-0.7 - 0.75 * Math.floor(k / 2), TOP + 0.96, (k % 2 ? 0.5 : -0.55) + 0.3 * (random() - 0.5)];
    const velocity: Vec3 = [RUN + 0.6 * random(), 0, 0.5 * (random() - 0.5)];
    for (const { name, shape, at, mass } of PARTS) {
      bodies.push({
        name: `doll-${k}-${name}`,
        material: 'doll',
        position: add(place, rotate(FACING, at)),
        rotation: FACING,
        velocity,
        mass,
        shape,
      });
    }
    for (const [part, on, at, how] of LINKS) {
      joints.push({
        ...how,
        name: `doll-${k}-${part}`,
        type: how.type ?? 'ball',
        ends: [{ body: `doll-${k}-${part}` }, { body: `doll-${k}-${on}` }],
        anchor: add(place, rotate(FACING, at)),
        axis: rotate(FACING, how.axis ?? [0, 1, 0]),
        friction: STIFFNESS,
      });
    }
  }
  return { bodies, joints };
}

function stairs(): BodyFile[] {
  const block = (name: string, from: number, to: number, top: number): BodyFile => ({
    name,
    type: 'static',
    material: 'stone',
    position: [(from + to) / 2, top / 2, 0],
    shape: { box: [(to - from) / 2, top / 2, WIDTH] },
  });
  const steps = Array.from({ length: STEPS - 1 }, (_, i) =>
    block(`step-${i}`, i * TREAD, (i + 1) * TREAD, TOP - (i + 1) * RISER),
  );
  const walls = [-1, 1].map(
    (side): BodyFile => ({
      name: `wall-${side}`,
      type: 'static',
      material: 'stone',
      position: [(FOOT - LANDING) / 2, (TOP + 0.35) / 2, side * (WIDTH + 0.1)],
      shape: { box: [(FOOT + LANDING) / 2, (TOP + 0.35) / 2, 0.1] },
    }),
  );
  return [block('landing', -LANDING, 0, TOP), ...steps, ...walls];
}

/** Two leaves on posts; each is drawn shut by a motor that aims at 0 through a spring. */
function doors(): { bodies: BodyFile[]; joints: JointFile[] } {
  const bodies: BodyFile[] = [];
  const joints: JointFile[] = [];
  for (const side of [-1, 1]) {
    const post: Vec3 = [DOOR, 1.15, side * 1.36];
    const hinge: Vec3 = [DOOR, 1.05, side * 1.28];
    bodies.push(
      { name: `post-${side}`, type: 'static', material: 'wood', position: post, shape: { cylinder: [0.07, 1.15] } },
      {
        name: `leaf-${side}`,
        material: 'wood',
        position: [DOOR, 1.05, side * (1.28 - LEAF[2] - 0.01)],
        mass: 18,
        shape: { box: LEAF },
      },
    );
    joints.push({
      name: `door-${side}`,
      type: 'hinge',
      ends: [{ body: `leaf-${side}` }, { world: true }],
      anchor: hinge,
      axis: [0, 1, 0],
      limits: [-1.9, 1.9],
      motor: { target: 0, maxForce: 60 },
      spring: { frequency: 0.45, dampingRatio: 0.5 },
    });
  }
  return { bodies, joints };
}

function build(count: number): SceneFile {
  const dolled = dolls(count);
  const doored = doors();
  return tidy({
    version: 1,
    title: 'Ragdolls on the stairs',
    description: 'Ragdolls of 11 bodies and 10 joints each tumble down stairs and through swing doors',
    materials: {
      floor: { density: 2000, friction: 0.6, restitution: 0 },
      stone: { density: 2400, friction: 0.3, restitution: 0 },
      wood: { density: 600, friction: 0.4, restitution: 0 },
      doll: { density: 1000, friction: 0.35, restitution: 0 },
    },
    bodies: [GROUND, ...stairs(), ...doored.bodies, ...dolled.bodies],
    joints: [...doored.joints, ...dolled.joints],
  });
}

/** Of each joint of a doll, the anchor in the axes of both parts: all stand alike at the start. */
const ENDS = LINKS.map(([part, on, at]) => {
  const place = (name: string) => PARTS.find((one) => one.name === name)?.at ?? at;
  return { part, on, onPart: less(at, place(part)), onOther: less(at, place(on)) };
});

/** The widest gap of a doll's joints [m], from the poses of its parts alone. */
function widestGap(poseOf: (name: string) => Pose, count: number): number {
  let widest = 0;
  for (let k = 0; k < count; k++) {
    for (const { part, on, onPart, onOther } of ENDS) {
      const a = poseOf(`doll-${k}-${part}`);
      const b = poseOf(`doll-${k}-${on}`);
      const gap = less(add(a.position, rotate(a.rotation, onPart)), add(b.position, rotate(b.rotation, onOther)));
      widest = Math.max(widest, vec3.length(gap));
    }
  }
  return widest;
}

const SHIRTS = [PALETTE.terracotta, PALETTE.sea, PALETTE.saffron, PALETTE.plum, PALETTE.moss, PALETTE.navy] as const;

export const ragdolls: DemoScene = {
  id: 'ragdolls',
  title: 'Ragdolls on the stairs',
  description: 'Dolls of 11 bodies and 10 joints run off a landing and into swing doors. No knock opens a joint.',
  build: (amount = DOLLS) => build(amount),
  amount: { label: 'Dolls', least: 1, most: 12, step: 1, usual: DOLLS },
  camera: { target: [1.9, 1.4, 0], distance: 11.5, yaw: 1.15, pitch: 0.58, width: 7.6 },
  promise: 'no joint of a doll is more than 0.1 mm open',
  seconds: 5,
  instruments: [
    {
      kind: 'gauge',
      id: 'gap',
      label: 'Widest joint gap',
      unit: 'mm',
      most: () => 0.25,
      levels: () => [{ label: 'promised', value: 0.1 }],
      // Of the first doll, which is there however many there are.
      read: (probe: Probe) => 1000 * widestGap((name) => probe.body(name), 1),
    },
  ],
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const count = result.names.filter((name) => name.endsWith('pelvis')).length;
    const gap = widestGap((name) => result.end(name), count);
    return gap < 1e-4 ? null : `a joint is ${(1000 * gap).toFixed(2)} mm open`;
  },
  paint(name) {
    const doll = /^doll-(\d+)-(.*)$/.exec(name);
    if (!doll) return name.startsWith('leaf') ? PALETTE.wine : undefined;
    const part = doll[2];
    if (part === 'head' || part.startsWith('lower-arm')) return '#e8b890';
    if (part.startsWith('thigh') || part === 'pelvis' || part.startsWith('shin')) return PALETTE.slate;
    return SHIRTS[+doll[1] % SHIRTS.length];
  },
};
