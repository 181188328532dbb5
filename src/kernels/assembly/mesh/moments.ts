// Moments of a shell's hinges over D/3 from their angles: twin of mechanics/shell/hinge-moments.ts.

import {
  M_BENT,
  M_BENT_EDGE,
  M_BENT_LOWER,
  M_BENT_PIVOT,
  M_BENT_ROW,
  M_BENT_START,
  M_BENT_X,
} from '../../../state/mesh-layout';
import { at } from './blocks';

/** x := S⁻¹ x for numbers `stride` bytes apart, from `angles` to `moments`, by edge; S = L D Lᵀ. */
export function solveMoments(record: usize, angles: usize, moments: usize, stride: usize): void {
  const n = <usize>load<i32>(record, M_BENT);
  const edges = at(record, M_BENT_EDGE);
  const starts = at(record, M_BENT_START);
  const rows = at(record, M_BENT_ROW);
  const lower = at(record, M_BENT_LOWER);
  const pivots = at(record, M_BENT_PIVOT);
  const x = at(record, M_BENT_X);
  for (let j: usize = 0; j < n; j++) {
    store<f64>(x + (j << 3), load<f64>(angles + <usize>load<i32>(edges + (j << 2)) * stride));
  }
  for (let j: usize = 0; j < n; j++) {
    const own = load<f64>(x + (j << 3));
    const end = <usize>load<i32>(starts + (j << 2), 4);
    for (let p = <usize>load<i32>(starts + (j << 2)); p < end; p++) {
      const to = x + ((<usize>load<i32>(rows + (p << 2))) << 3);
      store<f64>(to, load<f64>(to) - load<f64>(lower + (p << 3)) * own);
    }
  }
  for (let j = n; j-- > 0; ) {
    let sum = load<f64>(x + (j << 3)) * load<f64>(pivots + (j << 3));
    const end = <usize>load<i32>(starts + (j << 2), 4);
    for (let p = <usize>load<i32>(starts + (j << 2)); p < end; p++) {
      sum -= load<f64>(lower + (p << 3)) * load<f64>(x + ((<usize>load<i32>(rows + (p << 2))) << 3));
    }
    store<f64>(x + (j << 3), sum);
    store<f64>(moments + <usize>load<i32>(edges + (j << 2)) * stride, sum);
  }
}
