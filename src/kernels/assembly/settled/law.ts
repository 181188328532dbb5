// Passes of the settled solver over all contact points, two in a vector, in world axes.
//
// With u the contact velocity (w and the surface's speed included) and R = 1/ρ: the law z = R s + (u − R r), (s, z)
// obeying Signorini–Coulomb, has the exact answer of an isotropic contact. The residual is the common measure of all
// solvers (TypeScript twin: solvers/residual.ts), with the tangential parts as vectors of the tangent plane.

import * as S from './layout';
import { rowLaw, rowWrenches } from './rows';

/** Below any square of a velocity that matters; keeps empty lanes from 0/0. */
const TINY: f64 = 1e-290;

/**
 * Residual of the impulses and velocities as they are [m/s]. With `steps` also CHANGE := s − r, and Hᵀ CHANGE
 * added to STEP.
 */
export function lawPass(h: usize, steps: bool): f64 {
  const velocity = load<usize>(h, S.VELOCITY);
  const step = load<usize>(h, S.STEP);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const two = f64x2.splat(2);
  const half = f64x2.splat(0.5);
  const tiny = f64x2.splat(TINY);
  let worst = zero;
  const end = load<usize>(h, S.MANIFOLDS_END);

  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const a = velocity + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES;
    const b = velocity + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES;
    const vx = f64x2.splat(load<f64>(b) - load<f64>(a) - load<f64>(m, S.SURFACE));
    const vy = f64x2.splat(load<f64>(b, 8) - load<f64>(a, 8) - load<f64>(m, S.SURFACE + 8));
    const vz = f64x2.splat(load<f64>(b, 16) - load<f64>(a, 16) - load<f64>(m, S.SURFACE + 16));
    const ax = v128.load64_splat(a, 24);
    const ay = v128.load64_splat(a, 32);
    const az = v128.load64_splat(a, 40);
    const bx = v128.load64_splat(b, 24);
    const by = v128.load64_splat(b, 32);
    const bz = v128.load64_splat(b, 40);
    const nx = v128.load64_splat(m, S.NORMAL);
    const ny = v128.load64_splat(m, S.NORMAL + 8);
    const nz = v128.load64_splat(m, S.NORMAL + 16);
    const mu = v128.load64_splat(m, S.MU);
    const isSmooth = load<f64>(m, S.MU) == 0;
    let fx = zero;
    let fy = zero;
    let fz = zero;
    let tax = zero;
    let tay = zero;
    let taz = zero;
    let tbx = zero;
    let tby = zero;
    let tbz = zero;
    for (let p = m, last = m + <usize>load<i32>(m, S.LANES); p < last; p += 16) {
      const pax = v128.load(p, S.ARM_A);
      const pay = v128.load(p, S.ARM_A + 32);
      const paz = v128.load(p, S.ARM_A + 64);
      const pbx = v128.load(p, S.ARM_B);
      const pby = v128.load(p, S.ARM_B + 32);
      const pbz = v128.load(p, S.ARM_B + 64);
      // u = v_B + ω_B × r_B − v_A − ω_A × r_A
      const ux = f64x2.add(vx, f64x2.sub(cross(by, pbz, bz, pby), cross(ay, paz, az, pay)));
      const uy = f64x2.add(vy, f64x2.sub(cross(bz, pbx, bx, pbz), cross(az, pax, ax, paz)));
      const uz = f64x2.add(vz, f64x2.sub(cross(bx, pby, by, pbx), cross(ax, pay, ay, pax)));
      const un0 = dot(nx, ny, nz, ux, uy, uz);
      const un = f64x2.add(un0, v128.load(p, S.TARGET));
      const utx = f64x2.sub(ux, f64x2.mul(nx, un0));
      const uty = f64x2.sub(uy, f64x2.mul(ny, un0));
      const utz = f64x2.sub(uz, f64x2.mul(nz, un0));
      const rx = v128.load(p, S.IMPULSE);
      const ry = v128.load(p, S.IMPULSE + 32);
      const rz = v128.load(p, S.IMPULSE + 64);
      const rn = dot(nx, ny, nz, rx, ry, rz);
      const rtx = f64x2.sub(rx, f64x2.mul(nx, rn));
      const rty = f64x2.sub(ry, f64x2.mul(ny, rn));
      const rtz = f64x2.sub(rz, f64x2.mul(nz, rn));

      // Fischer–Burmeister on the cone.
      const lambda = v128.load(p, S.LAMBDA);
      let square: v128;
      if (isSmooth) {
        const x = f64x2.mul(lambda, rn);
        const f = f64x2.sub(f64x2.add(x, un), f64x2.sqrt(f64x2.add(f64x2.mul(x, x), f64x2.mul(un, un))));
        const slip = f64x2.mul(f64x2.mul(lambda, lambda), dot(rtx, rty, rtz, rtx, rty, rtz));
        square = f64x2.add(f64x2.mul(f, f), slip);
      } else {
        const x0 = f64x2.mul(mu, f64x2.mul(lambda, rn));
        const x1 = f64x2.mul(lambda, rtx);
        const x2 = f64x2.mul(lambda, rty);
        const x3 = f64x2.mul(lambda, rtz);
        const y0 = f64x2.add(un, f64x2.mul(mu, f64x2.sqrt(dot(utx, uty, utz, utx, uty, utz))));
        const y1 = f64x2.mul(mu, utx);
        const y2 = f64x2.mul(mu, uty);
        const y3 = f64x2.mul(mu, utz);
        const xx = dot(x1, x2, x3, x1, x2, x3);
        const yy = dot(y1, y2, y3, y1, y2, y3);
        const z0 = f64x2.add(f64x2.add(f64x2.mul(x0, x0), f64x2.mul(y0, y0)), f64x2.add(xx, yy));
        const z1 = f64x2.mul(two, f64x2.add(f64x2.mul(x0, x1), f64x2.mul(y0, y1)));
        const z2 = f64x2.mul(two, f64x2.add(f64x2.mul(x0, x2), f64x2.mul(y0, y2)));
        const z3 = f64x2.mul(two, f64x2.add(f64x2.mul(x0, x3), f64x2.mul(y0, y3)));
        const large = f64x2.add(f64x2.add(z0, f64x2.sqrt(dot(z1, z2, z3, z1, z2, z3))), tiny);
        const xl = f64x2.sqrt(xx);
        const yl = f64x2.sqrt(yy);
        const dx = f64x2.mul(f64x2.sub(x0, xl), f64x2.add(x0, xl));
        const dy = f64x2.mul(f64x2.sub(y0, yl), f64x2.add(y0, yl));
        const inner = f64x2.sub(f64x2.mul(x0, y0), dot(x1, x2, x3, y1, y2, y3));
        const s1 = f64x2.sub(f64x2.mul(x0, y1), f64x2.mul(y0, x1));
        const s2 = f64x2.sub(f64x2.mul(x0, y2), f64x2.mul(y0, x2));
        const s3 = f64x2.sub(f64x2.mul(x0, y3), f64x2.mul(y0, x3));
        const c1 = cross(x2, y3, x3, y2);
        const c2 = cross(x3, y1, x1, y3);
        const c3 = cross(x1, y2, x2, y1);
        let mixed = f64x2.add(f64x2.mul(inner, inner), dot(s1, s2, s3, s1, s2, s3));
        mixed = f64x2.add(mixed, dot(c1, c2, c3, c1, c2, c3));
        const det = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(two, mixed));
        const roots = f64x2.add(f64x2.sqrt(large), f64x2.sqrt(f64x2.div(det, large)));
        const f0 = f64x2.sub(f64x2.add(x0, y0), f64x2.mul(half, roots));
        const f1 = f64x2.sub(f64x2.add(x1, y1), f64x2.div(z1, roots));
        const f2 = f64x2.sub(f64x2.add(x2, y2), f64x2.div(z2, roots));
        const f3 = f64x2.sub(f64x2.add(x3, y3), f64x2.div(z3, roots));
        square = f64x2.add(f64x2.mul(f0, f0), dot(f1, f2, f3, f1, f2, f3));
      }
      // Empty lanes have no λ. (The larger of the two carries a NaN on.)
      worst = f64x2.max(worst, v128.and(square, f64x2.gt(lambda, zero)));
      if (!steps) continue;

      // s from z = u − R r.
      const back = v128.load(p, S.R);
      const zn = f64x2.sub(un, f64x2.mul(back, rn));
      const zx = f64x2.sub(utx, f64x2.mul(back, rtx));
      const zy = f64x2.sub(uty, f64x2.mul(back, rty));
      const zz = f64x2.sub(utz, f64x2.mul(back, rtz));
      const pressed = f64x2.max(zero, f64x2.neg(zn));
      const slide = f64x2.sqrt(f64x2.add(dot(zx, zy, zz, zx, zy, zz), tiny));
      const share = f64x2.min(one, f64x2.div(f64x2.mul(mu, pressed), slide));
      const rho = v128.load(p, S.RHO);
      const sn = f64x2.mul(rho, pressed);
      const st = f64x2.neg(f64x2.mul(rho, share));
      const ex = f64x2.sub(f64x2.add(f64x2.mul(sn, nx), f64x2.mul(st, zx)), rx);
      const ey = f64x2.sub(f64x2.add(f64x2.mul(sn, ny), f64x2.mul(st, zy)), ry);
      const ez = f64x2.sub(f64x2.add(f64x2.mul(sn, nz), f64x2.mul(st, zz)), rz);
      v128.store(p, ex, S.CHANGE);
      v128.store(p, ey, S.CHANGE + 32);
      v128.store(p, ez, S.CHANGE + 64);
      fx = f64x2.add(fx, ex);
      fy = f64x2.add(fy, ey);
      fz = f64x2.add(fz, ez);
      tax = f64x2.add(tax, cross(pay, ez, paz, ey));
      tay = f64x2.add(tay, cross(paz, ex, pax, ez));
      taz = f64x2.add(taz, cross(pax, ey, pay, ex));
      tbx = f64x2.add(tbx, cross(pby, ez, pbz, ey));
      tby = f64x2.add(tby, cross(pbz, ex, pbx, ez));
      tbz = f64x2.add(tbz, cross(pbx, ey, pby, ex));
    }
    if (!steps) continue;
    addWrench(step + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES, -1, fx, fy, fz, tax, tay, taz);
    addWrench(step + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES, 1, fx, fy, fz, tbx, tby, tbz);
  }
  const square0 = f64x2.extract_lane(worst, 0);
  const square1 = f64x2.extract_lane(worst, 1);
  const residual = sqrt(max(max(square0, square1), rowLaw(h)));
  // A NaN must not pass for a perfect answer.
  return residual >= 0 ? residual : Infinity;
}

/** r += CHANGE − ρ H STEP, and Hᵀ of that change added to PUSH. */
export function impulsePass(h: usize): void {
  const step = load<usize>(h, S.STEP);
  const push = load<usize>(h, S.PUSH);
  const zero = f64x2.splat(0);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    // Velocities of the two bodies, one against the other.
    const a = step + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES;
    const b = step + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES;
    const vx = f64x2.splat(load<f64>(b) - load<f64>(a));
    const vy = f64x2.splat(load<f64>(b, 8) - load<f64>(a, 8));
    const vz = f64x2.splat(load<f64>(b, 16) - load<f64>(a, 16));
    const ax = v128.load64_splat(a, 24);
    const ay = v128.load64_splat(a, 32);
    const az = v128.load64_splat(a, 40);
    const bx = v128.load64_splat(b, 24);
    const by = v128.load64_splat(b, 32);
    const bz = v128.load64_splat(b, 40);
    let fx = zero;
    let fy = zero;
    let fz = zero;
    let tax = zero;
    let tay = zero;
    let taz = zero;
    let tbx = zero;
    let tby = zero;
    let tbz = zero;

    // Two points at a time: what their change asks for goes into the impulse and both wrenches.
    for (let p = m, last = m + <usize>load<i32>(m, S.LANES); p < last; p += 16) {
      const pax = v128.load(p, S.ARM_A);
      const pay = v128.load(p, S.ARM_A + 32);
      const paz = v128.load(p, S.ARM_A + 64);
      const pbx = v128.load(p, S.ARM_B);
      const pby = v128.load(p, S.ARM_B + 32);
      const pbz = v128.load(p, S.ARM_B + 64);
      const ux = f64x2.add(vx, f64x2.sub(cross(by, pbz, bz, pby), cross(ay, paz, az, pay)));
      const uy = f64x2.add(vy, f64x2.sub(cross(bz, pbx, bx, pbz), cross(az, pax, ax, paz)));
      const uz = f64x2.add(vz, f64x2.sub(cross(bx, pby, by, pbx), cross(ax, pay, ay, pax)));
      const rho = v128.load(p, S.RHO);
      const ex = f64x2.sub(v128.load(p, S.CHANGE), f64x2.mul(rho, ux));
      const ey = f64x2.sub(v128.load(p, S.CHANGE + 32), f64x2.mul(rho, uy));
      const ez = f64x2.sub(v128.load(p, S.CHANGE + 64), f64x2.mul(rho, uz));
      v128.store(p, f64x2.add(v128.load(p, S.IMPULSE), ex), S.IMPULSE);
      v128.store(p, f64x2.add(v128.load(p, S.IMPULSE + 32), ey), S.IMPULSE + 32);
      v128.store(p, f64x2.add(v128.load(p, S.IMPULSE + 64), ez), S.IMPULSE + 64);
      fx = f64x2.add(fx, ex);
      fy = f64x2.add(fy, ey);
      fz = f64x2.add(fz, ez);
      tax = f64x2.add(tax, cross(pay, ez, paz, ey));
      tay = f64x2.add(tay, cross(paz, ex, pax, ez));
      taz = f64x2.add(taz, cross(pax, ey, pay, ex));
      tbx = f64x2.add(tbx, cross(pby, ez, pbz, ey));
      tby = f64x2.add(tby, cross(pbz, ex, pbx, ez));
      tbz = f64x2.add(tbz, cross(pbx, ey, pby, ex));
    }

    addWrench(push + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES, -1, fx, fy, fz, tax, tay, taz);
    addWrench(push + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES, 1, fx, fy, fz, tbx, tby, tbz);
  }
}

/** Adds Hᵀ r to PUSH. With `clamps`, r is first taken into its cone: pressure, and friction up to its limit. */
export function wrenchPass(h: usize, clamps: bool): void {
  const push = load<usize>(h, S.PUSH);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const zero = f64x2.splat(0);
    let fx = zero;
    let fy = zero;
    let fz = zero;
    let tax = zero;
    let tay = zero;
    let taz = zero;
    let tbx = zero;
    let tby = zero;
    let tbz = zero;
    for (let p = m, last = m + <usize>load<i32>(m, S.LANES); p < last; p += 16) {
      if (clamps) clampImpulses(m, p);
      const ex = v128.load(p, S.IMPULSE);
      const ey = v128.load(p, S.IMPULSE + 32);
      const ez = v128.load(p, S.IMPULSE + 64);
      const pax = v128.load(p, S.ARM_A);
      const pay = v128.load(p, S.ARM_A + 32);
      const paz = v128.load(p, S.ARM_A + 64);
      const pbx = v128.load(p, S.ARM_B);
      const pby = v128.load(p, S.ARM_B + 32);
      const pbz = v128.load(p, S.ARM_B + 64);
      fx = f64x2.add(fx, ex);
      fy = f64x2.add(fy, ey);
      fz = f64x2.add(fz, ez);
      tax = f64x2.add(tax, cross(pay, ez, paz, ey));
      tay = f64x2.add(tay, cross(paz, ex, pax, ez));
      taz = f64x2.add(taz, cross(pax, ey, pay, ex));
      tbx = f64x2.add(tbx, cross(pby, ez, pbz, ey));
      tby = f64x2.add(tby, cross(pbz, ex, pbx, ez));
      tbz = f64x2.add(tbz, cross(pbx, ey, pby, ex));
    }
    addWrench(push + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES, -1, fx, fy, fz, tax, tay, taz);
    addWrench(push + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES, 1, fx, fy, fz, tbx, tby, tbz);
  }
  rowWrenches(h, clamps);
}

function clampImpulses(m: usize, p: usize): void {
  const zero = f64x2.splat(0);
  const nx = v128.load64_splat(m, S.NORMAL);
  const ny = v128.load64_splat(m, S.NORMAL + 8);
  const nz = v128.load64_splat(m, S.NORMAL + 16);
  const rx = v128.load(p, S.IMPULSE);
  const ry = v128.load(p, S.IMPULSE + 32);
  const rz = v128.load(p, S.IMPULSE + 64);
  const rn = dot(nx, ny, nz, rx, ry, rz);
  const tx = f64x2.sub(rx, f64x2.mul(nx, rn));
  const ty = f64x2.sub(ry, f64x2.mul(ny, rn));
  const tz = f64x2.sub(rz, f64x2.mul(nz, rn));
  const held = f64x2.max(zero, rn);
  const length = f64x2.sqrt(f64x2.add(dot(tx, ty, tz, tx, ty, tz), f64x2.splat(TINY)));
  const share = f64x2.min(f64x2.splat(1), f64x2.div(f64x2.mul(v128.load64_splat(m, S.MU), held), length));
  v128.store(p, f64x2.add(f64x2.mul(nx, held), f64x2.mul(share, tx)), S.IMPULSE);
  v128.store(p, f64x2.add(f64x2.mul(ny, held), f64x2.mul(share, ty)), S.IMPULSE + 32);
  v128.store(p, f64x2.add(f64x2.mul(nz, held), f64x2.mul(share, tz)), S.IMPULSE + 64);
}

/** Force and torque, each summed over its two lanes and signed, added to the six numbers at `to`. */
function addWrench(to: usize, sign: f64, fx: v128, fy: v128, fz: v128, tx: v128, ty: v128, tz: v128): void {
  const k = f64x2.splat(sign);
  v128.store(to, f64x2.add(v128.load(to), f64x2.mul(k, sumPair(fx, fy))));
  v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(k, sumPair(fz, tx))), 16);
  v128.store(to, f64x2.add(v128.load(to, 32), f64x2.mul(k, sumPair(ty, tz))), 32);
}

/** (sum of a's lanes, sum of b's). */
function sumPair(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

/** a·b − c·d: one component of a cross product. */
function cross(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}
