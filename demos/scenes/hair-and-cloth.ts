// Scenes in which sheets and strands touch and hold each other, after the coupled scenes of Daviet 2020 (Figures 12 to
// 14) at the size of a game; run and checked, not in the gallery.

import { GROUND, type JointFile, type RodFile, type SceneFile, type ShellFile, tidy, type Vec3 } from './demo-scene';
import { fabric, sheet } from './sheets';

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

/** A ball with fur all round goes through a hanging cloth, which closes behind it. */
export function furBall(columns = 20, hairs = 60, edges = 6): SceneFile {
  const { radius, from, to, height, hair } = FUR_BALL;
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
    materials: { ...floor, skin: { density: 1000, friction: 0.3 } },
    bodies: [
      GROUND,
      { name: 'ball', type: 'kinematic', material: 'skin', position: [from, height, 0], shape: { sphere: radius } },
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
    motions: [
      {
        body: 'ball',
        keys: [
          { time: 0.3, position: [from, height, 0] },
          { time: 1.6, position: [to, height, 0] },
        ],
      },
    ],
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
    bodies: [GROUND, { name: 'head', type: 'static', position: [0, root + 0.06, 0], shape: { sphere: 0.055 } }],
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

export const SHIRT = { radius: 0.16, half: 0.2, thickness: 0.006, middle: 0.5, hair: 0.002 };

/** A shirt on shoulders, and long hair that lies on it. */
export function hairOnShirt(columns = 22, hairs = 24, edges = 14): SceneFile {
  const { radius, half, thickness, middle, hair } = SHIRT;
  const top = middle + half + radius;
  // A poncho: a square with its middle on the head's neck, draped over a lying capsule.
  const side = 0.62;
  const cloth = sheet(columns, columns, (u, v): Vec3 => [side * (u - 0.5), top + 0.012, side * (0.5 - v)]);
  const rods = Array.from({ length: hairs }, (_, s): RodFile => {
    const angle = Math.PI * (0.1 + (0.8 * (s + 0.5)) / hairs);
    const [x, z] = [0.09 * Math.cos(angle), 0.09 * Math.sin(angle)];
    return {
      name: `hair-${s}`,
      points: Array.from({ length: edges + 1 }, (_, i): Vec3 => {
        const t = i / edges;
        // Out to all sides of the back; it falls from there.
        return [x * (1 + 4.5 * t), top + 0.14 - 0.03 * t, z * (1 + 4.5 * t)];
      }),
      attachStart: 'head',
      ...lock(hair, 0.4),
    };
  });
  return tidy({
    version: 1,
    title: 'Hair on a shirt',
    description: 'Long hair falls on a cloth over shoulders, and lies there',
    materials: { ...floor, skin: { density: 1000, friction: 0.5 } },
    bodies: [
      GROUND,
      {
        name: 'shoulders',
        type: 'static',
        material: 'skin',
        position: [0, middle, 0],
        shape: { capsule: [radius, half] },
      },
      { name: 'head', type: 'static', material: 'skin', position: [0, top + 0.14, 0], shape: { sphere: 0.085 } },
    ],
    rods,
    shells: [
      {
        name: 'shirt',
        vertices: cloth.vertices,
        triangles: cloth.triangles,
        ...fabric(0.2, 5000, 3e-5, thickness, { damping: 0.004, friction: 0.4, airDrag: 0.5 }),
      },
    ],
  });
}

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
    const at = (t: number): Vec3 => {
      const away = 0.07 + 0.42 * t;
      return [away * c, rise + 0.16 * t, away * s];
    };
    rods.push({
      name: `branch-${b}`,
      points: Array.from({ length: 9 }, (_, i) => at(i / 8)),
      radius: 0.004,
      attachStart: 'trunk',
      ...wood,
    });
    for (let l = 0; l < leaves; l++) {
      const node = 8 - l;
      const [x, y, z] = at(node / 8);
      const out = l % 2 === 0 ? 1 : -1;
      // A diamond that begins at its node: stalk, two sides, tip; across the branch.
      const leaf = (along: number, wide: number, down: number): Vec3 => [
        x - out * along * s + wide * c,
        y - down,
        z + out * along * c + wide * s,
      ];
      shells.push({
        name: `leaf-${b}-${l}`,
        vertices: [leaf(0, 0, 0), leaf(0.05, 0.02, 0.012), leaf(0.05, -0.02, 0.012), leaf(0.1, 0, 0.03)],
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
      { name: 'trunk', type: 'static', material: 'bark', position: [0, 0.55, 0], shape: { capsule: [0.05, 0.5] } },
    ],
    rods,
    shells,
    joints,
  });
}
