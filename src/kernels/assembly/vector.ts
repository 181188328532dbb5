// Small vector helpers, inlined away. (Not parsed by the linter: decorators on functions are AssemblyScript only.)

// @ts-ignore: decorator
@inline
export function dot3(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64): f64 {
  return ax * bx + ay * by + az * bz;
}

/** Square of x. */
// @ts-ignore: decorator
@inline
export function sqr(x: f64): f64 {
  return x * x;
}

// @ts-ignore: decorator
@inline
export function clamp(x: f64, low: f64, high: f64): f64 {
  return x < low ? low : x > high ? high : x;
}
