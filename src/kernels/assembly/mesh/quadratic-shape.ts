// Gradients of the shape functions of quadratic tetrahedra: mechanics/solid/elements.ts says what they are.

import { QUADRATURE_CLOSE, QUADRATURE_FAR } from '../../../core/elastic-constants';

/** Gradients of the ten shape functions at point `q`, from those of the coordinates: vectors of f64×2, three each. */
export function setQuadraticShape(out: usize, corners: usize, q: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    const by = f64x2.splat(4 * (i == q ? QUADRATURE_CLOSE : QUADRATURE_FAR) - 1);
    for (let k: usize = 0; k < 48; k += 16) {
      v128.store(out + 48 * i + k, f64x2.mul(by, v128.load(corners + 48 * i + k)));
    }
  }
  setMiddle(out + 192, corners, 0, 1, q);
  setMiddle(out + 240, corners, 1, 2, q);
  setMiddle(out + 288, corners, 0, 2, q);
  setMiddle(out + 336, corners, 0, 3, q);
  setMiddle(out + 384, corners, 1, 3, q);
  setMiddle(out + 432, corners, 2, 3, q);
}

/** The middle of edge (i, j). */
function setMiddle(out: usize, corners: usize, i: usize, j: usize, q: usize): void {
  const ofI = f64x2.splat(4 * (j == q ? QUADRATURE_CLOSE : QUADRATURE_FAR));
  const ofJ = f64x2.splat(4 * (i == q ? QUADRATURE_CLOSE : QUADRATURE_FAR));
  for (let k: usize = 0; k < 48; k += 16) {
    const a = v128.load(corners + 48 * i + k);
    const b = v128.load(corners + 48 * j + k);
    v128.store(out + k, f64x2.add(f64x2.mul(ofI, a), f64x2.mul(ofJ, b)));
  }
}
