// A and the right-hand side of an object with a mesh, f64: twin of mechanics/mesh-system.ts, written for the change of
// velocity.
//
//   A d = b,   d = v − base,   b = f − A base = M (v − base) + dt (F(q) + M g) − σ K base + air, σ as below
//
// so that cloth that merely flies has b small and f32 solves lose nothing against its speed. `base` is the velocity at
// the step's start, σ = dt·damping + dt², or a guess, σ = dt·damping there; forces are
// taken at x, or at x + dt·guess.

import {
  GRAVITY,
  KIND_SHELL,
  KIND_SOLID,
  NODE_FORCE,
  NODE_MASS,
  NODE_POSITION,
  NODE_PREVIOUS,
  NODE_VELOCITY,
  ROD_EXTRA,
  ROD_PARAMETER,
  ROD_WEAVE,
  STRAND_ROD,
  TIME_STEP,
} from '../../../state/layout';
import {
  BLOCK32,
  BLOCK64,
  M_A_BLOCKS,
  M_A_ROW,
  M_A_START,
  M_A_TO_L,
  M_AT,
  M_BASE,
  M_BEFORE,
  M_BELOW,
  M_BLOCK,
  M_EXTRA,
  M_FIRST,
  M_HELD,
  M_HELD_VELOCITY,
  M_KIND,
  M_NODE_OF,
  M_NODES,
  M_OBJECT,
  M_RIGHT,
  M_ROW_OF,
  M_ROW_SUM,
  M_SUM,
} from '../../../state/mesh-layout';
import { column, getI32, parameter } from '../memory';
import { at, deductBlock, deductTransposedBlock, dotOf, narrow, part, ROW64 } from './blocks';
import { addHinges } from './hinges';
import { addTriangles } from './membrane';
import { addTetrahedra } from './tetrahedra';

/**
 * A and b of the object. `guess`: f64×4 a node of the tables, or 0: the state as it is; `base`: that, or
 * NODE_VELOCITY. Held nodes have identity rows, and in b the velocity that they are given.
 */
export function assembleMesh(record: usize, guess: usize, base: usize): void {
  const rod = getI32(column(STRAND_ROD), load<i32>(record, M_OBJECT));
  const material = column(ROD_PARAMETER) + ((<usize>rod) << 6);
  const dt = parameter(TIME_STEP);
  const damping = load<f64>(material, 40);
  // Factor of K in A, and that in −K base [s²].
  const stiffness = dt * (dt + damping);
  const viscous = guess == 0 ? stiffness : dt * damping;
  openRows(record, guess, base);
  if (load<i32>(record, M_KIND) == KIND_SHELL) {
    const extra = column(ROD_EXTRA) + ((<usize>rod) << 5);
    const poisson = load<f64>(extra, 24);
    const weft = load<f64>(column(ROD_WEAVE) + ((<usize>rod) << 5));
    addTriangles(record, material, weft, poisson, load<f64>(extra, 8), dt, stiffness, viscous);
    addHinges(record, material, poisson, dt, stiffness, viscous);
  } else if (load<i32>(record, M_KIND) == KIND_SOLID) addTetrahedra(record, material, dt, stiffness, viscous);
  closeRows(record);
}

/** What rounding to f32 takes from a block of a stiff edge across it, as a share of its trace [-]. */
const ROUNDING: f64 = 1.2e-7;
/** Least mass of a node [kg]. */
let lightest: f64 = 0;

/** Resists any difference of velocity at an edge by `by` more [kg]. */
function harden(block: usize, by: f64): void {
  for (let k: usize = 0; k < 120; k += 40) store<f64>(block + k, load<f64>(block + k) - by);
}

/** Whether the motion of any node is prescribed. */
function isAnyHeld(record: usize): bool {
  const held = at(record, M_HELD);
  const end = held + <usize>load<i32>(record, M_NODES);
  for (let i = held; i < end; i++) if (load<u8>(i) != 0) return true;
  return false;
}

/**
 * Positions and base velocities by row; A and b with what belongs to single nodes. What nothing holds falls: its base
 * has that already, so that free flight is exact; what hangs has nothing to change at rest.
 */
function openRows(record: usize, guess: usize, base: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  const first = <usize>load<i32>(record, M_FIRST);
  const rod = getI32(column(STRAND_ROD), load<i32>(record, M_OBJECT));
  const dt = parameter(TIME_STEP);
  const weight = dt * load<f64>(column(ROD_EXTRA) + ((<usize>rod) << 5));
  const last = guess == 0 ? column(NODE_PREVIOUS) : column(NODE_POSITION);
  const share: f64 = guess == 0 && !isAnyHeld(record) ? 1 : 0;
  memory.fill(at(record, M_ROW_SUM), 0, n * BLOCK64);
  memory.fill(at(record, M_EXTRA), 0, n * BLOCK64);
  memory.fill(at(record, M_BELOW), 0, <usize>load<i32>(record, M_A_BLOCKS) * BLOCK64);
  lightest = Infinity;
  for (let i: usize = 0; i < n; i++) {
    const row = <usize>load<i32>(at(record, M_ROW_OF) + (i << 2));
    const node = (first + i) << ROW64;
    const to = row << ROW64;
    const mass = load<f64>(column(NODE_MASS) + (node >> 1));
    lightest = min<f64>(lightest, mass);
    const block = at(record, M_ROW_SUM) + row * BLOCK64;
    for (let k: usize = 0; k < 24; k += 8) {
      const seen = load<f64>(base + node + k);
      const pull = weight * parameter(GRAVITY + <i32>k);
      const own = seen + share * pull;
      const x = load<f64>(column(NODE_POSITION) + node + k);
      store<f64>(at(record, M_AT) + to + k, guess == 0 ? x : x + dt * seen);
      store<f64>(at(record, M_BEFORE) + to + k, load<f64>(last + node + k));
      store<f64>(at(record, M_BASE) + to + k, own);
      const push = load<f64>(column(NODE_VELOCITY) + node + k) - seen + (1 - share) * pull;
      store<f64>(at(record, M_RIGHT) + to + k, mass * push + dt * load<f64>(column(NODE_FORCE) + node + k));
      store<f64>(block + 5 * k, mass);
    }
    store<f64>(at(record, M_RIGHT) + to, 0, 24);
  }
}

/**
 * Held nodes leave the equations: identity rows, b their own change, and what they push goes to the b of the others.
 * Then sums of rows and blocks below the diagonal in f32, as the products take them: A x = Σ_j A_ij · x_i + Σ_j A_ij
 * (x_j − x_i) is exact where f32 sums of large blocks are not: rows of K add up to 0, so that the sums are masses,
 * air, and what holds. Blocks so stiff that rounding them would take from an edge more than its nodes weigh (10⁸
 * times as stiff as inertia) resist that much more: A has to stay positive definite.
 */
function closeRows(record: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  const sums = at(record, M_ROW_SUM);
  const held = at(record, M_HELD);
  const nodeOf = at(record, M_NODE_OF);
  if (isAnyHeld(record)) {
    for (let i: usize = 0; i < n; i++) {
      const node = <usize>load<i32>(nodeOf + (i << 2));
      if (load<u8>(held + node) != 0) holdRow(record, i, node);
    }
    removeHeld(record);
  }
  for (let i: usize = 0; i < n; i++) narrow(at(record, M_SUM) + i * BLOCK32, sums + i * BLOCK64);
  const starts = at(record, M_A_START);
  const rows = at(record, M_A_ROW);
  const extra = at(record, M_EXTRA);
  let place = at(record, M_A_TO_L);
  let block = at(record, M_BELOW);
  let to = at(record, M_BLOCK);
  for (let j: usize = 0; j < n; j++) {
    let p = rows + ((<usize>load<i32>(starts + (j << 2))) << 2);
    const end = rows + ((<usize>load<i32>(starts + (j << 2), 4)) << 2);
    for (; p < end; p += 4) {
      const lost = -ROUNDING * (load<f64>(block) + load<f64>(block, 40) + load<f64>(block, 80)) - lightest;
      if (lost > 0) harden(block, lost);
      narrow(to, block);
      if (load<i32>(place) < 0) {
        deductBlock(extra + <usize>load<i32>(p) * BLOCK64, block);
        deductTransposedBlock(extra + j * BLOCK64, block);
      }
      place += 4;
      block += BLOCK64;
      to += BLOCK32;
    }
  }
}

/** A held node's row. */
function holdRow(record: usize, row: usize, node: usize): void {
  const block = at(record, M_ROW_SUM) + row * BLOCK64;
  memory.fill(block, 0, BLOCK64);
  memory.fill(at(record, M_EXTRA) + row * BLOCK64, 0, BLOCK64);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(block + 5 * k, 1);
    const own = load<f64>(at(record, M_HELD_VELOCITY) + 24 * node + k);
    store<f64>(at(record, M_RIGHT) + (row << ROW64) + k, own - part(at(record, M_BASE), row, k));
  }
}

/** Blocks of held nodes: to b and the sums of their neighbours. */
function removeHeld(record: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  const right = at(record, M_RIGHT);
  const sums = at(record, M_ROW_SUM);
  const starts = at(record, M_A_START);
  const rows = at(record, M_A_ROW);
  const held = at(record, M_HELD);
  const nodeOf = at(record, M_NODE_OF);
  let block = at(record, M_BELOW);
  for (let j: usize = 0; j < n; j++) {
    const heldJ = load<u8>(held + <usize>load<i32>(nodeOf + (j << 2)));
    let p = rows + ((<usize>load<i32>(starts + (j << 2))) << 2);
    const end = rows + ((<usize>load<i32>(starts + (j << 2), 4)) << 2);
    for (; p < end; p += 4, block += BLOCK64) {
      const i = <usize>load<i32>(p);
      const heldI = load<u8>(held + <usize>load<i32>(nodeOf + (i << 2)));
      if ((heldI | heldJ) == 0) continue;
      if (heldI == 0) {
        deductProduct(right + (i << ROW64), block, right + (j << ROW64));
        deductBlock(sums + i * BLOCK64, block);
      } else if (heldJ == 0) {
        deductTransposed(right + (j << ROW64), block, right + (i << ROW64));
        deductTransposedBlock(sums + j * BLOCK64, block);
      }
      memory.fill(block, 0, BLOCK64);
    }
  }
}

/** to −= B x. */
function deductProduct(to: usize, block: usize, x: usize): void {
  for (let c: usize = 0; c < 3; c++) {
    const s = v128.load64_splat(x + (c << 3));
    const from = block + (c << 5);
    v128.store(to, f64x2.sub(v128.load(to), f64x2.mul(v128.load(from), s)));
    v128.store(to, f64x2.sub(v128.load(to, 16), f64x2.mul(v128.load(from, 16), s)), 16);
  }
}

/** to −= Bᵀ x. */
function deductTransposed(to: usize, block: usize, x: usize): void {
  for (let c: usize = 0; c < 3; c++) {
    store<f64>(to + (c << 3), load<f64>(to + (c << 3)) - dotOf(block + (c << 5), x));
  }
}
