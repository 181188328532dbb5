// W of the reference backend: what each node sets against a push, as a share that follows what the last solve lacked
// (solvers/admm/weights.ts).

import { MOST_SHARE, SHARE_PER_NODE, STRAND_SHARE } from '../../../../core/elastic-constants';
import { balance, nodeWeight } from '../../../../solvers/admm/weights';
import { toleranceOf } from '../../../../solvers/elastic/islands';
import * as L from '../../../../state/layout';
import { DUAL_WEIGHT } from '../../../../state/node-places';
import type { Tables } from '../../../../state/tables';
import type { Engine } from '../../../engine';
import { type ElasticContacts, isClampJoint } from '../../collect-contacts';
import { endOf, type Reference, startOf, systemOf } from './reference';

/** W of an object, and its A + W factored. Bare nodes have none: they are solved exactly at once. */
export function weighObject(engine: Engine, r: Reference, object: number): void {
  const { tables } = engine;
  const { weight, inverseWeight } = r.problem;
  const system = systemOf(r, tables, object);
  const end = endOf(tables, object);
  const { isPaper } = r.options;
  if (!isPaper) system.give(r.give, tables, object);
  const share = isPaper ? 0 : shareOf(tables, r.give, object);
  for (let i = startOf(tables, object); i < end; i += 4) {
    const node = i >> 2;
    const isBare = r.touched[node] === 0 || isPrescribedNode(engine, r, object, node);
    const w = isBare ? 0 : isPaper ? paperWeight(r, tables, object, node) : share / r.give[node];
    for (let k = i; k < i + 3; k++) {
      weight[k] = w;
      inverseWeight[k] = w > 0 ? 1 / w : 0;
    }
    weight[i + 3] = inverseWeight[i + 3] = 0;
  }
  system.weigh(weight, tables, object);
}

const block = new Float64Array(9);

/** W of a node by 6.2.6 of Daviet 2020. */
function paperWeight(r: Reference, tables: Tables, object: number, node: number): number {
  systemOf(r, tables, object).block(block, tables, object, node);
  return nodeWeight(block, 0, tables.nodes.mass[2 * node]);
}

/** An object without contacts has no weight. */
export function unweighObject(engine: Engine, { problem }: Reference, object: number): void {
  const start = startOf(engine.tables, object);
  const end = endOf(engine.tables, object);
  problem.weight.fill(0, start, end);
  problem.inverseWeight.fill(0, start, end);
}

/** Share of an object's resistance: as its last step left it, in the weights that `storeSolution` keeps. */
export function shareOf(tables: Tables, give: Float64Array, object: number): number {
  const { dual } = tables.nodes;
  const end = endOf(tables, object);
  let sum = 0;
  let count = 0;
  for (let i = startOf(tables, object); i < end; i += 4) {
    const w = dual[i + DUAL_WEIGHT];
    if (!(w > 0)) continue;
    sum += w * give[i >> 2];
    count++;
  }
  if (count === 0) return STRAND_SHARE;
  return Math.max(STRAND_SHARE, Math.min(MOST_SHARE, SHARE_PER_NODE * count, sum / count));
}

/** Whether the motion of a node is prescribed: by a pin, or by a clamp of its strand that is no joint. */
export function isPrescribedNode(engine: Engine, r: Reference, object: number, node: number): boolean {
  return (
    isClamped(engine, object, node) ||
    (systemOf(r, engine.tables, object).isHeld?.(engine.tables, object, node) ?? false)
  );
}

function isClamped(engine: Engine, strand: number, node: number): boolean {
  const { flags, first, nodes } = engine.tables.strands;
  const i = node - first[strand];
  if (i < 2 && flags[strand] & L.STRAND_CLAMP_START && !isClampJoint(engine, strand, 0)) return true;
  return i >= nodes[strand] - 2 && (flags[strand] & L.STRAND_CLAMP_END) !== 0 && !isClampJoint(engine, strand, 1);
}

/** Weights for the next step, once the last velocities are known: `state.last` are those that were projected. */
export function balanceWeights(engine: Engine, r: Reference, e: ElasticContacts): void {
  const { tables, arena } = engine;
  const { v, p, last } = r.state;
  const { weight, timeStep } = r.problem;
  r.nextWeight.fill(0, 0, arena.i32[L.NODE_COUNT >> 2]);
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (e.active[object] !== 1) continue;
    const start = startOf(tables, object);
    const end = endOf(tables, object);
    let gap = 0;
    let move = 0;
    for (let i = start; i < end; i++) {
      if (weight[i] === 0) continue;
      gap = Math.max(gap, Math.abs(p[i] - last[i]));
      move = Math.max(move, Math.abs(v[i] - last[i]));
    }
    const by = balance(gap, move, toleranceOf(e.islands, object) / timeStep);
    for (let i = start; i < end; i += 4) r.nextWeight[i >> 2] = by * weight[i];
  }
}
