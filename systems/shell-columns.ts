// The packed arrays of all shells for drawing: filled in place, remade only when shells come or go.
//
// What is drawn of a shell is the mesh that it was made from, vertex by vertex and triangle by triangle as it came (a
// vertex that a texture's seam splits is there twice, with one normal), or the finer surface that it carries.

import { written } from '../components/columns';
import { RANGE_COUNT } from '../src/state/node-places';
import { familyOfKind, MESH_FAMILIES, MESH_NAMES, type MeshName } from './mesh-families';
import type { Physics } from './physics';
import type { ShellMesh } from './shell-state';

/** Places and normals of the nodes of one shell, three numbers each. */
let places = new Float64Array(0);
let normals = new Float64Array(0);

function countVertices({ map, embedding, volume }: ShellMesh): number {
  if (volume) return volume.corner.length / 4;
  return embedding ? embedding.height.length : map.length;
}

/** Brings ranges and triangles up to date after objects with a mesh came, went or were restored. */
export function refreshShells(physics: Physics): void {
  for (const name of MESH_NAMES) refreshView(physics, name);
  interpolateShells(physics, 1);
}

function refreshView(physics: Physics, name: MeshName): void {
  const { meshes, slotOf, views } = physics.internal.rods;
  const { kind, list } = MESH_FAMILIES[name];
  const view = views[list];
  const columns = written(physics.components[name]);
  view.vertexCount = view.triangleCount = 0;
  const order = [...meshes]
    .filter(([eid, mesh]) => slotOf[eid] >= 0 && mesh.kind === kind)
    .map(([eid]) => eid)
    .sort((a, b) => slotOf[a] - slotOf[b]);
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
}

/** Writes positions and normals between the last two steps at `alpha` in 0..1. */
export function interpolateShells(physics: Physics, alpha: number): void {
  const { views, meshes, slotOf } = physics.internal.rods;
  for (const [eid, mesh] of meshes) {
    const slot = slotOf[eid] ?? -1;
    if (slot < 0) continue;
    placeNodes(physics, slot, alpha);
    const family = familyOfKind(mesh.kind) as MeshName;
    const view = views[MESH_FAMILIES[family].list];
    const { firstVertex } = physics.components[family];
    if (mesh.volume) drawWithin(view, mesh, firstVertex[eid]);
    else if (mesh.embedding) drawEmbedded(view, mesh, firstVertex[eid]);
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
  for (let t = start; t < start + strands.triangles[2 * object + RANGE_COUNT]; t++) {
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

/** Surface within tetrahedra: places by their corners, normals from the triangles drawn. */
function drawWithin(view: { positions: Float32Array; normals: Float32Array }, mesh: ShellMesh, first: number): void {
  const { corner, weight } = mesh.volume!;
  const count = corner.length / 4;
  const { positions: p, normals: n } = view;
  for (let v = 0; v < count; v++) {
    for (let k = 0; k < 3; k++) {
      let place = 0;
      for (let j = 4 * v; j < 4 * v + 4; j++) place += weight[j] * places[3 * corner[j] + k];
      p[3 * (first + v) + k] = place;
      n[3 * (first + v) + k] = 0;
    }
  }
  const { triangles } = mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * (first + triangles[t]), 3 * (first + triangles[t + 1]), 3 * (first + triangles[t + 2])];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const normal = (p[b + i] - p[a + i]) * (p[c + j] - p[a + j]) - (p[b + j] - p[a + j]) * (p[c + i] - p[a + i]);
      n[a + k] += normal;
      n[b + k] += normal;
      n[c + k] += normal;
    }
  }
  for (let v = first; v < first + count; v++) normalise(n, 3 * v);
}

/** Kind of the object of a slot of the rods. */
export function kindOf({ internal }: Physics, slot: number): number {
  const { rods, strands } = internal.engine.tables;
  return strands.kind[rods.strandStart[slot]];
}
