// The last word on bodies that hang on joints and were solved with strands: joints and contacts give them no energy.
//
// Joints that contradict each other, long arms that turn by radians in a step and overlaps that leave no room have no
// answer, and a solve that stops far from one can leave bodies with thousands of times the energy that there was. A
// projection on constraints takes energy away (|v| ≤ |v free| in the norm of the masses); besides, what drives does
// work, and what recovers. An island of more than that goes only part of the way from its velocities without contacts
// and joints: its impulses shrink together, which keeps its momentum. Islands of solves that went well are not touched.
//
// In: velocities of the tables (without contacts) and e.bodyVelocity. Out: e.bodyVelocity, impulses of joints.

import { JOINT_SPEED } from '../../core/elastic-constants';
import { DRIVEN_GAIN } from '../../core/engine-constants';
import { elasticKind } from '../../mechanics/kinds';
import { isPrescribed } from '../../mechanics/pins';
import { rotationalEnergy } from '../../mechanics/rigid';
import type { JointRows } from '../../solvers/admm/joint-rows';
import { ROW_BIAS } from '../../solvers/admm/joint-rows';
import { ANGULAR } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { shareWithin } from '../share-within';
import { heldNode } from './attachment-rows';
import type { ElasticContacts } from './collect-contacts';

/** Energy may grow to so many times what all that takes part had: a step in which much turns is no projection [-]. */
const ENERGY_GAIN = 2;

const spin = new Float64Array(3);

/** How the velocities of a body are taken: as they are, as they are solved, or the difference. */
type Which = 'free' | 'solved' | 'change';

/** Kinetic energy of the i-th body that takes part [J]. */
function energyOf({ tables }: Engine, e: ElasticContacts, i: number, which: Which): number {
  const { linearVelocity, angularVelocity, inverseMass, localInertia, rotation } = tables.bodies;
  const body = e.bodies[i];
  const solved = which === 'free' ? 0 : 1;
  const free = which === 'solved' ? 0 : which === 'free' ? 1 : -1;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const v = solved * e.bodyVelocity[8 * i + k] + free * linearVelocity[4 * body + k];
    square += v * v;
    spin[k] = solved * e.bodyVelocity[8 * i + ANGULAR + k] + free * angularVelocity[4 * body + k];
  }
  const turning = rotationalEnergy(rotation, spin, localInertia, 4 * body, 8 * body);
  return (0.5 * square) / inverseMass[body] + turning;
}

function sumOf(engine: Engine, e: ElasticContacts, island: number, which: Which): number {
  const { islandBodyStart, islandBodyCount, islandBodies } = engine.tables.bodies;
  let sum = 0;
  const end = islandBodyStart[island] + islandBodyCount[island];
  for (let k = islandBodyStart[island]; k < end; k++) {
    const i = e.bodyIndex[islandBodies[k]];
    if (i >= 0) sum += energyOf(engine, e, i, which);
  }
  return sum;
}

/**
 * What the spring of a joint of a node may give in the step [J]: ½ c²/s of its row C v + c + s μ = 0, of a spring
 * without damping ½ k x². Of a rope that hangs loose nothing.
 */
function springEnergy(rows: JointRows, i: number): number {
  const bias = rows.direction[4 * i + ROW_BIAS];
  const isLoose = rows.oneSided[i] === 1 && bias > 0;
  return rows.soft[i] > 0 && !isLoose ? (0.5 * bias * bias) / rows.soft[i] : 0;
}

/**
 * Energy that all which takes part has without contacts and joints, what is elastic in it, and what springs of joints
 * of nodes give [J].
 */
function energyThere(engine: Engine, e: ElasticContacts, free: number): number {
  const { arena, tables } = engine;
  const { nodes, strands } = tables;
  const velocity = arena.f64.subarray(free >> 3);
  let energy = 0;
  for (let i = 0; i < e.bodyCount; i++) energy += energyOf(engine, e, i, 'free');
  for (let i = 0; i < e.bodyRow; i++) energy += springEnergy(e.joints, i);
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (strands.flags[s] & (L.STRAND_QUARANTINED | L.STRAND_ASLEEP)) continue;
    for (let node = strands.first[s]; node < strands.first[s] + strands.nodes[s]; node++) {
      const [x, y, z] = velocity.subarray(4 * node, 4 * node + 3);
      energy += 0.5 * nodes.mass[2 * node] * (x * x + y * y + z * z);
    }
    for (const [name, joules] of Object.entries(elasticKind(strands.kind[s]).energy(tables, s))) {
      if (name !== 'kinetic') energy += joules;
    }
  }
  return energy;
}

/** Fastest that anything whose motion is given moves at a body that takes part: kinematic bodies, held nodes [m/s]. */
function drivenSpeed({ arena, tables }: Engine, e: ElasticContacts, free: number): number {
  const { bodies, strands } = tables;
  const velocity = arena.f64.subarray(free >> 3);
  let fastest = 0;
  for (let body = 0; body < arena.i32[L.BODY_COUNT >> 2]; body++) {
    if ((bodies.flags[body] & L.BODY_KINEMATIC) === 0) continue;
    let reach = 0;
    for (let i = 0; i < e.bodyCount; i++) {
      const [p, q] = [4 * body, 4 * e.bodies[i]];
      const { position: x } = bodies;
      const square = (x[q] - x[p]) ** 2 + (x[q + 1] - x[p + 1]) ** 2 + (x[q + 2] - x[p + 2]) ** 2;
      reach = Math.max(reach, Math.sqrt(square));
    }
    const speed = lengthAt(bodies.linearVelocity, 4 * body) + reach * lengthAt(bodies.angularVelocity, 4 * body);
    fastest = Math.max(fastest, speed);
  }
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    const last = strands.first[s] + strands.nodes[s] - 1;
    if (strands.flags[s] & L.STRAND_CLAMP_START) fastest = Math.max(fastest, lengthAt(velocity, 4 * strands.first[s]));
    if (strands.flags[s] & L.STRAND_CLAMP_END) fastest = Math.max(fastest, lengthAt(velocity, 4 * last));
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (isPrescribed(tables, a)) fastest = Math.max(fastest, lengthAt(velocity, 4 * heldNode(tables, a)));
  }
  return fastest;
}

function lengthAt(v: Float64Array, i: number): number {
  return Math.sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]);
}

function massOf({ tables }: Engine, island: number): number {
  const { islandBodyStart, islandBodyCount, islandBodies, inverseMass } = tables.bodies;
  let mass = 0;
  const end = islandBodyStart[island] + islandBodyCount[island];
  for (let k = islandBodyStart[island]; k < end; k++) mass += 1 / inverseMass[islandBodies[k]];
  return mass;
}

/**
 * Takes back what a solve gave islands with joints beyond the energy that was there. `free`: address of the nodes'
 * velocities without contacts. Returns the number of such islands.
 */
export function limitBodies(engine: Engine, e: ElasticContacts, free: number): number {
  const { arena, tables, joints } = engine;
  const { bodies } = tables;
  if (joints === null || e.bodyRow === e.joints.count) return 0;
  let there = -1;
  let speed = 0;
  let found = 0;
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    if (bodies.islandJointCount[island] === 0 || bodies.islandSolver[island] !== L.ISLAND_ELASTIC) continue;
    const solved = sumOf(engine, e, island, 'solved');
    const before = sumOf(engine, e, island, 'free');
    const mass = massOf(engine, island);
    // Mostly this alone says that there is nothing to do.
    if (solved <= ENERGY_GAIN * before + 0.5 * mass * JOINT_SPEED * JOINT_SPEED) continue;
    if (there < 0) {
      there = energyThere(engine, e, free);
      speed = JOINT_SPEED + DRIVEN_GAIN * (drivenSpeed(engine, e, free) + joints.driveOf(engine));
    }
    const most = ENERGY_GAIN * there + 0.5 * mass * speed * speed;
    if (solved <= most) continue;
    const share = shareWithin(before, solved, sumOf(engine, e, island, 'change'), most);
    shrink(engine, e, island, share);
    joints.easeShared(engine, island, share);
    found++;
  }
  if (found > 0) {
    engine.report.limits.push(
      `${found} islands of jointed bodies on strands, sheets or solids got only part of their impulses, which would ` +
        'have given them energy: joints contradict each other, or bodies turn too far in a step; ' +
        'a smaller timeStep helps',
    );
  }
  return found;
}

/** Velocities of an island's bodies by a share of their impulses. */
function shrink({ tables }: Engine, e: ElasticContacts, island: number, share: number): void {
  const { islandBodyStart, islandBodyCount, islandBodies, linearVelocity, angularVelocity } = tables.bodies;
  const ease = (to: number, free: number) => {
    const change = e.bodyVelocity[to] - free;
    e.bodyVelocity[to] = share > 0 ? free + share * change : free;
  };
  const end = islandBodyStart[island] + islandBodyCount[island];
  for (let k = islandBodyStart[island]; k < end; k++) {
    const body = islandBodies[k];
    const i = e.bodyIndex[body];
    if (i < 0) continue;
    for (let a = 0; a < 3; a++) {
      ease(8 * i + a, linearVelocity[4 * body + a]);
      ease(8 * i + ANGULAR + a, angularVelocity[4 * body + a]);
    }
  }
}
