// Joints of the wasm backend: solved in double precision on top of the kernels' increments.

import type { JointRows } from '../../../../solvers/admm/joint-rows';
import type { JointSystem } from '../../../../solvers/admm/joint-system';
import { applyJoints, prepareJoints } from '../../../../solvers/admm/joints';
import type { ColumnOperator } from '../../../../solvers/admm/problem';
import * as L from '../../../../state/layout';
import { solveElastic } from '../../surface-parts';
import type { Wasm } from './wasm';

/** Columns and S of the joints, with A or A + W as the system says. */
export function prepareColumns(w: Wasm, system: JointSystem, joints: JointRows): void {
  if (joints.count > 0) prepareJoints(system, w.problem, joints, columnsOf(w));
}

/** What joints ask of the kernels' factors. */
function columnsOf(w: Wasm): ColumnOperator {
  const { engine, work, at } = w;
  const { arena, tables } = engine;
  const { strands, nodes } = tables;
  return {
    column(x, unknown, weighted) {
      const { f32, u8 } = arena;
      const strand = nodes.strand[unknown >> 2];
      // Between solves the rows of the right-hand side are free, and the marks between detections.
      u8.fill(0, at.touched, at.touched + arena.i32[L.STRAND_COUNT >> 2]);
      u8[at.touched + strand] = 1;
      const right = work.right >> 2;
      const start = 4 * strands.first[strand];
      const end = start + 4 * strands.nodes[strand];
      for (let i = start; i < end; i++) f32[right + i] = x[i];
      solveElastic(w, weighted, work.right, work.right, at.touched);
      for (let i = start; i < end; i++) x[i] = f32[right + i];
    },
    rangeOf(out, unknown) {
      const strand = nodes.strand[unknown >> 2];
      out[0] = 4 * strands.first[strand];
      out[1] = out[0] + 4 * strands.nodes[strand];
    },
  };
}

/** Makes v₀ + δ₀ + rows (δ₀ itself, or all that came after v₀, if `rows` is not δ) obey the joints. */
export function addJoints(
  { engine, work, problem, v, base, free }: Wasm,
  system: JointSystem,
  joints: JointRows,
  rows: number,
): void {
  if (joints.count === 0) return;
  const { f32, f64 } = engine.arena;
  const { spans, spanFirst, count, leftOut } = system.blocks;
  const start = work.start >> 2;
  const from = rows >> 2;
  const isDelta = rows === work.delta;
  for (let block = 0; block < count; block++) {
    if (leftOut[block] === 1) continue;
    for (let span = spanFirst[block]; span < spanFirst[block + 1]; span++) {
      for (let i = spans[2 * span]; i < spans[2 * span + 1]; i++) {
        const without = i < problem.elasticCount ? f64[(free >> 3) + i] : problem.f[i];
        v[i] = without + f32[from + i] + (isDelta ? f32[start + i] : 0);
        base[i] = v[i];
      }
    }
  }
  applyJoints(system, problem, joints, v);
  for (let block = 0; block < count; block++) {
    if (leftOut[block] === 1) continue;
    for (let span = spanFirst[block]; span < spanFirst[block + 1]; span++) {
      for (let i = spans[2 * span]; i < spans[2 * span + 1]; i++) f32[from + i] += v[i] - base[i];
    }
  }
}
