// A head of hair on a bust: our own, made by a formula, or a groom file that somebody dropped on the page.
//
// Whatever the file's units and axes, a sphere is fitted to the roots, scaled to a head and turned so that the hair
// grows upwards; every strand is then moved along its radius until its root sits on the sphere.

import { vec3 } from 'gl-matrix';
import { readGroom, resampleGroom } from '../../src/index';
import { bust, CENTRE, HEAD, type Swing, swingHead } from './bust';
import {
  type DemoScene,
  GROUND,
  type SceneFile,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  type Values,
  type Vec3,
} from './demo-scene';
import { reachOf } from './hair-reach';
import { strandFile } from './strand-file';

const HAIR = 3.7e-5; // radius [m]
/** Roots sit this far above the skin [m]. */
const LIFT = 2e-4;
const POINTS = 24;
const USUAL = 500;
const FRICTION = 0.25;

type Strands = Vec3[][];

/** What is drawn from a file, in the head's axes, seated on the head. */
function seatGroom(bytes: Uint8Array, name: string, count: number): Strands {
  const groom = resampleGroom(readGroom(bytes, name), { scale: 'head', vertices: POINTS, maxStrands: count, seed: 1 });
  const strands: Strands = [];
  for (let s = 0; s < groom.counts.length; s++) {
    const strand: Vec3[] = [];
    for (let i = 0; i < POINTS; i++) {
      const at = 3 * (POINTS * s + i);
      strand.push([groom.positions[at], groom.positions[at + 1], groom.positions[at + 2]]);
    }
    strands.push(strand);
  }
  return seat(strands);
}

/** Brings strands in any pose onto the head. */
function seat(strands: Strands): Strands {
  const { centre, radius } = fitSphere(strands.map((strand) => strand[0]));
  const scale = HEAD / radius;
  const up: Vec3 = [0, 0, 0];
  for (const [root] of strands) vec3.add(up, up, vec3.subtract([0, 0, 0], root, centre));
  const axes = uprightAxes(up);
  const out: Strands = [];
  for (const strand of strands) {
    const moved = strand.map((point) => {
      const p = vec3.subtract([0, 0, 0], point, centre);
      vec3.scale(p, p, scale);
      return axes.map(([axis, sign]) => sign * p[axis]) as Vec3;
    });
    const root = vec3.length(moved[0]);
    if (!(root > 1e-6)) continue;
    const shift = (HEAD + LIFT - root) / root;
    const offset = vec3.scale([0, 0, 0], moved[0], shift);
    // What then lies in the head goes up to the skin, the further out the nearer to the tip.
    out.push(
      moved.map((point, i) => {
        const p = vec3.add([0, 0, 0], point, offset);
        const distance = vec3.length(p);
        const least = HEAD + LIFT * (1 + i / POINTS);
        const lift = distance < least ? least / Math.max(distance, 1e-6) : 1;
        return vec3.scale(p, p, lift) as Vec3;
      }),
    );
  }
  return out;
}

/** For each axis of the head, the axis of the groom and its sign, such that `up` becomes y. */
function uprightAxes(up: readonly number[]): [number, number][] {
  const sizes = up.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const sign = up[axis] < 0 ? -1 : 1;
  // Turns, never mirrors.
  if (axis === 1)
    return sign > 0
      ? [
          [0, 1],
          [1, 1],
          [2, 1],
        ]
      : [
          [0, 1],
          [1, -1],
          [2, -1],
        ];
  if (axis === 2)
    return [
      [0, 1],
      [2, sign],
      [1, -sign],
    ];
  return [
    [1, -sign],
    [0, sign],
    [2, 1],
  ];
}

/** Sphere nearest to the points by least squares of x·x = 2 c·x + d. */
function fitSphere(points: readonly Vec3[]): { centre: Vec3; radius: number } {
  const rows = Array.from({ length: 4 }, () => [0, 0, 0, 0, 0]);
  for (const [x, y, z] of points) {
    const row = [2 * x, 2 * y, 2 * z, 1, x * x + y * y + z * z];
    for (let i = 0; i < 4; i++) for (let j = 0; j < 5; j++) rows[i][j] += row[i] * row[j];
  }
  // A grain of a sphere at the origin keeps flat and tiny grooms solvable.
  for (let i = 0; i < 3; i++) rows[i][i] += 1e-6 * points.length;
  for (let i = 0; i < 4; i++) {
    let pivot = i;
    for (let j = i + 1; j < 4; j++) if (Math.abs(rows[j][i]) > Math.abs(rows[pivot][i])) pivot = j;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let j = 0; j < 4; j++) {
      if (j === i) continue;
      const share = rows[j][i] / rows[i][i];
      for (let k = i; k < 5; k++) rows[j][k] -= share * rows[i][k];
    }
  }
  const [x, y, z, d] = rows.map((row, i) => row[4] / row[i]);
  const radius = Math.sqrt(Math.max(d + x * x + y * y + z * z, 1e-6));
  return { centre: [x, y, z], radius };
}

/** Our own: long wavy hair with a parting, combed to both sides. */
function wig(count: number): Strands {
  const random = scatter(99);
  const strands: Strands = [];

  for (let s = 0; s < count; s++) {
    // The scalp: from the crown down to the ears, further at the back, less over the face at +z.
    const around = s * Math.PI * (3 - Math.sqrt(5)) + 0.1 * random();
    const [ahead, side] = [Math.cos(around), Math.sin(around)];
    const hairline = 0.9 - 0.75 * ((1 - ahead) / 2) ** 0.8; // height over the radius
    const y = 1 - (1 - hairline + 0.15) * ((s + 0.5) / count);
    const flat = Math.sqrt(1 - y * y);
    const normal: Vec3 = [flat * side, y, flat * ahead];
    const parted = normal[0] > 0.012 ? 1 : -1;
    const length = 0.27 + 0.03 * random();
    const step = length / (POINTS - 1);
    const [phase, wave] = [0.8 * random() + (parted > 0 ? 0 : 1), 0.0016 + 0.0016 * random()];
    const path: Vec3[] = [];
    let p = vec3.scale([0, 0, 0], normal, HEAD + LIFT) as Vec3;

    for (let i = 0; i < POINTS; i++) {
      path.push(p);
      const rise = Math.max(0, 1 - i / 4);
      const direction: Vec3 = [
        0.9 * rise * normal[0] + parted * 0.55 * Math.max(0, 1 - i / 9),
        0.9 * rise * normal[1] - Math.min(1, i / 5),
        0.9 * rise * normal[2] - 0.18 * Math.max(0, 1 - i / 12),
      ];
      const size = vec3.length(direction) || 1;
      p = vec3.scaleAndAdd([0, 0, 0], p, direction, step / size) as Vec3;
      const distance = vec3.length(p);
      const least = HEAD + LIFT + 4e-4 * i * (0.3 + random());
      if (distance < least) p = vec3.scale([0, 0, 0], p, least / distance) as Vec3;
    }

    // Waves across the fall, all of a side nearly in step.
    strands.push(
      path.map(([x, h, z], i) => {
        const t = i / (POINTS - 1);
        const a = wave * Math.min(1, Math.max(0, 6 * t - 0.4));
        const angle = 2 * Math.PI * 4.2 * t + phase;
        const out = Math.hypot(x, z) || 1;
        const [c, d] = [a * (1 + Math.cos(angle)), a * Math.sin(angle)];
        return [x + (c * x - d * z) / out, h, z + (c * z + d * x) / out] as Vec3;
      }),
    );
  }

  return strands;
}

const STILL = 1; // [s]
/** Turns to both sides, then nods. */
const MOVES: readonly Swing[] = [
  [[0, 1, 0], 1.0, 2, 3],
  [[1, 0, 0], 0.45, 2, 2.5],
  [[0, 0, 1], 0.4, 2, 2.5],
];

function scene(title: string, values: Values | undefined): SceneFile {
  return tidy({
    version: 1,
    title,
    description: 'Hair on a head that turns and nods, over a bust',
    materials: {
      floor: { density: 2000, friction: 0.5, restitution: 0 },
      linen: { density: 1000, friction: 0.3, restitution: 0 },
      brass: { density: 8500, friction: 0.3, restitution: 0 },
    },
    bodies: [GROUND, ...bust()],
    grooms: [
      {
        name: 'hair',
        file: 'groom.data',
        position: CENTRE,
        rod: {
          radius: HAIR,
          friction: Number(values?.friction ?? FRICTION),
          stretchModulus: 1e6,
          attachStart: 'head',
        },
      },
    ],
    motions: [{ body: 'head', keys: swingHead(STILL, MOVES, 0.4), loop: true }],
  });
}

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  const { least, most } = reachOf(result.endPoints('hair'), CENTRE);
  if (least < HEAD - 1e-3) return `a hair is ${HEAD - least} m inside the head`;
  if (most > 1) return `a hair is ${most} m from the head`;
  return null;
}

function makeGroom(
  id: string,
  title: string,
  description: string,
  strands: (count: number) => Strands,
  most: number,
  colors: readonly string[],
): DemoScene {
  const usual = Math.min(USUAL, most);
  return {
    id,
    title,
    description,
    build: (_amount, values) => scene(title, values),
    files: (amount = usual) => new Map([['groom.data', strandFile(strands(amount))]]),
    ...(most > 1 && {
      amount: { label: 'strands', least: Math.min(50, most - 1), most, step: most > 200 ? 50 : 1, usual, tested: 100 },
    }),
    parameters: [{ key: 'friction', label: 'friction', least: 0, most: 0.8, step: 0.05, usual: FRICTION, live: true }],
    tune: (values, tuner) => tuner.setRod('hair', { friction: Number(values.friction) }),
    camera: { target: [0, 0.32, 0], distance: 0.98, yaw: 0.55, pitch: 0.06, upright: true },
    promise: 'no hair enters the head',
    seconds: 1.5,
    check,
    strands: () => ({ finish: 'hair', colors, radius: 2.8e-4, lock: 0.005 }),
  };
}

export const groom = makeGroom(
  'groom',
  'Long hair',
  'Long hair on a bust. Drop a groom of yours on the page: .hair, .data or .tfx.',
  wig,
  5000,
  ['#1f1512', '#3a241a', '#57331f', '#2b1a14'],
);

/** Longest strands list that a slider offers. */
const MOST = 8000;

/** A scene of a groom file. Throws UsageError if the bytes are no groom. */
export function droppedGroom(bytes: Uint8Array, name: string): DemoScene {
  const { counts } = readGroom(bytes, name);
  return makeGroom(
    'dropped-groom',
    name,
    `${counts.length} strands in the file, drawn at random, scaled to a head and clamped at their roots.`,
    (count) => seatGroom(bytes, name, count),
    Math.min(counts.length, MOST),
    ['#5d3a1f', '#8a5a2e', '#b98548', '#74471f'],
  );
}

/** Whether a file is a groom by its name. */
export function isGroomFile(name: string): boolean {
  return /\.(hair|data|tfx)$/i.test(name);
}
