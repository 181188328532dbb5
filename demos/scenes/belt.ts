// Fig. 2 of Daviet 2020: a rope looped around pegs carries a load. Enough friction and its own light tail holds it.

import { vec3 } from 'gl-matrix';
import {
  type BodyFile,
  blend,
  type DemoScene,
  GROUND,
  type Instrument,
  type RodFile,
  type SceneResult,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { onePassRival } from './rivals';

const PEG = 0.15; // radius [m]
const ROPE = 0.014; // radius [m]
const REACH = PEG + ROPE + 2e-4; // of the rope's centre line around a peg [m]
const TOP = 3.8; // height of the upper pegs [m]
const DROP = 0.5; // from the upper to the lower pegs [m]
const UPPER = 2;
const LOWER = 1;
const LOAD: Vec3 = [0.13, 0.12, 0.13]; // half extents [m]
const MASS = 4; // of the load [kg]
const LEAD = 0.28; // from the load to the first peg [m]
const TAIL = 0.42; // below the last peg [m]
const EDGE = 0.035; // [m]
const BOARD = TOP / 2 + 0.17; // half height [m]
const BACK = -0.21; // middle of the boards [m]
const [WIDE, THICK] = [0.6, 0.03]; // half, of the boards [m]
const SIDES = { left: -0.78, right: 0.78 } as const; // middle of each device [m]
const FRICTION = { left: 0.5, right: 0.2 } as const;
type Side = keyof typeof SIDES;

/** Middle of peg i, upper and lower ones in turn [m]. */
function peg(side: Side, i: number): Vec3 {
  return [SIDES[side] + (i - (UPPER + LOWER - 1) / 2) * 2 * REACH, i % 2 === 0 ? TOP : TOP - DROP, 0];
}

/** The rope over and under the pegs, from the load to the tail, in points a good `EDGE` apart. */
function ropePoints(side: Side): Vec3[] {
  const path: Vec3[] = [];
  const pegs = UPPER + LOWER;
  const [first, last] = [peg(side, 0), peg(side, pegs - 1)];
  const straight = (from: Vec3, to: Vec3) => {
    const count = Math.max(1, Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / EDGE));
    for (let k = 0; k < count; k++) path.push([0, 1, 2].map((x) => from[x] + ((to[x] - from[x]) * k) / count) as Vec3);
  };
  const arc = Math.round((Math.PI * REACH) / EDGE);
  let from: Vec3 = [first[0] - REACH, first[1] - LEAD, 0];
  for (let i = 0; i < pegs; i++) {
    const [x, y] = peg(side, i);
    straight(from, [x - REACH, y, 0]);
    const over = i % 2 === 0 ? 1 : -1;
    // The corners lie outside the circle, so that the edges touch it in their middles.
    const corner = REACH / Math.cos(Math.PI / arc / 2);
    for (let k = 0; k < arc; k++) {
      const angle = (Math.PI * (k + 0.5)) / arc;
      path.push([x - corner * Math.cos(angle), y + over * corner * Math.sin(angle), 0]);
    }
    from = [x + REACH, y, 0];
  }
  const end: Vec3 = [last[0] + REACH, last[1] - TAIL, 0];
  straight(from, end);
  path.push(end);
  return path;
}

/** The same points laid out straight: the rope has no shape of its own. */
function laidOut(points: readonly Vec3[]): Vec3[] {
  let at = 0;
  return points.map((point, i) => {
    if (i > 0) at += vec3.distance(point, points[i - 1]);
    return [at, 0, 0];
  });
}

function rope(side: Side, friction: number): RodFile {
  const points = ropePoints(side);
  return {
    name: `rope-${side}`,
    points,
    restPoints: laidOut(points),
    radius: ROPE,
    density: 400,
    youngModulus: 3e4,
    stretchModulus: 2e7,
    damping: 0.001,
    friction: shareOf(friction),
    attachStart: `load-${side}`,
  };
}

/** Pegs count as 1: of a pair the geometric mean is taken. */
const shareOf = (friction: number) => friction * friction;

/** What is drawn only, and touches nothing: joints between planks, battens across them, a foot, and bolts. */
function carpentry(side: Side): BodyFile[] {
  const x = SIDES[side];
  const front = BACK + THICK;
  const drawn = (name: string, material: string, position: Vec3, shape: BodyFile['shape']): BodyFile => ({
    ...{ name: `${name}-${side}`, type: 'static', layers: 0, mask: 0, material, position, shape },
  });
  const bolt = (name: string, at: Vec3, radius: number): BodyFile => ({
    ...drawn(name, 'brass', at, { cylinder: [radius, 0.012] }),
    rotation: turn([1, 0, 0], Math.PI / 2),
  });
  const joints = [-1, 1].map((aside) =>
    drawn(`seam${aside}`, 'wood', [x + (aside * WIDE) / 3, BOARD, front], { box: [0.005, BOARD - 0.004, 0.002] }),
  );
  const battens = [0.42, 2.55].flatMap((y, i) => [
    drawn(`batten${i}`, 'wood', [x, y, front + 0.015], { box: [WIDE + 0.03, 0.085, 0.015] }),
    ...[-2, 0, 2].map((third) => bolt(`nail${i}${third}`, [x + (third * WIDE) / 3, y, front + 0.034], 0.024)),
  ]);
  const foot = drawn('foot', 'wood', [x, 0.06, BACK], { box: [WIDE + 0.08, 0.06, 0.09] });
  const axles = Array.from({ length: UPPER + LOWER }, (_, i) => {
    const [across, up] = peg(side, i);
    return bolt(`axle${i}`, [across, up, 0.186], 0.05);
  });
  return [...joints, ...battens, foot, ...axles];
}

function device(side: Side): BodyFile[] {
  const first = peg(side, 0);
  const bodies: BodyFile[] = Array.from({ length: UPPER + LOWER }, (_, i) => ({
    name: `peg-${side}-${i}`,
    type: 'static',
    material: 'peg',
    position: peg(side, i),
    rotation: turn([1, 0, 0], Math.PI / 2),
    shape: { cylinder: [PEG, 0.18] },
  }));
  bodies.push({
    name: `board-${side}`,
    type: 'static',
    material: 'wood',
    position: [SIDES[side], BOARD, BACK],
    shape: { box: [WIDE, BOARD, THICK] },
  });
  bodies.push(...carpentry(side));
  bodies.push({
    name: `load-${side}`,
    material: 'iron',
    position: [first[0] - REACH, first[1] - LEAD - LOAD[1], 0],
    mass: MASS,
    canSleep: false,
    shape: { box: LOAD },
  });
  return bodies;
}

/** Of a load at the start [m]. */
const heightOf = (side: Side) => peg(side, 0)[1] - LEAD - LOAD[1];

/** How far the load has come down [m]. */
function fall(result: SceneResult, side: Side): number {
  return result.start(`load-${side}`).position[1] - result.end(`load-${side}`).position[1];
}

export const belt: DemoScene = {
  id: 'belt',
  title: 'Self-locking belt',
  description: 'One load, one way around three pegs: friction 0.5 locks, friction 0.2 lets the rope run out.',
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Self-locking belt',
      description: 'Two ropes looped around three pegs each; only friction differs',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        wood: { density: 2000, friction: 0, restitution: 0, combineFriction: 'minimum' },
        peg: { density: 2000, friction: 1, restitution: 0 },
        brass: { friction: 0.3 },
        steel: { density: 7800, friction: 0.4, restitution: 0 },
        iron: { density: 7800, friction: 0.5, restitution: 0 },
      },
      bodies: [GROUND, ...device('left'), ...device('right')],
      timeStep: 1 / 120,
      rods: [
        rope('left', Number(values?.left ?? FRICTION.left)),
        rope('right', Number(values?.right ?? FRICTION.right)),
      ],
    }),
  parameters: (['left', 'right'] as const).map((key) => {
    return { key, label: `friction ${key}`, least: 0, most: 0.8, step: 0.05, usual: FRICTION[key], live: true };
  }),
  tune(values, tuner) {
    for (const side of ['left', 'right'] as const) {
      tuner.setRod(`rope-${side}`, { friction: shareOf(Number(values[side])) });
    }
  },
  instruments: (['left', 'right'] as const).map((side): Instrument => {
    return {
      kind: 'gauge',
      id: side,
      label: `Rope run out, ${side}`,
      unit: 'm',
      most: () => TOP - LEAD - 2 * LOAD[1],
      read: (probe) => Math.max(0, heightOf(side) - probe.body(`load-${side}`).position[1]),
    };
  }),
  camera: { target: [-0.1, 1.98, 0], distance: 7.6, yaw: 0.3, pitch: 0.07, width: 3.8 },
  promise: 'friction 0.5 holds, 0.2 lets the load down',
  seconds: 2.5,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    if (fall(result, 'left') > 0.1) return `the belt with friction 0.5 gave way by ${fall(result, 'left')} m`;
    if (fall(result, 'right') < 1.5) return `the belt with friction 0.2 only ran ${fall(result, 'right')} m`;
    return null;
  },
  rival: {
    ...onePassRival(
      'The belt presses on itself and so holds itself: one pass leaves the press too small, and the load sinks.',
    ),
    counter: { label: 'left load sank', read: (result) => Math.max(fall(result, 'left'), 0) },
  },
  paint(name) {
    if (name.startsWith('load')) return name.endsWith('left') ? PALETTE.sea : PALETTE.terracotta;
    if (name.startsWith('board')) return '#d6ac72';
    if (name.startsWith('seam')) return '#5b3f25';
    if (/^(batten|foot)/.test(name)) return '#9a6b3c';
    return undefined;
  },
  strands: (name) => {
    const color = name.endsWith('left') ? PALETTE.sea : PALETTE.terracotta;
    return { finish: 'rope', colors: [blend(color, PALETTE.cream, 0.15)] };
  },
};
