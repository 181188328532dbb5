// Second derivatives by the stretches without their negative eigenvalues: symmetric 3×3 matrices in lanes of f64×2.
// Twin of math/semi-definite3.ts.

import { getF64, setF64 } from '../memory';

const SWEEPS = 10;

/** By rows, of one matrix. */
const a = memory.data(72, 16);
const v = memory.data(72, 16);

/** `second`: entries 00 11 22, then 12 02 01, vectors of 16 bytes. */
export function projectSecond(second: usize): void {
  const x = v128.load(second);
  const y = v128.load(second, 16);
  const z = v128.load(second, 32);
  const yz = v128.load(second, 48);
  const xz = v128.load(second, 64);
  const xy = v128.load(second, 80);
  const minor = f64x2.sub(f64x2.mul(x, y), f64x2.mul(xy, xy));
  const first = f64x2.mul(x, f64x2.sub(f64x2.mul(y, z), f64x2.mul(yz, yz)));
  const middle = f64x2.mul(xy, f64x2.sub(f64x2.mul(xy, z), f64x2.mul(yz, xz)));
  const last = f64x2.mul(xz, f64x2.sub(f64x2.mul(xy, yz), f64x2.mul(y, xz)));
  const whole = f64x2.add(f64x2.sub(first, middle), last);
  const least = f64x2.min(f64x2.min(x, minor), whole);
  const good = f64x2.gt(least, f64x2.splat(0));
  if (i64x2.extract_lane(good, 0) == 0) projectLane(second);
  if (i64x2.extract_lane(good, 1) == 0) projectLane(second + 8);
}

function projectLane(at: usize): void {
  const yz = load<f64>(at, 48);
  const xz = load<f64>(at, 64);
  const xy = load<f64>(at, 80);
  setF64(a, 0, load<f64>(at));
  setF64(a, 4, load<f64>(at, 16));
  setF64(a, 8, load<f64>(at, 32));
  setF64(a, 1, xy);
  setF64(a, 3, xy);
  setF64(a, 2, xz);
  setF64(a, 6, xz);
  setF64(a, 5, yz);
  setF64(a, 7, yz);
  for (let k = 0; k < 9; k++) setF64(v, k, k % 4 == 0 ? 1 : 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    rotate(0, 1);
    rotate(0, 2);
    rotate(1, 2);
    const off = abs<f64>(getF64(a, 1)) + abs<f64>(getF64(a, 2)) + abs<f64>(getF64(a, 5));
    if (!(off > 1e-16 * (abs<f64>(getF64(a, 0)) + abs<f64>(getF64(a, 4)) + abs<f64>(getF64(a, 8))))) break;
  }
  store<f64>(at, entry(0, 0));
  store<f64>(at, entry(3, 3), 16);
  store<f64>(at, entry(6, 6), 32);
  store<f64>(at, entry(3, 6), 48);
  store<f64>(at, entry(0, 6), 64);
  store<f64>(at, entry(0, 3), 80);
}

/** Of the positive part, for two rows of v. */
function entry(r: i32, c: i32): f64 {
  let sum: f64 = 0;
  for (let j = 0; j < 3; j++) sum += max<f64>(getF64(a, 4 * j), 0) * getF64(v, r + j) * getF64(v, c + j);
  return sum;
}

function rotate(p: i32, q: i32): void {
  const off = getF64(a, 3 * p + q);
  if (off == 0) return;
  const zeta = (getF64(a, 4 * q) - getF64(a, 4 * p)) / (2 * off);
  const t = (zeta < 0 ? -1.0 : 1.0) / (abs<f64>(zeta) + sqrt<f64>(1 + zeta * zeta));
  const cosine = 1 / sqrt<f64>(1 + t * t);
  const sine = cosine * t;
  for (let k = 0; k < 3; k++) {
    const x = getF64(a, 3 * k + p);
    setF64(a, 3 * k + p, cosine * x - sine * getF64(a, 3 * k + q));
    setF64(a, 3 * k + q, sine * x + cosine * getF64(a, 3 * k + q));
  }
  for (let k = 0; k < 3; k++) {
    const x = getF64(a, 3 * p + k);
    setF64(a, 3 * p + k, cosine * x - sine * getF64(a, 3 * q + k));
    setF64(a, 3 * q + k, sine * x + cosine * getF64(a, 3 * q + k));
    const y = getF64(v, 3 * k + p);
    setF64(v, 3 * k + p, cosine * y - sine * getF64(v, 3 * k + q));
    setF64(v, 3 * k + q, sine * y + cosine * getF64(v, 3 * k + q));
  }
}
