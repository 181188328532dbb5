// Stiffness of four tetrahedra, in f32×4: at a point of integration U M Uᵀ for each pair of nodes, M in the frames
// of the decomposition (mechanics/solid/differentiate-element.ts), summed over the points, then handed out to the
// blocks of A below its diagonal, whose rows add up to 0 (closeRows).

import { BLOCK64, M_BELOW, M_TETRAHEDRON_ROW, M_TETRAHEDRON_SLOT } from '../../../state/mesh-layout';
import { joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { addBlock, at, sum3, sumTwo } from './blocks';
import { D_DIFFERENCE, D_MIXED, D_SECOND, D_SUM } from './stretch';

/**
 * What M is made of at a point, vectors of f32×4: U by rows; second derivatives, mixed ones; own and other factor of
 * each pair; turned gradients of ten nodes. Of four points.
 */
const P_SECOND: usize = 144;
const P_MIXED: usize = 192;
const P_OWN: usize = 240;
const P_OTHER: usize = 288;
const P_TURNED: usize = 336;
const POINT: usize = 816;
const narrow = memory.data(3264, 16);
/** Stiffness of the pairs of nodes a < b, nine numbers by columns. */
const stiff = memory.data(6480, 16);
/** Three columns of each of four blocks. */
const tile = memory.data(192, 16);
const N = memory.data(144, 16);

export function clearStiffness(width: usize): void {
  memory.fill(stiff, 0, ((width * (width - 1)) >> 1) * 144);
}

/** `count` vectors of f64×2 to one half of those of f32×4. */
function narrowTo(to: usize, from: usize, count: usize): void {
  for (let k: usize = 0; k < count << 4; k += 16) {
    v128.store64_lane(to + k, f32x4.demote_f64x2_zero(v128.load(from + k)), 0);
  }
}

/** Takes over what two elements are at a point; `half`: 0 or 8 [B]; derivatives times `weight`. */
export function narrowPoint(
  q: usize,
  half: usize,
  width: usize,
  U: usize,
  turned: usize,
  derivatives: usize,
  weight: v128,
): void {
  const to = narrow + q * POINT + half;
  narrowTo(to, U, 9);
  narrowTo(to + P_TURNED, turned, 3 * width);
  const fraction = f64x2.mul(weight, f64x2.splat(0.5));
  for (let k: usize = 0; k < 48; k += 16) {
    const d = v128.load(derivatives + k, D_DIFFERENCE);
    const s = v128.load(derivatives + k, D_SUM);
    const second = f64x2.mul(weight, v128.load(derivatives + k, D_SECOND));
    const mixed = f64x2.mul(weight, v128.load(derivatives + k, D_MIXED));
    const own = f64x2.mul(fraction, f64x2.add(d, s));
    const other = f64x2.mul(fraction, f64x2.sub(d, s));
    v128.store64_lane(to + k, f32x4.demote_f64x2_zero(second), 0, P_SECOND);
    v128.store64_lane(to + k, f32x4.demote_f64x2_zero(mixed), 0, P_MIXED);
    v128.store64_lane(to + k, f32x4.demote_f64x2_zero(own), 0, P_OWN);
    v128.store64_lane(to + k, f32x4.demote_f64x2_zero(other), 0, P_OTHER);
  }
}

/** Adds a point's stiffness. */
export function addPointStiffness(q: usize, width: usize): void {
  const from = narrow + q * POINT;
  let to = stiff;
  for (let a: usize = 0; a < width; a++) {
    for (let b = a + 1; b < width; b++, to += 144) {
      addPair(to, from, from + P_TURNED + 48 * a, from + P_TURNED + 48 * b);
    }
  }
}

function addPair(to: usize, p: usize, g: usize, h: usize): void {
  const gx = v128.load(g);
  const gy = v128.load(g, 16);
  const gz = v128.load(g, 32);
  const hx = v128.load(h);
  const hy = v128.load(h, 16);
  const hz = v128.load(h, 32);
  const xx = f32x4.mul(gx, hx);
  const yy = f32x4.mul(gy, hy);
  const zz = f32x4.mul(gz, hz);
  const own0 = v128.load(p, P_OWN);
  const own1 = v128.load(p, P_OWN + 16);
  const own2 = v128.load(p, P_OWN + 32);
  const m00 = sum3(v128.load(p, P_SECOND), own2, own1, xx, yy, zz);
  const m11 = sum3(own2, v128.load(p, P_SECOND + 16), own0, xx, yy, zz);
  const m22 = sum3(own1, own0, v128.load(p, P_SECOND + 32), xx, yy, zz);
  const yz = f32x4.mul(gy, hz);
  const zy = f32x4.mul(gz, hy);
  const m12 = sumTwo(v128.load(p, P_MIXED), yz, v128.load(p, P_OTHER), zy);
  const m21 = sumTwo(v128.load(p, P_MIXED), zy, v128.load(p, P_OTHER), yz);
  const xz = f32x4.mul(gx, hz);
  const zx = f32x4.mul(gz, hx);
  const m02 = sumTwo(v128.load(p, P_MIXED + 16), xz, v128.load(p, P_OTHER + 16), zx);
  const m20 = sumTwo(v128.load(p, P_MIXED + 16), zx, v128.load(p, P_OTHER + 16), xz);
  const xy = f32x4.mul(gx, hy);
  const yx = f32x4.mul(gy, hx);
  const m01 = sumTwo(v128.load(p, P_MIXED + 32), xy, v128.load(p, P_OTHER + 32), yx);
  const m10 = sumTwo(v128.load(p, P_MIXED + 32), yx, v128.load(p, P_OTHER + 32), xy);
  // N = U M, then N Uᵀ.
  for (let r: usize = 0; r < 144; r += 48) {
    const u = v128.load(p + r);
    const v = v128.load(p + r, 16);
    const w = v128.load(p + r, 32);
    v128.store(N + r, sum3(u, v, w, m00, m10, m20));
    v128.store(N + r, sum3(u, v, w, m01, m11, m21), 16);
    v128.store(N + r, sum3(u, v, w, m02, m12, m22), 32);
  }
  for (let c: usize = 0; c < 144; c += 48) {
    const u = v128.load(p + c);
    const v = v128.load(p + c, 16);
    const w = v128.load(p + c, 32);
    const x = sum3(u, v, w, v128.load(N), v128.load(N, 16), v128.load(N, 32));
    const y = sum3(u, v, w, v128.load(N, 48), v128.load(N, 64), v128.load(N, 80));
    const z = sum3(u, v, w, v128.load(N, 96), v128.load(N, 112), v128.load(N, 128));
    v128.store(to + c, f32x4.add(v128.load(to + c), x));
    v128.store(to + c, f32x4.add(v128.load(to + c, 16), y), 16);
    v128.store(to + c, f32x4.add(v128.load(to + c, 32), z), 32);
  }
}

/** Adds the stiffness of the first `most` of the four elements from `e` on to A. */
export function handOutStiffness(record: usize, width: usize, e: usize, most: usize): void {
  const below = at(record, M_BELOW);
  const pairs = (width * (width - 1)) >> 1;
  const rows = at(record, M_TETRAHEDRON_ROW) + ((e * width) << 2);
  let slot = at(record, M_TETRAHEDRON_SLOT) + ((e * pairs) << 2);
  let from = stiff;
  const zero = f32x4.splat(0);
  for (let a: usize = 0; a < width; a++) {
    for (let b = a + 1; b < width; b++, from += 144, slot += 4) {
      for (let c: usize = 0; c < 48; c += 16) {
        const x = v128.load(from + 3 * c);
        const y = v128.load(from + 3 * c, 16);
        const z = v128.load(from + 3 * c, 32);
        const xy = mixLow(x, y);
        const z0 = mixLow(z, zero);
        v128.store(tile + c, joinLow(xy, z0));
        v128.store(tile + c, joinHigh(xy, z0), 48);
        const high = mixHigh(x, y);
        const z1 = mixHigh(z, zero);
        v128.store(tile + c, joinLow(high, z1), 96);
        v128.store(tile + c, joinHigh(high, z1), 144);
      }
      for (let lane: usize = 0; lane < most; lane++) {
        const row = rows + ((lane * width) << 2);
        const isBelow = load<i32>(row + (a << 2)) > load<i32>(row + (b << 2));
        const block = below + <usize>load<i32>(slot + ((lane * pairs) << 2)) * BLOCK64;
        addBlock(block, tile + 48 * lane, isBelow);
      }
    }
  }
}
