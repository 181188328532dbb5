// The angle across an edge of a shell.
//
// Nodes x0, x1 of the edge, x2 opposite in its first triangle (which runs from x0 to x1), x3 in its second. With e = x1
// − x0 and the normals a = e × (x2 − x0), b = (x3 − x0) × e the angle is atan2((b × a)·ê, a·b): 0 where it is flat,
// positive where the fold opens towards the normals.

import { arctangent } from '../../math/trigonometry';

/**
 * Angle at four nodes of `x`, `stride` numbers each [rad]. `nodes`: as MESH_EDGE_NODE, less `first`.
 */
export function hingeAngle(x: ArrayLike<number>, stride: number, nodes: ArrayLike<number>, first = 0): number {
  const p = stride * (nodes[0] - first);
  const q = stride * (nodes[1] - first);
  const r = stride * (nodes[2] - first);
  const s = stride * (nodes[3] - first);
  const [ex, ey, ez] = [x[q] - x[p], x[q + 1] - x[p + 1], x[q + 2] - x[p + 2]];
  const [ux, uy, uz] = [x[r] - x[p], x[r + 1] - x[p + 1], x[r + 2] - x[p + 2]];
  const [vx, vy, vz] = [x[s] - x[p], x[s + 1] - x[p + 1], x[s + 2] - x[p + 2]];
  const [ax, ay, az] = [ey * uz - ez * uy, ez * ux - ex * uz, ex * uy - ey * ux];
  const [bx, by, bz] = [vy * ez - vz * ey, vz * ex - vx * ez, vx * ey - vy * ex];
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const sine = ((by * az - bz * ay) * ex + (bz * ax - bx * az) * ey + (bx * ay - by * ax) * ez) / length;
  return arctangent(sine, ax * bx + ay * by + az * bz);
}
