// Springs of the joints of nodes: from a frequency and a damping ratio to what a row of the elastic solve needs.
//
// As with joints between bodies a spring says how often what is on it swings, whatever its mass, so that its sag under
// its own weight is g/(2π f)². The mass is that of the whole of what is at an end, not of the node, which would
// depend on how finely an object is cut. The force at the end of the step, −k (x + h v) − d v of the overstep x,
// makes the row
//
//   v + k/(d + h k) x + 1/(h (d + h k)) μ = 0,
//
// stable at any step; like all implicit Euler it damps swings that are fast for the step.

import { GIVE_FREQUENCY, GIVE_RATIO } from '../../state/attachment-places';
import * as L from '../../state/layout';
import { LARGEST_FREQUENCY } from '../../state/limits';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';

/** Terms of a row that gives way. */
export interface Spring {
  /** Bias for each metre of overstep [1/s]. */
  readonly bias: number;
  /** [1/kg] */
  readonly soft: number;
}

/** What springs of a step have asked for: the mass of each object [kg], and which of them are held. */
interface Ends {
  readonly masses: Map<number, number>;
  readonly held: Set<number>;
}

/** Springs of a step: a function that gives that of an attachment, null: it is stiff. */
export function createSprings(engine: Engine): (attachment: number) => Spring | null {
  let ends: Ends | null = null;
  const { tables, settings } = engine;
  return (a) => {
    if (!(tables.attachments.flags[a] & L.ATTACHMENT_SPRING)) return null;
    ends ??= { masses: new Map(), held: findHeld(engine) };
    const h = settings.timeStep;
    const mass = massOn(tables, a, ends);
    const omega = 2 * Math.PI * Math.min(tables.attachments.give[4 * a + GIVE_FREQUENCY], LARGEST_FREQUENCY);
    const stiffness = mass * omega * omega;
    const damping = 2 * tables.attachments.give[4 * a + GIVE_RATIO] * mass * omega;
    const both = damping + h * stiffness;
    return { bias: stiffness / both, soft: 1 / (h * both) };
  };
}

/** Objects that a clamp or pin holds. */
function findHeld({ arena, tables }: Engine): Set<number> {
  const { strands, attachments, nodes } = tables;
  const held = new Set<number>();
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (strands.flags[object] & (L.STRAND_CLAMP_START | L.STRAND_CLAMP_END)) held.add(object);
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const isPin = (attachments.flags[a] & L.ATTACHMENT_PIN) !== 0 && (attachments.flags[a] & L.ATTACHMENT_ALIVE) !== 0;
    if (isPin) held.add(nodes.strand[heldNode(tables, a)]);
  }
  return held;
}

/**
 * Mass that swings on a spring [kg]: of the two ends m₁ m₂/(m₁ + m₂). The world, bodies that are not dynamic
 * and objects with clamps or pins count as without end; where both do, the mass of the node's own object counts.
 */
function massOn(tables: Tables, a: number, ends: Ends): number {
  const { attachments, bodies, nodes } = tables;
  const own = nodes.strand[heldNode(tables, a)];
  const other = otherNode(tables, a);
  const body = attachments.body[a];
  const inverse = (object: number) => (ends.held.has(object) ? 0 : 1 / massOf(tables, object, ends));
  let sum = inverse(own);
  if (other >= 0) sum += inverse(nodes.strand[other]);
  else if (body >= 0) sum += bodies.inverseMass[body];
  return sum > 0 ? 1 / sum : massOf(tables, own, ends);
}

function massOf({ strands, nodes }: Tables, object: number, { masses }: Ends): number {
  let mass = masses.get(object);
  if (mass !== undefined) return mass;
  mass = 0;
  const first = strands.first[object];
  for (let node = first; node < first + strands.nodes[object]; node++) mass += nodes.mass[2 * node];
  masses.set(object, mass);
  return mass;
}
