// Any two convex shapes, one of them a cylinder or a cone: normal from the cores, contacts from the features.
//
// In: two colliders (kind A <= kind B), or slots filled by collide-mesh. Out: the pair's manifold.
//
// The direction comes from the distance between the cores (support.ts): cylinders and cones are moved inwards
// by 2 % of their inner radius, so shapes that touch or overlap a little still have a distance between cores and a
// well-conditioned direction; only deep overlap needs the expanding polytope. Every gap is then measured along
// this direction between the FULL shapes, so rounding the rim changes at most the normal of a rim contact,
// never a depth. Where a flat face fits as well as that direction, its exact normal is taken: stacks
// of cylinders stand on equal normals. Rejected: rounded shapes throughout (rims would sink in), penetration
// by sampled directions (not smooth in time).

import { RIMMED_KINDS, SHAPE_CONE, SHAPE_SPHERE } from '../../../state/layout';
import { corePenetration, deepAX, deepAY, deepAZ, deepBX, deepBY, deepBZ, epaX, epaY, epaZ } from '../shapes/epa';
import { coreDistance, gjkX, gjkY, gjkZ, onAX, onAY, onAZ, onBX, onBY, onBZ } from '../shapes/gjk';
import { isOneOf } from '../shapes/kinds';
import {
  faceCount,
  faceX,
  faceY,
  faceZ,
  findFace,
  placeA,
  placeB,
  SLOT_A,
  SLOT_B,
  separationAlong,
  slotKind,
  slotPosition,
  slotRounding,
  slotSize,
  TRIANGLE,
} from '../shapes/support';
import {
  addContact,
  addFaceContacts,
  addLineContacts,
  commitContacts,
  contactCount,
  reachesDownTo,
  startContacts,
} from '../shapes/support-contact';
import { contactDistance, contactReach, setClearance } from './manifold';

/** A face is preferred while its separation is worse by less than this share of the core's rounding. */
const FACE_BIAS: f64 = 0.05;
/** Faces farther from the direction than this cosine are not preferred. */
const FACE_COSINE: f64 = 0.5;
/**
 * Contacts on a face that are all higher than the nearest place by more than this share of the radius are beside it. A
 * tilted rim, as sixteen corners, is told too high by up to 2 % of its radius times the sine of the tilt.
 */
const BESIDE_SHARE: f64 = 2e-3;
/** Feature of a contact that is a single point. */
const POINT_FEATURE: i32 = 0x7000;

/** Unit normal A → B of the contacts found by `findConvexContacts`, working frame. */
export let normalX: f64 = 0;
export let normalY: f64 = 1;
export let normalZ: f64 = 0;

export function collideGeneric(pair: i32, a: i32, b: i32): void {
  placeB(b);
  placeA(a);
  const limit = contactDistance(a, b);
  startContacts(limit, contactReach);
  if (slotKind(SLOT_A) == SHAPE_SPHERE) addSphereContact();
  else findConvexContacts(limit);
  commitContacts(pair, normalX, normalY, normalZ);
}

// Points on the cores that are closest, or deepest inside.
let ax: f64 = 0;
let ay: f64 = 0;
let az: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let bz: f64 = 0;

/**
 * Sets the normal to the direction of least overlap or greatest distance of the cores; returns the core distance.
 * Farther than `limit` [m] any direction that shows it will do.
 */
export function findCoreNormal(limit: f64): f64 {
  const cx = slotPosition(SLOT_B, 0) - slotPosition(SLOT_A, 0);
  const cy = slotPosition(SLOT_B, 1) - slotPosition(SLOT_A, 1);
  const cz = slotPosition(SLOT_B, 2) - slotPosition(SLOT_A, 2);
  const distance = coreDistance(cx, cy, cz, limit);
  if (distance > 0) {
    normalX = gjkX;
    normalY = gjkY;
    normalZ = gjkZ;
    ax = onAX;
    ay = onAY;
    az = onAZ;
    bx = onBX;
    by = onBY;
    bz = onBZ;
    return distance;
  }
  const depth = corePenetration();
  if (depth == -1e300) {
    // Both flat and in one plane: any normal of that plane would do; up is as good as any.
    normalX = 0;
    normalY = 1;
    normalZ = 0;
    ax = slotPosition(SLOT_A, 0);
    ay = slotPosition(SLOT_A, 1);
    az = slotPosition(SLOT_A, 2);
    bx = ax;
    by = ay;
    bz = az;
    return 0;
  }
  normalX = epaX;
  normalY = epaY;
  normalZ = epaZ;
  ax = deepAX;
  ay = deepAY;
  az = deepAZ;
  bx = deepBX;
  by = deepBY;
  bz = deepBZ;
  return -depth;
}

/**
 * Contacts of the two slots up to gap `limit` [m] into the list of shapes/support-contact.ts (started by the caller).
 */
export function findConvexContacts(limit: f64): void {
  findCoreNormal(limit);
  const nx = normalX;
  const ny = normalY;
  const nz = normalZ;
  const apart = separationAlong(nx, ny, nz);
  if (apart > limit) {
    setClearance(apart);
    return;
  }

  // Flat faces on both sides: the polytope's first, else B's, so that the choice does not change between steps.
  const first = faceCount(SLOT_A) > 0 ? SLOT_A : SLOT_B;
  const second = first == SLOT_A ? SLOT_B : SLOT_A;
  const bias = FACE_BIAS * Math.min(rounding(SLOT_A), rounding(SLOT_B));
  let sign: f64 = second == SLOT_A ? 1 : -1;
  const secondCosine = findFace(second, sign * nx, sign * ny, sign * nz);
  const qx = sign * faceX;
  const qy = sign * faceY;
  const qz = sign * faceZ;
  let secondApart = secondCosine > 0 ? separationAlong(qx, qy, qz) : -Infinity;
  // A sharp rim has normals farther from its face than that: as good as any if its overlap is the least.
  if (secondCosine <= FACE_COSINE) secondApart -= bias;

  sign = -sign;
  const firstCosine = findFace(first, sign * nx, sign * ny, sign * nz);
  const px = sign * faceX;
  const py = sign * faceY;
  const pz = sign * faceZ;
  const firstApart = firstCosine > FACE_COSINE ? separationAlong(px, py, pz) : -Infinity;

  // What the nearest place is as high as: along the cores of a rim that overlaps a face's edge a little, full shapes
  // overlap more than along the face.
  let least = apart;
  if (firstApart >= Math.max(apart, secondApart) - bias) {
    if (firstApart > limit) return;
    least = Math.max(apart, firstApart);
    addFaceContacts(first, sign * px, sign * py, sign * pz);
    normalX = px;
    normalY = py;
    normalZ = pz;
  } else if (secondApart >= apart - bias) {
    if (secondApart > limit) return;
    least = Math.max(apart, secondApart);
    findFace(second, -sign * qx, -sign * qy, -sign * qz);
    addFaceContacts(second, -sign * qx, -sign * qy, -sign * qz);
    normalX = qx;
    normalY = qy;
    normalZ = qz;
  }

  if (contactCount() > 0) {
    if (slotKind(SLOT_B) == TRIANGLE || reachesDownTo(least + BESIDE_SHARE * radius())) return;
    // The nearest place was clipped away: it lies beside the face, on an edge or rim of it. (Beside a triangle lies
    // the next one, which has that place.)
    startContacts(limit, contactReach);
  }

  // Edges and points, along the normal of the nearest place.
  normalX = nx;
  normalY = ny;
  normalZ = nz;
  if (addLineContacts(nx, ny, nz) && contactCount() > 0) return;
  addPointContact(apart);
}

/** Sets the normal A → B of the contacts in the list. */
export function setNormal(nx: f64, ny: f64, nz: f64): void {
  normalX = nx;
  normalY = ny;
  normalZ = nz;
}

/** One contact between the closest (or deepest) points of the full shapes along the core normal; its gap [m]. */
export function addPointContact(gap: f64): void {
  const shift = 0.5 * (slotRounding(SLOT_A) - slotRounding(SLOT_B));
  addContact(
    0.5 * (ax + bx) + shift * normalX,
    0.5 * (ay + by) + shift * normalY,
    0.5 * (az + bz) + shift * normalZ,
    gap,
    POINT_FEATURE,
    0,
  );
}

/** Rounding of a cylinder's or cone's core; no limit from other shapes. */
function rounding(slot: usize): f64 {
  const kind = slotKind(slot);
  return isOneOf(kind, RIMMED_KINDS) ? slotRounding(slot) : Infinity;
}

/** Radius of the smaller cylinder or cone [m]. */
function radius(): f64 {
  const isRound = isOneOf(slotKind(SLOT_A), RIMMED_KINDS);
  return isRound ? Math.min(slotSize(SLOT_A, 0), slotSize(SLOT_B, 0)) : slotSize(SLOT_B, 0);
}

/** Sphere in A, cylinder or cone in B: closest point of the profile in the half-plane through the sphere's centre. */
function addSphereContact(): void {
  const x = slotPosition(SLOT_A, 0);
  const y = slotPosition(SLOT_A, 1);
  const z = slotPosition(SLOT_A, 2);
  const radius = slotSize(SLOT_A, 0);
  const r = slotSize(SLOT_B, 0);
  const half = slotSize(SLOT_B, 1);
  const out = Math.sqrt(x * x + z * z);
  const ux = out > 0 ? x / out : 1;
  const uz = out > 0 ? z / out : 0;
  // Outward direction (radial, axial) and signed distance of the centre from the surface.
  let nr: f64 = 0;
  let ny: f64 = 0;
  let distance: f64 = 0;
  if (slotKind(SLOT_B) == SHAPE_CONE) {
    const height = 2 * half;
    const slant = Math.sqrt(r * r + height * height);
    const side = (out * height + (y - half) * r) / slant;
    const base = -half - y;
    // Place along the side from the rim (0) to the apex (1).
    const along = ((y + half) * height - (out - r) * r) / (slant * slant);
    if (side <= 0 && base <= 0 ? side >= base : side > 0 && along >= 0 && along <= 1) {
      nr = height / slant;
      ny = r / slant;
      distance = side;
    } else if (base <= 0 ? side <= 0 : out <= r) {
      ny = -1;
      distance = base;
    } else {
      const cornerR = along > 1 ? out : out - r;
      const cornerY = along > 1 ? y - half : y + half;
      distance = Math.sqrt(cornerR * cornerR + cornerY * cornerY);
      nr = cornerR / distance;
      ny = cornerY / distance;
    }
  } else {
    const side = out - r;
    const cap = Math.abs(y) - half;
    const up: f64 = y < 0 ? -1 : 1;
    if (side > 0 && cap > 0) {
      distance = Math.sqrt(side * side + cap * cap);
      nr = side / distance;
      ny = (up * cap) / distance;
    } else if (side >= cap) {
      nr = 1;
      distance = side;
    } else {
      ny = up;
      distance = cap;
    }
  }
  normalX = -nr * ux;
  normalY = -ny;
  normalZ = -nr * uz;
  const middle = 0.5 * (distance + radius);
  addContact(x + middle * normalX, y + middle * normalY, z + middle * normalZ, distance - radius, POINT_FEATURE, 0);
}

/**
 * Distance between two convex colliders [m], negative when they overlap. Along the direction between the cores:
 * exact but for rim contacts of cylinders and cones (a share of their rounding too small there).
 */
export function measureDistance(a: i32, b: i32): f64 {
  placeB(b);
  placeA(a);
  findCoreNormal(Infinity);
  return separationAlong(normalX, normalY, normalZ);
}
