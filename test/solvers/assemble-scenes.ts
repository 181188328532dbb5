/**
 * Small assembler for tests: boxes and their contact points → contact problem W = H M⁻¹ Hᵀ.
 * Bodies are boxes turned about the y axis (so arches and cards are exact); gravity along −z.
 */
import { type ContactProblem, createContactProblem } from '../../src/solvers/contact-problem';

export interface Body {
  mass: number;
  /** Half edges in the body frame [m]. */
  half: [number, number, number];
  centre: [number, number, number];
  /** Turn about y as cosine and sine. */
  turn: [number, number];
  velocity: [number, number, number];
}

export interface Point {
  /** Body indices, −1 for the ground; the normal points from `a` to `b`. */
  a: number;
  b: number;
  at: [number, number, number];
  normal: [number, number, number];
  mu: number;
  /** Normal velocity added for the gap [m/s]. */
  gapRate: number;
}

export interface Scene {
  bodies: Body[];
  points: Point[];
}

export const GRAVITY = 9.81;
export const STEP = 1 / 60;

type Vec = [number, number, number];
const cross = (p: Vec, q: Vec): Vec => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];

/** Inverse inertia tensor in the world frame, row-major. */
function inverseInertia(body: Body): number[] {
  const [x, y, z] = body.half.map((h) => 4 * h * h);
  const i = [12 / (body.mass * (y + z)), 12 / (body.mass * (x + z)), 12 / (body.mass * (x + y))];
  const [c, s] = body.turn;
  return [
    i[0] * c * c + i[2] * s * s,
    0,
    (i[2] - i[0]) * s * c,
    0,
    i[1],
    0,
    (i[2] - i[0]) * s * c,
    0,
    i[0] * s * s + i[2] * c * c,
  ];
}

/** Tangents of a unit normal, turned by `spin` (cosine, sine) in their plane. */
export function frameOf(normal: Vec, spin: [number, number]): Vec[] {
  const helper: Vec = Math.abs(normal[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const raw = cross(normal, helper);
  const length = Math.sqrt(raw[0] ** 2 + raw[1] ** 2 + raw[2] ** 2);
  const t1: Vec = [raw[0] / length, raw[1] / length, raw[2] / length];
  const t2 = cross(normal, t1);
  const [c, s] = spin;
  return [
    normal,
    [c * t1[0] + s * t2[0], c * t1[1] + s * t2[1], c * t1[2] + s * t2[2]],
    [c * t2[0] - s * t1[0], c * t2[1] - s * t1[1], c * t2[2] - s * t1[2]],
  ];
}

/** Reduced problem of one step under gravity; b is the velocity of each point without impulses. */
export function assembleScene(scene: Scene, spin: [number, number] = [1, 0]): ContactProblem {
  const { bodies, points } = scene;
  const n = points.length;
  // Row of H for point p, axis i and body: linear and angular part, signed.
  const rows = points.map((p) =>
    frameOf(p.normal, spin).map((axis) => ({
      axis,
      arms: [p.a, p.b].map((k) => {
        if (k < 0) return null;
        const c = bodies[k].centre;
        return cross([p.at[0] - c[0], p.at[1] - c[1], p.at[2] - c[2]], axis);
      }),
    })),
  );
  const inertias = bodies.map(inverseInertia);
  const blocks: { j: number; block: number[] }[][] = points.map((p, i) => {
    const row: { j: number; block: number[] }[] = [];
    points.forEach((q, j) => {
      let touches = i === j;
      const block = new Array(9).fill(0);
      for (const [si, bi] of [
        [0, p.a],
        [1, p.b],
      ]) {
        for (const [sj, bj] of [
          [0, q.a],
          [1, q.b],
        ]) {
          if (bi < 0 || bi !== bj) continue;
          touches = true;
          const sign = si === sj ? 1 : -1;
          const I = inertias[bi];
          for (let e = 0; e < 9; e++) {
            const left = rows[i][(e / 3) | 0];
            const right = rows[j][e % 3];
            const armL = left.arms[si] as Vec;
            const armR = right.arms[sj] as Vec;
            let sum = 0;
            for (let k = 0; k < 3; k++) {
              sum += (left.axis[k] * right.axis[k]) / bodies[bi].mass;
              for (let l = 0; l < 3; l++) sum += armL[k] * I[3 * k + l] * armR[l];
            }
            block[e] += sign * sum;
          }
        }
      }
      if (touches) row.push({ j, block });
    });
    return row;
  });
  const problem = createContactProblem(
    n,
    blocks.reduce((sum, row) => sum + row.length, 0),
  );
  problem.contactCount = n;
  let k = 0;
  blocks.forEach((row, i) => {
    problem.rowStart[i] = k;
    for (const { j, block } of row) {
      if (j === i) problem.diagonal[i] = k;
      problem.column[k] = j;
      problem.values.set(block, 9 * k);
      k++;
    }
  });
  problem.rowStart[n] = k;
  points.forEach((p, i) => {
    problem.mu[i] = p.mu;
    for (let axis = 0; axis < 3; axis++) {
      let v = axis === 0 ? p.gapRate : 0;
      for (const [sign, body] of [
        [-1, p.a],
        [1, p.b],
      ]) {
        if (body < 0) continue;
        const w = bodies[body].velocity;
        const d = rows[i][axis].axis;
        v += sign * (w[0] * d[0] + w[1] * d[1] + (w[2] - GRAVITY * STEP) * d[2]);
      }
      problem.b[3 * i + axis] = v;
    }
  });
  return problem;
}

/** Boxes of edge 1 m on top of each other; the top one `massRatio` times as heavy. */
export function stackOfBoxes(count: number, massRatio = 1, mu = 0.5, push: Vec = [0, 0, 0]): Scene {
  const bodies: Body[] = [];
  const points: Point[] = [];
  for (let k = 0; k < count; k++) {
    bodies.push({
      mass: k === count - 1 ? massRatio : 1,
      half: [0.5, 0.5, 0.5],
      centre: [0, 0, 0.5 + k],
      turn: [1, 0],
      velocity: [...push],
    });
    for (const x of [-0.5, 0.5]) {
      for (const y of [-0.5, 0.5]) {
        points.push({ a: k - 1, b: k, at: [x, y, k], normal: [0, 0, 1], mu, gapRate: 0 });
      }
    }
  }
  return { bodies, points };
}

/** Semicircular arch of blocks, mean radius 1 m, four points at each joint and at both feet. */
export function archOfBlocks(count: number, thickness = 0.15, mu = 0.8): Scene {
  const bodies: Body[] = [];
  const points: Point[] = [];
  const depth = 0.5;
  const angle = Math.PI / count;
  for (let k = 0; k < count; k++) {
    const theta = (k + 0.5) * angle;
    bodies.push({
      mass: 10,
      half: [thickness / 2, depth, Math.tan(angle / 2)],
      centre: [Math.cos(theta), 0, Math.sin(theta)],
      turn: [Math.cos(-theta), Math.sin(-theta)],
      velocity: [0, 0, 0],
    });
  }
  for (let k = 0; k <= count; k++) {
    const theta = k * angle;
    // From block k − 1 to block k along the arch; both feet push their block up.
    const towards: Vec = [-Math.sin(theta), 0, Math.cos(theta)];
    const isLast = k === count;
    const normal: Vec = isLast ? [-towards[0], 0, -towards[2]] : towards;
    for (const r of [1 - thickness / 2, 1 + thickness / 2]) {
      for (const y of [-depth, depth]) {
        points.push({
          a: isLast ? -1 : k - 1,
          b: isLast ? k - 1 : k,
          at: [r * Math.cos(theta), y, r * Math.sin(theta)],
          normal,
          mu,
          gapRate: 0,
        });
      }
    }
  }
  return { bodies, points };
}

/** Two cards leaning on each other at `lean` [rad] from the vertical: two points per foot and at the ridge. */
export function cardPair(lean = 0.4, mu = 0.7): Scene {
  const length = 1;
  const width = 0.7;
  const thin = 0.02;
  const c = Math.cos(lean);
  const s = Math.sin(lean);
  const bodies: Body[] = [-1, 1].map((side) => ({
    mass: 0.2,
    half: [thin / 2, width / 2, length / 2],
    centre: [(side * length * s) / 2, 0, (length * c) / 2],
    turn: [c, -side * s],
    velocity: [0, 0, 0],
  }));
  const points: Point[] = [];
  for (const y of [-width / 2, width / 2]) {
    for (const z of [-thin, thin]) {
      points.push({ a: 0, b: 1, at: [0, y, length * c + z * c], normal: [1, 0, 0], mu, gapRate: 0 });
    }
    for (const side of [-1, 1]) {
      for (const x of [0, thin]) {
        points.push({
          a: -1,
          b: side < 0 ? 0 : 1,
          at: [side * (length * s + x), y, 0],
          normal: [0, 0, 1],
          mu,
          gapRate: 0,
        });
      }
    }
  }
  return { bodies, points };
}

/** Small deterministic generator for test data (xorshift), numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = (seed | 0) ^ 0x9e3779b9 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
