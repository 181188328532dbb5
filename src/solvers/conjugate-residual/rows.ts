/**
 * H and w of the contacts, by contact: which unknowns each one reads, and with which three numbers (normal, two
 * tangents).
 *
 * Nothing is assumed of the unknowns: nodes, twists and bodies alike. The products leave out what is not active: an
 * open contact has no rows, a sliding one its normal and, once its friction is known, a row across its slip; a sticking
 * one (or a bilateral block) all three. Rows across a slip are kept as vectors of the tangent plane along δ⊥.
 */
import { OPEN, SLIDE } from '../../core/contact-law-constants';

/** Contacts of a mixed problem; lengths are capacities, `count` says what is in use. */
export interface ContactRows {
  count: number;
  /** First entry of each contact; count + 1 in use. */
  start: Int32Array;
  /** Unknown of each entry, each at most once a contact. */
  column: Int32Array;
  /** Normal, first and second tangent of each entry. */
  value: Float64Array;
  /** Three a contact [m/s]. */
  w: Float64Array;
  /** [-] */
  mu: Float64Array;
  /** 1: a block of rows kept at u = 0; null: there is none. */
  bilateral: Uint8Array | null;
}

/** Which rows are active: parts of `Work`. */
export interface RowStates {
  readonly state: Uint8Array;
  readonly slip: Float64Array;
  readonly across: Float64Array;
}

/** Room for so many contacts and entries; nothing in use yet. */
export function createContactRows(contactCapacity: number, entryCapacity: number): ContactRows {
  return {
    count: 0,
    start: new Int32Array(contactCapacity + 1),
    column: new Int32Array(entryCapacity),
    value: new Float64Array(3 * entryCapacity),
    w: new Float64Array(3 * contactCapacity),
    mu: new Float64Array(contactCapacity),
    bilateral: null,
  };
}

/** u := H v + w, of all contacts whatever their states [m/s]. */
export function contactVelocities(u: Float64Array, rows: ContactRows, v: Float64Array): void {
  const { count, start, column, value, w } = rows;
  for (let c = 0; c < count; c++) {
    let u0 = w[3 * c];
    let u1 = w[3 * c + 1];
    let u2 = w[3 * c + 2];
    for (let k = start[c]; k < start[c + 1]; k++) {
      const x = v[column[k]];
      u0 += value[3 * k] * x;
      u1 += value[3 * k + 1] * x;
      u2 += value[3 * k + 2] * x;
    }
    u[3 * c] = u0;
    u[3 * c + 1] = u1;
    u[3 * c + 2] = u2;
  }
}

/** out := L x on active rows, 0 on the others. */
export function multiplyRows(out: Float64Array, rows: ContactRows, states: RowStates, x: Float64Array): void {
  const { count, start, column, value } = rows;
  const { state } = states;
  for (let c = 0; c < count; c++) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    if (state[c] !== OPEN) {
      for (let k = start[c]; k < start[c + 1]; k++) {
        const y = x[column[k]];
        s0 += value[3 * k] * y;
        s1 += value[3 * k + 1] * y;
        s2 += value[3 * k + 2] * y;
      }
    }
    out[3 * c] = s0;
    out[3 * c + 1] = s1;
    out[3 * c + 2] = s2;
    if (state[c] === SLIDE) keepAcross(out, states, c);
  }
}

/** The part of a contact's tangents that its row across the slip has: along δ⊥, or nothing. */
export function keepAcross(out: Float64Array, { slip, across }: RowStates, c: number): void {
  const x = slip[2 * c];
  const y = slip[2 * c + 1];
  const share = across[c] >= 0 ? x * out[3 * c + 2] - y * out[3 * c + 1] : 0;
  out[3 * c + 1] = -share * y;
  out[3 * c + 2] = share * x;
}

/** out := out + Lᵀ y over active rows, y 0 on the tangents that are not; with `whole`, Hᵀ y over all. */
export function addTransposed(
  out: Float64Array,
  rows: ContactRows,
  state: Uint8Array,
  y: Float64Array,
  whole: boolean,
): void {
  const { count, start, column, value } = rows;
  for (let c = 0; c < count; c++) {
    if (state[c] === OPEN && !whole) continue;
    const y0 = y[3 * c];
    const y1 = y[3 * c + 1];
    const y2 = y[3 * c + 2];
    if (y0 === 0 && y1 === 0 && y2 === 0) continue;
    for (let k = start[c]; k < start[c + 1]; k++) {
      out[column[k]] += value[3 * k] * y0 + value[3 * k + 1] * y1 + value[3 * k + 2] * y2;
    }
  }
}
