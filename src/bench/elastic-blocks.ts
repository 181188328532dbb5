// Friction problems of elastic blocks in full form, for benchmarks and tests of solvers: one implicit step of boxes
// of linear tetrahedra that lie on each other and on the ground.

import type { FullProblem, MatrixEntries } from '../scene/problem-types';
import { createChance } from './chance';

/** One box, its edges along the axes; y is up. */
export interface ElasticBlock {
  /** Cells along x, y and z, each of five tetrahedra. */
  readonly cells: readonly [number, number, number];
  /** Lowest corner [m]. */
  readonly origin: readonly [number, number, number];
  /** [m/s] */
  readonly velocity?: readonly [number, number, number];
}

export interface ElasticBlockOptions {
  /** Edge of a cell [m]. */
  readonly cell: number;
  /** [Pa], [-], [kg/m³] */
  readonly youngModulus: number;
  readonly poissonRatio: number;
  readonly density: number;
  /** [s] */
  readonly timeStep: number;
  readonly friction: number;
  /** [m/s²] */
  readonly gravity: readonly [number, number, number];
  /** Points closer than this to a face above which they lie touch it [m]. */
  readonly reach: number;
  /** Vertices of both sides look for faces of the other, so that contacts repeat each other. */
  readonly isTwoSided?: boolean;
  /** Random velocities of the nodes up to this [m/s], and their seed. */
  readonly noise?: number;
  readonly seed?: number;
}

/** The boxes of the bench and of most tests: rubber of 5e5 Pa, cells of 5 cm, dt 1/60 s. */
export const RUBBER: ElasticBlockOptions = {
  cell: 0.05,
  youngModulus: 5e5,
  poissonRatio: 0.2,
  density: 1000,
  timeStep: 1 / 60,
  friction: 0.5,
  gravity: [0, -9.81, 0],
  reach: 1e-3,
};

/** Sums of matrix entries by place. */
function createEntries(rows: number, columns: number) {
  const places = new Map<number, number>();
  return {
    add(i: number, j: number, x: number): void {
      const key = i * columns + j;
      places.set(key, (places.get(key) ?? 0) + x);
    },
    finish(): MatrixEntries {
      const count = places.size;
      const out = { row: new Int32Array(count), column: new Int32Array(count), value: new Float64Array(count) };
      let k = 0;
      for (const [key, x] of places) {
        out.row[k] = Math.floor(key / columns);
        out.column[k] = key % columns;
        out.value[k++] = x;
      }
      return { rows, columns, ...out };
    },
  };
}

type Entries = ReturnType<typeof createEntries>;

/**
 * Corners of the five tetrahedra of a cell, bit 0: x, bit 1: y, bit 2: z; odd cells are mirrored so that faces match.
 */
const EVEN = [
  [0, 1, 2, 4],
  [3, 2, 1, 7],
  [5, 4, 7, 1],
  [6, 7, 4, 2],
  [1, 2, 4, 7],
];
const ODD = EVEN.map((corners) => corners.map((corner) => corner ^ 1));

/** The problem of one step from rest positions: A = M + dt² K, f = M (v + dt g), gaps as speeds in w. */
export function elasticBlockProblem(blocks: readonly ElasticBlock[], options: ElasticBlockOptions): FullProblem {
  const { cell, timeStep, gravity, friction } = options;
  const chance = createChance(options.seed ?? 1);
  const first: number[] = [];
  let nodes = 0;
  for (const { cells } of blocks) {
    first.push(nodes);
    nodes += (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
  }
  const A = createEntries(3 * nodes, 3 * nodes);
  const mass = new Float64Array(nodes);
  const position = new Float64Array(3 * nodes);
  const f = new Float64Array(3 * nodes);
  const nodeOf = (b: number, i: number, j: number, k: number): number => {
    const [nx, ny] = blocks[b].cells;
    return first[b] + i + (nx + 1) * (j + (ny + 1) * k);
  };

  blocks.forEach((block, b) => {
    const [nx, ny, nz] = block.cells;
    for (let k = 0; k <= nz; k++) {
      for (let j = 0; j <= ny; j++) {
        for (let i = 0; i <= nx; i++) {
          const at = 3 * nodeOf(b, i, j, k);
          position[at] = block.origin[0] + cell * i;
          position[at + 1] = block.origin[1] + cell * j;
          position[at + 2] = block.origin[2] + cell * k;
        }
      }
    }
    for (let k = 0; k < nz; k++) {
      for (let j = 0; j < ny; j++) {
        for (let i = 0; i < nx; i++) {
          for (const corners of (i + j + k) % 2 === 0 ? EVEN : ODD) {
            const four = corners.map((c) => nodeOf(b, i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1)));
            addTetrahedron(A, mass, position, four, options);
          }
        }
      }
    }
    const noise = options.noise ?? 0;
    for (let n = first[b]; n < first[b] + (nx + 1) * (ny + 1) * (nz + 1); n++) {
      for (let a = 0; a < 3; a++) {
        const velocity = (block.velocity?.[a] ?? 0) + noise * (2 * chance() - 1) + timeStep * gravity[a];
        A.add(3 * n + a, 3 * n + a, mass[n]);
        f[3 * n + a] = mass[n] * velocity;
      }
    }
  });

  const contacts = findContacts(blocks, options, position, nodeOf);
  const H = createEntries(3 * contacts.length, 3 * nodes);
  const w = new Float64Array(3 * contacts.length);

  contacts.forEach(({ nodes: list, weights, gap }, c) => {
    // Frame: y, then x and z.
    list.forEach((node, k) => {
      H.add(3 * c, 3 * node + 1, weights[k]);
      H.add(3 * c + 1, 3 * node, weights[k]);
      H.add(3 * c + 2, 3 * node + 2, weights[k]);
    });
    w[3 * c] = gap / timeStep;
  });

  return {
    version: 1,
    form: 'full',
    contacts: contacts.length,
    mu: new Float64Array(contacts.length).fill(friction),
    bilateral: null,
    A: A.finish(),
    f,
    H: H.finish(),
    w,
  };
}

/** dt² K of a linear tetrahedron, and a quarter of its mass a node. */
function addTetrahedron(
  A: Entries,
  mass: Float64Array,
  position: Float64Array,
  four: readonly number[],
  { youngModulus, poissonRatio, density, timeStep }: ElasticBlockOptions,
): void {
  const edge = (k: number, a: number) => position[3 * four[k] + a] - position[3 * four[0] + a];
  const E = [1, 2, 3].map((k) => [edge(k, 0), edge(k, 1), edge(k, 2)]);
  const cross = (p: number[], q: number[]) => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const faces = [cross(E[1], E[2]), cross(E[2], E[0]), cross(E[0], E[1])];
  const six = E[0][0] * faces[0][0] + E[0][1] * faces[0][1] + E[0][2] * faces[0][2];
  const volume = Math.abs(six) / 6;
  // Gradients of the shape functions.
  const G = faces.map((face) => face.map((x) => x / six));
  G.unshift([0, 1, 2].map((a) => -(G[0][a] + G[1][a] + G[2][a])));
  const shear = youngModulus / (2 * (1 + poissonRatio));
  const bulk = (youngModulus * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
  const factor = timeStep * timeStep * volume;
  for (let m = 0; m < 4; m++) {
    mass[four[m]] += (density * volume) / 4;
    for (let n = 0; n < 4; n++) {
      const inner = G[m][0] * G[n][0] + G[m][1] * G[n][1] + G[m][2] * G[n][2];
      for (let a = 0; a < 3; a++) {
        for (let c = 0; c < 3; c++) {
          const k = bulk * G[m][a] * G[n][c] + shear * (G[m][c] * G[n][a] + (a === c ? inner : 0));
          if (k !== 0) A.add(3 * four[m] + a, 3 * four[n] + c, factor * k);
        }
      }
    }
  }
}

interface BlockContact {
  nodes: number[];
  weights: number[];
  /** [m] */
  gap: number;
}

type NodeOf = (block: number, i: number, j: number, k: number) => number;

/** Lower vertices on the ground (y = 0) and on upper faces of other blocks; with two sides also the other way round. */
function findContacts(
  blocks: readonly ElasticBlock[],
  { cell, reach, isTwoSided }: ElasticBlockOptions,
  position: Float64Array,
  nodeOf: NodeOf,
): BlockContact[] {
  const found: BlockContact[] = [];
  blocks.forEach((block, b) => {
    for (const side of isTwoSided ? [0, 1] : [0]) {
      const j = side === 0 ? 0 : block.cells[1];
      for (let k = 0; k <= block.cells[2]; k++) {
        for (let i = 0; i <= block.cells[0]; i++) {
          const node = nodeOf(b, i, j, k);
          const [x, y, z] = [position[3 * node], position[3 * node + 1], position[3 * node + 2]];
          if (side === 0 && y <= reach) found.push({ nodes: [node], weights: [1], gap: y });
          blocks.forEach((other, o) => {
            if (o === b) return;
            const face = side === 0 ? other.origin[1] + cell * other.cells[1] : other.origin[1];
            const gap = side === 0 ? y - face : face - y;
            if (Math.abs(gap) > reach) return;
            const touched = faceAt(other, o, cell, side === 0 ? other.cells[1] : 0, x, z, nodeOf);
            if (!touched) return;
            const sign = side === 0 ? 1 : -1;
            found.push({
              nodes: [node, ...touched.nodes],
              weights: [sign, ...touched.weights.map((s) => -sign * s)],
              gap,
            });
          });
        }
      }
    }
  });
  return found;
}

/** Three corners of the face under (x, z) and their shares. */
function faceAt(block: ElasticBlock, b: number, cell: number, j: number, x: number, z: number, nodeOf: NodeOf) {
  const s = (x - block.origin[0]) / cell;
  const t = (z - block.origin[2]) / cell;
  const [nx, , nz] = block.cells;
  const slack = 1e-9;
  if (s < -slack || t < -slack || s > nx + slack || t > nz + slack) return null;
  const i = Math.min(Math.max(Math.floor(s), 0), nx - 1);
  const k = Math.min(Math.max(Math.floor(t), 0), nz - 1);
  const [p, q] = [s - i, t - k];
  const nodes =
    p + q <= 1
      ? [nodeOf(b, i, j, k), nodeOf(b, i + 1, j, k), nodeOf(b, i, j, k + 1)]
      : [nodeOf(b, i + 1, j, k + 1), nodeOf(b, i, j, k + 1), nodeOf(b, i + 1, j, k)];
  const weights = p + q <= 1 ? [1 - p - q, p, q] : [p + q - 1, 1 - p, 1 - q];
  return { nodes, weights };
}

/** A wall of blocks in bond, the lowest row of `base`, each row one shorter: gaps and speeds differ a little. */
export function elasticPyramid(
  base: number,
  cells: readonly [number, number, number],
  options: Partial<ElasticBlockOptions> = {},
): FullProblem {
  const all = { ...RUBBER, ...options };
  const chance = createChance(options.seed ?? 7);
  const [wide, high] = [cells[0] * all.cell, cells[1] * all.cell];
  const blocks: ElasticBlock[] = [];
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) {
      const z = 0.3 * all.cell * (2 * chance() - 1);
      blocks.push({
        cells,
        origin: [(i + 0.5 * row) * 1.03 * wide + 0.1 * all.cell * chance(), row * (high + 0.2 * all.reach), z],
        velocity: [0.1 * (2 * chance() - 1), -0.3 * chance(), 0.1 * (2 * chance() - 1)],
      });
    }
  }
  return elasticBlockProblem(blocks, all);
}
