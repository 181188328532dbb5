// Scenes in which sheets and strands touch and hold each other, after the coupled scenes of Daviet 2020 (Figures 12 to
// 14) at the size of a game. The gallery shows them in coupled-scenes.ts.

import { bust, CENTRE, HEAD } from './bust';
import {
  type BodyFile,
  GROUND,
  type KeyFile,
  type RodFile,
  type SceneFile,
  type ShellFile,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import type { JointFile } from './joint-file';
import { disc, fabric, sheet } from './sheets';

const floor = { floor: { density: 2000, friction: 0.5 } };
/** An even spread over a disc or ball. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** What soft thick hairs are made of: of few strands each stands for a lock. */
const lock = (radius: number, friction: number) => ({
  radius,
  density: 1000,
  youngModulus: 2e6,
  stretchModulus: 2e6,
  damping: 0.005,
  friction,
  airDrag: 0.5,
});

export const FUR_BALL = { radius: 0.09, from: -0.55, to: 0.6, height: 0.62, hair: 0.0015 };

/** Once through the cloth, `speed` on the way [m/s]; `isLoop`: and back, without end. */
function ballPath(speed: number, isLoop: boolean): KeyFile[] {
  const { from, to, height } = FUR_BALL;
  const way = (to - from) / speed;
  const at = (time: number, x: number): KeyFile => ({ time, position: [x, height, 0] });
  const there = [at(0.3, from), at(0.3 + way, to)];
  return isLoop ? [at(0, from), ...there, at(0.9 + way, to), at(0.9 + 2 * way, from), at(1.2 + 2 * way, from)] : there;
}

/** What a curtain hangs on, which touches nothing: a rail at a height, on posts so far to each side [m]. */
function rail(height: number, aside: number): BodyFile[] {
  const apart = { type: 'static', material: 'rail', mask: 0 } as const;
  const posts = [-1, 1].map(
    (side): BodyFile => ({
      ...{ name: `post${side}`, ...apart, position: [0, height / 2, side * aside] },
      shape: { cylinder: [0.014, height / 2] },
    }),
  );
  const along = turn([1, 0, 0], Math.PI / 2);
  return [
    ...posts,
    { name: 'rail', ...apart, position: [0, height, 0], rotation: along, shape: { capsule: [0.012, aside] } },
  ];
}

/** A ball with fur all round goes through a hanging cloth, which closes behind it. */
export function furBall(columns = 20, hairs = 60, speed = 1.15 / 1.3, isLoop = false): SceneFile {
  const edges = 6;
  const { radius, from, height, hair } = FUR_BALL;
  const side = 0.7;
  const cloth = sheet(columns, columns, (u, v): Vec3 => [0, 0.35 + side * v, side * (0.5 - u)]);

  const rods = Array.from({ length: hairs }, (_, s): RodFile => {
    const y = 1 - (2 * s + 1) / hairs;
    const flat = Math.sqrt(1 - y * y);
    const out = [flat * Math.cos(s * GOLDEN), y, flat * Math.sin(s * GOLDEN)];
    return {
      name: `hair-${s}`,
      points: Array.from({ length: edges + 1 }, (_, i): Vec3 => {
        const away = radius + hair + (0.06 * i) / edges;
        return [from + away * out[0], height + away * out[1], away * out[2]];
      }),
      attachStart: 'ball',
      ...lock(hair, 0.3),
    };
  });

  return tidy({
    version: 1,
    title: 'Fur ball',
    description: 'A ball with fur goes through a hanging cloth',
    materials: { ...floor, skin: { density: 1000, friction: 0.3 }, rail: { friction: 0.3 } },
    bodies: [
      GROUND,
      { name: 'ball', type: 'kinematic', material: 'skin', position: [from, height, 0], shape: { sphere: radius } },
      ...rail(0.35 + side + 0.014, 0.5 * side + 0.04),
    ],
    rods,
    shells: [
      {
        name: 'cloth',
        vertices: cloth.vertices,
        triangles: cloth.triangles,
        ...fabric(0.15, 3000, 2e-5, 0.005, { damping: 0.004, friction: 0.3, airDrag: 0.5 }),
        pins: Array.from({ length: columns }, (_, i) => (columns - 1) * columns + i),
      },
    ],
    motions: [{ body: 'ball', keys: ballPath(speed, isLoop), loop: isLoop }],
  });
}

export const PONYTAIL = { root: 0.9, band: 0.78, width: 0.02 };

/** Locks that hang from a head, and a band of cloth about them that is held by friction alone. */
export function ponytail(friction: number, rings = 2, edges = 12): SceneFile {
  const { root, band, width } = PONYTAIL;
  const [hair, length, thickness] = [0.003, 0.36, 0.003];
  const pitch = 2.02 * hair;

  // As close as they lie: a hexagon.
  const places: [number, number][] = [];
  for (let i = -rings; i <= rings; i++) {
    for (let j = Math.max(-rings, -rings - i); j <= Math.min(rings, rings - i); j++)
      places.push([pitch * (i + j / 2), pitch * j * Math.sqrt(0.75)]);
  }

  const rods = places.map(
    ([x, z], s): RodFile => ({
      name: `lock-${s}`,
      points: Array.from({ length: edges + 1 }, (_, i): Vec3 => [x, root - (length * i) / edges, z]),
      attachStart: 'head',
      ...lock(hair, friction),
      youngModulus: 2e7,
    }),
  );

  // A tube of 16 vertices around, wider than it is at rest: it wants to close.
  const [around, high] = [16, 4];
  const open = rings * pitch + hair + 0.6 * thickness;

  const tube = (radius: number): Vec3[] =>
    Array.from({ length: around * high }, (_, v) => {
      const angle = (2 * Math.PI * (v % around)) / around;
      const y = band + (width * Math.floor(v / around)) / (high - 1);
      return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
    });
  const triangles: Vec3[] = [];

  for (let j = 0; j + 1 < high; j++) {
    for (let i = 0; i < around; i++) {
      const [a, b] = [j * around + i, j * around + ((i + 1) % around)];
      triangles.push([a, b + around, b], [a, a + around, b + around]);
    }
  }

  return tidy({
    version: 1,
    title: 'Ponytail',
    description: 'A band of cloth holds a ponytail by friction alone',
    materials: { ...floor, skin: { density: 1000, friction: 0.3 } },
    bodies: [GROUND, { name: 'head', type: 'static', position: [0, root + 0.051, 0], shape: { sphere: 0.055 } }],
    rods,
    shells: [
      {
        name: 'band',
        vertices: tube(open),
        triangles,
        restVertices: tube(0.93 * open),
        restAngles: 'drawn',
        ...fabric(3, 60, 1e-6, thickness, { damping: 0.01, friction }),
        selfContact: false,
      },
    ],
  });
}

/** Radius of the hair [m]. */
const LOCK = 0.002;

/** A head that looks to its left and right, without end. */
function lookAround(position: Vec3): KeyFile[] {
  const [reach, period, rate] = [0.6, 4, 15];
  return Array.from({ length: period * rate + 1 }, (_, k) => {
    const angle = reach * Math.sin((2 * Math.PI * k) / (period * rate));
    return { time: k / rate, position, rotation: turn([0, 1, 0], angle) };
  });
}

/** A cape about the neck of a bust, and long hair that lies on it; `isTurning`: the head looks around. */
export function hairOnShirt(rings = 11, hairs = 24, isTurning = false): SceneFile {
  const edges = 14;
  const [x0, y0, z0] = CENTRE;

  // About the neck, level, a hand below the head: it falls on the shoulders.
  const cloth = disc(
    0.31,
    rings,
    (x, z): Vec3 => [x0 + x, y0 - 0.115, z0 - 0.008 + z],
    Math.ceil((0.2 * rings) / 0.95),
  );

  const rods = Array.from({ length: hairs }, (_, s): RodFile => {
    // Rows one above the other on the back of the head, the upper ones round to the front.
    const row = s % 4;
    const angle = Math.PI * (0.5 + (1.06 - 0.1 * row) * ((s + 0.5) / hairs - 0.5));
    const up = 0.05 + 0.36 * row;
    const [x, z] = [Math.cos(angle), -Math.sin(angle)];
    const [across, height] = [(HEAD + LOCK) * Math.cos(up), (HEAD + LOCK) * Math.sin(up)];
    return {
      name: `hair-${s}`,
      points: Array.from({ length: edges + 1 }, (_, i): Vec3 => {
        // Out to all sides; it falls from there.
        const away = across + (0.36 * i) / edges;
        return [x0 + x * away, y0 + height - (0.03 * i) / edges, z0 + z * away];
      }),
      attachStart: 'head',
      ...lock(LOCK, 0.4),
    };
  });

  return tidy({
    version: 1,
    title: 'Hair on a shirt',
    description: 'Long hair falls on a cloth over shoulders, and lies there',
    materials: { ...floor, linen: { density: 1000, friction: 0.5 }, brass: { friction: 0.3 } },
    bodies: [GROUND, ...bust()],
    rods,
    shells: [
      {
        name: 'shirt',
        vertices: cloth.vertices,
        triangles: cloth.triangles,
        ...fabric(0.2, 5000, 2e-5, 0.005, { damping: 0.004, friction: 0.4, airDrag: 0.5 }),
      },
    ],
    ...(isTurning && { motions: [{ body: 'head', keys: lookAround(CENTRE), loop: true }] }),
  });
}

/**
 * Edges of a branch, whose leaves hang on its nodes from the last one on; radius at the ground and height of the
 * trunk [m].
 */
export const TREE = { edges: 8, girth: 0.08, height: 1.3 };

/** A tree of rods with leaves of two triangles that hang on its nodes. */
export function tree(branches = 8, leaves = 6): SceneFile {
  const rods: RodFile[] = [];
  const shells: ShellFile[] = [];
  const joints: JointFile[] = [];
  const wood = { density: 600, youngModulus: 3e7, damping: 0.02, friction: 0.4, airDrag: 0.3, selfContact: false };

  for (let b = 0; b < branches; b++) {
    const angle = b * GOLDEN;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const rise = 0.55 + (0.5 * b) / branches;
    const length = 0.48 - (0.16 * b) / branches;

    const at = (t: number): Vec3 => {
      // From within the trunk, which holds the first edge.
      const away = TREE.girth * (1 - rise / TREE.height) - 0.02 + (length + 0.032) * t;
      return [away * c, rise + 0.2 * t, away * s];
    };

    rods.push({
      name: `branch-${b}`,
      points: Array.from({ length: TREE.edges + 1 }, (_, i) => at(i / TREE.edges)),
      radius: 0.004,
      attachStart: 'trunk',
      ...wood,
    });

    for (let l = 0; l < leaves; l++) {
      const node = TREE.edges - l;
      const [x, y, z] = at(node / TREE.edges);
      const out = l % 2 === 0 ? 1 : -1;
      // A diamond that begins at its node: stalk, two sides, tip; across the branch.
      const leaf = (along: number, wide: number, down: number): Vec3 => [
        x - out * along * s + wide * c,
        y - down,
        z + out * along * c + wide * s,
      ];
      shells.push({
        name: `leaf-${b}-${l}`,
        vertices: [leaf(0, 0, 0), leaf(0.07, 0.034, 0.016), leaf(0.07, -0.034, 0.016), leaf(0.15, 0, 0.045)],
        triangles: [
          [0, 1, 2],
          [2, 1, 3],
        ],
        ...fabric(0.15, 400, 2e-5, 0.003, { damping: 0.02, friction: 0.3, airDrag: 1.2 }),
      });
      joints.push({
        name: `stalk-${b}-${l}`,
        type: 'ball',
        ends: [
          { shell: `leaf-${b}-${l}`, vertex: 0 },
          { rod: `branch-${b}`, node },
        ],
      });
    }
  }

  return tidy({
    version: 1,
    title: 'Tree',
    description: 'Branches and leaves for the wind',
    materials: { ...floor, bark: { density: 600, friction: 0.6 } },
    bodies: [
      GROUND,
      {
        name: 'trunk',
        type: 'static',
        material: 'bark',
        position: [0, TREE.height / 2, 0],
        shape: { cone: [TREE.girth, TREE.height / 2] },
      },
    ],
    rods,
    shells,
    joints,
  });
}
