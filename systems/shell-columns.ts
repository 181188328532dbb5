// The packed arrays of all shells for drawing: filled in place, remade only when shells come or go.
//
// What is drawn of a shell is the mesh that it was made from, vertex by vertex and triangle by triangle as it came (a
// vertex that a texture's seam splits is there twice, with one normal), or the finer surface that it carries.

import { written } from '../components/columns';
import * as L from '../src/state/layout';
import type { Physics } from './physics';
import type { ShellMesh } from './shell-state';

/** Places and normals of the nodes of one shell, three numbers each. */
let places = new Float64Array(0);
let normals = new Float64Array(0);

function countVertices({ map, embedding }: ShellMesh): number {
  return embedding ? embedding.height.length : map.length;
}

/** Brings ranges and triangles up to date after shells came, went or were restored. */
export function refreshShells(physics: Physics): void {
  const { shells: view, meshes, slotOf } = physics.internal.rods;
  const columns = written(physics.components.Shell);
  view.vertexCount = view.triangleCount = 0;
  const order = [...meshes.keys()].filter((eid) => slotOf[eid] >= 0).sort((a, b) => slotOf[a] - slotOf[b]);
  for (const eid of order) {
    const mesh = meshes.get(eid)!;
    columns.firstVertex[eid] = view.vertexCount;
    columns.vertexCount[eid] = countVertices(mesh);
    columns.firstTriangle[eid] = view.triangleCount;
    columns.triangleCount[eid] = mesh.triangles.length / 3;
    view.vertexCount += countVertices(mesh);
    view.triangleCount += mesh.triangles.length / 3;
  }
  view.version++;
  if (view.positions.length < 3 * view.vertexCount) {
    view.positions = new Float32Array(6 * view.vertexCount);
    view.normals = new Float32Array(6 * view.vertexCount);
  }
  if (view.triangles.length < 3 * view.triangleCount) view.triangles = new Uint32Array(6 * view.triangleCount);
  for (const eid of order) view.triangles.set(meshes.get(eid)!.triangles, 3 * columns.firstTriangle[eid]);
  interpolateShells(physics, 1);
}

/** Writes positions and normals between the last two steps at `alpha` in 0..1. */
export function interpolateShells(physics: Physics, alpha: number): void {
  const { shells: view, meshes, slotOf } = physics.internal.rods;
  if (view.vertexCount === 0) return;
  const { firstVertex } = physics.components.Shell;
  for (const [eid, mesh] of meshes) {
    const slot = slotOf[eid] ?? -1;
    if (slot < 0) continue;
    placeNodes(physics, slot, alpha);
    if (mesh.embedding) drawEmbedded(view, mesh, firstVertex[eid]);
    else {
      for (let v = 0, to = 3 * firstVertex[eid]; v < mesh.map.length; v++, to += 3) {
        const from = 3 * mesh.map[v];
        for (let k = 0; k < 3; k++) {
          view.positions[to + k] = places[from + k];
          view.normals[to + k] = normals[from + k];
        }
      }
    }
  }
}

/** Places and normals of a shell's nodes at `alpha`. */
function placeNodes({ internal }: Physics, slot: number, alpha: number): void {
  const { rods, strands, nodes, triangles } = internal.engine.tables;
  const first = rods.nodeStart[slot];
  const count = rods.nodeCount[slot];
  if (places.length < 3 * count) {
    places = new Float64Array(6 * count);
    normals = new Float64Array(6 * count);
  }
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const at = 4 * (first + i) + k;
      places[3 * i + k] = (1 - alpha) * nodes.previous[at] + alpha * nodes.position[at];
    }
  }
  normals.fill(0, 0, 3 * count);
  const object = rods.strandStart[slot];
  const start = strands.triangles[2 * object];
  for (let t = start; t < start + strands.triangles[2 * object + 1]; t++) {
    const a = 3 * (triangles.node[4 * t] - first);
    const b = 3 * (triangles.node[4 * t + 1] - first);
    const c = 3 * (triangles.node[4 * t + 2] - first);
    const [ux, uy, uz] = [places[b] - places[a], places[b + 1] - places[a + 1], places[b + 2] - places[a + 2]];
    const [vx, vy, vz] = [places[c] - places[a], places[c + 1] - places[a + 1], places[c + 2] - places[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const at of [a, b, c]) {
      normals[at] += x;
      normals[at + 1] += y;
      normals[at + 2] += z;
    }
  }
  for (let at = 0; at < 3 * count; at += 3) normalise(normals, at);
}

function normalise(v: Float64Array | Float32Array, at: number): void {
  const length = Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
  const scale = length > 0 ? 1 / length : 0;
  for (let k = at; k < at + 3; k++) v[k] *= scale;
}

function drawEmbedded(view: { positions: Float32Array; normals: Float32Array }, mesh: ShellMesh, first: number): void {
  const { corner, weight, height } = mesh.embedding!;
  for (let v = 0; v < height.length; v++) {
    const to = 3 * (first + v);
    for (let k = 0; k < 3; k++) {
      let place = 0;
      let normal = 0;
      for (let j = 3 * v; j < 3 * v + 3; j++) {
        place += weight[j] * places[3 * corner[j] + k];
        normal += weight[j] * normals[3 * corner[j] + k];
      }
      view.positions[to + k] = place;
      view.normals[to + k] = normal;
    }
    normalise(view.normals, to);
    for (let k = 0; k < 3; k++) view.positions[to + k] += height[v] * view.normals[to + k];
  }
}

/** Whether a slot of the rods is a shell's. */
export function isShell({ internal }: Physics, slot: number): boolean {
  const { rods, strands } = internal.engine.tables;
  return strands.kind[rods.strandStart[slot]] === L.KIND_SHELL;
}
