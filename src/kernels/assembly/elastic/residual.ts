// How well the contacts in groups obey the law in the end: their common residual.
//
// In: groups, velocities since v₀ without contact forces. Out: the largest Fischer–Burmeister error [m/s]. Most
// contacts cannot have it: a bound for four at a time says so, and only what may exceed the largest so far is measured
// in f64.

import { frictionalError } from '../contact-law/law';
import { dot4 } from '../math/vector';
import { restOf, sharesOf, velocitiesOfGroup } from './groups';
import {
  at,
  G_FORCE,
  G_MU,
  G_NORMAL,
  G_OFFSET,
  G_SLACK,
  GROUP,
  GROUP_COUNT,
  GROUPS,
  ORDER,
  REST_SCALE,
  START,
} from './layout';

/** Velocities of the four contacts of a group: x, y, z, f32×4 each. */
const moved = memory.data(48);
const before = memory.data(48);

/** Common residual of the rows in groups at v₀ + `rows` [m/s]; rows as of A⁻¹ Bᵀ r. Scale: s of each contact. */
export function admmResidual(work: usize, rows: usize): f64 {
  const start = at(work, START);
  const groups = at(work, GROUPS);
  const order = at(work, ORDER);
  const zero = f32x4.splat(0);
  let worst: f64 = 0;
  for (let k: usize = 0; k < <usize>load<i32>(work, GROUP_COUNT); k++) {
    const g = groups + k * GROUP;
    const shares = sharesOf(work, k);
    velocitiesOfGroup(moved, g, rows, shares);
    velocitiesOfGroup(before, g, start, shares);
    let forced = zero;
    let un = zero;
    for (let i: usize = 0; i < 48; i += 16) {
      const force = v128.load(g + i, G_FORCE);
      const give = f32x4.mul(v128.load(g, G_SLACK), force);
      const change = f32x4.sub(v128.load(moved + i), v128.load(before + i));
      const u = f32x4.add(f32x4.add(v128.load(g + i, G_OFFSET), give), change);
      v128.store(moved + i, u);
      un = f32x4.add(un, f32x4.mul(u, v128.load(g + i, G_NORMAL)));
      forced = v128.or(forced, f32x4.ne(force, zero));
    }
    // Apart and without force: no error.
    const used = i32x4.ge_s(v128.load(order + (k << 4)), i32x4.splat(0));
    const mayBeWorst = v128.not(f32x4.lt(mostError(g, moved, un), f32x4.splat(<f32>worst)));
    const asked = i32x4.bitmask(v128.and(v128.and(used, mayBeWorst), v128.or(forced, v128.not(f32x4.ge(un, zero)))));
    for (let lane: usize = 0; lane < 4; lane++) {
      if ((asked & (1 << (<i32>lane))) == 0) continue;
      const scale = <f64>load<f32>(restOf(work, k) + (lane << 2), REST_SCALE);
      const error = errorOf(g + (lane << 2), scale, moved + (lane << 2));
      // As in solvers/admm/residual: what is no number is no smaller than any.
      if (isNaN(error)) return Infinity;
      if (error > worst) worst = error;
    }
  }
  return worst;
}

/** ‖Fischer–Burmeister‖ over ‖x − P(x − y)‖ is 2 + √2 at most; this and more, for rounding. */
const ERROR_OF_STEP: f32 = 3.6;
/** Rounding of both, as a share of what they are made of. */
const ERROR_ROUNDING: f32 = 1e-5;

/**
 * Upper bounds of the errors of a group's contacts at velocities `u` (x, y, z: f32×4 each) with normal parts `un`:
 * of x, forces, and y, velocities, as in frictionalError, by how far x is from the projection of x − y on the cone
 * (S. Bi, S. Pan and J.-S. Chen, 2012: the two residuals grow alike). Without friction: infinite.
 */
function mostError(group: usize, u: usize, un: v128): v128 {
  const zero = f32x4.splat(0);
  const half = f32x4.splat(0.5);
  const mu = v128.load(group, G_MU);
  const nx = v128.load(group, G_NORMAL);
  const ny = v128.load(group, G_NORMAL + 16);
  const nz = v128.load(group, G_NORMAL + 32);
  const fx = v128.load(group, G_FORCE);
  const fy = v128.load(group, G_FORCE + 16);
  const fz = v128.load(group, G_FORCE + 32);
  // Along the surface: forces x, velocities v, y = μ v.
  const fn = dot4(fx, fy, fz, nx, ny, nz);
  const x1 = f32x4.sub(fx, f32x4.mul(fn, nx));
  const x2 = f32x4.sub(fy, f32x4.mul(fn, ny));
  const x3 = f32x4.sub(fz, f32x4.mul(fn, nz));
  const v1 = f32x4.sub(v128.load(u), f32x4.mul(un, nx));
  const v2 = f32x4.sub(v128.load(u, 16), f32x4.mul(un, ny));
  const v3 = f32x4.sub(v128.load(u, 32), f32x4.mul(un, nz));
  const x0 = f32x4.mul(mu, fn);
  const y0 = f32x4.add(un, f32x4.mul(mu, f32x4.sqrt(dot4(v1, v2, v3, v1, v2, v3))));

  // Projection of x − y: a share of it where it is outside of both the cone and its opposite.
  const z0 = f32x4.sub(x0, y0);
  const z1 = f32x4.sub(x1, f32x4.mul(mu, v1));
  const z2 = f32x4.sub(x2, f32x4.mul(mu, v2));
  const z3 = f32x4.sub(x3, f32x4.mul(mu, v3));
  const length = f32x4.sqrt(dot4(z1, z2, z3, z1, z2, z3));
  const low = f32x4.pmax(f32x4.sub(z0, length), zero);
  const high = f32x4.pmax(f32x4.add(z0, length), zero);
  const p0 = f32x4.mul(half, f32x4.add(low, high));
  const across = f32x4.mul(half, f32x4.sub(high, low));
  const share = f32x4.div(across, f32x4.pmax(length, f32x4.splat(1e-30)));
  const d0 = f32x4.sub(x0, p0);
  const d1 = f32x4.sub(x1, f32x4.mul(share, z1));
  const d2 = f32x4.sub(x2, f32x4.mul(share, z2));
  const d3 = f32x4.sub(x3, f32x4.mul(share, z3));
  const far = f32x4.sqrt(f32x4.add(f32x4.mul(d0, d0), dot4(d1, d2, d3, d1, d2, d3)));
  const size = f32x4.add(f32x4.add(f32x4.abs(fx), f32x4.abs(fy)), f32x4.add(f32x4.abs(fz), f32x4.abs(fn)));
  const speed = f32x4.add(
    f32x4.add(f32x4.abs(v128.load(u)), f32x4.abs(v128.load(u, 16))),
    f32x4.add(f32x4.abs(v128.load(u, 32)), f32x4.abs(un)),
  );
  const rounding = f32x4.mul(
    f32x4.mul(f32x4.add(size, speed), f32x4.add(mu, f32x4.splat(1))),
    f32x4.splat(ERROR_ROUNDING),
  );
  const most = f32x4.add(f32x4.mul(far, f32x4.splat(ERROR_OF_STEP)), rounding);
  return v128.bitselect(most, f32x4.splat(Infinity), f32x4.gt(mu, zero));
}

/** ‖f‖ of a lane at velocity `u`, s its `scale`, with the friction force along the first tangent. */
function errorOf(lane: usize, scale: f64, u: usize): f64 {
  const mu = <f64>load<f32>(lane, G_MU);
  const nx = <f64>load<f32>(lane, G_NORMAL);
  const ny = <f64>load<f32>(lane, G_NORMAL + 16);
  const nz = <f64>load<f32>(lane, G_NORMAL + 32);
  let fx = <f64>load<f32>(lane, G_FORCE);
  let fy = <f64>load<f32>(lane, G_FORCE + 16);
  let fz = <f64>load<f32>(lane, G_FORCE + 32);
  let ux = <f64>load<f32>(u);
  let uy = <f64>load<f32>(u, 16);
  let uz = <f64>load<f32>(u, 32);
  const fn = fx * nx + fy * ny + fz * nz;
  const un = ux * nx + uy * ny + uz * nz;
  fx -= fn * nx;
  fy -= fn * ny;
  fz -= fn * nz;
  ux -= un * nx;
  uy -= un * ny;
  uz -= un * nz;
  const friction = sqrt<f64>(fx * fx + fy * fy + fz * fz);
  const square = ux * ux + uy * uy + uz * uz;
  if (friction == 0) return frictionalError(scale, mu, fn / scale, 0, 0, un, sqrt<f64>(square), 0);
  const along = (ux * fx + uy * fy + uz * fz) / friction;
  const across = sqrt<f64>(max<f64>(0, square - along * along));
  return frictionalError(scale, mu, fn / scale, friction / scale, 0, un, along, across);
}
