// After the blockfeeder of Baraff 1994 (Fast contact force computation, figure 1; the layout is our own): a crank
// drives a pusher, the pusher takes the lowest block out of a magazine, the next one drops on its back and then on the
// table. Fixed parts are black and blocks orange, purple and green, as in the paper. The crank is turned by a motor of
// a limited torque; rod and pusher hang on it by joints alone, as many as leave one motion and no more: two hinges of
// the rod would say three things twice.

import { type BodyFile, type DemoScene, GROUND, soundness, tidy, turn, type Vec3 } from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE } from './palette';

const BLOCK: Vec3 = [0.45, 0.3, 0.45]; // half extents [m]
const COUNT = 9;
const TABLE = 2.6; // height of the table's top [m]
const SLOT = 0.02; // play of a block in the magazine [m]

const CRANK = 0.62; // throw [m]
const ROD = 1.7; // length of the connecting rod [m]
const PERIOD = 2.4; // one block each [s]
const TORQUE = 20_000; // of the motor at most [N·m]
const AXLE: [number, number] = [-4.25, TABLE + 0.3]; // the crank's centre (x, y) [m]
const BEHIND = -0.95; // the plane of crank and rod (z) [m]

const PUSHER = [0.62, 0.24] as const; // half length, half height [m]
const FRONT_OFFSET = PUSHER[0]; // from the pusher's origin to its face [m]

// At the start the pusher is drawn back: the pins of crank and pusher (x) [m].
const CRANK_PIN = AXLE[0] - CRANK;
const PUSHER_PIN = CRANK_PIN + ROD;

const MAGAZINE = PUSHER_PIN + FRONT_OFFSET + 0.08 + BLOCK[0]; // centre of the column of blocks (x) [m]

function part(name: string, position: Vec3, half: Vec3, material = 'frame', tilt = 0): BodyFile {
  return { name, type: 'static', material, position, rotation: turn([0, 0, 1], tilt), shape: { box: half } };
}

const EDGE = MAGAZINE + BLOCK[0] + 0.35; // where the table ends and the chute begins (x) [m]
const CHUTE_TILT = -0.52; // [rad]
const CHUTE = 1.9; // half length [m]

function machine(): BodyFile[] {
  const tall = 2 * BLOCK[1] * COUNT;
  const wall = 0.08;
  const [left, right] = [MAGAZINE - BLOCK[0] - SLOT - wall, MAGAZINE + BLOCK[0] + SLOT + wall];
  const gate = TABLE + 2 * BLOCK[1] + 0.05; // the lowest block passes under it, the next one does not
  const post = (name: string, x: number, z: number) =>
    part(name, [x, TABLE / 2 - 0.1, z], [0.12, TABLE / 2 - 0.1, 0.12]);
  const chuteX = EDGE + CHUTE * Math.cos(CHUTE_TILT) - 0.02;
  const chuteY = TABLE + CHUTE * Math.sin(CHUTE_TILT) - 0.1;
  const lip = CHUTE * Math.sin(CHUTE_TILT);
  const binX = chuteX + CHUTE * Math.cos(CHUTE_TILT) + 1.35;

  return [
    part('table', [(AXLE[0] - 0.9 + EDGE) / 2, TABLE - 0.1, 0], [(EDGE - AXLE[0] + 0.9) / 2, 0.1, 0.75]),
    post('post-a', AXLE[0] - 0.5, 0.5),
    post('post-b', AXLE[0] - 0.5, -0.5),
    post('post-c', EDGE - 0.3, 0.5),
    post('post-d', EDGE - 0.3, -0.5),
    // The magazine: a back and a front wall that leave the pusher's way free, and corner guides.
    part('magazine-left', [left, gate + tall / 2, 0], [wall, tall / 2, BLOCK[2] + 0.02]),
    part('magazine-right', [right, gate + tall / 2, 0], [wall, tall / 2, BLOCK[2] + 0.02]),
    // Over the way of the pin that sticks out of the pusher.
    part(
      'guide-far',
      [MAGAZINE, TABLE + tall / 2 + 0.57, -BLOCK[2] - SLOT - 0.06],
      [BLOCK[0] + 0.18, tall / 2 + 0.13, 0.06],
    ),
    part('guide-near-a', [left + 0.08, TABLE + tall / 2 + 0.35, BLOCK[2] + SLOT + 0.06], [0.16, tall / 2 + 0.35, 0.06]),
    part(
      'guide-near-b',
      [right - 0.08, TABLE + tall / 2 + 0.35, BLOCK[2] + SLOT + 0.06],
      [0.16, tall / 2 + 0.35, 0.06],
    ),
    part('chute', [chuteX, chuteY, 0], [CHUTE, 0.1, 0.75], 'slick', CHUTE_TILT),
    part('chute-far', [chuteX, chuteY + 0.25, -0.68], [CHUTE, 0.22, 0.06], 'slick', CHUTE_TILT),
    part('chute-near', [chuteX, chuteY + 0.25, 0.68], [CHUTE, 0.22, 0.06], 'slick', CHUTE_TILT),
    part('chute-leg', [EDGE + 2.2, (TABLE + lip * 1.2) / 2 - 0.2, 0], [0.1, (TABLE + lip * 1.2) / 2 - 0.2, 0.4]),
    // The bin.
    part('bin-end', [binX + 2.1, 0.5, 0], [0.08, 0.5, 1.6]),
    part('bin-far', [binX + 0.4, 0.5, -1.6], [1.78, 0.5, 0.08]),
    part('bin-near', [binX + 0.4, 0.22, 1.6], [1.78, 0.22, 0.08]),
    part('bearing', [AXLE[0], (AXLE[1] + 0.2) / 2, BEHIND - 0.42], [0.22, (AXLE[1] + 0.2) / 2, 0.1]),
  ];
}

function driven(): BodyFile[] {
  return [
    {
      name: 'pusher',
      material: 'brass',
      position: [PUSHER_PIN, TABLE + PUSHER[1] + 0.01, 0],
      canSleep: false,
      shape: {
        compound: [
          { shape: { box: [PUSHER[0], PUSHER[1], 0.4] } },
          // The pin that the rod holds.
          {
            position: [0, AXLE[1] - TABLE - PUSHER[1] - 0.01, (BEHIND + 0.1 - 0.4) / 2],
            rotation: turn([1, 0, 0], Math.PI / 2),
            shape: { cylinder: [0.09, 0.36] },
          },
        ],
      },
    },
    {
      name: 'crank',
      material: 'steel',
      position: [AXLE[0], AXLE[1], BEHIND - 0.12],
      rotation: turn([0, 0, 1], Math.PI),
      canSleep: false,
      shape: {
        compound: [
          { rotation: turn([1, 0, 0], Math.PI / 2), shape: { cylinder: [0.85, 0.07] } },
          {
            position: [CRANK, 0, 0.14],
            rotation: turn([1, 0, 0], Math.PI / 2),
            shape: { cylinder: [0.1, 0.14] },
          },
        ],
      },
    },
    {
      name: 'rod',
      material: 'brass',
      position: [(CRANK_PIN + PUSHER_PIN) / 2, AXLE[1], BEHIND + 0.1],
      canSleep: false,
      shape: { box: [ROD / 2 + 0.14, 0.09, 0.05] },
    },
  ];
}

function joints(): JointFile[] {
  const z = BEHIND + 0.1;
  return [
    {
      name: 'axle',
      type: 'hinge',
      ends: [{ body: 'crank' }, { world: true }],
      anchor: [AXLE[0], AXLE[1], BEHIND],
      axis: [0, 0, 1],
      motor: { velocity: (2 * Math.PI) / PERIOD, maxForce: TORQUE },
    },
    {
      name: 'crank-pin',
      type: 'cylindrical',
      ends: [{ body: 'rod' }, { body: 'crank' }],
      anchor: [CRANK_PIN, AXLE[1], z],
      axis: [0, 0, 1],
    },
    {
      name: 'pusher-pin',
      type: 'ball',
      ends: [{ body: 'rod' }, { body: 'pusher' }],
      anchor: [PUSHER_PIN, AXLE[1], z],
    },
    {
      name: 'way',
      type: 'slider',
      ends: [{ body: 'pusher' }, { world: true }],
      anchor: [PUSHER_PIN, AXLE[1], 0],
      axis: [1, 0, 0],
    },
  ];
}

function blocks(): BodyFile[] {
  return Array.from({ length: COUNT }, (_, i) => ({
    name: `block-${i}`,
    material: 'block',
    position: [MAGAZINE, TABLE + BLOCK[1] * (2 * i + 1), 0],
    shape: { box: BLOCK },
  }));
}

export const blockFeeder: DemoScene = {
  id: 'block-feeder',
  title: 'Block feeder',
  description: 'Baraff’s mechanism: a motor turns a crank, whose pusher takes one block a stroke out of a magazine.',
  build: () =>
    tidy({
      version: 1,
      title: 'Block feeder',
      description: 'A slider-crank feeds blocks one by one, after Baraff 1994',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        frame: { density: 7800, friction: 0.2, restitution: 0 },
        slick: { density: 7800, friction: 0.16, restitution: 0 },
        steel: { density: 7800, friction: 0.2, restitution: 0 },
        brass: { density: 8500, friction: 0.2, restitution: 0 },
        block: { density: 700, friction: 0.3, restitution: 0 },
      },
      bodies: [GROUND, ...machine(), ...driven(), ...blocks()],
      joints: joints(),
    }),
  camera: { target: [1.1, 3.1, 0], distance: 18, yaw: 0.5, pitch: 0.16, width: 11.8 },
  promise: 'one block a stroke, the lowest first',
  seconds: 12.5,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    // A block is out when its stroke is half over, where the pusher turns back; those still to come lie still.
    const strokes = result.time / PERIOD;
    for (let i = 0; i < COUNT; i++) {
      const [x, y] = result.end(`block-${i}`).position;
      if (strokes >= i + 0.5 && !(x > EDGE))
        return `block-${i} is still at x = ${x} m; the feeder must have pushed it out`;
      if (strokes > i) continue;
      if (!(Math.abs(x - MAGAZINE) < 0.1)) return `block-${i} left the magazine too early (x = ${x} m)`;
      if (y < TABLE) return `block-${i} sank into the table (y = ${y} m)`;
    }
    return null;
  },
  paint(name) {
    const index = /^block-(\d+)$/.exec(name)?.[1];
    return index === undefined ? undefined : [PALETTE.apricot, PALETTE.plum, PALETTE.moss][+index % 3];
  },
};
