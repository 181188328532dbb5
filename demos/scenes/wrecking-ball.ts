// A ball on a stiff arm swings through a wall. There are no joints in this scene: the pendulum's motion is scripted,
// which makes it the strongest crane in the world.

import { type BodyFile, type DemoScene, driftOf, GROUND, type KeyFile, soundness, tidy, turn } from './demo-scene';
import { PALETTE } from './palette';

const PIVOT = 10.4; // height [m]
const ARM = 8.2; // pivot to the ball's centre [m]
const BALL = 0.95; // [m]
const SWING = 1.05; // amplitude [rad]
const PERIOD = 5.6; // close to a pendulum's of this length [s]

const BRICK = [0.5, 0.25, 0.3] as const; // half extents [m]
const COURSES = 12;
const COLUMNS = 9;

function wall(): BodyFile[] {
  const bodies: BodyFile[] = [];
  for (let course = 0; course < COURSES; course++) {
    const odd = course % 2 === 1;
    // Odd courses begin and end with a half brick: a running bond.
    let x = -COLUMNS * BRICK[0];
    const count = odd ? COLUMNS + 1 : COLUMNS;
    for (let i = 0; i < count; i++) {
      const half = odd && (i === 0 || i === count - 1) ? BRICK[0] / 2 : BRICK[0];
      bodies.push({
        name: `brick-${course}-${i}`,
        material: 'brick',
        position: [0, BRICK[1] * (2 * course + 1), x + half],
        rotation: turn([0, 1, 0], Math.PI / 2),
        shape: { box: [half - 0.004, BRICK[1], BRICK[2]] },
      });
      x += 2 * half;
    }
  }
  return bodies;
}

function swing(): KeyFile[] {
  const keys: KeyFile[] = [];
  const count = 64;
  for (let i = 0; i <= count; i++) {
    const time = (i / count) * PERIOD;
    const angle = -SWING * Math.cos((2 * Math.PI * i) / count);
    keys.push({ time, position: [0, PIVOT, 0], rotation: turn([0, 0, 1], angle) });
  }
  return keys;
}

function frame(): BodyFile[] {
  const leg = (name: string, x: number, z: number): BodyFile => ({
    name,
    type: 'static',
    material: 'steel',
    position: [x / 2, PIVOT / 2, z],
    rotation: turn([0, 0, 1], Math.atan2(x, PIVOT)),
    shape: { box: [0.14, Math.hypot(x, PIVOT) / 2, 0.14] },
  });
  const side = 6.2;
  return [
    leg('leg-a', 4, side),
    leg('leg-b', -4, side),
    leg('leg-c', 4, -side),
    leg('leg-d', -4, -side),
    {
      name: 'axle',
      type: 'static',
      material: 'steel',
      position: [0, PIVOT, 0],
      rotation: turn([1, 0, 0], Math.PI / 2),
      shape: { cylinder: [0.2, side + 0.4] },
    },
  ];
}

export const wreckingBall: DemoScene = {
  id: 'wrecking-ball',
  title: 'Wrecking ball',
  description: 'A scripted pendulum meets 114 dry bricks in running bond.',
  build: () =>
    tidy({
      version: 1,
      title: 'Wrecking ball',
      description: 'A kinematic ball swings through a wall',
      materials: {
        floor: { density: 2000, friction: 0.7, restitution: 0 },
        brick: { density: 1800, friction: 0.7, restitution: 0 },
        steel: { density: 7800, friction: 0.4, restitution: 0 },
        iron: { density: 7800, friction: 0.4, restitution: 0 },
      },
      bodies: [
        GROUND,
        ...frame(),
        {
          name: 'ball',
          type: 'kinematic',
          material: 'iron',
          position: [0, PIVOT, 0],
          rotation: turn([0, 0, 1], -SWING),
          shape: {
            compound: [
              { position: [0, -ARM, 0], shape: { sphere: BALL } },
              { position: [0, -(ARM - BALL) / 2, 0], shape: { cylinder: [0.09, (ARM - BALL) / 2 + 0.1] } },
              {
                position: [0, 0, 0],
                rotation: turn([1, 0, 0], Math.PI / 2),
                shape: { cylinder: [0.42, 0.3] },
              },
            ],
          },
        },
        ...wall(),
      ],
      motions: [{ body: 'ball', keys: swing(), loop: true }],
    }),
  camera: { target: [1.1, 4.2, -1], distance: 24, yaw: 0.75, pitch: 0.17, width: 16 },
  promise: 'at least a fifth of the bricks is knocked out',
  seconds: 5,
  check(result) {
    const bricks = result.names.filter((name) => name.startsWith('brick'));
    const moved = bricks.filter((name) => driftOf(result, name) > 0.5).length;
    const sound = soundness(result);
    if (sound) return sound;
    return moved > bricks.length / 5 ? null : `only ${moved} of ${bricks.length} bricks were knocked out`;
  },
  paint(name) {
    const at = /^brick-(\d+)-(\d+)$/.exec(name);
    if (!at) return undefined;
    const shades = [PALETTE.terracotta, '#b84a35', '#d26a4b', '#a9432f', '#c4603f'];
    return shades[(+at[1] * 3 + +at[2] * 7) % shades.length];
  },
};
