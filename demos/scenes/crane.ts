// A crane that turns on one hinge: at one end of its jib a crate hangs on a hook, by nothing but contact and friction,
// at the other a wrecking ball swings on a hinge through what stands in its way.

import { vec3 } from 'gl-matrix';
import { type BodyFile, type DemoScene, GROUND, soundness, tidy, turn, type Vec3 } from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE } from './palette';

const HEIGHT = 6.2; // of the jib [m]
const BELOW = HEIGHT - 0.15; // its underside [m]
const REACH = 4.5; // of the hook [m]
const BACK = 3; // of the ball [m]
const TURNING = 0.4; // [rad/s]

const LINKS = 5;
const LINK = 0.5; // length [m]
const HOOK = BELOW - LINKS * LINK; // height of its eye [m]
const BAIL = 0.75; // of the crate's bail above its middle [m]
/** From the eye of the hook to the bail in it [m]. */
const SEAT: Vec3 = [0.12, -0.36, 0];

const BAR = 3.6; // length of what the ball hangs on [m]
const BALL = 0.5; // radius [m]
const CRATE = 0.3; // half edge of those in the way [m]
const FLOORS = 5;

function machine(): BodyFile[] {
  const upright = turn([1, 0, 0], Math.PI / 2);

  return [
    {
      name: 'mast',
      type: 'static',
      material: 'frame',
      position: [0, (HEIGHT - 0.2) / 2, 0],
      shape: {
        compound: [
          { shape: { box: [0.22, (HEIGHT - 0.2) / 2, 0.22] } },
          { position: [0, -(HEIGHT - 0.2) / 2 + 0.15, 0], shape: { box: [0.9, 0.15, 0.9] } },
        ],
      },
    },
    {
      name: 'jib',
      material: 'steel',
      position: [0, HEIGHT, 0],
      mass: 500,
      canSleep: false,
      shape: {
        compound: [
          { position: [(REACH - BACK) / 2, 0, 0], shape: { box: [(REACH + BACK) / 2 + 0.3, 0.13, 0.16] } },
          { position: [0, 0.35, 0], shape: { box: [0.35, 0.25, 0.35] } },
        ],
      },
    },
    ...Array.from(
      { length: LINKS },
      (_, i): BodyFile => ({
        name: `link-${i}`,
        material: 'steel',
        mass: 4,
        position: [REACH, BELOW - LINK * (i + 0.5), 0],
        shape: { capsule: [0.045, LINK / 2 - 0.06] },
      }),
    ),
    {
      name: 'hook',
      material: 'steel',
      mass: 20,
      position: [REACH, HOOK - 0.2, 0],
      shape: {
        compound: [
          { shape: { box: [0.05, 0.2, 0.05] } },
          { position: [0.12, -0.25, 0], shape: { box: [0.17, 0.05, 0.05] } },
          { position: [0.24, -0.12, 0], shape: { box: [0.05, 0.12, 0.05] } },
        ],
      },
    },
    {
      name: 'crate',
      material: 'crate',
      mass: 120,
      position: [REACH + SEAT[0], HOOK + SEAT[1] - BAIL, 0],
      shape: {
        compound: [
          { shape: { box: [0.4, 0.4, 0.4] } },
          ...[-1, 1].map((side) => ({
            position: [0, (BAIL + 0.4) / 2, 0.3 * side] as Vec3,
            shape: { box: [0.03, (BAIL - 0.4) / 2 + 0.02, 0.03] as Vec3 },
          })),
          { position: [0, BAIL, 0], rotation: upright, shape: { cylinder: [0.04, 0.33] } },
        ],
      },
    },
    {
      name: 'ball',
      material: 'iron',
      mass: 700,
      position: [-BACK, BELOW - BAR, 0],
      shape: {
        compound: [
          { shape: { sphere: BALL } },
          { position: [0, BAR / 2, 0], shape: { cylinder: [0.05, BAR / 2 - 0.06] } },
        ],
      },
    },
  ];
}

function joints(): JointFile[] {
  const chain = Array.from(
    { length: LINKS + 1 },
    (_, i): JointFile => ({
      name: `shackle-${i}`,
      type: 'ball',
      ends: [{ body: i < LINKS ? `link-${i}` : 'hook' }, { body: i === 0 ? 'jib' : `link-${i - 1}` }],
      anchor: [REACH, BELOW - LINK * i, 0],
    }),
  );
  return [
    {
      name: 'slew',
      type: 'hinge',
      ends: [{ body: 'jib' }, { world: true }],
      anchor: [0, HEIGHT, 0],
      axis: [0, 1, 0],
      motor: { velocity: TURNING, maxForce: 4000 },
    },
    {
      name: 'swing',
      type: 'hinge',
      ends: [{ body: 'ball' }, { body: 'jib' }],
      anchor: [-BACK, BELOW, 0],
      axis: [1, 0, 0],
    },
    ...chain,
  ];
}

/** Towers of crates on the ball's circle. */
function towers(): BodyFile[] {
  return [0, 1].flatMap((tower) =>
    Array.from({ length: 4 * FLOORS }, (_, i): BodyFile => {
      const [x, z] = [((i % 2) - 0.5) * 2, (Math.floor(i / 2) % 2) - 0.5];
      const floor = Math.floor(i / 4);
      return {
        name: `tower-${tower}-${i}`,
        material: 'crate',
        position: [
          tower * BACK + x * (CRATE + 0.01),
          CRATE * (2 * floor + 1),
          (1 - tower) * BACK + 2 * z * (CRATE + 0.01),
        ],
        shape: { box: [CRATE, CRATE, CRATE] },
      };
    }),
  );
}

export const crane: DemoScene = {
  id: 'crane',
  title: 'Crane',
  description: 'A crate on a hook, held by contact alone, and a wrecking ball on a hinge turn with the jib.',
  build: () =>
    tidy({
      version: 1,
      title: 'Crane',
      description: 'A jib on a hinge with a motor, a chain with a hook, and a wrecking ball',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        frame: { density: 7800, friction: 0.4, restitution: 0 },
        steel: { density: 7800, friction: 0.4, restitution: 0 },
        iron: { density: 7800, friction: 0.4, restitution: 0.1 },
        crate: { density: 250, friction: 0.5, restitution: 0 },
      },
      bodies: [GROUND, ...machine(), ...towers()],
      joints: joints(),
    }),
  camera: { target: [0.4, 2.9, 0], distance: 15, yaw: 0.75, pitch: 0.2, width: 11 },
  promise: 'the ball fells the first tower, the crate stays on its hook',
  // The tower falls between 5.5 and 6.7 s, a tenth sooner or later by how its crates are shoved before.
  seconds: 7,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const top = result.end(`tower-0-${4 * FLOORS - 1}`).position[1];
    if (!(top < CRATE * 2 * FLOORS - 0.5))
      return `the top of the first tower is still ${top} m high; the ball must fell it`;
    const apart = vec3.distance(result.end('crate').position, result.end('hook').position);
    return apart < BAIL + 0.4 ? null : `the crate is ${apart} m from its hook; it must hang on it`;
  },
  paint: (name) => {
    if (name === 'ball') return PALETTE.charcoal;
    if (name === 'crate') return PALETTE.apricot;
    return name.startsWith('tower') ? [PALETTE.moss, PALETTE.plum][+name[6]] : undefined;
  },
};
