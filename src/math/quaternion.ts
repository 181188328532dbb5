// Unit quaternions x y z w on (array, offset), output first, no allocation.

type Numbers = ArrayLike<number>;

/** out = rotation q applied to v. out may be v. */
export function rotateVector(out: Float64Array, o: number, q: Numbers, qo: number, v: Numbers, vo: number): void {
  const x = q[qo];
  const y = q[qo + 1];
  const z = q[qo + 2];
  const w = q[qo + 3];
  const a = v[vo];
  const b = v[vo + 1];
  const c = v[vo + 2];
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  out[o] = a + w * tx + y * tz - z * ty;
  out[o + 1] = b + w * ty + z * tx - x * tz;
  out[o + 2] = c + w * tz + x * ty - y * tx;
}

/** out = inverse rotation of unit q applied to v. out may be v. */
export function unrotateVector(out: Float64Array, o: number, q: Numbers, qo: number, v: Numbers, vo: number): void {
  const x = -q[qo];
  const y = -q[qo + 1];
  const z = -q[qo + 2];
  const w = q[qo + 3];
  const a = v[vo];
  const b = v[vo + 1];
  const c = v[vo + 2];
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  out[o] = a + w * tx + y * tz - z * ty;
  out[o + 1] = b + w * ty + z * tx - x * tz;
  out[o + 2] = c + w * tz + x * ty - y * tx;
}

/** out = a b (first b, then a). out may be a or b. */
export function multiplyQuaternion(out: Float64Array, o: number, a: Numbers, ao: number, b: Numbers, bo: number): void {
  const ax = a[ao];
  const ay = a[ao + 1];
  const az = a[ao + 2];
  const aw = a[ao + 3];
  const bx = b[bo];
  const by = b[bo + 1];
  const bz = b[bo + 2];
  const bw = b[bo + 3];
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out = q / |q|, however small or large; the caller has made sure that q is finite and not 0. out may be q. */
export function normalizeQuaternion(out: Float64Array, o: number, q: Numbers, qo: number): void {
  let x = q[qo];
  let y = q[qo + 1];
  let z = q[qo + 2];
  let w = q[qo + 3];
  let norm = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(norm > 1e-140 && norm < 1e140)) {
    // The squares vanish or overflow.
    const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
    x /= largest;
    y /= largest;
    z /= largest;
    w /= largest;
    norm = Math.sqrt(x * x + y * y + z * z + w * w);
  }
  out[o] = x / norm;
  out[o + 1] = y / norm;
  out[o + 2] = z / norm;
  out[o + 3] = w / norm;
}
