// Hair for a head, made by a formula: straight, wavy or curly, parted in the middle, in locks that wave together.
//
// In the head's axes: +z the face, +y up. Roots lie on the scalp in an even spiral; a path grows out of the skin and
// falls to both sides; waves and curls are laid round it. Nothing starts inside head or shoulders.

import { vec3 } from 'gl-matrix';
import { HEAD, outsideBust } from './bust';
import { cross, scatter, unit, type Vec3 } from './demo-scene';

export const STYLES = { straight: 0, wavy: 1, curly: 2 } as const;

interface Style {
  /** Length of the path [m], shortest and longest. */
  length: readonly [number, number];
  /** Nodes of a strand. */
  nodes: number;
  /** Radius of the wave round the path [m], and turns of it. */
  wave: number;
  turns: number;
  /** Share of the wave that goes out of the plane: 0 a flat wave, 1 a round curl. */
  round: number;
}

const SHAPES: readonly Style[] = [
  { length: [0.25, 0.28], nodes: 24, wave: 0.0006, turns: 1.5, round: 0.5 },
  { length: [0.23, 0.27], nodes: 30, wave: 0.0045, turns: 4.2, round: 0.35 },
  { length: [0.13, 0.16], nodes: 36, wave: 0.0062, turns: 4.6, round: 1 },
];

const LOCKS = 110;
/** The golden angle: points of a spiral by it lie evenly [rad]. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Strands of a style (of STYLES); roots `lift` above the skin [m]. */
export function styleHair(style: number, count: number, lift: number): Vec3[][] {
  const shape = SHAPES[style] ?? SHAPES[0];
  const random = scatter(41);
  const locks = Array.from({ length: LOCKS }, (_, k) => ({
    normal: scalp(k, LOCKS, 0),
    phase: 2 * Math.PI * random(),
    turns: 0.88 + 0.24 * random(),
    wave: 0.8 + 0.4 * random(),
  }));
  const strands: Vec3[][] = [];
  for (let s = 0; s < count; s++) {
    const normal = scalp(s, count, random() - 0.5);
    let lock = locks[0];
    for (const other of locks) if (vec3.dot(other.normal, normal) > vec3.dot(lock.normal, normal)) lock = other;
    const length = shape.length[0] + (shape.length[1] - shape.length[0]) * random();
    const path = grow(normal, length, shape.nodes, lift, random);
    strands.push(
      wind(path, {
        phase: lock.phase + 0.9 * (random() - 0.5),
        turns: shape.turns * lock.turns,
        radius: shape.wave * lock.wave * (0.85 + 0.3 * random()),
        round: shape.round,
      }),
    );
  }
  return strands;
}

/**
 * Normal of the scalp at root `index` of `count`: from the crown to the ears, further
 * down at the back than at the brow.
 */
function scalp(index: number, count: number, jitter: number): Vec3 {
  const around = index * GOLDEN + 0.15 * jitter;
  const [ahead, side] = [Math.cos(around), Math.sin(around)];
  const hairline = 0.9 - 0.75 * ((1 - ahead) / 2) ** 0.8;
  const y = 1 - (1 - hairline + 0.15) * ((index + 0.5) / count);
  const flat = Math.sqrt(Math.max(0, 1 - y * y));
  return [flat * side, y, flat * ahead];
}

/** The way of a strand without its waves. */
function grow(normal: Vec3, length: number, nodes: number, lift: number, random: () => number): Vec3[] {
  const parted = normal[0] > 0.01 * Math.sin(40 * normal[2]) ? 1 : -1;
  const step = length / (nodes - 1);
  const loose = 0.3 + random();
  const path: Vec3[] = [];
  let p = vec3.scale([0, 0, 0], normal, HEAD + lift) as Vec3;
  for (let i = 0; i < nodes; i++) {
    path.push(p);
    const gone = i * step;
    const rise = Math.max(0, 1 - gone / 0.045);
    const direction: Vec3 = [
      0.9 * rise * normal[0] + parted * 0.55 * Math.max(0, 1 - gone / 0.105),
      0.9 * rise * normal[1] - Math.min(1, gone / 0.058),
      0.9 * rise * normal[2] - 0.18 * Math.max(0, 1 - gone / 0.14),
    ];
    const size = vec3.length(direction) || 1;
    p = outsideBust(
      vec3.scaleAndAdd([0, 0, 0], p, direction, step / size) as Vec3,
      lift + 0.03 * gone * loose + 0.0004,
    );
  }
  return path;
}

interface Wave {
  phase: number;
  turns: number;
  radius: number;
  round: number;
}

/** Lays a wave round a path; its root stays. */
function wind(path: readonly Vec3[], { phase, turns, radius, round }: Wave): Vec3[] {
  return path.map((p, i) => {
    const t = i / (path.length - 1);
    // The clamped first edge stays straight, and the wave grows from there.
    const grown = radius * Math.min(1, Math.max(0, 5 * (t - 1 / (path.length - 1))));
    const angle = 2 * Math.PI * turns * t + phase;
    const tangent = sub(path[Math.min(i + 1, path.length - 1)], path[Math.max(i - 1, 0)]);
    // Outwards from the head's axis, and across both.
    const out = unit([p[0], 0.3 * p[1], p[2]]);
    const side = unit(cross(tangent, out));
    const up = unit(cross(side, tangent));
    const [a, b] = [grown * (1 + Math.cos(angle)) * (0.4 + 0.6 * round), grown * Math.sin(angle)];
    return outsideBust(
      [0, 1, 2].map((k) => p[k] + a * up[k] + b * (round + (1 - round) * 0.8) * side[k]) as Vec3,
      1.5e-4,
    );
  });
}

const sub = (a: Vec3, b: Vec3): Vec3 => vec3.subtract([0, 0, 0], a, b) as Vec3;
