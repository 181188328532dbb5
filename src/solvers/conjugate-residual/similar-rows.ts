/**
 * How alike the rows of two contacts are, for the scaling Z of the Full preconditioner (§3.4.1): the squared cosine
 * between the rows in the metric A_d⁻¹, 1 for duplicates and 0 for rows that share no unknown. (The paper multiplies
 * differences of barycentric coordinates, and counts the contacts of a pair of rigid bodies; the cosine does both,
 * knows frames, and needs no geometry.)
 */
import type { ContactRows } from './rows';

/** Pairs of similar contacts in compressed rows, both directions; no pair with itself. */
export interface SimilarRows {
  start: Int32Array;
  other: Int32Array;
  /** Of the normals [-]. */
  normal: Float64Array;
  /** Of the tangent planes [-]. */
  tangent: Float64Array;
}

/** Below this a pair is none [-]. */
const LEAST = 0.01;

/** Pairs of all contacts. Allocates: once for a set of contacts. */
export function findSimilarRows(rows: ContactRows, inverseDiagonal: Float64Array): SimilarRows {
  const { count, start, column, value } = rows;
  const met = contactsByUnknown(rows, inverseDiagonal.length);
  const norm = new Float64Array(3 * count);

  for (let c = 0; c < count; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) {
      for (let i = 0; i < 3; i++) norm[3 * c + i] += value[3 * k + i] ** 2 * inverseDiagonal[column[k]];
    }
  }
  const others: number[] = [];
  const normals: number[] = [];
  const tangents: number[] = [];
  const out = new Int32Array(count + 1);
  const dots = new Map<number, Float64Array>();

  for (let c = 0; c < count; c++) {
    dots.clear();

    for (let k = start[c]; k < start[c + 1]; k++) {
      const j = column[k];
      const give = inverseDiagonal[j];
      for (let m = met.start[j]; m < met.start[j + 1]; m++) {
        if (met.contact[m] === c) continue;
        let d = dots.get(met.contact[m]);
        if (!d) {
          d = new Float64Array(5);
          dots.set(met.contact[m], d);
        }
        const at = 3 * met.entry[m];
        d[0] += give * value[3 * k] * value[at];
        d[1] += give * value[3 * k + 1] * value[at + 1];
        d[2] += give * value[3 * k + 1] * value[at + 2];
        d[3] += give * value[3 * k + 2] * value[at + 1];
        d[4] += give * value[3 * k + 2] * value[at + 2];
      }
    }

    for (const [other, d] of dots) {
      const normal = share(d[0] * d[0], norm[3 * c] * norm[3 * other]);
      const [a1, a2, b1, b2] = [norm[3 * c + 1], norm[3 * c + 2], norm[3 * other + 1], norm[3 * other + 2]];
      const tangent =
        0.5 *
        (share(d[1] * d[1], a1 * b1) +
          share(d[2] * d[2], a1 * b2) +
          share(d[3] * d[3], a2 * b1) +
          share(d[4] * d[4], a2 * b2));
      if (normal < LEAST && tangent < LEAST) continue;
      others.push(other);
      normals.push(normal);
      tangents.push(tangent);
    }

    out[c + 1] = others.length;
  }

  return {
    start: out,
    other: Int32Array.from(others),
    normal: Float64Array.from(normals),
    tangent: Float64Array.from(tangents),
  };
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** H by columns: contacts and their entries. */
function contactsByUnknown({ count, start, column }: ContactRows, size: number) {
  const first = new Int32Array(size + 1);
  for (let k = 0; k < start[count]; k++) first[column[k] + 1]++;
  for (let j = 0; j < size; j++) first[j + 1] += first[j];
  const fill = first.slice(0, size);
  const contact = new Int32Array(start[count]);
  const entry = new Int32Array(start[count]);
  for (let c = 0; c < count; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) {
      const at = fill[column[k]]++;
      contact[at] = c;
      entry[at] = k;
    }
  }
  return { start: first, contact, entry };
}
