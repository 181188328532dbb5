// The calls a game makes on shells. All check their input and throw UsageError: where, expected, got.

import { addEntity, entityExists, hasComponent, removeEntity } from 'bitecs';
import { written } from '../components/columns';
import { noteMotion } from '../src/collision/queries';
import { refuse, refuseAs, requireVector } from '../src/core/errors';
import { FARTHEST } from '../src/dynamics/bodies';
import { freeAttachment } from '../src/dynamics/elastic/attachment-rows';
import { createShell } from '../src/dynamics/elastic/mesh-rows';
import { carryRooted } from '../src/dynamics/elastic/solid-roots';
import { placeMiddles } from '../src/dynamics/elastic/solid-rows';
import { enableSurfaces } from '../src/dynamics/elastic/surfaces';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import type { Engine } from '../src/dynamics/engine';
import { rideAlong } from '../src/mechanics/solid/riders';
import * as L from '../src/state/layout';
import { SHELL_NUMBER_NAMES } from '../src/state/shell-material';
import { strandChanges } from '../src/state/strand-changes';
import { addSafely } from './ecs-changes';
import { makePending } from './entities';
import { isGoing, noteBirth } from './entity-lives';
import { familyOfKind, MESH_FAMILIES, MESH_WORDS, type MeshName, type MeshWord } from './mesh-families';
import { type Physics, refuseEntity, requirePhysics } from './physics';
import { findPin, holdNode } from './pins';
import { slotOf, type Vector } from './rigid-body';
import { requireBody, requireKnownKeys, requireRoom } from './rod-spec';
import { SURFACE_MODULES } from './rod-systems';
import type { Points } from './rods';
import { checkShell, readPoints, requireVertex, type ShellSpec } from './shell-spec';
import type { ShellMesh } from './shell-state';
import { addModules } from './step-modules';

/**
 * Adds an entity with Shell: cloth, paper, a leaf, sheet metal. It may start bent, in contact or in penetration. Its
 * rows are made at the next step, or call that asks for them. Throws UsageError on wrong input, before anything is
 * added: `addShell: triangles[3] must not be the third triangle at an edge, got [0, 1, 4]`.
 */
export function addShell(physics: Physics, spec: ShellSpec): number {
  const where = 'addShell';
  requirePhysics(physics, where);
  const { material, mesh, pins, ...rest } = checkShell(physics, where, spec);
  const nodes = rest.points.length / 3;
  requireRoom(physics, where, nodes);
  const { world, components, internal } = physics;
  const eid = addEntity(world);
  noteBirth(physics, eid);
  const numbers = SHELL_NUMBER_NAMES.map((name) => material[name]);
  const definition = {
    entity: eid,
    ...rest,
    // The rows have the half thickness, as rods have a radius.
    parameter: [numbers[0] / 2, ...numbers.slice(1, 8)],
    extra: numbers.slice(8, 12),
    weave: numbers.slice(12),
  };
  enableSurfaces();
  addModules(internal, SURFACE_MODULES);
  const create = (engine: Engine) => createShell(engine, definition);
  internal.rods.pendingShells.set(eid, { definition, create, mesh, pins });
  internal.rods.pendingNodes += nodes;
  if (!addSafely(world, eid, components.Shell)) return eid;
  const columns = written(components.Shell);
  for (const name of SHELL_NUMBER_NAMES) columns[name][eid] = material[name];
  return eid;
}

/** Removes the entity with its shell. Allowed at any time; an entity already gone is left alone. */
export function removeShell(physics: Physics, eid: number): void {
  requirePhysics(physics, 'removeShell');
  requireEntity('removeShell', eid);
  const { world, components } = physics;
  if (!entityExists(world, eid) || isGoing(physics, eid)) return;
  if (!hasComponent(world, eid, components.Shell)) refuse('removeShell', 'entity must be a shell of this world', eid);
  removeEntity(world, eid);
}

function requireEntity(where: string, eid: unknown): void {
  if (typeof eid !== 'number' || !Number.isInteger(eid)) refuse(where, 'entity must be an entity id', eid);
}

/** An object with a mesh: its slot among the rods, and what is drawn of it. */
export interface MeshObject {
  readonly slot: number;
  readonly mesh: ShellMesh;
}

/** The object with a mesh of an entity, of any family or of that with the word `wanted`; what waits is made first. */
export function meshOf(physics: Physics, eid: number, where: string, wanted: MeshWord | null): MeshObject {
  requirePhysics(physics, where);
  requireEntity(where, eid);
  makePending(physics);
  const { slotOf: slots, meshes, pendingShells } = physics.internal.rods;
  const slot = slots[eid] ?? -1;
  const mesh = meshes.get(eid);
  if (slot < 0 || mesh === undefined || !(wanted === null || wordOf(mesh) === wanted)) {
    const expectation = `entity must be a ${wanted ?? MESH_WORDS.join(' or ')} of this world`;
    if (pendingShells.has(eid)) refuseAs(where, expectation, `${eid}, which is made after this step`);
    refuseEntity(physics, where, expectation, eid);
  }
  return { slot, mesh };
}

const wordOf = ({ kind }: ShellMesh): MeshWord => MESH_FAMILIES[familyOfKind(kind) as MeshName].word;

/** Where a pin holds its vertex. */
export interface PinOptions {
  /** Entity of the body that it follows. Default the world. */
  body?: number;
  /** In the body's own frame, or the world's [m]. Default where the vertex is now. */
  point?: Vector;
}

/**
 * Holds a vertex, by its number in the mesh that the shell or solid was made from, at a point of the world or of a
 * body. Of the world, of a static or kinematic body its motion is prescribed: it is there at the end of each step; to a
 * dynamic body it is joined two-way. Pinning a pinned vertex again moves the pin: call it every step for a scripted
 * motion.
 */
export function pinVertex(physics: Physics, eid: number, vertex: number, options: PinOptions = {}): void {
  const where = 'pinVertex';
  requireKnownKeys(where, options, ['body', 'point']);
  const { slot, mesh } = meshOf(physics, eid, where, null);
  const node = requireVertex(where, 'vertex', vertex, mesh.map);
  const point = options.point === undefined ? null : requireVector(where, 'point', options.point, 3, 'm');
  if (point?.some((x) => Math.abs(x) > FARTHEST)) refuse(where, `point must be within ±${FARTHEST} [m]`, point);
  const entity = requireBody(physics, where, 'body', options.body);
  holdNode(physics, slot, node, entity === 0 ? -1 : slotOf(physics, entity, where), point);
}

/** Lets a pinned vertex go; one that is free is left alone. */
export function unpinVertex(physics: Physics, eid: number, vertex: number): void {
  const where = 'unpinVertex';
  const { slot, mesh } = meshOf(physics, eid, where, null);
  const pin = findPin(physics, slot, requireVertex(where, 'vertex', vertex, mesh.map));
  if (pin >= 0) freeAttachment(physics.internal.engine, pin);
}

/** Wakes a shell, and everything it rests with. */
export function wakeShell(physics: Physics, eid: number): void {
  const { slot } = meshOf(physics, eid, 'wakeShell', 'shell');
  touchRod(physics.internal.engine.tables, slot);
}

/** Adds a force [N], world axes, on a vertex for the next step. In a system: before 'predict-motion'. */
export function addShellForce(physics: Physics, eid: number, vertex: number, force: Vector): void {
  addVertexForce(physics, meshOf(physics, eid, 'addShellForce', 'shell'), 'addShellForce', vertex, force);
}

export function addVertexForce(
  physics: Physics,
  { slot, mesh }: MeshObject,
  where: string,
  vertex: number,
  force: Vector,
): void {
  const f = requireVector(where, 'force', force, 3, 'N');
  const { rods, nodes } = physics.internal.engine.tables;
  const at = 4 * (rods.nodeStart[slot] + requireVertex(where, 'vertex', vertex, mesh.map));
  strandChanges(physics.internal.engine.tables).forces++;
  for (let k = 0; k < 3; k++) nodes.force[at + k] += f[k];
}

/**
 * Puts a shell somewhere else at once, at rest: the places of the vertices that it was made with, as many [m]. Nothing
 * is swept along, its contacts end, pins stay where they are.
 */
export function placeShell(physics: Physics, eid: number, vertices: Points): void {
  placeVertices(physics, meshOf(physics, eid, 'placeShell', 'shell'), 'placeShell', vertices);
}

export function placeVertices(physics: Physics, { slot, mesh }: MeshObject, where: string, vertices: Points): void {
  const points = readPoints(where, 'vertices', vertices, 3);
  if (points.length !== 3 * mesh.map.length) {
    refuse(where, `vertices must be as many as the entity was made with, ${mesh.map.length}`, points.length / 3);
  }
  const { arena, tables } = physics.internal.engine;
  const { rods, strands, nodes, nodeContacts } = tables;
  const first = rods.nodeStart[slot];
  const before = nodes.position.slice(4 * first, 4 * (first + rods.nodeCount[slot]));
  mesh.map.forEach((node, v) => {
    for (let k = 0; k < 3; k++) nodes.position[4 * (first + node) + k] = points[3 * v + k];
  });
  placeMiddles(tables, rods.strandStart[slot]);
  rideAlong(nodes.position, tables, rods.strandStart[slot]);
  const [start, end] = [4 * first, 4 * (first + rods.nodeCount[slot])];
  for (let i = start; i < end; i++) nodes.previous[i] = nodes.position[i];
  for (const column of [nodes.velocity, nodes.predicted, nodes.dual]) column.fill(0, start, end);
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const isOurs = [0, 1].some((k) => nodeContacts.side[4 * c + k] === rods.strandStart[slot]);
    if (isOurs) nodeContacts.force.fill(0, 4 * c, 4 * c + 4);
  }
  if (strands.kind[rods.strandStart[slot]] === L.KIND_SHELL) strands.flags[rods.strandStart[slot]] |= L.STRAND_TANGLED;
  carryRooted(physics.internal.engine, rods.strandStart[slot], before);
  touchRod(tables, slot);
  noteMotion(physics.internal.queries);
}

/**
 * Positions of the vertices that a shell was made with after the last step, three numbers each [m]; into `out` where
 * given.
 */
export function shellPositions(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const where = 'shellPositions';
  return readVertices(physics, meshOf(physics, eid, where, 'shell'), where, 'position', out);
}

/** Velocities likewise [m/s]. */
export function shellVelocities(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const where = 'shellVelocities';
  return readVertices(physics, meshOf(physics, eid, where, 'shell'), where, 'velocity', out);
}

export function readVertices(
  physics: Physics,
  { slot, mesh }: MeshObject,
  where: string,
  column: 'position' | 'velocity',
  out?: Float64Array,
): Float64Array {
  const count = mesh.map.length;
  if (out !== undefined && (!(out instanceof Float64Array) || out.length < 3 * count)) {
    refuse(where, `out must be a Float64Array of at least ${3 * count}`, out);
  }
  const result = out ?? new Float64Array(3 * count);
  const { rods, nodes } = physics.internal.engine.tables;
  for (let v = 0; v < count; v++) {
    const at = 4 * (rods.nodeStart[slot] + mesh.map[v]);
    for (let k = 0; k < 3; k++) result[3 * v + k] = nodes[column][at + k];
  }
  return result;
}
