// A slope of boulders behind a gate. The gate opens.

import {
  type BodyFile,
  type DemoScene,
  driftOf,
  GROUND,
  type Quat,
  type ShapeFile,
  scatter,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { anyTurn, boulder } from './shapes';

const ANGLE = 0.62; // of the slope [rad]
const LENGTH = 22; // along the slope [m]
const WIDTH = 9; // [m]
const FOOT: Vec3 = [-1, 0.6, 0]; // lower end of its surface
const GATE = 7; // from the foot to the gate, along the slope [m]
const OPENS = 1.2; // [s]
const COUNT = 260;
const SHAPES = 12; // different boulders of each size

const along: Vec3 = [-Math.cos(ANGLE), Math.sin(ANGLE), 0];
const up: Vec3 = [Math.sin(ANGLE), Math.cos(ANGLE), 0];
const tilt: Quat = turn([0, 0, 1], -ANGLE);

/** Place on the slope: distance from its foot, height above it, across [m]. */
function place(distance: number, height: number, across: number): Vec3 {
  return [
    FOOT[0] + along[0] * distance + up[0] * height,
    FOOT[1] + along[1] * distance + up[1] * height,
    FOOT[2] + across,
  ];
}

function bed(): BodyFile[] {
  const part = (name: string, material: string, position: Vec3, box: Vec3): BodyFile => {
    return { name, type: 'static', material, position, rotation: tilt, shape: { box } };
  };
  const side = WIDTH / 2 + 0.35;
  return [
    part('slope', 'slope', place(LENGTH / 2, -0.5, 0), [LENGTH / 2, 0.5, WIDTH / 2 + 0.7]),
    part('rail-left', 'slope', place(LENGTH / 2 + 1, 0.6, -side), [LENGTH / 2 - 1, 0.6, 0.35]),
    part('rail-right', 'slope', place(LENGTH / 2 + 1, 0.6, side), [LENGTH / 2 - 1, 0.6, 0.35]),
    {
      name: 'gate',
      type: 'kinematic',
      material: 'steel',
      position: place(GATE, 1.1, 0),
      rotation: tilt,
      shape: { box: [0.15, 1.1, WIDTH / 2] },
    },
  ];
}

function boulders(): BodyFile[] {
  const random = scatter(77);
  const kinds: ShapeFile[] = [];
  for (const size of [0.34, 0.46, 0.62]) for (let i = 0; i < SHAPES; i++) kinds.push(boulder(size, random));
  const bodies: BodyFile[] = [];
  for (let i = 0; i < COUNT; i++) {
    const across = i % 6;
    const row = Math.floor(i / 6) % 10;
    const layer = Math.floor(i / 60);
    bodies.push({
      name: `boulder-${i}`,
      material: 'stone',
      position: place(
        GATE + 1 + 1.32 * row + 0.3 * random() + 0.4 * (layer % 2),
        0.75 + 1.3 * layer,
        1.38 * (across - 2.5) + 0.25 * (random() - 0.5),
      ),
      rotation: anyTurn(random),
      shape: kinds[Math.floor(random() ** 1.5 * kinds.length)],
    });
  }
  return bodies;
}

export const boulderSlide: DemoScene = {
  id: 'boulder-slide',
  title: 'Rubble slide',
  description: `${COUNT} boulders lie behind a gate on a slope steeper than their friction angle.`,
  build: () =>
    tidy({
      version: 1,
      title: 'Rubble slide',
      description: 'Convex boulders released on a slope',
      materials: {
        floor: { density: 2000, friction: 0.7, restitution: 0 },
        slope: { density: 2000, friction: 0.45, restitution: 0 },
        steel: { density: 7800, friction: 0.3, restitution: 0 },
        stone: { density: 2600, friction: 0.55, restitution: 0.02 },
      },
      bodies: [GROUND, ...bed(), ...boulders()],
      motions: [
        {
          body: 'gate',
          keys: [
            { time: OPENS, position: place(GATE, 1.1, 0), rotation: tilt },
            { time: OPENS + 0.5, position: place(GATE, 5.2, 0), rotation: tilt },
          ],
        },
      ],
    }),
  camera: { target: [-3, 4.2, 0], distance: 30, yaw: 1.05, pitch: 0.3 },
  promise: 'four in five slide 4 m, none is 100 mm inside another',
  seconds: 7,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const stones = result.names.filter((name) => name.startsWith('boulder'));
    const slid = stones.filter((name) => driftOf(result, name) > 4).length;
    if (slid < 0.8 * stones.length) return `only ${slid} of ${stones.length} boulders slid`;
    return result.penetration < 0.1 ? null : `boulders are ${result.penetration} m inside each other`;
  },
  paint(name) {
    const at = /^boulder-(\d+)$/.exec(name);
    if (!at) return undefined;
    const shades = [PALETTE.sand, '#b9a98c', '#8f8574', '#c9b491', PALETTE.terracotta, '#a2957f'];
    return shades[(+at[1] * 5 + (+at[1] >> 2)) % shades.length];
  },
};
