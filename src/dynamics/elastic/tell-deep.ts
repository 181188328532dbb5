// What stays deep inside a body: told in report.limits, with its entity and that of the body.
//
// Contacts push what begins in a body to the nearest of its faces, and where parts of one sheet or rope are pushed to
// opposite faces nothing moves, however long it takes. What comes out does so sooner than STEPS.

import { CONTACT_GAP, SIDE_COLLIDER, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import type { Engine } from '../engine';

/** Radii under which a contact is not deep, nor one less deep than an edge beside it is long at rest [-]. */
const TOLD_RADII = 4;
/** Steps in a row with a deep contact before it is told: a second at 60 Hz. */
const STEPS = 60;

/** Of the report only, so no part of the state. */
interface Deep {
  /** Steps in a row so far, by entity. */
  steps: Map<number, number>;
  /** What was told last: while all sleeps nothing is looked at. */
  told: string[];
}

const memories = new WeakMap<Engine, Deep>();

/** The deepest contact of an object with a body. */
interface Deepest {
  depth: number;
  body: number;
}

/** Looks at the contacts of this step. */
export function tellDeep(engine: Engine): void {
  const found = findDeepest(engine);
  const before = memories.get(engine);
  if (!found) {
    if (before) memories.delete(engine);
    return;
  }
  const steps = new Map<number, number>();
  const told: string[] = [];
  for (const [entity, { depth, body }] of found) {
    const count = (before?.steps.get(entity) ?? 0) + 1;
    steps.set(entity, count);
    if (count < STEPS) continue;
    told.push(
      `entity ${entity} is ${depth.toPrecision(2)} m deep inside entity ${body}, for ${count} steps in a row now: ` +
        'what begins so deep may not come out; place it outside',
    );
  }
  memories.set(engine, { steps, told });
  engine.report.limits.push(...told);
}

/** Says again what was told last. */
export function tellDeepAgain(engine: Engine): void {
  const told = memories.get(engine)?.told;
  if (told) engine.report.limits.push(...told);
}

/** By entity; null where nothing is deep, as in nearly every step: then nothing is made. */
function findDeepest({ arena, tables }: Engine): Map<number, Deepest> | null {
  const { nodeContacts: t, strands, rods, nodes, colliders } = tables;
  let found: Map<number, Deepest> | null = null;
  const { side } = t;
  const contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = 0; c < contacts; c++) {
    const four = 4 * c;
    // Most are not of a body.
    if (side[four + SIDE_OBJECT_B] >= 0 || side[four + SIDE_COLLIDER] < 0) continue;
    const depth = -t.normal[four + CONTACT_GAP];
    if (!(depth > 0)) continue;
    const rod = strands.rod[side[four]];
    if (depth < TOLD_RADII * rods.parameter[8 * rod + RADIUS] || depth < nodes.rest[8 * t.node[four]]) continue;
    const entity = rods.entity[rod];
    found ??= new Map();
    const deepest = found.get(entity);
    if (deepest && deepest.depth >= depth) continue;
    found.set(entity, { depth, body: colliders.entity[side[four + SIDE_COLLIDER]] });
  }
  return found;
}
