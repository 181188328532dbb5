// THE table of pairs of shape kinds: which routine makes the manifold of two colliders.
//
// In: two colliders, that of the smaller kind first. Out: the pair's manifold, an empty one included: every routine
// commits one. A further kind of shape adds its number to state/shape-kinds.ts, here a row and a column, and, where
// none of these routines fits, one of its own.
//
// Numbers and a `switch` in place of function references: the compiler sees each call and may draw it in.

import { SHAPE_KIND_COUNT } from '../../../state/layout';
import { collideBoxBox } from './collide-box';
import { collideGeneric } from './collide-generic';
import { collideHulls } from './collide-hull';
import { collideMesh } from './collide-mesh';
import { collidePlane } from './collide-plane';
import { collideRoundPolytope, collideRounds } from './collide-round';
import { clearCandidates, commitManifold } from './manifold';

/** The other order holds the pair, or both are for static bodies only: there is no such pair. */
const __: u8 = 0;
/** Two balls or capsules: the distance of their segments. */
const ROUND: u8 = 1;
/** A ball or capsule on flat faces. */
const POLY: u8 = 2;
/** Two boxes. */
const BOXES: u8 = 3;
/** Two bodies of flat faces. */
const HULLS: u8 = 4;
/** Any two convex shapes, one of them with a rim: by the distance of their cores. */
const CORES: u8 = 5;
/** Anything on a half-space. */
const PLANE: u8 = 6;
/** Anything on triangles, one by one. */
const TRIS: u8 = 7;

/** Row: kind of A. Column: kind of B. Both in the order of their numbers. */
// biome-ignore format: a table
const ROUTINE: usize = memory.data<u8>([
  // sphere capsule  box   hull cylinder  cone  plane  mesh
     ROUND,  ROUND,  POLY,  POLY, CORES, CORES, PLANE, TRIS, // sphere
        __,  ROUND,  POLY,  POLY, CORES, CORES, PLANE, TRIS, // capsule
        __,     __, BOXES, HULLS, CORES, CORES, PLANE, TRIS, // box
        __,     __,    __, HULLS, CORES, CORES, PLANE, TRIS, // hull
        __,     __,    __,    __, CORES, CORES, PLANE, TRIS, // cylinder
        __,     __,    __,    __,    __, CORES, PLANE, TRIS, // cone
        __,     __,    __,    __,    __,    __,    __,   __, // plane
        __,     __,    __,    __,    __,    __,    __,   __, // mesh
]);

/** Makes the manifold of a pair of colliders of these kinds, kindA <= kindB. */
export function collide(pair: i32, a: i32, b: i32, kindA: i32, kindB: i32): void {
  switch (<i32>load<u8>(ROUTINE + <usize>(SHAPE_KIND_COUNT * kindA + kindB))) {
    case ROUND:
      collideRounds(pair, a, b);
      break;
    case POLY:
      collideRoundPolytope(pair, a, b);
      break;
    case BOXES:
      collideBoxBox(pair, a, b);
      break;
    case HULLS:
      collideHulls(pair, a, b);
      break;
    case CORES:
      collideGeneric(pair, a, b);
      break;
    case PLANE:
      collidePlane(pair, a, b);
      break;
    case TRIS:
      collideMesh(pair, a, b);
      break;
    default:
      clearCandidates();
      commitManifold(pair, 0, 1, 0);
  }
}
