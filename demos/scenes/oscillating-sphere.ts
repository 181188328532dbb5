// Fig. 7 of Daviet and others 2011: the free end of a rod on a ball that turns to and fro. Every exact solver reaches
// the same orbit; the four-sided pyramid that engines like to put in place of the cone reaches another one.

import { vec3 } from 'gl-matrix';
import {
  type DemoScene,
  GROUND,
  type KeyFile,
  type Probe,
  type SceneResult,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';

const BALL = 0.1; // radius [m]
const CENTRE: Vec3 = [0, 0.3, 0];
const ROD = 0.0025; // radius [m]
const LENGTH = 0.34; // [m]
const EDGES = 28;
const FRICTION = 1;
/** The clamp: beside the ball and above it, the rod leaves it level and bows down on the ball. */
const CLAMP: Vec3 = [-0.3, CENTRE[1] + BALL + ROD, 0];
const PERIOD = 2.4; // [s]
const SWING = 0.55; // to each side [rad]
/** Level, at half a right angle to the rod: the ball's surface goes along and across it at once. */
const AXIS: Vec3 = [Math.SQRT1_2, 0, Math.SQRT1_2];
const SETTLE = 0.6; // the ball is still [s]

const RATE = 60; // steps a second
const EXACT = '#54b8c6';
const PYRAMID = '#f0a95c';

function swing(): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: CENTRE, rotation: [0, 0, 0, 1] }];
  const cycles = 40;
  for (let k = 0; k <= cycles * PERIOD * RATE; k++) {
    const t = k / RATE;
    const angle = SWING * Math.min(1, t / PERIOD) * Math.sin((2 * Math.PI * t) / PERIOD);
    keys.push({ time: SETTLE + t, position: CENTRE, rotation: turn(AXIS, angle) });
  }
  return keys;
}

/** Flat dots that show how the ball turns; the rod does not feel them. */
function dots(): { position: Vec3; shape: { sphere: number } }[] {
  const golden = (1 + Math.sqrt(5)) / 2;
  const scale = (BALL - 0.0235) / Math.hypot(1, golden);
  const corners: Vec3[] = [-1, 1].flatMap((a) =>
    [-golden, golden].flatMap((b): Vec3[] => [
      [0, a, b],
      [a, b, 0],
      [b, 0, a],
    ]),
  );
  return corners.map((corner) => ({ position: corner.map((x) => scale * x) as Vec3, shape: { sphere: 0.025 } }));
}

/** Where each probe's tip was a step ago. */
const before = new WeakMap<Probe, number>();

/** Place and speed across the rod [mm, mm/s]. */
function orbitOf(probe: Probe, z: number): [number, number] | null {
  const last = before.get(probe);
  before.set(probe, z);
  return last === undefined ? null : [1000 * z, 1000 * RATE * (z - last)];
}

function tip(points: Float64Array): Vec3 {
  return [...points.subarray(points.length - 3)] as Vec3;
}

export const oscillatingSphere: DemoScene = {
  id: 'oscillating-sphere',
  title: 'Rod on a turning ball',
  description:
    'What exact friction changes: the tip settles into one orbit. With the four-sided pyramid that engines like ' +
    'to use, into another.',
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Rod on a turning ball',
      description: 'The free end of a clamped rod rests on a ball that turns to and fro about a level axis',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        rubber: { density: 1000, friction: 1, restitution: 0 },
        steel: { density: 7800, friction: 0.3, restitution: 0 },
      },
      bodies: [
        GROUND,
        { name: 'ball', type: 'kinematic', material: 'rubber', position: CENTRE, shape: { sphere: BALL } },
        {
          name: 'post',
          type: 'static',
          material: 'steel',
          position: [CLAMP[0] - 0.017, CLAMP[1] / 2 + 0.006, 0],
          shape: { box: [0.014, CLAMP[1] / 2 + 0.006, 0.014] },
        },
        {
          name: 'stand',
          type: 'static',
          material: 'steel',
          position: [0, (CENTRE[1] - BALL + 0.01) / 2, 0],
          layers: 2,
          shape: { cylinder: [0.03, (CENTRE[1] - BALL + 0.01) / 2] },
        },
        {
          name: 'dots',
          type: 'kinematic',
          material: 'rubber',
          position: CENTRE,
          layers: 2,
          mask: 0,
          shape: { compound: dots() },
        },
      ],
      rods: [
        {
          name: 'rod',
          points: Array.from({ length: EDGES + 1 }, (_, i): Vec3 => [CLAMP[0] + (LENGTH * i) / EDGES, CLAMP[1], 0]),
          radius: ROD,
          density: 1200,
          youngModulus: 6e8,
          stretchModulus: 6e8,
          damping: 0.01,
          friction: Number(values?.friction ?? FRICTION) ** 2,
          clampStart: true,
          mask: 1,
        },
      ],
      motions: [
        { body: 'ball', keys: swing() },
        { body: 'dots', keys: swing() },
      ],
      solver: { tolerance: 1e-6, admmIterations: 60 },
    }),
  parameters: [{ key: 'friction', label: 'friction', least: 0, most: 1.2, step: 0.05, usual: FRICTION, live: true }],
  tune: (values, tuner) => tuner.setRod('rod', { friction: Number(values.friction) ** 2 }),
  instruments: [
    {
      kind: 'chart',
      id: 'orbit',
      title: 'Phase plot of the tip',
      xLabel: 'aside [mm]',
      yLabel: 'speed aside [mm/s]',
      keep: 3 * PERIOD * RATE,
      label: 'exact cone',
      color: EXACT,
      read: (probe) => {
        if (probe.time < SETTLE + PERIOD) return null;
        const points = probe.points('rod');
        return orbitOf(probe, points[points.length - 1]);
      },
    },
  ],
  rival: {
    label: 'four-sided pyramid',
    color: PYRAMID,
    settings: { elastic: { frictionCone: 'pyramid' } },
    strands: () => ({ finish: 'rope', colors: [PYRAMID] }),
    why: 'Towards its corners the pyramid lets friction pull harder than Coulomb’s law: the tip goes 32 mm aside.',
  },
  camera: { target: [-0.08, 0.3, 0], distance: 0.95, yaw: 0.45, pitch: 0.32 },
  promise: 'the tip stays on the ball and swings 19 mm aside, not 20',
  seconds: 5,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const [from, to] = [tip(result.startPoints('rod')), tip(result.endPoints('rod'))];
    const away = vec3.distance(to, CENTRE);
    if (away > BALL + 0.05) return `the tip is ${away} m from the middle of the ball`;
    if (away < BALL) return 'the tip is inside the ball';
    const aside = Math.abs(to[2] - from[2]);
    if (aside > 0.02) return `the tip is ${1000 * aside} mm aside: farther than friction carries it`;
    // Not while it is on its way from one side to the other: around the ball's turning points.
    const turned = Math.abs(Math.sin((2 * Math.PI * (result.time - SETTLE)) / PERIOD));
    if (turned < 0.95) return null;
    return aside > 5e-3 ? null : 'the tip was not carried along';
  },
  paint: (name) => (name === 'ball' ? PALETTE.cream : name === 'dots' ? PALETTE.terracotta : undefined),
  strands: () => ({ finish: 'rope', colors: [EXACT] }),
};
