/**
 * A of the elastic objects, as the solver sees it: a product and an inverse of its diagonal. The owner of the objects
 * supplies it; for matrices in compressed rows here is one.
 */

/** A, symmetric positive definite [kg]. */
export interface ElasticOperator {
  readonly size: number;
  /** out := A x. */
  multiply(out: Float64Array, x: Float64Array): void;
  /** 1/A_ii, the A_d⁻¹ of the preconditioners [1/kg]. */
  readonly inverseDiagonal: Float64Array;
  /** x := A⁻¹ x, where its owner has A factored; then `inverseDiagonal` may be that of A⁻¹ itself. */
  solve?(x: Float64Array): void;
}

/** A in compressed rows, both triangles, the diagonal there. */
export function createSparseOperator(
  size: number,
  start: Int32Array,
  column: Int32Array,
  value: Float64Array,
): ElasticOperator {
  const inverseDiagonal = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) if (column[k] === i) inverseDiagonal[i] = 1 / value[k];
  }
  return {
    size,
    inverseDiagonal,
    multiply(out, x) {
      for (let i = 0; i < size; i++) {
        const end = start[i + 1];
        let sum = 0;
        for (let k = start[i]; k < end; k++) sum += value[k] * x[column[k]];
        out[i] = sum;
      }
    },
  };
}
