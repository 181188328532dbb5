// Does a strand pass through a strand? Judged from positions alone, apart from the collision code.
//
// In a step every node moves on a straight line. Two edges pass through each other where the volume that their four
// nodes span changes its sign at a moment when the segments meet: roots of a cubic, found between its turning points.

/** What one look at a step found. */
export interface Crossings {
  /** Times that one edge went through another. */
  count: number;
  /** Pairs of edges that came near enough to be looked at. */
  pairs: number;
}

/** Finds crossings of one step; keeps its arrays. */
export function createCrossingDetection() {
  let box = new Float64Array(0);
  let cellOf = new Int32Array(0);
  let edgeOf = new Int32Array(0);

  /**
   * `from`, `to`: four numbers a node, x y z first, before and after the step. `strandOf`: of each node. Edges that
   * share a node are left out.
   */
  return (from: Float64Array, to: Float64Array, strandOf: Int32Array, nodes: number): Crossings => {
    if (box.length < 6 * nodes) box = new Float64Array(6 * nodes);
    let size = 0;
    let edges = 0;

    for (let i = 0; i + 1 < nodes; i++) {
      if (strandOf[i] !== strandOf[i + 1]) continue;
      edges++;
      for (let k = 0; k < 3; k++) {
        const [a, b, c, d] = [from[4 * i + k], from[4 * i + 4 + k], to[4 * i + k], to[4 * i + 4 + k]];
        box[6 * i + k] = Math.min(a, b, c, d);
        box[6 * i + 3 + k] = Math.max(a, b, c, d);
        size += box[6 * i + 3 + k] - box[6 * i + k];
      }
    }

    // Cells twice as wide as an average edge's box.
    const cell = (2 * size) / (3 * edges);
    const index = (x: number) => Math.floor(x / cell);
    let entries = 0;

    const visit = (act: (hash: number, edge: number) => void) => {
      for (let i = 0; i + 1 < nodes; i++) {
        if (strandOf[i] !== strandOf[i + 1]) continue;
        const at = 6 * i;
        for (let x = index(box[at]); x <= index(box[at + 3]); x++)
          for (let y = index(box[at + 1]); y <= index(box[at + 4]); y++)
            for (let z = index(box[at + 2]); z <= index(box[at + 5]); z++) act(hashOf(x, y, z), i);
      }
    };

    const start = new Int32Array(SLOTS + 1);
    visit((hash) => {
      start[hash + 1]++;
      entries++;
    });
    for (let k = 0; k < SLOTS; k++) start[k + 1] += start[k];
    if (edgeOf.length < entries) edgeOf = new Int32Array(2 * entries);
    if (cellOf.length < SLOTS) cellOf = new Int32Array(SLOTS);
    cellOf.set(start.subarray(0, SLOTS));
    visit((hash, edge) => {
      edgeOf[cellOf[hash]++] = edge;
    });
    const found = { count: 0, pairs: 0 };

    for (let slot = 0; slot < SLOTS; slot++) {
      for (let m = start[slot]; m < start[slot + 1]; m++) {
        const a = edgeOf[m];
        for (let n = m + 1; n < start[slot + 1]; n++) {
          const b = edgeOf[n];
          if (Math.abs(a - b) < 2) continue;
          if (!overlap(box, a, b)) continue;
          // Each pair in one of the cells that it shares, of one slot.
          const corner = [0, 1, 2].map((k) => index(Math.max(box[6 * a + k], box[6 * b + k])));
          if (hashOf(corner[0], corner[1], corner[2]) !== slot) continue;
          if (isRepeated(edgeOf, start[slot], m, n)) continue;
          found.pairs++;
          found.count += countCrossings(from, to, a, b);
        }
      }
    }

    return found;
  };
}

const SLOTS = 1 << 16;

function hashOf(x: number, y: number, z: number): number {
  return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (SLOTS - 1);
}

function overlap(box: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (box[6 * a + k] > box[6 * b + 3 + k] || box[6 * b + k] > box[6 * a + 3 + k]) return false;
  }
  return true;
}

/** An edge with two cells of one slot stands there twice: has this pair been seen? */
function isRepeated(edgeOf: Int32Array, start: number, m: number, n: number): boolean {
  for (let k = start; k < n; k++) {
    if (k !== m && edgeOf[k] === edgeOf[m] && k < m) return true;
    if (k !== m && edgeOf[k] === edgeOf[n] && k > m) return true;
  }
  return false;
}

const p = new Float64Array(12);

/** Relative positions at time t of 0..1: a1 − a0, b1 − b0, b0 − a0. */
function place(from: Float64Array, to: Float64Array, a: number, b: number, t: number): void {
  for (let k = 0; k < 3; k++) {
    const at = (node: number) => from[4 * node + k] + t * (to[4 * node + k] - from[4 * node + k]);
    const a0 = at(a);
    const b0 = at(b);
    p[k] = at(a + 1) - a0;
    p[3 + k] = at(b + 1) - b0;
    p[6 + k] = b0 - a0;
  }
}

/** Volume spanned by the four nodes, times six [m³]. */
function volume(from: Float64Array, to: Float64Array, a: number, b: number, t: number): number {
  place(from, to, a, b, t);
  return p[6] * (p[1] * p[5] - p[2] * p[4]) + p[7] * (p[2] * p[3] - p[0] * p[5]) + p[8] * (p[0] * p[4] - p[1] * p[3]);
}

/** Do the segments meet at time t, when all four nodes lie in a plane? */
function meet(from: Float64Array, to: Float64Array, a: number, b: number, t: number): boolean {
  place(from, to, a, b, t);
  const ee = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  const ff = p[3] * p[3] + p[4] * p[4] + p[5] * p[5];
  const ef = p[0] * p[3] + p[1] * p[4] + p[2] * p[5];
  const eg = p[0] * p[6] + p[1] * p[7] + p[2] * p[8];
  const fg = p[3] * p[6] + p[4] * p[7] + p[5] * p[8];
  const d = ee * ff - ef * ef;
  if (!(d > 1e-12 * ee * ff)) return false;
  const s = (eg * ff - ef * fg) / d;
  const u = (ef * eg - ee * fg) / d;
  return s >= 0 && s < 1 && u >= 0 && u < 1;
}

/** Times within the step that edges a and b go through each other. */
export function countCrossings(from: Float64Array, to: Float64Array, a: number, b: number): number {
  // The cubic by its values at four times.
  const v0 = volume(from, to, a, b, 0);
  const v1 = volume(from, to, a, b, 1 / 3);
  const v2 = volume(from, to, a, b, 2 / 3);
  const v3 = volume(from, to, a, b, 1);
  const c1 = -5.5 * v0 + 9 * v1 - 4.5 * v2 + v3;
  const c2 = 9 * v0 - 22.5 * v1 + 18 * v2 - 4.5 * v3;
  const c3 = -4.5 * v0 + 13.5 * v1 - 13.5 * v2 + 4.5 * v3;
  const times = [0, ...turningPoints(c1, c2, c3), 1];
  let count = 0;
  for (let k = 0; k + 1 < times.length; k++) {
    let low = times[k];
    let high = times[k + 1];
    const sign = volume(from, to, a, b, low);
    const end = volume(from, to, a, b, high);
    if (sign === 0 || end === 0 || sign > 0 === end > 0) continue;
    for (let i = 0; i < 60; i++) {
      const middle = 0.5 * (low + high);
      if (volume(from, to, a, b, middle) > 0 === sign > 0) low = middle;
      else high = middle;
    }
    if (meet(from, to, a, b, 0.5 * (low + high))) count++;
  }
  return count;
}

/** Roots in 0..1 of c1 + 2 c2 t + 3 c3 t², in order. */
function turningPoints(c1: number, c2: number, c3: number): number[] {
  const square = c2 * c2 - 3 * c1 * c3;
  if (!(square > 0)) return [];
  const q = -(c2 + (c2 >= 0 ? 1 : -1) * Math.sqrt(square));
  const roots = [q / (3 * c3), c1 / q].filter((t) => t > 0 && t < 1);
  return roots.sort((x, y) => x - y);
}

/** How far nodes were inside a ball at the origin, on the way of a step and by their edges at its end [m]. */
export function depthInBall(
  from: Float64Array,
  to: Float64Array,
  strandOf: Int32Array,
  nodes: number,
  radius: number,
  held: number,
): number {
  let least = Number.POSITIVE_INFINITY;
  let place = 0;
  for (let i = 0; i < nodes; i++) {
    place = i > 0 && strandOf[i] === strandOf[i - 1] ? place + 1 : 0;
    if (place < held) continue;
    least = Math.min(least, nearOrigin(from, 4 * i, to, 4 * i));
    if (place > held) least = Math.min(least, nearOrigin(to, 4 * i - 4, to, 4 * i));
  }
  return radius - least;
}

/** Distance of the segment from the origin [m]. */
function nearOrigin(a: Float64Array, at: number, b: Float64Array, bt: number): number {
  let ee = 0;
  let ea = 0;
  for (let k = 0; k < 3; k++) {
    const e = b[bt + k] - a[at + k];
    ee += e * e;
    ea += e * a[at + k];
  }
  const s = ee > 0 ? Math.min(1, Math.max(0, -ea / ee)) : 0;
  let square = 0;
  for (let k = 0; k < 3; k++) square += (a[at + k] + s * (b[bt + k] - a[at + k])) ** 2;
  return Math.sqrt(square);
}
