// A walker on his round: stairs, a ramp, a trampoline, swing doors, a turning disc, a beam to crouch under, crates, a
// lift.

import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type SceneFile,
  type ShellFile,
  soundness,
  type Tuner,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE } from './palette';
import { fabric, sheet } from './sheets';

const SPEED = 2.4; // [m/s]
const SIDE = 6; // half of the round [m]
const RISER = 0.2; // [m]
const STEPS = 6;
const TOP = STEPS * RISER;
const RADIUS = 0.3;
const HEIGHT = 1.75;

/** Of the trampoline: its middle along the round, half the side of its cloth, the top of its frame [m]. */
const BOUNCE = { z: 4.05, half: 0.9, top: 0.3, frame: 0.06 };
/** Vertices along a side of its cloth. */
const MESH = 13;

/** Corners of the round (x, z) [m]. */
const ROUND: readonly (readonly [number, number])[] = [
  [SIDE, SIDE],
  [SIDE, -SIDE],
  [-SIDE, -SIDE],
  [-SIDE, SIDE],
];

const still = (name: string, position: Vec3, half: Vec3, material = 'stone'): BodyFile => ({
  name,
  type: 'static',
  material,
  position,
  shape: { box: half },
});

/** The cloth of the trampoline, held by its rim. */
function trampoline(): ShellFile {
  const { z, half, top } = BOUNCE;
  const at = (u: number, v: number): Vec3 => [SIDE + half * (2 * u - 1), top - 0.02, z + half * (1 - 2 * v)];
  const { vertices, triangles } = sheet(MESH, MESH, at);
  const isRim = (i: number) => [i % MESH, Math.floor(i / MESH)].some((k) => k === 0 || k === MESH - 1);
  return {
    name: 'trampoline',
    vertices,
    triangles,
    ...fabric(0.6, 100_000, 2e-3, 0.012, { damping: 0.01, friction: 0.5 }),
    selfContact: false,
    pins: vertices.flatMap((_, i) => (isRim(i) ? [i] : [])),
  };
}

/** The frame of the trampoline. */
function rails(): BodyFile[] {
  const { z, half, top, frame } = BOUNCE;
  return [-1, 1].flatMap((side) => {
    const far = side * (half + frame);
    return [
      still(`rail-x${side}`, [SIDE + far, top / 2, z], [frame, top / 2, half + 2 * frame], 'wood'),
      still(`rail-z${side}`, [SIDE, top / 2, z + far], [half, top / 2, frame], 'wood'),
    ];
  });
}

function build(): SceneFile {
  const bodies: BodyFile[] = [GROUND];
  for (let i = 0; i < STEPS; i++) {
    const top = (i + 1) * RISER;
    bodies.push(still(`step-${i}`, [-4.2 + 0.35 * i, top / 2, SIDE], [0.175, top / 2, 1.1]));
  }
  bodies.push(still('deck', [-1.1, TOP / 2, SIDE], [1.175, TOP / 2, 1.1]));
  const slope = 0.29; // [rad]
  const length = TOP / Math.sin(slope);
  const middle = [0.075 + (length / 2) * Math.cos(slope), TOP / 2, SIDE];
  const rotation = turn([0, 0, 1], -slope);

  // Its upper face ends where the deck does.
  const ramp: Vec3 = [middle[0] - 0.1 * Math.sin(slope), middle[1] - 0.1 * Math.cos(slope), SIDE];
  bodies.push({ ...still('ramp', ramp, [length / 2, 0.1, 1.1]), rotation });

  bodies.push(...rails());

  const joints: JointFile[] = [];
  for (const side of [-1, 1]) {
    const hinge: Vec3 = [SIDE + 1.1 * side, 1, 1.5];
    bodies.push(
      {
        name: `post-${side}`,
        type: 'static',
        material: 'wood',
        position: [SIDE + 1.19 * side, 1.1, 1.5],
        shape: { cylinder: [0.07, 1.1] },
      },
      {
        name: `leaf-${side}`,
        material: 'wood',
        mass: 15,
        position: [SIDE + 0.56 * side, 1.02, 1.5],
        shape: { box: [0.53, 0.98, 0.03] },
      },
    );
    joints.push({
      name: `door-${side}`,
      type: 'hinge',
      ends: [{ body: `leaf-${side}` }, { world: true }],
      anchor: hinge,
      axis: [0, 1, 0],
      limits: [-1.9, 1.9],
      motor: { target: 0, maxForce: 40 },
      spring: { frequency: 0.4, dampingRatio: 0.6 },
    });
  }
  for (let i = 0; i < 3; i++) {
    bodies.push({
      name: `crate-${i}`,
      material: 'wood',
      mass: 12,
      position: [SIDE, 0.25 + 0.5 * (i === 2 ? 1 : 0), -2.2 - 0.52 * (i % 2)],
      shape: { box: [0.25, 0.25, 0.25] },
    });
  }
  bodies.push({
    name: 'disc',
    type: 'kinematic',
    material: 'stone',
    position: [2.2, 0.1, -SIDE],
    shape: { cylinder: [1.6, 0.1] },
  });
  bodies.push(still('beam', [-2.4, 1.6, -SIDE], [0.25, 0.25, 1.3], 'wood'));
  for (const side of [-1, 1])
    bodies.push(still(`pillar-${side}`, [-2.4, 0.925, -SIDE + 1.5 * side], [0.25, 0.925, 0.2], 'wood'));
  bodies.push({
    name: 'lift',
    type: 'kinematic',
    material: 'stone',
    position: [-SIDE, 0.1, 0],
    shape: { box: [1.1, 0.1, 1.3] },
  });
  bodies.push(still('wall', [-SIDE - 0.1, 0.6, 3.6], [0.6, 0.6, 0.5]));
  const quarter = [0, 1, 2, 3, 4].map((k) => ({
    time: 1.5 * k,
    position: [2.2, 0.1, -SIDE] as Vec3,
    rotation: turn([0, 1, 0], (Math.PI / 2) * k),
  }));
  const rise = [0, 2.5, 5].map((time, k) => ({ time, position: [-SIDE, k === 1 ? 0.35 : 0.1, 0] as Vec3 }));
  return tidy({
    version: 1,
    title: 'Playground',
    description: 'A walker on his round: stairs, ramp, trampoline, doors, disc, beam, crates, lift',
    materials: {
      floor: { friction: 0.6 },
      stone: { density: 2400, friction: 0.5 },
      wood: { density: 600, friction: 0.4 },
    },
    bodies,
    joints,
    shells: [trampoline()],
    motions: [
      { body: 'disc', keys: quarter, loop: true },
      { body: 'lift', keys: rise, loop: true },
    ],
  });
}

/** The corner that he makes for, and the time of the last call: a world that begins anew has none behind it. */
const walk = { corner: 0, time: 0 };

function stroll(time: number, tuner: Tuner): void {
  if (time < walk.time) walk.corner = 0;
  walk.time = time;
  const keys = tuner.keys();
  const [x, , z] = tuner.pose('walker').position;
  if (keys) {
    tuner.walk('walker', { x: SPEED * keys.x, z: -SPEED * keys.y, jump: keys.up ? 4 : 0 });
    return;
  }
  const [tx, tz] = ROUND[walk.corner];
  const [dx, dz] = [tx - x, tz - z];
  const distance = Math.sqrt(dx * dx + dz * dz);
  if (distance < 0.4) walk.corner = (walk.corner + 1) % ROUND.length;
  // Something stands in his way for good: round it on the outside.
  const isAtWall = walk.corner === 3 && z > 2.2 && z < 4.4;
  const aside = isAtWall ? 0.8 : 0;
  const isLow = walk.corner === 2 && x > -3.6 && x < -1;
  const share = SPEED / Math.max(distance, 1e-6);
  tuner.walk('walker', { x: share * dx + aside * SPEED, z: share * dz, crouch: isLow });
}

export const playground: DemoScene = {
  id: 'playground',
  title: 'Playground',
  description: 'A character on his round; arrow keys and shift (jump) take him over.',
  build: () => build(),
  join: (_tie, rig) =>
    rig?.walker('walker', {
      radius: RADIUS,
      height: HEIGHT,
      position: [-SIDE, 0.05, SIDE],
      stepHeight: 0.35,
      pushForce: 400,
    }),
  drive: (time, _values, tuner) => stroll(time, tuner),
  camera: {
    ...{ target: [-SIDE, 0.8, SIDE], distance: 11, yaw: 0.55, pitch: 0.27, width: 8, follow: 'walker' },
    portrait: { distance: 12, pitch: 0.4, width: 6.5 },
  },
  promise: 'the walker stays on his round, never under the floor',
  seconds: 6,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const [x, , z] = result.end('walker').position;
    const away = Math.max(Math.abs(x), Math.abs(z));
    if (away > SIDE + 1.2 || (away < SIDE - 1.6 && result.time < 30)) return `the walker has strayed to ${x} m, ${z} m`;
    return null;
  },
  shells: () => ({ finish: 'cloth', colors: [PALETTE.sea], thread: 0.03 }),
  paintParts: (name) => (name === 'walker' ? [PALETTE.navy, PALETTE.terracotta, PALETTE.sand] : undefined),
  paint(name) {
    if (name.startsWith('leaf')) return PALETTE.wine;
    if (name === 'disc' || name === 'lift') return PALETTE.sea;
    return name.startsWith('crate') ? PALETTE.saffron : undefined;
  },
};
