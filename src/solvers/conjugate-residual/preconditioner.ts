/**
 * Preconditioners of §3.4 for B = [A −Lᵀ; −L 0], L the active rows of H:
 *
 *   full the inverse of [A_d −Lᵀ; −L ·] by blocks, (22), with S = L A_d⁻¹ Lᵀ
 *   replaced by its diagonal S_d = Z
 * diag(S)
 *   diagonal  A_d⁻¹ and S_d⁻¹ alone, positive definite
 *   factored  full with A⁻¹ itself in the place of A_d⁻¹, for an owner of A that has it factored anyway: what is
 *             left to the iterations is how contacts act on each other
 *
 * Z is the number of active contacts that a row is like, itself included: n duplicates share one row's correction.
 */
import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import type { ConjugateResidualOptions } from './options';
import { addTransposed, type ContactRows, multiplyRows } from './rows';
import type { MixedProblem, Work } from './work';

/** give := diag(H A_d⁻¹ Hᵀ), of all rows. */
export function measureGive(give: Float64Array, rows: ContactRows, inverseDiagonal: Float64Array): void {
  const { count, start, column, value } = rows;
  for (let c = 0; c < count; c++) {
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let k = start[c]; k < start[c + 1]; k++) {
        const h = value[3 * k + i];
        sum += h * h * inverseDiagonal[column[k]];
      }
      give[3 * c + i] = sum;
    }
  }
}

/** inverse := S_d⁻¹ of active rows, 0 of the others and of rows that nothing moves. */
export function scaleRows({ rows, similar }: MixedProblem, work: Work): void {
  const { state, give, inverse, alike, across } = work;
  for (let c = 0; c < rows.count; c++) {
    const at = 3 * c;
    let normals = 1;
    let tangents = 1;
    let slides = 1;
    for (let k = similar.start[c]; k < similar.start[c + 1]; k++) {
      const other = state[similar.other[k]];
      if (other === OPEN) continue;
      normals += similar.normal[k];
      slides += similar.tangent[k];
      if (other === STICK) tangents += similar.tangent[k];
    }
    alike[2 * c] = normals;
    alike[2 * c + 1] = slides;
    inverse[at] = state[c] !== OPEN && give[at] > 0 ? 1 / (normals * give[at]) : 0;
    for (let i = at + 1; i < at + 3; i++) inverse[i] = state[c] === STICK && give[i] > 0 ? 1 / (tangents * give[i]) : 0;
    if (state[c] !== SLIDE || !(across[c] >= 0)) continue;
    // The same for both tangents: the row is a vector of their plane.
    const most = Math.max(give[at + 1], give[at + 2]);
    if (most > 0) inverse[at + 1] = inverse[at + 2] = 1 / (slides * most + across[c]);
  }
}

/** (z, zRow) := C⁻¹ (x, xRow). */
export function precondition(
  kind: ConjugateResidualOptions['preconditioner'],
  { operator, rows }: MixedProblem,
  work: Work,
  z: Float64Array,
  zRow: Float64Array,
  x: Float64Array,
  xRow: Float64Array,
): void {
  const { inverse, spare, state } = work;
  const { size, inverseDiagonal } = operator;
  const rowCount = 3 * rows.count;
  const isFactored = kind === 'factored' && operator.solve !== undefined;
  if (isFactored) {
    for (let i = 0; i < size; i++) z[i] = x[i];
    operator.solve!(z);
  } else for (let i = 0; i < size; i++) z[i] = inverseDiagonal[i] * x[i];
  if (kind === 'diagonal') {
    for (let i = 0; i < rowCount; i++) zRow[i] = inverse[i] * xRow[i];
    return;
  }
  multiplyRows(zRow, rows, work, z);
  for (let i = 0; i < rowCount; i++) zRow[i] = -inverse[i] * (zRow[i] + xRow[i]);
  spare.fill(0, 0, size);
  addTransposed(spare, rows, state, zRow, false);
  if (isFactored) {
    operator.solve!(spare);
    for (let i = 0; i < size; i++) z[i] += spare[i];
  } else for (let i = 0; i < size; i++) z[i] += inverseDiagonal[i] * spare[i];
}
