// Islands of bodies on joints that touch others which move freely, and which of them the device can do.
//
// Bodies are the CPU's, joints the device's, and what joints do to bodies is felt there two steps late. So contacts between bodies change
// what a joint's impulse comes to, and the device must know of it:
//   one body on joints in the island, and nothing fixed: by its response (solve/body-responses.ts). A load that lies still may be a hundred times as
//     heavy; one that slides or tilts, five times: with ten, corners open in turns, and each makes the next impulse ten times what it should be;
//   else by the masses of the bodies on joints alone: what is beside them goes for nothing, and must be light. Bodies on joints that knock
//     against each other need no more: together they are told their whole mass.

import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';

/** Mass that a body on joints bears, over its own [-]. */
const MOST_LOAD = 5;
/** Mass beside bodies on joints that goes for nothing, over theirs [-]. */
const LIGHT = 0.5;
/** Contact points between free bodies below a response: a factor of three rows each takes 0.2 ms. */
export const MOST_POINTS = 32;

export interface JointIsland {
  readonly island: number;
  /** Slots of its bodies on joints. */
  readonly jointed: readonly number[];
  /** The only one of these is to be told its response. */
  readonly isLaden: boolean;
  /** Neither this nor light enough. */
  readonly isTooHeavy: boolean;
}

/** Islands with contacts between bodies that move freely, as last built, with one of the bodies `jointed` at least. */
export function findJointIslands({ bodies, pairs }: Tables, jointed: ReadonlySet<number>): JointIsland[] {
  const byIsland = new Map<number, number[]>();
  for (const body of jointed) {
    const island = bodies.island[body];
    if (island < 0 || bodies.islandPairCount[island] === 0) continue;
    const own = byIsland.get(island);
    if (own) own.push(body);
    else byIsland.set(island, [body]);
  }
  const found: JointIsland[] = [];
  for (const [island, own] of byIsland) {
    let points = 0;
    let isGrounded = false;
    const start = bodies.islandPairStart[island];
    for (let i = start; i < start + bodies.islandPairCount[island]; i++) {
      const pair = pairs.islandPairs[i];
      if (pairs.points[pair] === 0) continue;
      if (isFree(bodies, pairs.bodyA[pair]) && isFree(bodies, pairs.bodyB[pair])) points += pairs.points[pair];
      else isGrounded = true;
    }
    if (points === 0) continue;
    let load = 0;
    const first = bodies.islandBodyStart[island];
    for (let i = first; i < first + bodies.islandBodyCount[island]; i++) {
      const body = bodies.islandBodies[i];
      if (!own.includes(body)) load += 1 / bodies.inverseMass[body];
    }
    load /= own.reduce((mass, body) => mass + 1 / bodies.inverseMass[body], 0);
    const isLaden = own.length === 1 && !isGrounded && load <= MOST_LOAD && points <= MOST_POINTS;
    found.push({ island, jointed: own, isLaden, isTooHeavy: !isLaden && load > LIGHT });
  }
  return found;
}

export function isFree(bodies: Tables['bodies'], body: number): boolean {
  return (bodies.flags[body] & L.BODY_DYNAMIC) !== 0;
}
