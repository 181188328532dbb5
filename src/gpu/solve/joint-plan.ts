// Which joints strands have on the device: attachments, and the clamps that are two joints (an end and its neighbour held at a body).
//
// In: tables. Out: joints by groups, what hangs together by strands or by bodies that move freely, within these by strand. A clamp on such
// a body is a prescribed motion, and the body hears of it late (solve/reactions.ts), while that is harmless: the body is heavy, the strand is
// held nowhere else. Else it is two joints, as all clamps of small rods are on the CPU (dynamics/elastic/collect-contacts.ts).

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import { findJointIslands, isFree } from './joint-islands';

/** Joints of a group at most: MOST_ROWS in system.wgsl, three rows each. */
export const MOST_JOINTS = 300;
/** A body of at least this many times the mass of what is clamped to it may feel it late [-]. */
const HEAVY = 20;
/** Strands of a rod up to which its clamps on a dynamic body may be joints: as in dynamics/elastic/collect-contacts.ts. */
const CLAMP_JOINTS = 24;
const CLAMPS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;

export interface PlannedJoint {
  readonly strand: number;
  /** Row of the tables. */
  readonly node: number;
  /** Slot, −1 the world. */
  readonly body: number;
  /** Where the body or the world holds it: three numbers of a column of the tables [m]. */
  readonly points: 'attachments' | 'clamps';
  readonly at: number;
  /** Longest distance [m], 0: a ball. */
  readonly length: number;
  /** Attachment that it is, −1: of a clamp. */
  readonly attachment: number;
  /** End of the strand whose twist goes with it: of a clamp's outer joint; −1 none. */
  readonly end: number;
}

export interface JointPlan {
  /** By group, then by strand and node. */
  readonly joints: readonly PlannedJoint[];
  /** First joint of each group, and the end of the last. */
  readonly starts: readonly number[];
  /** 2·strand + end of the clamps that are joints. */
  readonly clamps: ReadonlySet<number>;
  /** Slots of the bodies that have joints and move freely. */
  readonly bodies: ReadonlySet<number>;
}

export interface JointPlanner {
  readonly plan: JointPlan;
  /** Looks whether the joints of the tables are others than at the last call; makes a new plan if so. */
  update(arena: Arena, tables: Tables): boolean;
}

const EMPTY: JointPlan = { joints: [], starts: [0], clamps: new Set(), bodies: new Set() };

export function createJointPlanner(): JointPlanner {
  let plan = EMPTY;
  let rows = -1;
  let known: number[] = [];
  const present: number[] = [];
  return {
    get plan() {
      return plan;
    },
    update(arena, tables) {
      const changes = strandChanges(tables);
      present.length = 0;
      noteAttachments(present, arena, tables);
      const isSame = rows === changes.rows + changes.restored && isEqual(present, known);
      if (isSame) return false;
      rows = changes.rows + changes.restored;
      known = present.slice();
      plan = planJoints(arena, tables);
      return true;
    },
  };
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

/** All that a plan takes from the attachments. */
function noteAttachments(out: number[], arena: Arena, { attachments, bodies }: Tables): void {
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const body = attachments.body[a];
    out.push(a, attachments.flags[a], attachments.rod[a], attachments.node[a], body);
    if (body >= 0) out.push(bodies.flags[body] & L.BODY_DYNAMIC);
    for (let k = 4 * a; k < 4 * a + 4; k++) out.push(attachments.point[k]);
  }
}

function planJoints(arena: Arena, tables: Tables): JointPlan {
  const joints = attachmentsOf(arena, tables);
  const clamps = findJointClamps(arena, tables, new Set(joints.map(({ strand }) => strand)));
  if (joints.length + clamps.size === 0) return EMPTY;
  for (const clamp of clamps) joints.push(...jointsOf(tables, clamp >> 1, clamp & 1));
  const groupOf = createGroups(tables, joints);
  const keyed = joints.map((joint) => ({ joint, group: groupOf(joint.strand) }));
  keyed.sort(
    (a, b) =>
      a.group - b.group || a.joint.strand - b.joint.strand || a.joint.node - b.joint.node || a.joint.at - b.joint.at,
  );
  const starts = keyed.flatMap(({ group }, k) => (k === 0 || group !== keyed[k - 1].group ? [k] : []));
  const bodies = new Set(joints.map(({ body }) => body).filter((body) => body >= 0 && isFree(tables.bodies, body)));
  return { joints: keyed.map(({ joint }) => joint), starts: [...starts, keyed.length], clamps, bodies };
}

function attachmentsOf(arena: Arena, { attachments, rods, nodes, strands }: Tables): PlannedJoint[] {
  const joints: PlannedJoint[] = [];
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const node = rods.nodeStart[attachments.rod[a]] + attachments.node[a];
    const strand = nodes.strand[node];
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    const length = attachments.flags[a] & L.ATTACHMENT_ROPE ? attachments.point[4 * a + 3] : 0;
    const body = attachments.body[a];
    joints.push({ strand, node, body, points: 'attachments', at: 4 * a, length, attachment: a, end: -1 });
  }
  return joints;
}

/** The two joints of a clamp: the end node and its neighbour. */
function jointsOf({ strands }: Tables, strand: number, end: number): PlannedJoint[] {
  const outer = strands.first[strand] + (end === 0 ? 0 : strands.nodes[strand] - 1);
  const body = strands.attach[2 * strand + end];
  return [0, 1].map((k) => ({
    ...{ strand, node: end === 0 ? outer + k : outer - k, body, points: 'clamps', at: 24 * strand + 12 * end + 3 * k },
    ...{ length: 0, attachment: -1, end: k === 0 ? end : -1 },
  }));
}

/** Clamps on bodies that move freely, of rods that are no grooms, and that the body must feel at once. `tied`: strands with attachments. */
function findJointClamps(arena: Arena, tables: Tables, tied: ReadonlySet<number>): Set<number> {
  const { strands, nodes, bodies, rods } = tables;
  const found: { clamp: number; body: number; isTied: boolean }[] = [];
  const hanging = new Map<number, number>();
  for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
    if (rods.strandCount[strands.rod[strand]] > CLAMP_JOINTS) continue;
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    for (let end = 0; end < 2; end++) {
      const body = strands.attach[2 * strand + end];
      if (!(strands.flags[strand] & CLAMPS[end]) || body < 0 || !(bodies.flags[body] & L.BODY_DYNAMIC)) continue;
      const isHeldElsewhere =
        (strands.flags[strand] & CLAMPS[1 - end]) !== 0 && strands.attach[2 * strand + 1 - end] !== body;
      found.push({ clamp: 2 * strand + end, body, isTied: isHeldElsewhere || tied.has(strand) });
      let mass = 0;
      const first = strands.first[strand];
      for (let i = first; i < first + strands.nodes[strand]; i++) mass += nodes.mass[2 * i];
      hanging.set(body, (hanging.get(body) ?? 0) + mass);
    }
  }
  const isLight = (body: number) => HEAVY * (hanging.get(body) ?? 0) * bodies.inverseMass[body] > 1;
  return new Set(found.filter(({ body, isTied }) => isTied || isLight(body)).map(({ clamp }) => clamp));
}

/** Least strand of what each strand hangs together with, by joints on bodies that move freely. */
function createGroups({ bodies }: Tables, joints: readonly PlannedJoint[]): (strand: number) => number {
  const parents = new Map<number, number>();
  const find = (x: number): number => {
    let root = x;
    while ((parents.get(root) ?? root) !== root) root = parents.get(root) as number;
    return root;
  };
  const carrier = new Map<number, number>();
  for (const { strand, body } of joints) {
    if (body < 0 || !(bodies.flags[body] & L.BODY_DYNAMIC)) continue;
    const other = carrier.get(body) ?? strand;
    carrier.set(body, other);
    const [a, b] = [find(strand), find(other)];
    parents.set(Math.max(a, b), Math.min(a, b));
  }
  return find;
}

/** A body on joints that touches others that move freely and are too heavy for the device (solve/joint-islands.ts), −1 none. */
export function findPushed({ bodies }: JointPlan, tables: Tables): number {
  return findJointIslands(tables, bodies).find(({ isTooHeavy }) => isTooHeavy)?.jointed[0] ?? -1;
}

/** Why a plan is too much for the device, or null. */
export function findJointLimit(plan: JointPlan, tables: Tables): string | null {
  for (let g = 0; g + 1 < plan.starts.length; g++) {
    const count = plan.starts[g + 1] - plan.starts[g];
    if (count <= MOST_JOINTS) continue;
    const rod = tables.strands.rod[plan.joints[plan.starts[g]].strand];
    return `${count} joints that hang together (rod ${tables.rods.entity[rod]}; a device takes ${MOST_JOINTS}) are solved there`;
  }
  return null;
}
