// How a body on joints answers to impulses while it bears others that move freely: a plank with a crate on it is as heavy as both.
//
// In: islands, pairs and impulses as the rigid solvers left them. Out: 6×6 matrices R, Δ(v, ω) = R (impulse, moment), of bodies on joints
// that bear a load (solve/joint-islands.ts). With H the rows of the contacts between bodies that move freely, as far as they press, and of friction
// as far as it sticks,
//   R = M⁻¹ − M⁻¹ Hᵀ (H M⁻¹ Hᵀ)⁻¹ H M⁻¹
// is what the CPU's next solve makes of an impulse while these rows hold, and so what the device must expect of those that the CPU has not
// heard of. With M⁻¹ instead, a joint below a load of k times its body's mass comes nearer by a factor (k/(1 + k))^½ a step, in turns:
// ten times the mass falls through. `hold` does the same to ways that bodies have missed.

import type { Tables } from '../../state/tables';
import { findJointIslands, isFree, MOST_POINTS } from './joint-islands';

/** Friction below this share of its cone sticks [-]. */
const STICKS = 0.99;
/** Share of the diagonal that is added to it: rows of a manifold say the same several times. */
const SOFTNESS = 1e-6;
/** Numbers of a matrix. */
const SIZE = 36;

export interface BodyResponses {
  /** Bodies that have one, by slot. */
  readonly bodies: readonly number[];
  /** Looks anew which have one, and what it is. `jointed`: slots of bodies on joints that move freely. After the rigid solve. */
  find(tables: Tables, jointed: ReadonlySet<number>): void;
  /** None has one. */
  clear(): void;
  /**
   * `ways`: six numbers a body slot, how far bodies would have gone for impulses that they have missed, if nothing touched. Tells of all
   * bodies of the islands found last how far they have gone.
   */
  hold(tables: Tables, ways: Float64Array, tell: (body: number, way: Float64Array) => void): void;
  /** Writes Response (response.wgsl) of the k-th body: three matrices by columns, each of which has four places. */
  pack(out: Float32Array, at: number, k: number): void;
  /** R M (v, ω): what becomes of the impulse that would give the k-th body a motion if it touched nothing. */
  answer(tables: Tables, k: number, motion: ArrayLike<number>): Float64Array;
}

export function createBodyResponses(): BodyResponses {
  const bodies: number[] = [];
  const islands: Rows[] = [];
  let matrices = new Float64Array(0);
  const answer = new Float64Array(6);
  return {
    bodies,
    find(tables, jointed) {
      bodies.length = 0;
      let count = 0;
      for (const { island, jointed: own, isLaden } of findJointIslands(tables, jointed)) {
        if (!isLaden) continue;
        islands[count] ??= createRows();
        collectRows(islands[count], tables, island);
        if (islands[count].count === 0) continue;
        factorRows(islands[count]);
        if (matrices.length < SIZE * (count + 1)) matrices = grown(matrices, 2 * SIZE * (count + 1));
        writeResponse(matrices, SIZE * count, islands[count], tables, own[0]);
        bodies.push(own[0]);
        count++;
      }
    },
    clear() {
      bodies.length = 0;
    },
    hold(tables, ways, tell) {
      for (let k = 0; k < bodies.length; k++) {
        const ends = islands[k].bodies.subarray(0, 2 * islands[k].count);
        // What was removed since ties nothing.
        if (ends.every((body) => tables.bodies.inverseMass[body] > 0)) holdWays(islands[k], tables, ways, tell);
      }
    },
    pack(out, at, k) {
      for (let c = 0; c < 3; c++) {
        for (let r = 0; r < 3; r++) {
          out[at + 4 * c + r] = matrices[SIZE * k + 6 * r + c];
          out[at + 12 + 4 * c + r] = matrices[SIZE * k + 6 * r + 3 + c];
          out[at + 24 + 4 * c + r] = matrices[SIZE * k + 6 * (3 + r) + 3 + c];
        }
      }
    },
    answer({ bodies: table }, k, motion) {
      unscale(six, table, bodies[k], motion);
      // N⁻ᵀ N⁻¹ motion.
      const root = rootOf(table, bodies[k]);
      for (let i = 2; i >= 0; i--) {
        six[i] /= Math.sqrt(table.inverseMass[bodies[k]]);
        for (let j = i + 1; j < 3; j++) six[3 + i] -= root[3 * j + i] * six[3 + j];
        six[3 + i] = root[4 * i] > 0 ? six[3 + i] / root[4 * i] : 0;
      }
      for (let a = 0; a < 6; a++) {
        answer[a] = 0;
        for (let b = 0; b < 6; b++) answer[a] += matrices[SIZE * k + 6 * a + b] * six[b];
      }
      return answer;
    },
  };
}

function grown(old: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(size);
  next.set(old);
  return next;
}

/** Rows of H of an island. With N the root of M⁻¹ = N Nᵀ. */
interface Rows {
  count: number;
  /** Two a row. */
  readonly bodies: Int32Array;
  /** H N: six numbers of each of the two bodies. */
  readonly scaled: Float64Array;
  /** Lower factor of H M⁻¹ Hᵀ. */
  readonly factor: Float64Array;
}

function createRows(): Rows {
  return {
    count: 0,
    bodies: new Int32Array(6 * MOST_POINTS),
    scaled: new Float64Array(36 * MOST_POINTS),
    factor: new Float64Array(9 * MOST_POINTS * MOST_POINTS),
  };
}

/** The contacts between free bodies that hold. */
function collectRows(rows: Rows, tables: Tables, island: number): void {
  const { bodies, pairs } = tables;
  rows.count = 0;
  const start = bodies.islandPairStart[island];
  for (let i = start; i < start + bodies.islandPairCount[island]; i++) {
    const pair = pairs.islandPairs[i];
    if (!isFree(bodies, pairs.bodyA[pair]) || !isFree(bodies, pairs.bodyB[pair])) continue;
    for (let at = 16 * pair; at < 16 * pair + 4 * pairs.points[pair]; at += 4) {
      const [normal, first, second] = pairs.impulse.subarray(at, at + 3);
      if (!(normal > 0)) continue;
      const sticks = first * first + second * second < (STICKS * pairs.material[4 * pair] * normal) ** 2;
      addRows(rows, tables, pair, at, sticks ? 3 : 1);
    }
  }
}

/** Rows of the first `count` axes of a contact's frame: normal, tangent, and what completes them. */
function addRows(rows: Rows, { bodies, pairs }: Tables, pair: number, point: number, count: number): void {
  const [nx, ny, nz] = pairs.normal.subarray(4 * pair, 4 * pair + 3);
  const [tx, ty, tz] = pairs.tangent.subarray(4 * pair, 4 * pair + 3);
  const frame = [
    [nx, ny, nz],
    [tx, ty, tz],
    [ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx],
  ];
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? pairs.bodyA[pair] : pairs.bodyB[pair];
    const sign = side === 0 ? -1 : 1;
    const [x, y, z] = [0, 1, 2].map((k) => pairs.point[point + k] - bodies.position[4 * body + k]);
    const root = rootOf(bodies, body);
    for (let axis = 0; axis < count; axis++) {
      const [a, b, c] = frame[axis];
      const arm = [y * c - z * b, z * a - x * c, x * b - y * a];
      const row = rows.count + axis;
      const at = 12 * row + 6 * side;
      rows.bodies[2 * row + side] = body;
      for (let k = 0; k < 3; k++) {
        rows.scaled[at + k] = sign * Math.sqrt(bodies.inverseMass[body]) * frame[axis][k];
        let sum = 0;
        for (let j = k; j < 3; j++) sum += arm[j] * root[3 * j + k];
        rows.scaled[at + 3 + k] = sign * sum;
      }
    }
  }
  rows.count += count;
}

const root = new Float64Array(9);

/** The part of N for the spin: lower Cholesky factor of the inverse inertia. */
function rootOf({ inverseInertia: I }: Tables['bodies'], body: number): Float64Array {
  const at = 8 * body;
  const full = [I[at], 0, 0, I[at + 3], I[at + 1], 0, I[at + 4], I[at + 5], I[at + 2]];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = full[3 * i + j];
      for (let k = 0; k < j; k++) sum -= root[3 * i + k] * root[3 * j + k];
      if (i === j) root[4 * i] = Math.sqrt(Math.max(0, sum));
      else root[3 * i + j] = root[4 * j] > 0 ? sum / root[4 * j] : 0;
    }
  }
  return root;
}

/** out := N⁻¹ motion. */
function unscale(out: Float64Array, bodies: Tables['bodies'], body: number, motion: ArrayLike<number>): void {
  const N = rootOf(bodies, body);
  for (let i = 0; i < 3; i++) {
    out[i] = motion[i] / Math.sqrt(bodies.inverseMass[body]);
    out[3 + i] = motion[3 + i];
    for (let j = 0; j < i; j++) out[3 + i] -= N[3 * i + j] * out[3 + j];
    out[3 + i] = N[4 * i] > 0 ? out[3 + i] / N[4 * i] : 0;
  }
}

/** H M⁻¹ Hᵀ of two rows. */
function respond({ bodies, scaled }: Rows, i: number, j: number): number {
  let sum = 0;
  for (let a = 0; a < 2; a++) {
    for (let b = 0; b < 2; b++) {
      if (bodies[2 * i + a] !== bodies[2 * j + b]) continue;
      for (let k = 0; k < 6; k++) sum += scaled[12 * i + 6 * a + k] * scaled[12 * j + 6 * b + k];
    }
  }
  return sum;
}

function factorRows(rows: Rows): void {
  const { count, factor } = rows;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = respond(rows, i, j) * (i === j ? 1 + SOFTNESS : 1);
      for (let k = 0; k < j; k++) sum -= factor[count * i + k] * factor[count * j + k];
      factor[count * i + j] = i === j ? Math.sqrt(sum) : sum / factor[count * j + j];
    }
  }
}

const six = new Float64Array(6);
const right = new Float64Array(3 * MOST_POINTS);

/** right := L⁻¹ right. */
function forward({ count, factor }: Rows): void {
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < i; k++) right[i] -= factor[count * i + k] * right[k];
    right[i] /= factor[count * i + i];
  }
}

/** right := L⁻ᵀ right. */
function backward({ count, factor }: Rows): void {
  for (let i = count - 1; i >= 0; i--) {
    for (let k = i + 1; k < count; k++) right[i] -= factor[count * k + i] * right[k];
    right[i] /= factor[count * i + i];
  }
}

/** motion −= N (H N)ᵀ right, of a body. */
function takePush(
  motion: Float64Array,
  { count, bodies: ends, scaled }: Rows,
  bodies: Tables['bodies'],
  body: number,
): void {
  six.fill(0);
  for (let end = 0; end < 2 * count; end++) {
    if (ends[end] !== body) continue;
    for (let k = 0; k < 6; k++) six[k] += right[end >> 1] * scaled[6 * end + k];
  }
  const N = rootOf(bodies, body);
  for (let k = 0; k < 3; k++) {
    motion[k] -= Math.sqrt(bodies.inverseMass[body]) * six[k];
    for (let j = 0; j <= k; j++) motion[3 + k] -= N[3 * k + j] * six[3 + j];
  }
}

/** right := (H M⁻¹ Hᵀ)⁻¹ H motion, of one body or all; `motion` has six numbers of each. */
function press(rows: Rows, bodies: Tables['bodies'], only: number, motion: Float64Array): void {
  right.fill(0, 0, rows.count);
  for (let end = 0; end < 2 * rows.count; end++) {
    const body = rows.bodies[end];
    if (only >= 0 && only !== body) continue;
    const at = only >= 0 ? 0 : 6 * body;
    unscale(six, bodies, body, motion.subarray(at, at + 6));
    for (let k = 0; k < 6; k++) right[end >> 1] += rows.scaled[6 * end + k] * six[k];
  }
  forward(rows);
  backward(rows);
}

/** R of a body, column by column, which are its rows. */
function writeResponse(out: Float64Array, at: number, rows: Rows, { bodies }: Tables, body: number): void {
  const [xx, yy, zz, xy, xz, yz] = bodies.inverseInertia.subarray(8 * body, 8 * body + 6);
  const spins = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  for (let c = 0; c < 6; c++) {
    const column = out.subarray(at + 6 * c, at + 6 * c + 6).fill(0);
    if (c < 3) column[c] = bodies.inverseMass[body];
    else column.set(spins.slice(3 * c - 9, 3 * c - 6), 3);
    press(rows, bodies, body, column);
    takePush(column, rows, bodies, body);
  }
}

/** ways − M⁻¹ Hᵀ (H M⁻¹ Hᵀ)⁻¹ H ways, for all bodies of an island. */
function holdWays(
  rows: Rows,
  { bodies }: Tables,
  ways: Float64Array,
  tell: (body: number, way: Float64Array) => void,
): void {
  press(rows, bodies, -1, ways);
  for (const body of new Set(rows.bodies.subarray(0, 2 * rows.count))) {
    const way = ways.slice(6 * body, 6 * body + 6);
    takePush(way, rows, bodies, body);
    tell(body, way);
  }
}
