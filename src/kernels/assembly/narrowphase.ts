// find-contacts: one manifold of at most four points for every active pair.
//
// In: collider poses, shapes, the active list. Out: PAIR_POINTS, PAIR_NORMAL, PAIR_TANGENT, PAIR_POINT,
// PAIR_FEATURE, PAIR_IMPULSE (carried over by feature). The pair's colliders are ordered by shape kind
// (kind A <= kind B), so only half of the table of kinds exists. Normals point from A to B; a contact point
// is the middle between the two surfaces; gap = signed distance between them along the normal.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  COLLIDER_BOX,
  COLLIDER_SHAPE,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_NEXT,
  PAIR_POINTS,
  POINT_COUNT,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_HULL,
  SHAPE_KIND,
  SHAPE_MESH,
  SHAPE_PLANE,
  TOUCHING_COUNT,
} from '../../state/layout';
import { collideBoxBox } from './collide-box';
import { collideGeneric } from './collide-generic';
import { collideHulls } from './collide-hull';
import { collideMesh } from './collide-mesh';
import { collidePlane } from './collide-plane';
import { collideRoundPolytope, collideRounds } from './collide-round';
import { clearCandidates, commitManifold } from './manifold';
import { cell, column, getI32, setCell } from './memory';

/** Runs the narrowphase on every active pair; counts touching pairs and points into the header. */
export function findContacts(): void {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  const colliderA = column(PAIR_COLLIDER_A);
  const colliderB = column(PAIR_COLLIDER_B);
  const flags = column(PAIR_FLAGS);
  const points = column(PAIR_POINTS);
  const shapes = column(COLLIDER_SHAPE);
  const kinds = column(SHAPE_KIND);
  const boxes = column(COLLIDER_BOX);
  const next = column(PAIR_NEXT);
  let touching = 0;
  let pointCount = 0;
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    // Further manifolds of a mesh pair are filled by the first one.
    if ((getI32(flags, pair) & PAIR_EXTRA) == 0) {
      const a = getI32(colliderA, pair);
      const b = getI32(colliderB, pair);
      if (boxesOverlap(boxes, a, b)) {
        collide(pair, a, b, getI32(kinds, getI32(shapes, a)), getI32(kinds, getI32(shapes, b)));
      } else {
        clearCandidates();
        commitManifold(pair, 0, 1, 0);
        for (let extra = getI32(next, pair); extra >= 0; extra = getI32(next, extra)) commitManifold(extra, 0, 1, 0);
      }
    }
  }
  for (let i = 0; i < count; i++) {
    const n = getI32(points, getI32(list, i));
    if (n > 0) touching++;
    pointCount += n;
  }
  setCell(TOUCHING_COUNT, touching);
  setCell(POINT_COUNT, pointCount);
}

/** Do the tight boxes (motion and speculative distance included) overlap? Pairs are kept by fat ones. */
function boxesOverlap(boxes: usize, a: i32, b: i32): bool {
  const p = boxes + <usize>(a * 48);
  const q = boxes + <usize>(b * 48);
  for (let k: usize = 0; k < 24; k += 8) {
    if (load<f64>(p + k) > load<f64>(q + k, 24) || load<f64>(q + k) > load<f64>(p + k, 24)) return false;
  }
  return true;
}

/** Chooses by kinds (kindA <= kindB). Every function commits a manifold, an empty one included. */
function collide(pair: i32, a: i32, b: i32, kindA: i32, kindB: i32): void {
  if (kindB == SHAPE_MESH) collideMesh(pair, a, b);
  else if (kindB == SHAPE_PLANE) collidePlane(pair, a, b);
  else if (kindB <= SHAPE_CAPSULE) collideRounds(pair, a, b);
  else if (kindA <= SHAPE_CAPSULE && kindB <= SHAPE_HULL) collideRoundPolytope(pair, a, b);
  else if (kindA == SHAPE_BOX_KIND && kindB == SHAPE_BOX_KIND) collideBoxBox(pair, a, b);
  else if (kindA >= SHAPE_BOX_KIND && kindB <= SHAPE_HULL) collideHulls(pair, a, b);
  else collideGeneric(pair, a, b);
}
