// Taking hold of strands: a small body that touches nothing follows the pointer, and
// the nodes near it are joined to it.

import { hasComponent } from 'bitecs';
import { vec3 } from 'gl-matrix';
import { addRigidBody, attach, type Physics, removeRigidBody, type System, setKinematicTarget } from '../../src/index';
import type { Session } from './session';

/** How near the pointer must be to a strand, as an angle at the eye [rad]. */
const REACH = 0.012;
/** Strands of a groom within this share of the distance to the eye come along, at most so many. */
const [LOCK, MOST] = [0.016, 16];
/** The handle makes up its distance in this time [s], but is never faster than this [m/s]. */
const [LAG, FASTEST] = [0.06, 1.6];
/** Share of a clamped strand's length to which it can be pulled. */
const TAUT = 0.97;

/** A node of a strand under the pointer. */
export interface StrandHit {
  /** Entity of the rod or groom. */
  rod: number;
  /** Places among all strands and nodes of the world. */
  strand: number;
  node: number;
  /** [m] */
  point: [number, number, number];
  /** Along the ray [m]. */
  distance: number;
  /** Ends of the strand that are clamped to the world or to a body that the strand cannot move. */
  fixed: { start: boolean; end: boolean };
}

export interface Grip {
  /** Where the handle is [m]. */
  readonly anchor: readonly [number, number, number];
  /** Lets go. */
  release(): void;
}

/** The node nearest to a ray from the eye that can be dragged, none beyond `farthest` [m]; null if none is near. */
export function findStrand(
  session: Session,
  origin: readonly number[],
  direction: readonly number[],
  farthest = Infinity,
): StrandHit | null {
  const { positions, first, counts } = session.physics.strands;
  let found: StrandHit | null = null;
  let best = REACH;
  for (const [name, rod] of session.rods) {
    const { columns } = columnsOf(session.physics, rod);
    const ends = endsOf(session, name);
    const from = columns.firstStrand[rod];
    for (let strand = from; strand < from + columns.strandCount[rod]; strand++) {
      // A clamped edge has no freedom left.
      const start = first[strand] + (ends.start.clamped ? 2 : 0);
      const end = first[strand] + counts[strand] - (ends.end.clamped ? 2 : 0);
      for (let node = start; node < end; node++) {
        const [x, y, z] = [positions[4 * node], positions[4 * node + 1], positions[4 * node + 2]];
        const [dx, dy, dz] = [x - origin[0], y - origin[1], z - origin[2]];
        const along = dx * direction[0] + dy * direction[1] + dz * direction[2];
        if (!(along > 0) || along >= farthest) continue;
        const square = dx * dx + dy * dy + dz * dz - along * along;
        // From the surface of a thick rope, not from its middle.
        const off = Math.max(Math.sqrt(Math.max(square, 0)) - positions[4 * node + 3], 0) / along;
        // Of two that lie under the pointer the nearer one.
        if (off > best || (off === best && found && along >= found.distance)) continue;
        best = off;
        const fixed = { start: ends.start.fixed, end: ends.end.fixed };
        found = { rod, strand, node, point: [x, y, z], distance: along, fixed };
      }
    }
  }
  return found;
}

interface Ends {
  start: { clamped: boolean; fixed: boolean };
  end: { clamped: boolean; fixed: boolean };
}

/** What the scene says of the ends of a rod or groom. */
function endsOf({ scene, entities, fixed }: Session, name: string): Ends {
  const rod = scene.rods.find((entry, i) => (entry.name ?? `rod-${i}`) === name);
  const options = rod ?? scene.grooms.find((entry, i) => (entry.name ?? `groom-${i}`) === name)?.rod;
  const end = (clamp: boolean | undefined, body: string | undefined, usual: boolean) => {
    const clamped = clamp ?? (body !== undefined || usual);
    return { clamped, fixed: clamped && (body === undefined || fixed.has(entities.get(body) ?? -1)) };
  };
  return {
    start: end(options?.clampStart, options?.attachStart, rod === undefined),
    end: end(options?.clampEnd, options?.attachEnd, false),
  };
}

function columnsOf(physics: Physics, rod: number) {
  const { Rod, Groom } = physics.components;
  const isGroom = hasComponent(physics.world, rod, Groom);
  return { isGroom, columns: isGroom ? Groom : Rod };
}

/** Joins the strands at the hit to a handle that follows `target` until it is released. */
export function gripStrands(session: Session, hit: StrandHit, target: readonly [number, number, number]): Grip {
  const { physics } = session;
  const near = nodesNear(session, hit);
  const anchor: [number, number, number] = [...hit.point];
  const handle = addRigidBody(physics, {
    type: 'kinematic',
    shape: { sphere: 1e-3 },
    position: hit.point,
    layers: 0,
    mask: 0,
  });
  for (const node of near) attach(physics, { rod: hit.rod, node, body: handle });
  const reaches = reachesOf(physics, hit);

  const follow: System = ({ timeStep }) => {
    const goal: [number, number, number] = [...target];
    for (const reach of reaches) limit(goal, physics, reach);
    const distance = vec3.distance(goal, anchor);
    if (distance < 1e-6) return;
    vec3.lerp(anchor, anchor, goal, Math.min(1, timeStep / LAG, (FASTEST * timeStep) / distance));
    setKinematicTarget(physics, handle, anchor);
  };
  const stop = physics.schedule.before('copy-in', follow, 'drag-strands');
  return {
    anchor,
    release() {
      stop();
      removeRigidBody(physics, handle);
    },
  };
}

/** The hit node and, in a groom, one node each of the strands beside it: counted from the entity's first node. */
function nodesNear({ physics }: Session, hit: StrandHit): number[] {
  const { isGroom, columns } = columnsOf(physics, hit.rod);
  const { positions, first, counts } = physics.strands;
  const near = [{ node: hit.node, distance: 0 }];
  const radius = LOCK * hit.distance;
  const from = columns.firstStrand[hit.rod];
  for (let s = from; isGroom && s < from + columns.strandCount[hit.rod]; s++) {
    if (s === hit.strand) continue;
    let [node, distance] = [-1, radius];
    for (let i = first[s] + 2; i < first[s] + counts[s]; i++) {
      const away = vec3.distance(positions.subarray(4 * i, 4 * i + 3), hit.point);
      if (away < distance) [node, distance] = [i, away];
    }
    if (node >= 0) near.push({ node, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, MOST).map(({ node }) => node - columns.firstNode[hit.rod]);
}

interface Reach {
  /** Clamped node. */
  root: number;
  /** Length of the strand from there to the grip [m]. */
  length: number;
}

/** How far the grip can go from the fixed ends of its strand. */
function reachesOf({ strands }: Physics, { strand, node, fixed }: StrandHit): Reach[] {
  const { positions, first, counts } = strands;
  const between = (from: number, to: number) => {
    let length = 0;
    for (let i = from + 1; i <= to; i++) {
      length += vec3.distance(positions.subarray(4 * i, 4 * i + 3), positions.subarray(4 * i - 4, 4 * i - 1));
    }
    return TAUT * length;
  };
  const last = first[strand] + counts[strand] - 1;
  return [
    ...(fixed.start ? [{ root: first[strand], length: between(first[strand], node) }] : []),
    ...(fixed.end ? [{ root: last, length: between(node, last) }] : []),
  ];
}

/** Pulls `goal` back to where the strand reaches. */
function limit(goal: vec3, physics: Physics, { root, length }: Reach): void {
  const place = physics.strands.positions.subarray(4 * root, 4 * root + 3);
  const distance = vec3.distance(goal, place);
  if (distance > length) vec3.lerp(goal, place, goal, length / distance);
}
