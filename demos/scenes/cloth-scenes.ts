// Scenes with shells that are run and checked, but do not stand in the gallery.

import { type BodyFile, GROUND, type KeyFile, type SceneFile, tidy, turn, type Vec3 } from './demo-scene';
import { disc, fabric, sheet } from './sheets';

const floor = (friction: number) => ({ floor: { density: 2000, friction } });

/** A sack: a disc on the ground with balls on it, whose rim is drawn together and lifted. */
export function sack(rings = 14, balls = 20): SceneFile {
  const radius = 0.6;
  const height = 0.004;
  const { vertices, triangles, rim } = disc(radius, rings, (x, z) => [x, height, z]);
  const [close, lift, start] = [1.2, 1.6, 0.8]; // [s]
  const top = 1.3; // [m]

  const motions = rim.map((vertex) => {
    const [x, , z] = vertices[vertex];
    const keys: KeyFile[] = [{ time: 0, position: [x, height, z] }];
    for (let i = 0; i <= 60; i++) {
      const share = i / 60;
      const smooth = share * share * (3 - 2 * share);
      const scale = 1 - 0.8 * smooth;
      keys.push({ time: start + share * (close + lift), position: [x * scale, height + top * smooth, z * scale] });
    }
    return { shell: 'sack', vertex, keys };
  });

  const bodies: BodyFile[] = Array.from({ length: balls }, (_, i) => {
    const ring = i === 0 ? 0 : i < 7 ? 1 : i < 13 ? 2 : 3;
    const angle = 2.4 * i;
    const away = ring === 0 ? 0 : 0.14 * (ring > 1 ? ring - 1 : 1);
    return {
      name: `ball-${i}`,
      material: 'toy',
      position: [away * Math.cos(angle), 0.08 + 0.14 * Math.max(0, ring - 1) + 0.002 * i, away * Math.sin(angle)],
      shape: { sphere: 0.055 },
    };
  });

  return tidy({
    version: 1,
    title: 'Sack',
    description: 'A cloth with balls in it is drawn together and lifted',
    materials: { ...floor(0.5), toy: { density: 600, friction: 0.5 } },
    bodies: [GROUND, ...bodies],
    shells: [
      {
        name: 'sack',
        vertices,
        triangles,
        ...fabric(0.3, 20_000, 5e-5, 0.008, { damping: 0.004, friction: 0.5, airDrag: 0.5 }),
        pins: rim,
      },
    ],
    motions,
  });
}

/** Sheets one above the other that fall on the ground: `count` squares of `side` [m]. */
export function layers(count = 5, columns = 15, side = 0.3): SceneFile {
  return tidy({
    version: 1,
    title: 'Layers',
    description: 'Sheets fall one on another',
    materials: floor(0.5),
    bodies: [GROUND],
    shells: Array.from({ length: count }, (_, k) => ({
      name: `layer-${k}`,
      ...sheet(
        columns,
        columns,
        (u, v): Vec3 => [side * (u - 0.5) + 0.004 * k, 0.02 + 0.03 * k, side * (0.5 - v) - 0.003 * k],
      ),
      ...fabric(0.2, 5000, 3e-5, 0.01, { damping: 0.004, friction: 0.5 }),
    })).map(({ columns: _c, rows: _r, ...shell }) => shell),
  });
}

/** A band over a fixed drum with a weight at either end: it holds while the weights' ratio is below e^(μ π). */
export function bandBrake(friction: number, ratio: number, columns = 40, rows = 4): SceneFile {
  const [radius, width, drop, thickness] = [0.25, 0.16, 0.5, 0.006];
  const middle = radius + thickness / 2;
  const arc = Math.PI * middle;
  const length = arc + 2 * drop;
  const height = 1.5;

  const mesh = sheet(columns, rows, (u, v): Vec3 => {
    const s = u * length - drop;
    const z = width * (0.5 - v);
    if (s < 0) return [-middle, height + s, z];
    if (s > arc) return [middle, height - (s - arc), z];
    const angle = s / middle;
    return [-middle * Math.cos(angle), height + middle * Math.sin(angle), z];
  });

  const weight = (name: string, x: number, mass: number): BodyFile => ({
    name,
    material: 'weight',
    position: [x, height - drop - 0.06, 0],
    mass,
    shape: { box: [0.06, 0.06, width / 2] },
  });

  const pins = Array.from({ length: rows }, (_, j) => [
    { vertex: j * columns, body: 'light' },
    { vertex: j * columns + columns - 1, body: 'heavy' },
  ]).flat();

  return tidy({
    version: 1,
    title: 'Band brake',
    description: 'A band over a drum with a weight at either end',
    materials: { ...floor(friction), steel: { friction }, weight: { friction } },
    bodies: [
      GROUND,
      {
        name: 'drum',
        type: 'static',
        material: 'steel',
        position: [0, height, 0],
        rotation: turn([1, 0, 0], Math.PI / 2),
        shape: { cylinder: [radius, width] },
      },
      weight('light', -middle, 2),
      weight('heavy', middle, 2 * ratio),
    ],
    shells: [
      {
        name: 'band',
        vertices: mesh.vertices,
        triangles: mesh.triangles,
        restAngles: 'flat',
        ...fabric(0.2, 200_000, 1e-4, thickness, { damping: 0.004, friction }),
        pins,
      },
    ],
  });
}

/** A cloth on the ground that a bar drags by one side. */
export function dragged(columns = 24): SceneFile {
  const side = 0.8;
  const thickness = 0.006;

  const { vertices, triangles, rows } = sheet(columns, columns, (u, v) => [
    side * (u - 0.5),
    thickness / 2 + 0.0005,
    side * (0.5 - v),
  ]);
  const edge = Array.from({ length: rows }, (_, j) => j * columns + columns - 1);

  return tidy({
    version: 1,
    title: 'Dragged cloth',
    description: 'A cloth is dragged over the ground by one side',
    materials: floor(0.4),
    bodies: [
      GROUND,
      {
        name: 'bar',
        type: 'kinematic',
        position: [side / 2, 0.02, 0],
        layers: 2,
        mask: 0,
        shape: { box: [0.01, 0.01, side / 2] },
      },
    ],
    shells: [
      {
        name: 'cloth',
        vertices,
        triangles,
        ...fabric(0.25, 5000, 3e-5, thickness, { damping: 0.004, friction: 0.4 }),
        pins: edge.map((vertex) => ({ vertex, body: 'bar' })),
      },
    ],
    motions: [
      {
        body: 'bar',
        keys: [
          { time: 0.5, position: [side / 2, 0.02, 0] },
          { time: 2.5, position: [side / 2 + 1, 0.02, 0] },
        ],
      },
    ],
  });
}

/** Half extents of the box, and base and height of the cone, of `draped` [m]. */
export const DRAPED = { box: [0.2, 0.15, 0.15] as Vec3, cone: { radius: 0.25, height: 0.4 }, thickness: 0.006 };

/** A cloth that falls over a box or a cone on the ground, turned a little, and stays on it. */
export function draped(over: 'box' | 'cone', columns = 24): SceneFile {
  const side = 0.8;
  const { box, cone, thickness } = DRAPED;
  const shape = over === 'box' ? { box } : { cone: [cone.radius, cone.height / 2] as [number, number] };
  const top = over === 'box' ? 2 * box[1] : cone.height;
  const { vertices, triangles } = sheet(columns, columns, (u, v): Vec3 => {
    const [x, z] = [side * (u - 0.5), side * (0.5 - v)];
    return [x * Math.cos(0.3) - z * Math.sin(0.3), top + 0.02, x * Math.sin(0.3) + z * Math.cos(0.3)];
  });
  return tidy({
    version: 1,
    title: `Cloth over a ${over}`,
    description: `A cloth falls over a ${over}`,
    materials: { ...floor(0.5), wood: { friction: 0.5 } },
    bodies: [GROUND, { name: over, type: 'static', material: 'wood', position: [0, top / 2, 0], shape }],
    shells: [
      {
        name: 'cloth',
        vertices,
        triangles,
        ...fabric(0.25, 5000, 3e-5, thickness, { damping: 0.004, friction: 0.5, airDrag: 0.5 }),
      },
    ],
  });
}

/** A hanging cloth that two balls pinch from both sides. */
export function pinched(columns = 24): SceneFile {
  const side = 0.8;
  const { vertices, triangles, rows } = sheet(columns, columns, (u, v): Vec3 => [side * (u - 0.5), 0.6 + side * v, 0]);
  const ball = (name: string, z: number): BodyFile => ({
    name,
    type: 'kinematic',
    material: 'steel',
    position: [0, 1, z],
    shape: { sphere: 0.15 },
  });
  const path = (side: number): KeyFile[] => [
    { time: 0, position: [0, 1, side * 0.4] },
    { time: 1, position: [0, 1, side * 0.156] },
    { time: 1.5, position: [0, 1, side * 0.151] },
    { time: 2.5, position: [0.2, 1.1, side * 0.151] },
  ];
  return tidy({
    version: 1,
    title: 'Pinched cloth',
    description: 'Two balls pinch a hanging cloth and pull it aside',
    materials: { ...floor(0.5), steel: { friction: 0.8 } },
    bodies: [GROUND, ball('front', 0.4), ball('back', -0.4)],
    shells: [
      {
        name: 'cloth',
        vertices,
        triangles,
        ...fabric(0.2, 5000, 3e-5, 0.006, { damping: 0.004, friction: 0.8 }),
        pins: [(rows - 1) * columns, rows * columns - 1],
      },
    ],
    motions: [
      { body: 'front', keys: path(1) },
      { body: 'back', keys: path(-1) },
    ],
  });
}

/** Inside of the drum of `laundry` [m]. */
export const DRUM = { radius: 0.4, half: 0.3, planks: 12 };

/** Napkins in a drum that turns slowly enough that they fall: planks around, ribs that lift, two lids. */
export function laundry(count = 5, columns = 14): SceneFile {
  const side = 0.45;
  const [wall, turnsASecond] = [0.05, 0.7];
  const { radius, half, planks } = DRUM;

  const around = (angle: number, away: number, size: Vec3) => ({
    position: [away * Math.cos(angle), away * Math.sin(angle), 0] as Vec3,
    rotation: turn([0, 0, 1], angle),
    shape: { box: size },
  });
  const wide = radius * Math.tan(Math.PI / planks) + wall;
  const lid = (z: number) => ({
    position: [0, 0, z] as Vec3,
    shape: { box: [radius + wall, radius + wall, wall] as Vec3 },
  });

  const parts = [
    ...Array.from({ length: planks }, (_, i) =>
      around((2 * Math.PI * i) / planks, radius + wall, [wall, wide, half + wall]),
    ),
    ...[0, 1, 2].map((i) => around((2 * Math.PI * (i + 0.25)) / 3, radius, [0.07, 0.02, half])),
    lid(half + wall),
    lid(-half - wall),
  ];

  const keys: KeyFile[] = Array.from({ length: 25 }, (_, i) => ({
    time: i / (24 * turnsASecond),
    position: [0, 0, 0],
    rotation: turn([0, 0, 1], (2 * Math.PI * i) / 24),
  }));

  return tidy({
    version: 1,
    title: 'Laundry',
    description: 'Napkins tumble in a turning drum',
    materials: { drum: { friction: 0.5 } },
    bodies: [{ name: 'drum', type: 'kinematic', material: 'drum', shape: { compound: parts } }],
    shells: Array.from({ length: count }, (_, k) => {
      const { vertices, triangles } = sheet(
        columns,
        columns,
        (u, v): Vec3 => [side * (u - 0.5), 0.03 * k - 0.2, side * (0.5 - v)],
      );
      return {
        name: `napkin-${k}`,
        vertices,
        triangles,
        ...fabric(0.2, 5000, 3e-5, 0.008, { damping: 0.003, friction: 0.4, airDrag: 0.5 }),
      };
    }),
    motions: [{ body: 'drum', keys, loop: true }],
  });
}
