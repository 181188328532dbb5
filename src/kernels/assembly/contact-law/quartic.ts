// Real roots of a polynomial of degree four or less by monotone pieces, for f64 and f32. See math/quartic.

import { get, put } from '../memory';

/** Room for five numbers per degree: derivative coefficients, its roots. */
const DERIVATIVES = memory.data(200);
const TURNS = memory.data(200);

function value<T>(coefficients: usize, degree: i32, x: T): T {
  let sum: T = get<T>(coefficients, degree);
  for (let i = degree - 1; i >= 0; i--) sum = sum * x + get<T>(coefficients, i);
  return sum;
}

/** What rounding may do to p(x). */
function rounding<T>(coefficients: usize, degree: i32, x: T): T {
  const size: T = abs<T>(x);
  let sum: T = abs<T>(get<T>(coefficients, degree));
  for (let i = degree - 1; i >= 0; i--) sum = sum * size + abs<T>(get<T>(coefficients, i));
  return <T>4 * <T>degree * epsilon<T>() * sum;
}

function epsilon<T>(): T {
  return sizeof<T>() == 8 ? <T>2.220446049250313e-16 : <T>1.1920929e-7;
}

/** The root in [low, high], the values there being of opposite sign. */
function closeIn<T>(coefficients: usize, degree: i32, low: T, high: T): T {
  let below: T = low;
  let above: T = high;
  const isRising = value<T>(coefficients, degree, low) < <T>0;
  let x: T = <T>0.5 * (below + above);
  for (let k = 0; k < 200; k++) {
    let p: T = get<T>(coefficients, degree);
    let slope: T = <T>0;
    for (let i = degree - 1; i >= 0; i--) {
      slope = slope * x + p;
      p = p * x + get<T>(coefficients, i);
    }
    if (p == <T>0) return x;
    if (p < <T>0 == isRising) below = x;
    else above = x;
    const newton: T = x - p / slope;
    const next: T = newton > below && newton < above && k % 4 != 3 ? newton : <T>0.5 * (below + above);
    if (next == x || !(next > below && next < above)) return x;
    if (abs<T>(next - x) <= epsilon<T>() * abs<T>(next)) return next;
    x = next;
  }
  return x;
}

/** Writes the real roots of c₀ + c₁x + … in ascending order, a multiple root once; returns how many. */
export function realRoots<T>(roots: usize, coefficients: usize, degree: i32): i32 {
  let d = degree;
  while (d > 0 && get<T>(coefficients, d) == <T>0) d--;
  for (let i = 0; i <= d; i++) if (!(abs<T>(get<T>(coefficients, i)) < <T>Infinity)) return 0;
  if (d == 0) return 0;
  if (d == 1) {
    const root: T = -get<T>(coefficients, 0) / get<T>(coefficients, 1) + <T>0;
    put<T>(roots, 0, root);
    return abs<T>(root) < <T>Infinity ? 1 : 0;
  }
  const derivative = DERIVATIVES + 40 * <usize>d;
  const turns = TURNS + 40 * <usize>d;
  for (let i = 1; i <= d; i++) put<T>(derivative, i - 1, <T>i * get<T>(coefficients, i));
  const turnCount = realRoots<T>(turns, derivative, d - 1);

  // Cauchy: no root is larger than 1 + max |c_i / c_d|.
  let bound: T = <T>0;
  for (let i = 0; i < d; i++) bound = max<T>(bound, abs<T>(get<T>(coefficients, i) / get<T>(coefficients, d)));
  bound = min<T>(<T>1 + bound, sizeof<T>() == 8 ? <T>1e300 : <T>3e38);

  let count = 0;
  let left: T = -bound;
  let leftValue: T = value<T>(coefficients, d, left);
  if (!(abs<T>(leftValue) >= <T>0)) return 0;
  for (let k = 0; k <= turnCount; k++) {
    const right: T = k < turnCount ? get<T>(turns, k) : bound;
    if (right < left) continue;
    const rightValue: T = value<T>(coefficients, d, right);
    if (k < turnCount && abs<T>(rightValue) <= rounding<T>(coefficients, d, right)) {
      if (count == 0 || get<T>(roots, count - 1) != right) put<T>(roots, count++, right);
      left = right;
      leftValue = <T>0;
      continue;
    }
    if ((leftValue < <T>0 && rightValue > <T>0) || (leftValue > <T>0 && rightValue < <T>0)) {
      put<T>(roots, count++, closeIn<T>(coefficients, d, left, right));
    }
    left = right;
    leftValue = rightValue;
  }
  return count;
}
