import { TRIANGLE_AREA } from '../../state/mesh-places';
// Stretch and shear of a shell: St. Venant–Kirchhoff, constant over each triangle (plane stress).
//
// With F = [x1 − x0, x2 − x0] Dm⁻¹ (3×2) and E = (Fᵀ F − I)/2 the energy is A/2 (C₁₁ E₁₁² + 2
// C₁₂ E₁₁ E₂₂ + C₂₂ E₂₂² + 4 G E₁₂²). C₁₁ = E₁ h/(1 − ν²) along the warp, the
// first axis (rest-shape.ts); C₂₂ = E₂ h/(1 − ν²) along the weft, the same if nothing else is said. ν is
// the geometric mean of both ratios, C₁₂ = ν √(C₁₁ C₂₂), so that the energy is convex whatever the
// moduli. G = √(E₁ E₂) h/(2 + 2ν), or the shear modulus times h. The stiffness is the exact one but for its
// geometric part (gᵢ·S gⱼ) I, of which only the positive part of the stress S counts: compressed cloth
// buckles, it is not made unsolvable.

/** Stiffness of a shell's plane [N/m], and its damping over the time step [-]. */
export interface PlaneStiffness {
  along: number;
  weft: number;
  across: number;
  shear: number;
  viscous: number;
}

/** Where the numbers of a triangle's nodes begin. */
type Corners = readonly number[];

/** A triangle's derivatives: energy [J], gradient (9) [N], positive semi-definite Hessian (9×9) [N/m]. */
export interface TriangleDerivatives {
  energy: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

export function createTriangleDerivatives(): TriangleDerivatives {
  return { energy: 0, gradient: new Float64Array(9), hessian: new Float64Array(81) };
}

/** What the plane of a shell is made of. */
interface PlaneMaterial {
  /** Half thickness [m]. */
  readonly half: number;
  /** Along the warp [Pa]. */
  readonly modulus: number;
  /** Along the weft [Pa]; 0: as the warp. */
  readonly weft: number;
  /** [Pa]; 0: isotropic. */
  readonly shear: number;
  readonly poisson: number;
}

/** C₁₁, C₂₂, C₁₂ and G. */
export function readPlane(out: PlaneStiffness, { half, modulus, weft, shear, poisson }: PlaneMaterial): void {
  out.along = (2 * half * modulus) / (1 - poisson * poisson);
  out.weft = weft > 0 ? (2 * half * weft) / (1 - poisson * poisson) : out.along;
  out.across = poisson * (weft > 0 ? Math.sqrt(out.along * out.weft) : out.along);
  const mean = weft > 0 ? Math.sqrt(modulus * weft) : modulus;
  out.shear = 2 * half * (shear > 0 ? shear : mean / (2 + 2 * poisson));
}

const f1 = new Float64Array(3);
const f2 = new Float64Array(3);
const strain = new Float64Array(3);
/** Shape gradients of the three nodes by the two axes. */
const shape = new Float64Array(6);
/** Per node: rows of ∂(E₁₁, E₂₂, 2E₁₂)/∂x, 3×3. */
const rows = new Float64Array(27);

/** F of the triangle with nodes at `corners` of x: its columns. */
function deform(
  p: Float64Array,
  q: Float64Array,
  x: ArrayLike<number>,
  corners: Corners,
  rest: Float64Array,
  r: number,
): void {
  const a = corners[0];
  const b = corners[1];
  const c = corners[2];
  for (let k = 0; k < 3; k++) {
    const u = x[b + k] - x[a + k];
    const v = x[c + k] - x[a + k];
    p[k] = u * rest[r] + v * rest[r + 2];
    q[k] = u * rest[r + 1] + v * rest[r + 3];
  }
}

const dot = (p: Float64Array, q: Float64Array): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];

/**
 * Derivatives of a triangle whose nodes are at `corners` of `x`; `rest` as TRIANGLE_REST from `r` on. The geometric
 * part takes the stress that the linearisation at `before` would see here (as for edges of rods: a triangle that turned
 * in a step by φ seems stretched by φ²/2, and that stress would hold its nodes tighter than their inertia); `before`
 * = x: the present one; null: no Hessian.
 */
export function differentiateTriangle(
  out: TriangleDerivatives,
  plane: PlaneStiffness,
  x: ArrayLike<number>,
  before: ArrayLike<number> | null,
  corners: Corners,
  rest: Float64Array,
  r: number,
): void {
  const { along, weft, across, shear } = plane;
  const area = rest[r + TRIANGLE_AREA];
  deform(f1, f2, x, corners, rest, r);
  const e11 = 0.5 * (dot(f1, f1) - 1);
  const e22 = 0.5 * (dot(f2, f2) - 1);
  const g12 = dot(f1, f2);
  const s11 = along * e11 + across * e22;
  const s22 = weft * e22 + across * e11;
  const s12 = shear * g12;
  out.energy = 0.5 * area * (s11 * e11 + s22 * e22 + s12 * g12);

  shape[2] = rest[r];
  shape[3] = rest[r + 1];
  shape[4] = rest[r + 2];
  shape[5] = rest[r + 3];
  shape[0] = -shape[2] - shape[4];
  shape[1] = -shape[3] - shape[5];
  for (let i = 0; i < 3; i++) {
    const p = shape[2 * i];
    const q = shape[2 * i + 1];
    for (let k = 0; k < 3; k++) {
      out.gradient[3 * i + k] = area * ((s11 * p + s12 * q) * f1[k] + (s12 * p + s22 * q) * f2[k]);
      rows[9 * i + k] = p * f1[k];
      rows[9 * i + 3 + k] = q * f2[k];
      rows[9 * i + 6 + k] = p * f2[k] + q * f1[k];
    }
  }
  if (before === null) return;

  seenStrain(x, before, corners, rest, r, plane.viscous);
  positivePart(along * strain[0] + across * strain[1], weft * strain[1] + across * strain[0], shear * strain[2]);
  const [t11, t22, t12] = strain;
  const { hessian } = out;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const [p, q, u, v] = [shape[2 * i], shape[2 * i + 1], shape[2 * j], shape[2 * j + 1]];
      const geometric = area * (p * (t11 * u + t12 * v) + q * (t12 * u + t22 * v));
      for (let k = 0; k < 3; k++) {
        const b11 = rows[9 * i + k];
        const b22 = rows[9 * i + 3 + k];
        const b12 = area * shear * rows[9 * i + 6 + k];
        const first = area * (along * b11 + across * b22);
        const second = area * (weft * b22 + across * b11);
        for (let m = 0; m < 3; m++) {
          hessian[9 * (3 * i + k) + 3 * j + m] =
            first * rows[9 * j + m] +
            second * rows[9 * j + 3 + m] +
            b12 * rows[9 * j + 6 + m] +
            (k === m ? geometric : 0);
        }
      }
    }
  }
}

const p1 = new Float64Array(3);
const p2 = new Float64Array(3);

/**
 * strain := E₁₁, E₂₂, 2E₁₂ at x of the linearisation at `before`, E₀ + sym(F₀ᵀ (F − F₀)), with
 * what the viscous stress of that change is worth; over 1 + `viscous`, by which the whole stiffness will be multiplied.
 */
function seenStrain(
  x: ArrayLike<number>,
  before: ArrayLike<number>,
  corners: Corners,
  rest: Float64Array,
  r: number,
  viscous: number,
): void {
  deform(f1, f2, x, corners, rest, r);
  deform(p1, p2, before, corners, rest, r);
  const [c11, c22, c12] = [dot(p1, p1), dot(p2, p2), dot(p1, p2)];
  const [d11, d22, d12] = [dot(p1, f1) - c11, dot(p2, f2) - c22, dot(p1, f2) + dot(p2, f1) - 2 * c12];
  const share = 1 / (1 + viscous);
  strain[0] = 0.5 * share * (c11 - 1) + d11;
  strain[1] = 0.5 * share * (c22 - 1) + d22;
  strain[2] = share * c12 + d12;
}

/** strain := the positive part of a symmetric 2×2 matrix: entries 11, 22, 12. */
function positivePart(s11: number, s22: number, s12: number): void {
  const mean = 0.5 * (s11 + s22);
  const half = 0.5 * (s11 - s22);
  const radius = Math.sqrt(half * half + s12 * s12);
  const high = mean + radius;
  const low = mean - radius;
  if (low >= 0) {
    strain[0] = s11;
    strain[1] = s22;
    strain[2] = s12;
    return;
  }
  // high · (S − low I)/(high − low), where high > 0.
  const share = high > 0 ? high / (high - low) : 0;
  strain[0] = share * (s11 - low);
  strain[1] = share * (s22 - low);
  strain[2] = share * s12;
}
