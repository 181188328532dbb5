/**
 * Which rows of joints hang together: those that hold the same object or body, and those that hang together with
 * these. Rows of two blocks have nothing to do with each other (C_i K⁻¹ C_jᵀ = 0), so that S is kept and factored
 * a block at a time: two bridges cost twice what one costs, not four times.
 */
import type { JointRows } from './joint-rows';
import { type AdmmProblem, type ColumnOperator, grown } from './problem';

export interface JointBlocks {
  count: number;
  /** Rows block by block, rising in each: of block b those from first[b] to first[b + 1]. */
  rows: Int32Array;
  first: Int32Array;
  /** Where S of a block, dense, begins. */
  matrix: Int32Array;
  /**
   * Unknowns that the rows of a block move, an object's or a body's at a time: from and end of each, of block b those
   * from spanFirst[b] to spanFirst[b + 1].
   */
  spans: Int32Array;
  spanFirst: Int32Array;
  /** Block of each row. */
  blockOf: Int32Array;
  /** By block, 1: its rows are left out of applyJoints. */
  leftOut: Uint8Array;
}

export function createJointBlocks(): JointBlocks {
  const none = new Int32Array(0);
  return {
    count: 0,
    rows: none,
    first: none,
    matrix: none,
    spans: none,
    spanFirst: none,
    blockOf: none,
    leftOut: new Uint8Array(0),
  };
}

/** By first unknown over four: the first row that holds that object or body, −1 none. */
let holding = new Int32Array(0);
/** By row: a row before it that hangs together with it, or itself. */
let leader = new Int32Array(0);
const ends = new Int32Array(4);
const range = new Int32Array(2);

/** ends := first unknowns of the objects and bodies that row i holds; returns how many there are. */
function listEnds({ elasticCount }: AdmmProblem, rows: JointRows, i: number, operator: ColumnOperator): number {
  let count = 0;
  const isOfNode = rows.node[i] >= 0;
  for (let side = 0; side < 2; side++) {
    const node = side === 0 ? rows.node[i] : rows.other[i];
    if (isOfNode && node >= 0) {
      operator.rangeOf(range, node);
      ends[count++] = range[0];
    }
    const body = isOfNode ? (side === 0 ? rows.body[i] : -1) : rows.bodies[2 * i + side];
    if (body >= 0) ends[count++] = elasticCount + 8 * body;
  }
  return count;
}

/** The row that stands for all that hang together with row i: the first. */
function leaderOf(i: number): number {
  let row = i;
  while (leader[row] !== row) {
    leader[row] = leader[leader[row]];
    row = leader[row];
  }
  return row;
}

/** Lists the blocks of the rows. */
export function listJointBlocks(
  out: JointBlocks,
  problem: AdmmProblem,
  rows: JointRows,
  operator: ColumnOperator,
): void {
  const n = rows.count;
  if (out.rows.length < n) {
    out.rows = new Int32Array(2 * n);
    out.blockOf = new Int32Array(2 * n);
    out.leftOut = new Uint8Array(2 * n);
    out.first = new Int32Array(2 * n + 1);
    out.matrix = new Int32Array(2 * n + 1);
    out.spanFirst = new Int32Array(2 * n + 1);
  }
  const places = (problem.elasticCount >> 2) + 2 * problem.bodyCount;
  if (holding.length < places) holding = new Int32Array(2 * places);
  holding.fill(-1, 0, places);
  if (leader.length < n) leader = new Int32Array(2 * n);
  for (let i = 0; i < n; i++) {
    leader[i] = i;
    for (let k = listEnds(problem, rows, i, operator) - 1; k >= 0; k--) {
      const place = ends[k] >> 2;
      if (holding[place] < 0) {
        holding[place] = i;
        continue;
      }
      const [a, b] = [leaderOf(i), leaderOf(holding[place])];
      leader[Math.max(a, b)] = Math.min(a, b);
    }
  }
  sortRows(out, n);
  listSpans(out, problem, rows, operator);
}

/** Numbers the blocks by their first rows, and sorts the rows by block. */
function sortRows(out: JointBlocks, n: number): void {
  const { rows, blockOf, first, matrix, spanFirst: taken } = out;
  out.count = 0;
  // A leader comes before all that it stands for.
  for (let i = 0; i < n; i++) {
    const lead = leaderOf(i);
    blockOf[i] = lead === i ? out.count++ : blockOf[lead];
  }
  first.fill(0, 0, out.count + 1);
  for (let i = 0; i < n; i++) first[blockOf[i] + 1]++;
  matrix[0] = 0;
  for (let b = 0; b < out.count; b++) {
    matrix[b + 1] = matrix[b] + first[b + 1] * first[b + 1];
    first[b + 1] += first[b];
    taken[b] = 0;
    out.leftOut[b] = 0;
  }
  for (let i = 0; i < n; i++) rows[first[blockOf[i]] + taken[blockOf[i]]++] = i;
}

/** Lists what the rows of each block move, each object and body once. */
function listSpans(out: JointBlocks, problem: AdmmProblem, rows: JointRows, operator: ColumnOperator): void {
  let count = 0;
  for (let b = 0; b < out.count; b++) {
    out.spanFirst[b] = count;
    for (let k = out.first[b]; k < out.first[b + 1]; k++) {
      for (let end = listEnds(problem, rows, out.rows[k], operator) - 1; end >= 0; end--) {
        const from = ends[end];
        if (holding[from >> 2] < 0) continue;
        holding[from >> 2] = -1;
        if (out.spans.length < 2 * count + 2) out.spans = grown(out.spans, 4 * count + 32);
        out.spans[2 * count] = from;
        if (from < problem.elasticCount) operator.rangeOf(range, from);
        out.spans[2 * count + 1] = from < problem.elasticCount ? range[1] : from + 8;
        count++;
      }
    }
  }
  out.spanFirst[out.count] = count;
}
