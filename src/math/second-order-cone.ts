/**
 * The second-order cone of three dimensions, K = { x : x₀ >= ‖(x₁, x₂)‖ }, and its Jordan algebra:
 *
 *   x∘y = (x·y, x₀ y_T + y₀ x_T),   L_x y = x∘y,
 *
 * with the Fischer–Burmeister function f(x, y) = x + y − (x∘x + y∘y)^½, which vanishes iff
 * K ∋ x ⟂ y ∈ K (Fukushima, Luo, Tseng 2002; Daviet, Bertails-Descoubes, Boissieux 2011, appendix A).
 *
 * Its derivatives follow from s∘s = x∘x + y∘y, s the root: L_s ds = L_x dx + L_y dy, hence
 * ∂f/∂x = I − L_s⁻¹ L_x. (The 2011 appendix prints the inverse of z = s∘s in the place of that of s.)
 *
 * The small eigenvalue of z is formed as det z over the large one, det z as a sum of squares: no
 * digits are lost near solutions.
 */

/** Eigenvalues of z below this part of the large one count as zero; its square root is the size of ‖det s‖. */
const FLAT = 1e-30;

/**
 * f (three numbers) := the Fischer–Burmeister function of x and y (three numbers each); if they are
 * given, Jx and Jy (row-major 3×3) := one element of its generalised Jacobian.
 * At x = y = 0 the element taken is the limit along x = y = (t, 0, 0); elsewhere on the boundary
 * of the cone the multiple of the identity of the 2011 appendix.
 */
export function fischerBurmeister(
  f: Float64Array,
  Jx: Float64Array | null,
  Jy: Float64Array | null,
  x: Float64Array,
  y: Float64Array,
): void {
  const x0 = x[0];
  const x1 = x[1];
  const x2 = x[2];
  const y0 = y[0];
  const y1 = y[1];
  const y2 = y[2];
  const xx = x1 * x1 + x2 * x2;
  const yy = y1 * y1 + y2 * y2;
  const z0 = x0 * x0 + xx + y0 * y0 + yy;
  const z1 = 2 * (x0 * x1 + y0 * y1);
  const z2 = 2 * (x0 * x2 + y0 * y2);
  const large = z0 + Math.sqrt(z1 * z1 + z2 * z2);

  if (!(large > 0)) {
    for (let i = 0; i < 3; i++) f[i] = x[i] + y[i];
    if (Jx && Jy) {
      setDiagonal(Jx, 1 - Math.SQRT1_2);
      setDiagonal(Jy, 1 - Math.SQRT1_2);
    }
    return;
  }

  // det z = (det x)² + (det y)² + 2[(x₀y₀ − x·y)² + ‖x₀ y − y₀ x‖² + (x × y)²]
  const xLength = Math.sqrt(xx);
  const yLength = Math.sqrt(yy);
  const detX = (x0 - xLength) * (x0 + xLength);
  const detY = (y0 - yLength) * (y0 + yLength);
  const inner = x0 * y0 - (x1 * y1 + x2 * y2);
  const skew1 = x0 * y1 - y0 * x1;
  const skew2 = x0 * y2 - y0 * x2;
  const cross = x1 * y2 - x2 * y1;
  const det = detX * detX + detY * detY + 2 * (inner * inner + skew1 * skew1 + skew2 * skew2 + cross * cross);
  const rootLarge = Math.sqrt(large);
  const rootSmall = Math.sqrt(det / large);
  const roots = rootLarge + rootSmall;
  const s0 = 0.5 * roots;
  const s1 = z1 / roots;
  const s2 = z2 / roots;
  f[0] = x0 + y0 - s0;
  f[1] = x1 + y1 - s1;
  f[2] = x2 + y2 - s2;
  if (!Jx || !Jy) return;

  if (det <= FLAT * large * large) {
    const length = Math.sqrt(x0 * x0 + y0 * y0);
    setDiagonal(Jx, 1 - x0 / length);
    setDiagonal(Jy, 1 - y0 / length);
    return;
  }

  // I − L_s⁻¹ L_x, with det s = √(large·small).
  const detS = rootLarge * rootSmall;
  root[0] = s0;
  root[1] = s1;
  root[2] = s2;
  subtractQuotient(Jx, detS, x0, x1, x2);
  subtractQuotient(Jy, detS, y0, y1, y2);
}

function setDiagonal(J: Float64Array, value: number): void {
  J.fill(0, 0, 9);
  J[0] = value;
  J[4] = value;
  J[8] = value;
}

/** s of `subtractQuotient`. */
const root = new Float64Array(3);

/**
 * J := I − L_s⁻¹ L_x, column by column: L_s q = p has q₀ = (s₀p₀ − s·p)/det
 * s, q_T = (p_T − q₀ s_T)/s₀.
 */
function subtractQuotient(J: Float64Array, detS: number, x0: number, x1: number, x2: number): void {
  const s0 = root[0];
  const s1 = root[1];
  const s2 = root[2];
  for (let column = 0; column < 3; column++) {
    const p0 = column === 0 ? x0 : column === 1 ? x1 : x2;
    const p1 = column === 0 ? x1 : column === 1 ? x0 : 0;
    const p2 = column === 0 ? x2 : column === 2 ? x0 : 0;
    const q0 = (s0 * p0 - s1 * p1 - s2 * p2) / detS;
    J[column] = (column === 0 ? 1 : 0) - q0;
    J[3 + column] = (column === 1 ? 1 : 0) - (p1 - q0 * s1) / s0;
    J[6 + column] = (column === 2 ? 1 : 0) - (p2 - q0 * s2) / s0;
  }
}
