// One sweep over contact points and bounded rows: each solved for the velocities that the others leave it.
//
// In: an opened island with responses (settled/held.ts), its bounded rows listed. Out: impulses of points and rows,
// velocities; CHANGED.

import { applyWrench, setRowWrench, setWrench, speedAt, WRENCH } from './answers';
import * as S from './layout';
import { speedOfRow } from './rows';

/** Rounds of a point that slides. */
const ROUNDS: i32 = 2;

/** One sweep over all points; returns the largest change [m/s]. */
export function sweepPoints(h: usize, isUp: bool): f64 {
  const start = load<usize>(h, S.MANIFOLDS);
  const count = <i32>((load<usize>(h, S.MANIFOLDS_END) - start) / S.MANIFOLD_BYTES);
  let worst: f64 = 0;
  for (let i = 0; i < count; i++) {
    const at = <usize>(isUp ? i : count - 1 - i);
    const m = start + at * S.MANIFOLD_BYTES;
    const point = load<usize>(h, S.POINTS) + at * 4 * S.POINT_BYTES;
    const points = load<i32>(m, S.COUNT);
    for (let k = 0; k < points; k++) {
      const own = isUp ? k : points - 1 - k;
      worst = max(worst, solvePoint(h, m, m + ((<usize>own) << 3), point + <usize>own * S.POINT_BYTES));
    }
  }
  return worst;
}

/** Solves one point for the velocities as they are; returns by how much its velocity changed [m/s]. */
function solvePoint(h: usize, m: usize, p: usize, point: usize): f64 {
  const inverse = load<f64>(point, S.POINT_NORMAL);
  if (inverse == 0) return 0;
  const n = load<i32>(h, S.BODIES);
  const velocity = load<usize>(h, S.VELOCITY);
  const bodyA = load<i32>(m, S.BODY_A);
  const bodyB = load<i32>(m, S.BODY_B);
  const a = velocity + <usize>bodyA * S.VELOCITY_BYTES;
  const b = velocity + <usize>bodyB * S.VELOCITY_BYTES;
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const target = load<f64>(p, S.TARGET);
  const rx = load<f64>(p, S.IMPULSE);
  const ry = load<f64>(p, S.IMPULSE + 32);
  const rz = load<f64>(p, S.IMPULSE + 64);
  const ux =
    speedAt(b, p + S.ARM_B, 0, 8, 16) - speedAt(a, p + S.ARM_A, 0, 8, 16) - load<f64>(m, S.SURFACE) + nx * target;
  const uy =
    speedAt(b, p + S.ARM_B, 8, 16, 0) - speedAt(a, p + S.ARM_A, 8, 16, 0) - load<f64>(m, S.SURFACE + 8) + ny * target;
  const uz =
    speedAt(b, p + S.ARM_B, 16, 0, 8) - speedAt(a, p + S.ARM_A, 16, 0, 8) - load<f64>(m, S.SURFACE + 16) + nz * target;
  const rn = nx * rx + ny * ry + nz * rz;
  const un = nx * ux + ny * uy + nz * uz;
  if (rn == 0 && un >= 0) return 0;
  const mu = load<f64>(m, S.MU);
  // What presses within its cone and hardly moves is stopped by no more than that: most points of what rests.
  const speed = max(abs(ux), max(abs(uy), abs(uz)));
  const small = load<f64>(h, S.SMALL);
  if (rn > 0 && speed <= small && rx * rx + ry * ry + rz * rz <= (1 + mu * mu) * rn * rn) return speed;

  // Sticks, if that takes no more friction than there is.
  const xx = load<f64>(point, S.POINT_INVERSE);
  const yy = load<f64>(point, S.POINT_INVERSE + 8);
  const zz = load<f64>(point, S.POINT_INVERSE + 16);
  const xy = load<f64>(point, S.POINT_INVERSE + 24);
  const xz = load<f64>(point, S.POINT_INVERSE + 32);
  const yz = load<f64>(point, S.POINT_INVERSE + 40);
  let dx = -(xx * ux + xy * uy + xz * uz);
  let dy = -(xy * ux + yy * uy + yz * uz);
  let dz = -(xz * ux + yz * uy + zz * uz);
  const sn = nx * (rx + dx) + ny * (ry + dy) + nz * (rz + dz);
  const tx = rx + dx - nx * sn;
  const ty = ry + dy - ny * sn;
  const tz = rz + dz - nz * sn;

  if (xx == 0 || !(sn > 0) || tx * tx + ty * ty + tz * tz > mu * mu * sn * sn) {
    // Slides or parts: normal and plane in turns, the friction cut off at its limit.
    const plane = load<f64>(point, S.POINT_PLANE);
    let sx = rx;
    let sy = ry;
    let sz = rz;
    for (let round = 0; round < ROUNDS; round++) {
      let vx = ux + answerX(point, sx - rx, sy - ry, sz - rz);
      let vy = uy + answerY(point, sx - rx, sy - ry, sz - rz);
      let vz = uz + answerZ(point, sx - rx, sy - ry, sz - rz);
      const before = nx * sx + ny * sy + nz * sz;
      const held = max(0, before - inverse * (nx * vx + ny * vy + nz * vz));
      sx += nx * (held - before);
      sy += ny * (held - before);
      sz += nz * (held - before);
      vx = ux + answerX(point, sx - rx, sy - ry, sz - rz);
      vy = uy + answerY(point, sx - rx, sy - ry, sz - rz);
      vz = uz + answerZ(point, sx - rx, sy - ry, sz - rz);
      const along = nx * vx + ny * vy + nz * vz;
      const qx = sx - nx * held - plane * (vx - nx * along);
      const qy = sy - ny * held - plane * (vy - ny * along);
      const qz = sz - nz * held - plane * (vz - nz * along);
      const length = sqrt(qx * qx + qy * qy + qz * qz);
      const share = length > mu * held ? (mu * held) / length : 1;
      sx = nx * held + share * qx;
      sy = ny * held + share * qy;
      sz = nz * held + share * qz;
    }
    dx = sx - rx;
    dy = sy - ry;
    dz = sz - rz;
  }
  const x = answerX(point, dx, dy, dz);
  const y = answerY(point, dx, dy, dz);
  const z = answerZ(point, dx, dy, dz);
  const change = max(abs(x), max(abs(y), abs(z)));
  if (change <= small) return change;
  store<f64>(p, rx + dx, S.IMPULSE);
  store<f64>(p, ry + dy, S.IMPULSE + 32);
  store<f64>(p, rz + dz, S.IMPULSE + 64);

  if (bodyA < n) {
    setWrench(p + S.ARM_A, -dx, -dy, -dz);
    applyWrench(h, bodyA, WRENCH);
  }

  if (bodyB < n) {
    setWrench(p + S.ARM_B, dx, dy, dz);
    applyWrench(h, bodyB, WRENCH);
  }
  store<f64>(h, load<f64>(h, S.CHANGED) + dx * x + dy * y + dz * z, S.CHANGED);
  return change;
}

function answerX(point: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(point, S.POINT_W) * x + load<f64>(point, S.POINT_W + 24) * y + load<f64>(point, S.POINT_W + 32) * z;
}

function answerY(point: usize, x: f64, y: f64, z: f64): f64 {
  return (
    load<f64>(point, S.POINT_W + 24) * x + load<f64>(point, S.POINT_W + 8) * y + load<f64>(point, S.POINT_W + 40) * z
  );
}

function answerZ(point: usize, x: f64, y: f64, z: f64): f64 {
  return (
    load<f64>(point, S.POINT_W + 32) * x + load<f64>(point, S.POINT_W + 40) * y + load<f64>(point, S.POINT_W + 16) * z
  );
}

/** One sweep over the bounded rows; returns the largest change [m/s]. */
export function sweepRows(h: usize): f64 {
  const n = load<i32>(h, S.BODIES);
  const velocity = load<usize>(h, S.VELOCITY);
  const small = load<f64>(h, S.SMALL);
  let worst: f64 = 0;
  for (let row = load<usize>(h, S.BOUNDED); row != 0; row = load<usize>(row, S.ROW_NEXT)) {
    const held = load<f64>(row, S.ROW_HELD);
    if (held == 0) continue;
    const r = load<f64>(row, S.ROW_IMPULSE);
    const u = speedOfRow(row, velocity);
    const next = min(max(r - u / held, load<f64>(row, S.ROW_LOW)), load<f64>(row, S.ROW_HIGH));
    const change = next - r;
    worst = max(worst, abs(change) * held);
    if (abs(change) * held <= small) continue;
    store<f64>(h, load<f64>(h, S.CHANGED) + change * change * held, S.CHANGED);
    store<f64>(row, next, S.ROW_IMPULSE);
    const a = load<i32>(row, S.ROW_BODY_A);
    const b = load<i32>(row, S.ROW_BODY_B);
    if (a < n) {
      setRowWrench(row, S.ROW_TURN_A, -change);
      applyWrench(h, a, WRENCH);
    }
    if (b < n) {
      setRowWrench(row, S.ROW_TURN_B, change);
      applyWrench(h, b, WRENCH);
    }
  }
  return worst;
}
