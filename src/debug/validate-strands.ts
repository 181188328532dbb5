// Invariants of the tables of rods, strands and nodes: dense ranges that agree with each other, finite numbers.

import * as L from '../state/layout';
import { EDGE_OBJECT, TRIANGLE_OBJECT } from '../state/mesh-places';
import { RING_BODY } from '../state/node-places';
import type { Tables } from '../state/tables';

/** Adds a line to `broken` for everything that is wrong. */
export function checkStrands(tables: Tables, count: (cell: number) => number, broken: string[]): void {
  const { rods, strands, nodes, nodeContacts, attachments } = tables;
  const strandCount = count(L.STRAND_COUNT);
  const nodeCount = count(L.NODE_COUNT);
  let next = 0;

  for (let s = 0; s < strandCount; s++) {
    if (strands.first[s] !== next) broken.push(`strand ${s}: starts at node ${strands.first[s]}, not ${next}`);
    next = strands.first[s] + strands.nodes[s];
    const rod = strands.rod[s];
    if (!(rods.flags[rod] & L.ROD_ALIVE)) broken.push(`strand ${s}: its rod ${rod} is not alive`);
    const place = s - rods.strandStart[rod];
    if (place < 0 || place >= rods.strandCount[rod]) broken.push(`strand ${s}: lies outside its rod ${rod}`);
    let sum = 0;
    for (let i = strands.first[s]; i < next; i++) {
      if (nodes.strand[i] !== s) broken.push(`node ${i}: belongs to strand ${nodes.strand[i]}, lies in ${s}`);
      for (let k = 4 * i; k < 4 * i + 4; k++) sum += nodes.position[k] + nodes.velocity[k] + nodes.frame[k];
    }
    if (!Number.isFinite(sum)) broken.push(`strand ${s}: position, velocity or frame is not finite`);
  }

  checkMeshes(tables, count, broken);
  if (next !== nodeCount) broken.push(`nodes: strands end at ${next}, there are ${nodeCount}`);
  checkSleep(tables, count, broken);
  let strandSum = 0;

  for (let rod = 0; rod < count(L.ROD_COUNT); rod++) {
    if (!(rods.flags[rod] & L.ROD_ALIVE)) continue;
    strandSum += rods.strandCount[rod];
    if (rods.nodeStart[rod] !== strands.first[rods.strandStart[rod]]) {
      broken.push(`rod ${rod}: starts at node ${rods.nodeStart[rod]}, its first strand elsewhere`);
    }
  }

  if (strandSum !== strandCount) broken.push(`strands: rods have ${strandSum}, there are ${strandCount}`);

  for (let c = 0; c < count(L.NODE_CONTACT_COUNT); c++) {
    for (let k = 4 * c; k < 4 * c + 4; k++) {
      if (nodeContacts.node[k] >= nodeCount) broken.push(`strand contact ${c}: node ${nodeContacts.node[k]} is none`);
    }
  }

  for (let a = 0; a < count(L.ATTACHMENT_COUNT); a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const rod = attachments.rod[a];
    if (!(rods.flags[rod] & L.ROD_ALIVE)) broken.push(`attachment ${a}: its rod ${rod} is not alive`);
    else if (attachments.node[a] >= rods.nodeCount[rod]) broken.push(`attachment ${a}: its rod has no such node`);
    const other = attachments.other[2 * a];
    if (other >= 0 && !(rods.flags[other] & L.ROD_ALIVE)) broken.push(`attachment ${a}: its rod ${other} is not alive`);
  }
}

/** Triangles, edges and tetrahedra are dense ranges, object by object, that name rows of their own object. */
function checkMeshes(tables: Tables, count: (cell: number) => number, broken: string[]): void {
  const { strands, triangles, meshEdges, tetrahedra } = tables;
  const next = { triangles: 0, meshEdges: 0, tetrahedra: 0 };
  const isWithin = (row: number, first: number, size: number) => row >= first && row < first + size;

  for (let s = 0; s < count(L.STRAND_COUNT); s++) {
    const [first, nodes] = [strands.first[s], strands.nodes[s]];

    for (const name of ['triangles', 'meshEdges', 'tetrahedra'] as const) {
      const start = strands[name][2 * s];
      const size = strands[name][2 * s + 1];
      if (size > 0 && start !== next[name]) broken.push(`strand ${s}: ${name} start at ${start}, not ${next[name]}`);
      next[name] += size;
    }
    const ranges = [strands.triangles, strands.meshEdges, strands.tetrahedra].map((at) => [at[2 * s], at[2 * s + 1]]);
    const [[t0, faces], [e0, edges], [h0, cells]] = ranges;

    for (let t = t0; t < t0 + faces; t++) {
      const isGood = [0, 1, 2].every(
        (k) => isWithin(triangles.node[4 * t + k], first, nodes) && isWithin(triangles.edge[4 * t + k], e0, edges),
      );
      if (!isGood || triangles.node[4 * t + TRIANGLE_OBJECT] !== s)
        broken.push(`triangle ${t}: names rows outside object ${s}`);
    }

    for (let e = e0; e < e0 + edges; e++) {
      const others = [2, 3].map((k) => meshEdges.node[4 * e + k]).filter((row) => row >= 0);
      const sides = [0, 1].map((k) => meshEdges.triangle[4 * e + k]).filter((row) => row >= 0);
      const isGood =
        meshEdges.node[4 * e] < meshEdges.node[4 * e + 1] &&
        [...meshEdges.node.subarray(4 * e, 4 * e + 2), ...others].every((row) => isWithin(row, first, nodes)) &&
        sides.every((row) => isWithin(row, t0, faces));
      if (!isGood || meshEdges.triangle[4 * e + EDGE_OBJECT] !== s)
        broken.push(`edge ${e}: names rows outside object ${s}`);
    }

    for (let h = h0; h < h0 + cells; h++) {
      const middles = tetrahedra.middle.subarray(8 * h, 8 * h + 6).filter((node) => node >= 0);
      const isGood =
        [0, 1, 2, 3].every((k) => isWithin(tetrahedra.node[4 * h + k], first, nodes)) &&
        (middles.length === 0 || (middles.length === 6 && middles.every((node) => isWithin(node, first, nodes))));
      if (!isGood || tetrahedra.object[h] !== s) broken.push(`tetrahedron ${h}: names rows outside object ${s}`);
    }
  }

  const counts = { triangles: L.TRIANGLE_COUNT, meshEdges: L.MESH_EDGE_COUNT, tetrahedra: L.TETRAHEDRON_COUNT };
  for (const name of ['triangles', 'meshEdges', 'tetrahedra'] as const) {
    if (next[name] !== count(counts[name]))
      broken.push(`${name}: objects have ${next[name]}, there are ${count(counts[name])}`);
  }
}

/** Who sleeps is in a ring with its bodies, at rest, and counted; who was touched since still has the ring. */
function checkSleep({ strands, nodes, bodies }: Tables, count: (cell: number) => number, broken: string[]): void {
  let resting = 0;
  let away = 0;
  for (let s = 0; s < count(L.STRAND_COUNT); s++) {
    const isAsleep = (strands.flags[s] & L.STRAND_ASLEEP) !== 0;
    if (strands.flags[s] & L.STRAND_AWAY) {
      if (!isAsleep || strands.ring[2 * s] !== 0) broken.push(`strand ${s}: is away, and awake or in a ring`);
      away++;
      continue;
    }
    if (strands.ring[2 * s] !== 0) resting++;
    else if (isAsleep) broken.push(`strand ${s}: sleeps without a ring`);
    if (!isAsleep) continue;
    for (let k = 4 * strands.first[s]; k < 4 * (strands.first[s] + strands.nodes[s]); k++) {
      if (nodes.velocity[k] !== 0) broken.push(`strand ${s}: sleeps at velocity ${nodes.velocity[k]}`);
    }
    const body = strands.ring[2 * s + RING_BODY];
    if (body >= bodies.capacity) broken.push(`strand ${s}: sleeps with body ${body}, which is none`);
  }
  if (resting + away !== count(L.STRAND_ASLEEP_COUNT)) {
    broken.push(
      `strands: ${resting} have a ring, ${away} are away, ${count(L.STRAND_ASLEEP_COUNT)} are counted as asleep`,
    );
  }
  if (count(L.NODE_CONTACT_ASLEEP) > count(L.NODE_CONTACT_COUNT)) broken.push('strand contacts: more sleep than are');
}
