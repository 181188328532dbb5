// W of a node by 6.2.6 of Daviet 2020 (solvers/admm/weights.ts): w = max(σ η, min(β m, η)), η the least eigenvalue
// of its block of A, m its mass.

import { PAPER_BETA, PAPER_SIGMA } from '../../../core/elastic-constants';
import { LANE } from './lanes';
import { ROW_X, ROW_Y, ROW_Z } from './work';

/** Entries of the block, symmetric. */
const m = memory.data(72);

/** w of the node whose rows are at `row`, of the strand in lane `lane` (0, 8) of a pair; `mass` [kg]. */
export function nodeWeight(row: usize, lane: usize, mass: f64): f32 {
  put(0, 0, load<f64>(row + (ROW_X + 8) * LANE + lane));
  put(0, 1, load<f64>(row + (ROW_Y + 8) * LANE + lane));
  put(1, 1, load<f64>(row + (ROW_Y + 9) * LANE + lane));
  put(0, 2, load<f64>(row + (ROW_Z + 8) * LANE + lane));
  put(1, 2, load<f64>(row + (ROW_Z + 9) * LANE + lane));
  put(2, 2, load<f64>(row + (ROW_Z + 10) * LANE + lane));
  // Five turns of three rotations: quadratic convergence leaves rounding only.
  for (let turn = 0; turn < 5; turn++) {
    if (get(0, 1) * get(0, 1) + get(0, 2) * get(0, 2) + get(1, 2) * get(1, 2) == 0) break;
    rotate(0, 1, 2);
    rotate(0, 2, 1);
    rotate(1, 2, 0);
  }
  const least = max(min(min(get(0, 0), get(1, 1)), get(2, 2)), mass);
  return <f32>max(PAPER_SIGMA * least, min(PAPER_BETA * mass, least));
}

function get(i: usize, k: usize): f64 {
  return load<f64>(m + 24 * i + 8 * k);
}

function put(i: usize, k: usize, value: f64): void {
  store<f64>(m + 24 * i + 8 * k, value);
  store<f64>(m + 24 * k + 8 * i, value);
}

/** Makes entry (p, q) vanish; `o` is the third axis. */
function rotate(p: usize, q: usize, o: usize): void {
  const off = get(p, q);
  if (off == 0) return;
  const h = (get(q, q) - get(p, p)) / (2 * off);
  const t = (h >= 0 ? 1.0 : -1.0) / (abs(h) + sqrt(h * h + 1));
  const c = 1 / sqrt(t * t + 1);
  const s = t * c;
  put(p, p, get(p, p) - t * off);
  put(q, q, get(q, q) + t * off);
  put(p, q, 0);
  const a = get(o, p);
  const b = get(o, q);
  put(o, p, c * a - s * b);
  put(o, q, s * a + c * b);
}
