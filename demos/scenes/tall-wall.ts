// An iron ball rolls down a ramp into a wall of five hundred bricks.

import { type BodyFile, type DemoScene, driftOf, GROUND, ramp, soundness, tidy, turn, type Vec3 } from './demo-scene';
import { PALETTE } from './palette';

const BRICK = [0.3, 0.25, 0.5] as const; // half extents, x through the wall [m]
const COURSES = 28;
const COLUMNS = 18;
const BALL = 1.3; // [m]
const SLOPE = 0.5; // of the ramp [rad]
const RUN = 17; // along it [m]
const FOOT = 9; // from the wall to its foot [m]

function wall(): BodyFile[] {
  const bodies: BodyFile[] = [];
  for (let course = 0; course < COURSES; course++) {
    const odd = course % 2 === 1;
    let z = -COLUMNS * BRICK[2];
    const count = odd ? COLUMNS + 1 : COLUMNS;
    for (let i = 0; i < count; i++) {
      const half = odd && (i === 0 || i === count - 1) ? BRICK[2] / 2 : BRICK[2];
      bodies.push({
        name: `brick-${course}-${i}`,
        material: 'brick',
        position: [0, BRICK[1] * (2 * course + 1), z + half],
        shape: { box: [BRICK[0], BRICK[1], half - 0.004] },
      });
      z += 2 * half;
    }
  }
  return bodies;
}

/** A ramp that ends level: two slabs. */
function slide(): BodyFile[] {
  const [c, s] = [Math.cos(SLOPE), Math.sin(SLOPE)];
  const half = RUN / 2;
  const thick = 0.25;
  const middle: Vec3 = [-(FOOT + half * c) - thick * s, half * s - thick * c, 0];
  const start: Vec3 = [-(FOOT + (RUN - 1) * c) + BALL * s, (RUN - 1) * s + BALL * c, 0];
  const leg = (name: string, share: number, z: number): BodyFile => {
    const height = RUN * share * s - 0.5;
    const position: Vec3 = [-(FOOT + RUN * share * c), height / 2, z];
    return { name, type: 'static', material: 'steel', position, shape: { box: [0.14, height / 2, 0.14] } };
  };
  return [
    {
      name: 'ramp',
      type: 'static',
      material: 'frame',
      position: middle,
      rotation: turn([0, 0, 1], -SLOPE),
      shape: { box: [half, thick, 1.7] },
    },
    leg('leg-a', 0.9, 1.4),
    leg('leg-b', 0.9, -1.4),
    leg('leg-c', 0.5, 1.4),
    leg('leg-d', 0.5, -1.4),
    { name: 'ball', material: 'iron', position: start, shape: { sphere: BALL } },
  ];
}

export const tallWall: DemoScene = {
  id: 'tall-wall',
  title: 'Tall wall',
  description: 'An iron ball of 72 t rolls into 518 dry bricks: a hole, and 14 m of wall that sway over it, or fall.',
  build: () =>
    tidy({
      version: 1,
      title: 'Tall wall',
      description: 'A rolling ball meets a wall in running bond, 14 m high',
      materials: {
        floor: { density: 2000, friction: 0.7, restitution: 0 },
        brick: { density: 1800, friction: 0.7, restitution: 0 },
        frame: { density: 2000, friction: 0.6, restitution: 0 },
        steel: { density: 7800, friction: 0.4, restitution: 0 },
        iron: { density: 7800, friction: 0.5, restitution: 0 },
      },
      bodies: [GROUND, ...slide(), ...wall()],
    }),
  camera: {
    ...{ target: [-9, 5.2, -2.6], distance: 37, yaw: -0.7, pitch: 0.15, width: 28 },
    portrait: { width: 34 },
  },
  // Whether the rest stands for long hangs by a hair: 13 cm aside it comes down after 10 s.
  promise: 'the ball comes through, a dozen bricks before it',
  seconds: 8,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const bricks = result.names.filter((name) => name.startsWith('brick'));
    const moved = bricks.filter((name) => driftOf(result, name) > 1).length;
    if (moved < 12) return `only ${moved} of ${bricks.length} bricks were knocked out`;
    const [x] = result.end('ball').position;
    return x > BALL ? null : `the ball stopped at x = ${x} m, before it was through the wall`;
  },
  paint(name) {
    const at = /^brick-(\d+)-(\d+)$/.exec(name);
    if (!at) return undefined;
    const shade = ((+at[1] * 3 + +at[2] * 7) % 5) / 5;
    return ramp([PALETTE.wine, PALETTE.terracotta, PALETTE.apricot], 0.25 + 0.3 * shade + (0.35 * +at[1]) / COURSES);
  },
};
