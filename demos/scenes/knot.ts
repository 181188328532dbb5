// Two ropes tied together with a reef knot, the lower one carrying a weight: twice, with much and with little friction.
//
// A reef knot is two half knots of opposite hand, one on the other. In a half knot two ropes from opposite sides run
// round each other for three half turns.

import { vec3 } from 'gl-matrix';
import {
  type DemoScene,
  driftOf,
  GROUND,
  type RodFile,
  type SceneResult,
  soundness,
  tidy,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { onePassRival } from './rivals';

const RADIUS = 0.014; // of the rope [m]
const EDGE = 0.01; // of the rope's polyline [m]
const TURN = 1.06 * RADIUS; // radius of the helices [m]
const HALF = 0.07; // half length of a half knot [m]
const APART = 0.065; // from one half knot to the other [m]
const TAIL = 0.13; // [m]
const BEAM = 1.4; // height of the beam's underside [m]
const KNOT = 1; // height of the knot [m]
const LOAD = 0.64; // height of the top of the weight [m]
const WEIGHT = 3; // [kg]
const PLACES = { rough: -0.26, smooth: 0.1 } as const; // x [m]
const FRICTION = { rough: 0.5, smooth: 0.05 } as const;

type Side = keyof typeof PLACES;
const SIDES: readonly Side[] = ['rough', 'smooth'];

/**
 * Centre line of one rope of the knot: x along the pull, the standing part at the left. The other rope is this one
 * turned about y, with the helices half a turn on.
 */
function centreLine(standing: number): Vec3[] {
  const path: Vec3[] = [];
  const samples = 60;
  const leave = 0.5 * HALF;
  path.push([-HALF - leave - standing, -TURN, 0]);
  path.push([-HALF - leave, -TURN, 0]);
  const helix = (height: number, from: number, to: number) => {
    for (let i = 0; i <= samples; i++) {
      const t = i / samples;
      const angle = -Math.PI / 2 + 3 * Math.PI * t;
      path.push([from + (to - from) * t, height + TURN * Math.sin(angle), TURN * Math.cos(angle)]);
    }
  };
  helix(0, -HALF, HALF);
  const bend = APART / 2 - TURN;
  for (let i = 1; i < samples; i++) {
    const angle = -Math.PI / 2 + (Math.PI * i) / samples;
    path.push([HALF + 1.6 * bend * Math.cos(angle), APART / 2 + bend * Math.sin(angle), 0]);
  }
  helix(APART, HALF, -HALF);
  path.push([-HALF - leave, APART + TURN + 0.006, 0], [-HALF - leave - TAIL, APART + TURN + 0.04, 0]);
  return evenly(path);
}

/** The polyline as points at equal distances. */
function evenly(path: readonly Vec3[]): Vec3[] {
  const along = [0];
  for (let i = 1; i < path.length; i++) along.push(along[i - 1] + vec3.distance(path[i - 1], path[i]));
  const length = along[along.length - 1];
  const edges = Math.round(length / EDGE);
  const points: Vec3[] = [];
  let at = 1;
  for (let k = 0; k <= edges; k++) {
    const wanted = (length * k) / edges;
    while (at < path.length - 1 && along[at] < wanted) at++;
    const t = (wanted - along[at - 1]) / (along[at] - along[at - 1]);
    points.push(vec3.lerp([0, 0, 0], path[at - 1], path[at], t) as Vec3);
  }
  return points;
}

/** Both ropes of a knot: along the pull is up, the knot's own height across. */
function ropes(side: Side, friction: number): RodFile[] {
  const x = PLACES[side];
  const material = {
    radius: RADIUS,
    density: 900,
    youngModulus: 4e5,
    stretchModulus: 2e6,
    damping: 0.001,
    friction,
  };
  // Left of the centre line becomes up.
  const upper = centreLine(BEAM - KNOT - 1.5 * HALF).map(([a, b, c]): Vec3 => [x + b, KNOT - a, c]);
  // Turned by half a turn about the axis across, for which the knot is the same.
  const lower = centreLine(KNOT - LOAD - 1.5 * HALF).map(([a, b, c]): Vec3 => [x + b, KNOT + a, -c]);
  return [
    { name: `upper-${side}`, points: upper, clampStart: true, ...material },
    { name: `lower-${side}`, points: lower, attachStart: `weight-${side}`, ...material },
  ];
}

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  const drop = (side: Side) => result.start(`weight-${side}`).position[1] - result.end(`weight-${side}`).position[1];
  if (!(drop('rough') < 0.2)) return `the rough knot let its weight down by ${drop('rough')} m`;
  return drop('smooth') > 0.4 ? null : `the smooth knot held: its weight sank by ${drop('smooth')} m`;
}

export const knot: DemoScene = {
  id: 'knot',
  title: 'Reef knot',
  description: `Nothing but friction holds a knot: ${FRICTION.rough} on the left, ${FRICTION.smooth} on the right.`,
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Reef knot',
      description: 'Two ropes tied with a reef knot carry a weight, with much and with little friction',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        wood: { density: 600, friction: 0.5, restitution: 0 },
        iron: { density: 7800, friction: 0.5, restitution: 0 },
      },
      bodies: [
        GROUND,
        {
          name: 'beam',
          type: 'static',
          material: 'wood',
          position: [0, BEAM + 0.04, 0],
          shape: { box: [0.5, 0.04, 0.05] },
        },
        ...[-0.46, 0.46].map((x) => ({
          name: x < 0 ? 'post-left' : 'post-right',
          type: 'static' as const,
          material: 'wood',
          position: [x, BEAM / 2, 0] as Vec3,
          shape: { box: [0.04, BEAM / 2, 0.05] as Vec3 },
        })),
        ...SIDES.map((side) => ({
          name: `weight-${side}`,
          material: 'iron',
          mass: WEIGHT,
          position: [PLACES[side] - TURN, LOAD - 0.06, 0] as Vec3,
          shape: { cylinder: [0.055, 0.06] as [number, number] },
        })),
      ],
      rods: SIDES.flatMap((side) => ropes(side, Number(values?.[side] ?? FRICTION[side]))),
    }),
  parameters: SIDES.map((key) => ({
    key,
    label: key === 'rough' ? 'friction left' : 'friction right',
    least: 0,
    most: 0.6,
    step: 0.01,
    usual: FRICTION[key],
  })),
  camera: { target: [0, 0.69, 0], distance: 2.2, yaw: 0.3, pitch: 0.08, upright: true },
  promise: 'the rough knot holds, the smooth one slips',
  seconds: 3,
  check,
  rival: {
    ...onePassRival(
      'The strands of a knot press on each other in rings: one pass never closes the ring, and the knot creeps open.',
    ),
    // The other one is meant to slip.
    counter: { label: 'rough knot slid', read: (result) => driftOf(result, 'weight-rough') },
  },
  paint: (name) => (name === 'weight-rough' ? PALETTE.terracotta : name === 'weight-smooth' ? PALETTE.sea : undefined),
  strands: (name) => ({
    finish: 'rope',
    colors: [
      name.endsWith('rough')
        ? name.startsWith('upper')
          ? PALETTE.cream
          : PALETTE.terracotta
        : name.startsWith('upper')
          ? PALETTE.cream
          : PALETTE.sea,
    ],
  }),
};
