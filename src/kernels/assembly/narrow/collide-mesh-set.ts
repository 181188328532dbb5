// Contacts of a mesh pair, gathered from many triangles into sets of one normal and written as manifolds.
//
// In: contacts in the mesh's frame with their normals (A → mesh). Out: the manifolds of the pair's own slot
// and of its chain of further slots (PAIR_NEXT). Contacts belong to one set when their normals differ by less
// than SET_COSINE; the set takes the normal of its deepest contact. A set keeps the slot whose last normal was
// nearest to its own, so that impulses carry over. With more sets than slots, sets of similar normals are
// joined, then the least deep ones are left out. Slots without a set get an empty manifold.

import { PAIR_NEXT, PAIR_NORMAL, PAIR_POINTS } from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, getI32 } from '../memory';
import { ox, oy, oz, toWorld, turnToWorld } from '../shapes/support';
import { addCandidate, clearCandidates, commitManifold } from './manifold';

const SETS: i32 = 5;
const CONTACTS: i32 = 24;
/** Slots of a mesh pair: its own and three further ones. */
const SLOTS: i32 = 4;
/** cos 2.5°: larger sets would bend the normal of a body on a flat part next to a slope. */
const SET_COSINE: f64 = 0.99905;
/** cos 20°: sets may be joined, and a set takes over a slot, within this. */
const SIMILAR_COSINE: f64 = 0.94;

// Set: normal x y z, least gap (f64), count, slot taken, stride, offered (i32): of contacts with a new feature one in
// `stride` is taken, as in manifold.ts; contacts x y z gap (f64), feature (i32).
const HEAD: usize = memory.data(5 * 48, 16);
const BODY: usize = memory.data(5 * 24 * 40, 16);
const SLOT: usize = memory.data(16, 16);
let setCount: i32 = 0;

function head(i: i32): usize {
  return HEAD + <usize>i * 48;
}

function contact(set: i32, i: i32): usize {
  return BODY + <usize>(set * CONTACTS + i) * 40;
}

function sizeOf(set: i32): i32 {
  return load<i32>(head(set), 32);
}

export function clearSets(): void {
  setCount = 0;
}

/** Adds a contact with unit normal n (A → mesh). The same feature in the same set counts once, at its deepest. */
export function addToSet(nx: f64, ny: f64, nz: f64, x: f64, y: f64, z: f64, gap: f64, feature: i32): void {
  let set = -1;
  let cosine = setCount < SETS ? SET_COSINE : -2;
  for (let i = 0; i < setCount; i++) {
    const h = head(i);
    const c = dot3(nx, ny, nz, load<f64>(h), load<f64>(h, 8), load<f64>(h, 16));
    if (c > cosine) {
      cosine = c;
      set = i;
    }
  }
  if (set < 0) {
    set = setCount++;
    store<f64>(head(set), Infinity, 24);
    store<i32>(head(set), 0, 32);
    store<i32>(head(set), 1, 40);
    store<i32>(head(set), 0, 44);
  }
  const h = head(set);
  const isDeepest = gap < load<f64>(h, 24);
  if (isDeepest) {
    store<f64>(h, nx);
    store<f64>(h, ny, 8);
    store<f64>(h, nz, 16);
    store<f64>(h, gap, 24);
  }
  putContact(set, x, y, z, gap, feature, isDeepest);
}

function putContact(set: i32, x: f64, y: f64, z: f64, gap: f64, feature: i32, isDeepest: bool): void {
  let size = sizeOf(set);
  let at = size;
  for (let i = 0; i < size; i++) {
    if (load<i32>(contact(set, i), 32) != feature) continue;
    if (load<f64>(contact(set, i), 24) <= gap) return;
    at = i;
    break;
  }
  if (at == size) {
    const offered = load<i32>(head(set), 44);
    store<i32>(head(set), offered + 1, 44);
    if (offered % load<i32>(head(set), 40) != 0 && !isDeepest) return;
  }
  if (at == CONTACTS) {
    // Full: every second one goes, now and of those to come; the deepest stays.
    store<i32>(head(set), 2 * load<i32>(head(set), 40), 40);
    let kept = 0;
    const deepest = load<f64>(head(set), 24);
    for (let i = 0; i < size; i++) {
      if ((i & 1) == 1 && load<f64>(contact(set, i), 24) > deepest) continue;
      if (kept == CONTACTS - 1) break;
      memory.copy(contact(set, kept), contact(set, i), 40);
      kept++;
    }
    size = kept;
    at = kept;
  }
  const p = contact(set, at);
  store<f64>(p, x);
  store<f64>(p, y, 8);
  store<f64>(p, z, 16);
  store<f64>(p, gap, 24);
  store<i32>(p, feature, 32);
  if (at == size) store<i32>(head(set), size + 1, 32);
}

/** Joins or drops sets until there are as many as slots. */
function reduceSets(): void {
  while (setCount > SLOTS) {
    let first = -1;
    let second = -1;
    let cosine = SIMILAR_COSINE;
    let shallow = 0;
    for (let i = 0; i < setCount; i++) {
      const p = head(i);
      if (load<f64>(p, 24) > load<f64>(head(shallow), 24)) shallow = i;
      for (let j = i + 1; j < setCount; j++) {
        const q = head(j);
        const c = dot3(
          load<f64>(p),
          load<f64>(p, 8),
          load<f64>(p, 16),
          load<f64>(q),
          load<f64>(q, 8),
          load<f64>(q, 16),
        );
        if (c > cosine) {
          cosine = c;
          first = i;
          second = j;
        }
      }
    }
    let gone = shallow;
    if (first >= 0) {
      // The deeper one takes the other's contacts.
      gone = load<f64>(head(first), 24) > load<f64>(head(second), 24) ? first : second;
      const into = gone == first ? second : first;
      for (let i = 0; i < sizeOf(gone); i++) {
        const p = contact(gone, i);
        putContact(into, load<f64>(p), load<f64>(p, 8), load<f64>(p, 16), load<f64>(p, 24), load<i32>(p, 32), false);
      }
    }
    setCount--;
    if (gone != setCount) {
      memory.copy(head(gone), head(setCount), 48);
      memory.copy(contact(gone, 0), contact(setCount, 0), CONTACTS * 40);
    }
  }
}

/** Writes the sets as the manifolds of `pair` and its further slots. */
export function commitSets(pair: i32): void {
  reduceSets();
  for (let i = 0; i < setCount; i++) store<i32>(head(i), -1, 36);
  for (let j = 0; j < SLOTS; j++) store<i32>(SLOT + ((<usize>j) << 2), -1);
  const points = column(PAIR_POINTS);
  const normals = column(PAIR_NORMAL);
  const next = column(PAIR_NEXT);
  // Slots with a history first.
  let k = 0;
  for (let slot = pair; slot >= 0 && k < SLOTS; slot = getI32(next, slot), k++) {
    if (getI32(points, slot) == 0) continue;
    const old = normals + ((<usize>slot) << 5);
    let best = -1;
    let cosine = SIMILAR_COSINE;
    for (let i = 0; i < setCount; i++) {
      const h = head(i);
      if (load<i32>(h, 36) >= 0) continue;
      turnToWorld(load<f64>(h), load<f64>(h, 8), load<f64>(h, 16));
      const c = dot3(ox, oy, oz, load<f64>(old), load<f64>(old, 8), load<f64>(old, 16));
      if (c > cosine) {
        cosine = c;
        best = i;
      }
    }
    if (best < 0) continue;
    store<i32>(head(best), k, 36);
    store<i32>(SLOT + ((<usize>k) << 2), best);
  }
  k = 0;
  for (let slot = pair; slot >= 0 && k < SLOTS; slot = getI32(next, slot), k++) {
    let set = load<i32>(SLOT + ((<usize>k) << 2));
    if (set < 0) {
      // Deepest set without a slot.
      for (let i = 0; i < setCount; i++) {
        if (load<i32>(head(i), 36) >= 0) continue;
        if (set < 0 || load<f64>(head(i), 24) < load<f64>(head(set), 24)) set = i;
      }
      if (set >= 0) store<i32>(head(set), k, 36);
    }
    clearCandidates();
    if (set < 0) {
      commitManifold(slot, 0, 1, 0);
      continue;
    }
    for (let i = 0; i < sizeOf(set); i++) {
      const p = contact(set, i);
      toWorld(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16));
      addCandidate(ox, oy, oz, load<f64>(p, 24), load<i32>(p, 32));
    }
    const h = head(set);
    turnToWorld(load<f64>(h), load<f64>(h, 8), load<f64>(h, 16));
    commitManifold(slot, ox, oy, oz);
  }
}
