/**
 * Real roots of a real polynomial of degree four or less, without closed formulas.
 *
 * Ferrari's formulas lose half of the digits near multiple roots. Here the extrema of the polynomial,
 * found the same way from its derivative, cut the line into monotone pieces, and each change of sign is
 * closed in by Newton steps kept inside the bracket. A piece that only touches zero, within the
 * rounding of its own evaluation, counts as a (multiple) root. Every root found is therefore one of
 * the polynomial as it is evaluated, and none with a change of sign is missed.
 *
 * Coefficients lie lowest power first. Limits: roots beyond Cauchy's bound do not exist, so none is lost.
 */

const EPSILON = 2 ** -52;

/** Highest degree taken. */
const DEGREE_LIMIT = 4;

/** Work rows per degree: derivative coefficients, then its roots. */
const derivatives: Float64Array[] = [];
const extrema: Float64Array[] = [];
for (let degree = 0; degree <= DEGREE_LIMIT; degree++) {
  derivatives.push(new Float64Array(DEGREE_LIMIT + 1));
  extrema.push(new Float64Array(DEGREE_LIMIT + 1));
}

/** p(x) by Horner's rule. */
function evaluatePolynomial(coefficients: ArrayLike<number>, degree: number, x: number): number {
  let value = coefficients[degree];
  for (let i = degree - 1; i >= 0; i--) value = value * x + coefficients[i];
  return value;
}

/** What rounding may do to p(x): a few units in the last place of the sum of magnitudes. */
function roundingOf(coefficients: ArrayLike<number>, degree: number, x: number): number {
  const size = Math.abs(x);
  let sum = Math.abs(coefficients[degree]);
  for (let i = degree - 1; i >= 0; i--) sum = sum * size + Math.abs(coefficients[i]);
  return 4 * degree * EPSILON * sum;
}

/** The root in [low, high], the values there being of opposite sign. */
function closeIn(coefficients: ArrayLike<number>, degree: number, low: number, high: number): number {
  let below = low;
  let above = high;
  const isRising = evaluatePolynomial(coefficients, degree, low) < 0;
  let x = 0.5 * (below + above);
  for (let k = 0; k < 200; k++) {
    let value = coefficients[degree];
    let slope = 0;
    for (let i = degree - 1; i >= 0; i--) {
      slope = slope * x + value;
      value = value * x + coefficients[i];
    }
    if (value === 0) return x;
    if (value < 0 === isRising) below = x;
    else above = x;
    const newton = x - value / slope;
    const middle = 0.5 * (below + above);
    // A bracket that does not shrink fast enough by Newton's steps is halved every fourth turn.
    const next = newton > below && newton < above && k % 4 !== 3 ? newton : middle;
    if (next === x || !(next > below && next < above)) return x;
    if (Math.abs(next - x) <= EPSILON * Math.abs(next)) return next;
    x = next;
  }
  return x;
}

/**
 * Writes the real roots of c₀ + c₁x + … + c_d x^d in ascending order, a multiple root once.
 * `degree` is at most four; vanishing leading coefficients lower it. `roots` has room for `degree`
 * numbers. Returns how many were written: none for constants (zero included) and for numbers that are
 * not finite.
 */
export function realRoots(roots: Float64Array, coefficients: ArrayLike<number>, degree: number): number {
  let d = degree;
  while (d > 0 && coefficients[d] === 0) d--;
  for (let i = 0; i <= d; i++) if (!Number.isFinite(coefficients[i])) return 0;
  if (d === 0) return 0;
  if (d === 1) {
    // Plus zero: no root is −0.
    roots[0] = -coefficients[0] / coefficients[1] + 0;
    return Number.isFinite(roots[0]) ? 1 : 0;
  }
  const derivative = derivatives[d];
  const turns = extrema[d];
  for (let i = 1; i <= d; i++) derivative[i - 1] = i * coefficients[i];
  const turnCount = realRoots(turns, derivative, d - 1);

  // Cauchy: no root is larger than 1 + max |c_i / c_d|.
  let bound = 0;
  for (let i = 0; i < d; i++) bound = Math.max(bound, Math.abs(coefficients[i] / coefficients[d]));
  bound = Math.min(1 + bound, Number.MAX_VALUE);

  let count = 0;
  let left = -bound;
  let leftValue = evaluatePolynomial(coefficients, d, left);
  if (Number.isNaN(leftValue)) return 0;
  for (let k = 0; k <= turnCount; k++) {
    const right = k < turnCount ? turns[k] : bound;
    if (right < left) continue;
    const rightValue = evaluatePolynomial(coefficients, d, right);
    const touches = k < turnCount && Math.abs(rightValue) <= roundingOf(coefficients, d, right);
    if (touches) {
      if (count === 0 || roots[count - 1] !== right) roots[count++] = right;
      left = right;
      leftValue = 0;
      continue;
    }
    if ((leftValue < 0 && rightValue > 0) || (leftValue > 0 && rightValue < 0)) {
      roots[count++] = closeIn(coefficients, d, left, right);
    }
    left = right;
    leftValue = rightValue;
  }
  return count;
}
