// Parcels sorted by belts alone: a belt on edge turns the tall ones off, the small ones fall
// through a gap, the flat ones go on.

import {
  type BodyFile,
  combine,
  type DemoScene,
  GROUND,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';

const TOP = 2.6; // height of the main belt [m]
const LOW = 1.2; // height of the belt below the gap [m]
const SPEED = 2; // [m/s]
const HALF = 1.1; // half width of the belts [m]
const THICK = 0.16; // half thickness [m]
const START = -22; // [m]
const GAP = [7, 7.85] as const; // the main belt's ends there [m]
const END = 13; // [m]
const TURN = 0.62; // of the turning belt against the main one [rad]

const KINDS = {
  small: [0.25, 0.25, 0.25],
  flat: [0.75, 0.18, 0.5],
  tall: [0.45, 0.6, 0.45],
} as const satisfies Record<string, Vec3>;

type Kind = keyof typeof KINDS;

/** A belt from one place to another, both the middle of its end, running that way: a slab with a roller at each end. */
function belt(name: string, from: Vec3, to: Vec3, speed = SPEED): BodyFile[] {
  const [dx, dz] = [to[0] - from[0], to[2] - from[2]];
  const length = Math.hypot(dx, dz);
  const heading = Math.atan2(-dz, dx);
  const face = turn([0, 1, 0], heading);
  const middle: Vec3 = [(from[0] + to[0]) / 2, from[1] - THICK, (from[2] + to[2]) / 2];
  const [ex, ez] = [(dx / length) * (length / 2 - THICK), (dz / length) * (length / 2 - THICK)];

  // A cylinder's own axis is y: laid across the belt, its x axis still points along.
  const laid = combine(face, turn([1, 0, 0], Math.PI / 2));

  const roller = (end: number): BodyFile => ({
    name: `${name}-roller-${end}`,
    type: 'static',
    material: 'roller',
    position: [middle[0] + end * ex, middle[1], middle[2] + end * ez],
    rotation: laid,
    surfaceVelocity: [speed, 0, 0],
    shape: { cylinder: [THICK, HALF - 0.02] },
  });

  const legs: BodyFile[] = [-1, 1].flatMap((end) =>
    [-1, 1].map((side): BodyFile => {
      const [ux, uz] = [dx / length, dz / length];
      const reach = end * (length / 2 - 0.6);
      return {
        name: `${name}-leg-${end}-${side}`,
        type: 'static',
        material: 'steel',
        position: [
          middle[0] + ux * reach - uz * side * (HALF + 0.08),
          (from[1] - 0.1) / 2,
          middle[2] + uz * reach + ux * side * (HALF + 0.08),
        ],
        rotation: face,
        shape: { box: [0.08, (from[1] - 0.1) / 2, 0.06] },
      };
    }),
  );

  return [
    {
      name,
      type: 'static',
      material: 'belt',
      position: middle,
      rotation: face,
      surfaceVelocity: [speed, 0, 0],
      shape: { box: [length / 2 - THICK, THICK, HALF] },
    },
    roller(-1),
    roller(1),
    ...legs,
  ];
}

/** Low rails beside a belt along x. */
function rail(name: string, from: number, to: number, z: number, height: number): BodyFile {
  return {
    name,
    type: 'static',
    material: 'rail',
    position: [(from + to) / 2, height + 0.12, z],
    shape: { box: [(to - from) / 2, 0.14, 0.05] },
  };
}

/** Four walls around a place on the floor. */
function bin(name: string, x: number, z: number, half: number): BodyFile[] {
  const wall = (i: number, position: Vec3, box: Vec3): BodyFile => {
    return { name: `bin-${name}-${i}`, type: 'static', material: 'bin', position, shape: { box } };
  };
  const h = 0.45;
  return [
    wall(0, [x - half, h, z], [0.08, h, half]),
    wall(1, [x + half, h, z], [0.08, h, half]),
    wall(2, [x, h, z - half], [half + 0.08, h, 0.08]),
    wall(3, [x, h, z + half], [half + 0.08, h, 0.08]),
  ];
}

/** A belt on edge, high enough to let the low ones pass below. */
function turner(): BodyFile {
  const length = 2.1;
  return {
    name: 'turner',
    type: 'static',
    material: 'belt',
    // From the far side of the main belt across it, towards the side belt.
    position: [0.2, TOP + 0.86, 0.15],
    rotation: turn([0, 1, 0], -(Math.PI / 2 - TURN)),
    surfaceVelocity: [1.6 * SPEED, 0, 0],
    shape: { box: [length, 0.3, 0.12] },
  };
}

function parcels(): BodyFile[] {
  const random = scatter(9);
  const order: Kind[] = [
    'small',
    'tall',
    'flat',
    'small',
    'flat',
    'tall',
    'tall',
    'small',
    'flat',
    'flat',
    'small',
    'tall',
  ];
  return order.map((kind, i) => {
    const half = KINDS[kind];
    return {
      name: `${kind}-${i}`,
      material: 'parcel',
      position: [-3 - 1.65 * i, TOP + half[1] + 0.01, (random() - 0.5) * 0.5],
      rotation: turn([0, 1, 0], (random() - 0.5) * (kind === 'flat' ? 0.1 : 0.5)),
      velocity: [SPEED, 0, 0],
      shape: { box: [...half] },
    };
  });
}

/** Where each kind must end: the bins, seen from above. */
const HOME: Record<Kind, (x: number, z: number) => boolean> = {
  tall: (_x, z) => z > 5,
  small: (_x, z) => z < -4,
  flat: (x, z) => x > END && Math.abs(z) < 3,
};

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  for (const name of result.names) {
    const kind = name.split('-')[0] as Kind;
    if (!/^(small|flat|tall)-\d+$/.test(name)) continue;
    const [x, y, z] = result.end(name).position;
    if (!HOME[kind](x, z)) return `${name} ended at ${x.toFixed(1)}, ${y.toFixed(1)}, ${z.toFixed(1)}, not in its bin`;
  }
  return null;
}

const COLOURS: Record<string, string> = {
  small: PALETTE.saffron,
  flat: PALETTE.sea,
  tall: PALETTE.terracotta,
};

export const conveyor: DemoScene = {
  id: 'conveyor',
  title: 'Sorting belts',
  description: 'Tall parcels are turned off, small ones fall through, flat ones go on. Only belts, no code.',
  build: () =>
    tidy({
      version: 1,
      title: 'Sorting belts',
      description: 'Bodies with a surface velocity sort parcels by size',
      materials: {
        floor: { density: 2000, friction: 0.7, restitution: 0 },
        belt: { density: 1200, friction: 0.7, restitution: 0 },
        roller: { density: 7800, friction: 0.7, restitution: 0 },
        rail: { density: 7800, friction: 0.1, restitution: 0, combineFriction: 'minimum' },
        steel: { density: 7800, friction: 0.4, restitution: 0 },
        bin: { density: 1000, friction: 0.5, restitution: 0 },
        parcel: { density: 250, friction: 0.45, restitution: 0 },
      },
      bodies: [
        GROUND,
        ...belt('main', [START, TOP, 0], [GAP[0], TOP, 0]),
        ...belt('onward', [GAP[1], TOP, 0], [END, TOP, 0]),
        ...belt('side', [0.4, TOP, HALF], [0.4, TOP, 6]),
        ...belt('below', [(GAP[0] + GAP[1]) / 2 + 0.35, LOW, 1.4], [(GAP[0] + GAP[1]) / 2 + 0.35, LOW, -4.6]),
        rail('rail-a', START, GAP[0], -HALF - 0.06, TOP),
        rail('rail-b', START, -1, HALF + 0.06, TOP),
        rail('rail-c', 1.7, GAP[0], HALF + 0.06, TOP),
        rail('rail-d', GAP[1], END, -HALF - 0.06, TOP),
        rail('rail-e', GAP[1], END, HALF + 0.06, TOP),
        turner(),
        ...bin('tall', 0.4, 8, 2),
        ...bin('small', (GAP[0] + GAP[1]) / 2 + 0.35, -6.4, 1.7),
        ...bin('flat', END + 2.2, 0, 2.1),
        ...parcels(),
      ],
    }),
  camera: {
    ...{ target: [1, 0.4, -0.4], distance: 27, yaw: 0.3, pitch: 0.42, width: 39 },
    portrait: { target: [3, 0.8, 0.8], distance: 28, yaw: 1.32, pitch: 0.65, width: 23 },
  },
  promise: 'every parcel is in its bin',
  seconds: 22,
  check,
  paint: (name) => COLOURS[name.replace('bin-', '').split('-')[0]],
};
