// Contacts, four at a time: nobody is lost, no two of a group share a node, and the sweeps find what the law says.

import { expect, test } from 'vitest';
import { allocate } from '../../src/core/arena';
import { createRandom } from '../../src/core/random';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import { balance } from '../../src/solvers/admm/weights';
import { frictionalError } from '../../src/solvers/residual';
import {
  GROUP as GROUP_BYTES,
  GROUP_REST,
  GROUP_SHARES,
  KINDS,
  MOVING_ROWS,
  ROW_LEFT,
} from '../../src/state/admm-layout';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';
import { bySuite } from '../setup/suite';

const GROUP = GROUP_BYTES / 4; // numbers of a group
const NODES = 60;
const GROUP_COUNT = 15; // cell of the header

interface Contact {
  a: number;
  /** −1: a body that does not move. */
  b: number;
  s: number;
  t: number;
  normal: number[];
  offset: number[];
  mu: number;
}

/** A work memory with unit weights, laid out as elastic/layout.ts says, and contacts in the table that touch. */
function createWork(contacts: Contact[], room = contacts.length) {
  const world = S.createStrandWorld(1 / 60);
  const { arena, tables } = world;
  S.addStrand(world, { points: Array.from({ length: 3 * NODES }, (_, k) => (k % 3 === 0 ? k : 0)) });
  arena.f64[L.TIME_STEP >> 3] = 1 / 60;
  const rows = NODES + 1;
  const address = allocate(arena, 1 << 20);
  tables.control.nodeContacts.ensure(contacts.length);
  const kernels = instantiateStrandKernels(arena.memory);
  const f32 = new Float32Array(arena.memory.buffer);
  const i32 = new Int32Array(arena.memory.buffer);
  let next = address + 128;
  const take = (bytes: number) => {
    const here = next;
    next += Math.ceil(bytes / 16) * 16;
    return here;
  };
  const row = () => take(16 * rows);
  const [delta, projected, dual, dualStart, weight, right, last, start] = Array.from({ length: 8 }, row);
  const groups = take(4 * GROUP * room);
  const order = take(16 * room);
  const list = take(4 * room);
  const moving = take(16);
  const movingRows = take(rows);
  const kinds = take(room);
  const shares = take(GROUP_SHARES * room);
  const rests = take(GROUP_REST * room);
  const active = allocate(arena, 16);
  new Uint8Array(arena.memory.buffer).fill(1, active, active + 16);
  const vectors = [delta, projected, dual, dualStart, weight, right, last, groups, groups, NODES, start];
  i32.set([rows, 0, ...vectors, -1, groups, 0, room, order, list, 0, moving, movingRows], address >> 2);
  i32.set([kinds, shares, rests], (address + KINDS) >> 2);
  for (let i = 0; i < NODES; i++) f32.fill(1, (weight >> 2) + 4 * i, (weight >> 2) + 4 * i + 3);
  const t = tables.nodeContacts;
  contacts.forEach((contact, c) => {
    const other = contact.b < 0 ? [-1, -1] : [contact.b, contact.b + 1];
    t.node.set([contact.a, contact.a + 1, ...other], 4 * c);
    t.weight.set([1 - contact.s, contact.s, ...(contact.b < 0 ? [0, 0] : [contact.t - 1, -contact.t])], 4 * c);
    t.normal.set([...contact.normal, 0], 4 * c);
    t.drift.set([...contact.offset, 0], 4 * c);
    t.material.set([contact.mu, 0, 0, 0], 4 * c);
    t.side.set([0, contact.b < 0 ? -1 : 0, -1, -1], 4 * c);
    t.key.set([c, 0, L.PRIMITIVE_EDGE, contact.b < 0 ? L.PRIMITIVE_BODY : L.PRIMITIVE_EDGE], 4 * c);
  });
  const free = allocate(arena, 32 * NODES);
  const none = allocate(arena, 4 * NODES);
  i32.fill(-1, none >> 2, (none >> 2) + NODES);
  /** Rows of the table up to `end` go into groups; returns how many have found a place. */
  const gather = (first: number, end: number) => {
    arena.i32[L.NODE_CONTACT_COUNT >> 2] = end;
    return kernels.admmGather(address, first, none, none, free);
  };
  kernels.admmRouse(address, active);
  return { arena, tables, address, kernels, active, gather, f32, i32, order: order >> 2, projected: projected >> 2 };
}

function randomContacts(count: number, seed: number): Contact[] {
  const random = createRandom(seed);
  const vector = () => [random() - 0.5, random() - 0.5, random() - 0.5];
  return Array.from({ length: count }, () => {
    const a = Math.floor(random() * (NODES / 2 - 1));
    const n = vector();
    const length = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
    return {
      a,
      b: NODES / 2 + Math.floor(random() * (NODES / 2 - 1)),
      s: random(),
      t: random(),
      normal: n.map((x) => x / length),
      offset: vector(),
      mu: random(),
    };
  });
}

type Work = ReturnType<typeof createWork>;

function groupsOf({ address, i32, order }: Work): number[][] {
  const groups = i32[(address >> 2) + GROUP_COUNT];
  return Array.from({ length: groups }, (_, g) => [...i32.subarray(order + 4 * g, order + 4 * g + 4)]);
}

/** Nodes of the contacts of a group. */
function nodesOf(group: number[], contacts: Contact[]): number[] {
  return group
    .filter((c) => c >= 0)
    .flatMap((c) => [contacts[c].a, contacts[c].b])
    .filter((node) => node >= 0)
    .flatMap((node) => [node, node + 1]);
}

/** Largest breach of the law: of u = B p + offset and s r of all contacts [m/s]. The forces go to the table. */
function worstBreach({ kernels, address, tables, f32, projected, arena }: Work, contacts: Contact[]): number {
  kernels.admmStore(address, allocate(arena, 4 * NODES));
  let worst = 0;
  contacts.forEach(({ normal, mu, offset, a, b, s, t }, c) => {
    const p = (node: number, k: number) => f32[projected + 4 * node + k];
    const u = [0, 1, 2].map((k) => {
      const own = offset[k] + (1 - s) * p(a, k) + s * p(a + 1, k);
      return b < 0 ? own : own - (1 - t) * p(b, k) - t * p(b + 1, k);
    });
    const force = [...tables.nodeContacts.force.subarray(4 * c, 4 * c + 3)];
    const dot = (x: number[], y: number[]) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    const [un, fn] = [dot(u, normal), dot(force, normal)];
    const slip = u.map((x, k) => x - un * normal[k]);
    const friction = force.map((x, k) => x - fn * normal[k]);
    const [speed, pull] = [Math.sqrt(dot(slip, slip)), Math.sqrt(dot(friction, friction))];
    worst = Math.max(worst, -un, -fn, Math.min(un, fn), pull - mu * fn, Math.min(speed, mu * fn - pull));
    if (speed > 1e-3) worst = Math.max(worst, pull * speed + dot(slip, friction));
  });
  return worst;
}

test('every contact has one lane and no two of a group share a node', () => {
  const contacts = randomContacts(150, 1).map((contact, c) => (c % 7 === 0 ? { ...contact, b: -1 } : contact));
  const work = createWork(contacts);
  expect(work.gather(0, 150)).toBe(150);
  const groups = groupsOf(work);
  const held = groups.flat().filter((c) => c >= 0);
  expect([...held].sort((a, b) => a - b)).toEqual(contacts.map((_, c) => c));
  for (const group of groups) {
    const nodes = nodesOf(group, contacts);
    expect(new Set(nodes).size).toBe(nodes.length);
  }
  // Four a group but for those that are open at the end.
  expect(groups.length).toBeLessThan(150 / 4 + 32);
  expect(groups.filter((group) => !group.includes(-1)).length).toBeGreaterThan(20);
});

test('sweeps reach the law', () => {
  const contacts = randomContacts(40, 7).map((contact, c) => (c % 9 === 0 ? { ...contact, b: -1 } : contact));
  const work = createWork(contacts);
  work.gather(0, 40);
  expect(work.kernels.admmProject(work.address, 4000, 0, 10, 1)).toBe(4000 * 40);
  expect(worstBreach(work, contacts)).toBeLessThan(2e-5);
});

/** Largest Fischer–Burmeister error of the contacts [m/s]. */
function worstError({ kernels, address, tables, f32, projected, arena }: Work, contacts: Contact[]): number {
  kernels.admmStore(address, allocate(arena, 4 * NODES));
  const errors = contacts.map(({ normal, mu, offset, a, b, s, t }, c) => {
    const p = (node: number, k: number) => f32[projected + 4 * node + k];
    const u = [0, 1, 2].map((k) => {
      const own = offset[k] + (1 - s) * p(a, k) + s * p(a + 1, k);
      return b < 0 ? own : own - (1 - t) * p(b, k) - t * p(b + 1, k);
    });
    const [x, y, z, scale] = tables.nodeContacts.force.subarray(4 * c, 4 * c + 4);
    const force = [x, y, z];
    const dot = (v: number[], w: number[]) => v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
    const [un, fn] = [dot(u, normal), dot(force, normal)];
    const slip = u.map((v, k) => v - un * normal[k]);
    const friction = force.map((v, k) => v - fn * normal[k]);
    const pull = Math.sqrt(dot(friction, friction));
    const along = pull > 0 ? dot(slip, friction) / pull : 0;
    const across = Math.sqrt(Math.max(0, dot(slip, slip) - along * along));
    return frictionalError(scale, mu, [fn / scale, pull / scale, 0], 0, [un, along, across], 0);
  });
  return Math.max(...errors);
}

test('the residual is the largest error, wherever among the contacts and however small', () => {
  for (let seed = 0; seed < bySuite(60, 1000); seed++) {
    const count = 8 + (seed % 40);
    const contacts = randomContacts(count, 100 + seed).map((contact, c) => ({
      ...contact,
      mu: c % 5 === 0 ? 0 : c % 5 === 1 ? 10 * contact.mu : contact.mu,
    }));
    const work = createWork(contacts);
    work.gather(0, count);
    // From far off to nearly the law.
    work.kernels.admmProject(work.address, 1 + 4 * (seed % 30), 0, 10, 1);
    const expected = worstError(work, contacts);
    const residual = work.kernels.admmResidual(work.address, 4 * work.projected);
    expect(Math.abs(residual - expected)).toBeLessThan(1e-6 + 1e-4 * expected);
  }
});

test('the residual of a contact that is no number is infinite, wherever among the contacts', () => {
  for (let bad = 0; bad < 20; bad++) {
    const contacts = randomContacts(20, 5);
    contacts[bad].offset[1] = Number.NaN;
    const work = createWork(contacts);
    work.gather(0, 20);
    expect(work.kernels.admmResidual(work.address, 4 * work.projected), `contact ${bad}`).toBe(Infinity);
  }
});

test('contacts of what waits are neither solved nor counted', () => {
  // Both halves of the nodes are islands; contacts of one of them wait, in groups with contacts of the other.
  const contacts = randomContacts(60, 9).map((contact, c) => ({
    ...contact,
    ...(c % 2 === 0 ? { a: contact.a % 14 } : { a: 15 + (contact.a % 14) }),
    b: -1,
  }));
  const { kernels, address, gather, i32, arena, tables } = createWork(contacts);
  gather(0, 60);
  const rows = i32[(address + MOVING_ROWS) >> 2];
  new Uint8Array(arena.memory.buffer).fill(2, rows, rows + 15).fill(ROW_LEFT, rows + 15, rows + 30);
  kernels.admmBegin(address, 1);
  expect(kernels.admmSweep(address, 3, 0, 10, 2)).toBe(3 * 30);
  kernels.admmStore(address, allocate(arena, 4 * NODES));
  const forces = contacts.map((_, c) => tables.nodeContacts.force.subarray(4 * c, 4 * c + 3).some((x) => x !== 0));
  expect(forces.some((isForced, c) => isForced && c % 2 === 1)).toBe(false);
  expect(forces.some((isForced, c) => isForced && c % 2 === 0)).toBe(true);
});

test('more contacts at a node than groups are open at a time find a place all the same', () => {
  const contacts = randomContacts(90, 3).map((contact) => ({ ...contact, a: 4, s: 0.5, normal: [0, 1, 0], mu: 0 }));
  const work = createWork(contacts);
  expect(work.gather(0, 90)).toBe(90);
  for (const group of groupsOf(work)) expect(group.filter((c) => c >= 0).length).toBe(1);
  expect(work.kernels.admmProject(work.address, 2, 0, 10, 1)).toBe(180);
});

test('without room the first row that found no place is told', () => {
  const contacts = randomContacts(90, 3).map((contact) => ({ ...contact, a: 4 }));
  const work = createWork(contacts, 50);
  expect(work.gather(0, 90)).toBe(50);
  expect(groupsOf(work).length).toBe(50);
});

test('a body of the problem, or one that holds the strand, is left to others: no place, no force', () => {
  const [free, bound] = randomContacts(2, 11);
  const work = createWork([free, { ...bound, b: -1 }]);
  const { side, force } = work.tables.nodeContacts;
  side.set([0, -1, 0, 0], 4);
  force.fill(3, 4, 8);
  const bodies = allocate(work.arena, 64);
  const none = allocate(work.arena, 4 * NODES);
  work.i32.fill(-1, none >> 2, (none >> 2) + NODES);
  work.arena.i32[L.NODE_CONTACT_COUNT >> 2] = 2;
  work.kernels.admmGather(work.address, 0, bodies, none, allocate(work.arena, 32 * NODES));
  expect(groupsOf(work)).toEqual([[0, -1, -1, -1]]);
  expect([...force.subarray(4, 8)]).toEqual([0, 0, 0, 0]);
});

test('contacts that join later come behind and start from their own force', () => {
  const contacts = randomContacts(60, 5);
  const whole = createWork(contacts);
  whole.gather(0, 50);
  whole.kernels.admmProject(whole.address, 1, 0, 10, 1);
  whole.kernels.admmUpdate(whole.address, whole.active, 0);
  const before = groupsOf(whole).length;
  // Forces as of the last step, s = 1.
  whole.tables.nodeContacts.force.fill(1, 4 * 50, 4 * 60);
  expect(whole.gather(50, 60)).toBe(60);
  const added = groupsOf(whole).slice(before).flat();
  expect(added.filter((c) => c >= 0).length).toBe(10);
  expect(Math.min(...added.filter((c) => c >= 0))).toBe(50);
  const sum = () => {
    let all = 0;
    for (let i = 0; i < 4 * NODES; i += 4) all += Math.abs(whole.f32[whole.projected + i]);
    return all;
  };
  const own = sum();
  whole.kernels.admmProject(whole.address, 0, 0, 10, 0);
  expect(sum()).not.toBe(own);
  whole.kernels.admmProject(whole.address, 4000, 0, 10, 1);
  expect(worstBreach(whole, contacts)).toBeLessThan(2e-5);
});

test('the projection starts from relaxed velocities, nodes without a weight from their own', () => {
  // One contact that stays open.
  const work = createWork([{ ...randomContacts(1, 1)[0], a: 4, normal: [0, 1, 0], offset: [0, 99, 0] }]);
  const { kernels, address, active, f32, i32, projected } = work;
  work.gather(0, 1);
  const [delta, weight, dual] = [2, 6, 4].map((field) => i32[(address >> 2) + field] >> 2);
  f32.fill(0, weight + 4, weight + 8);
  const set = (x: number) => {
    for (let node = 0; node < 2; node++) f32.set([x, 2 * x, -x], delta + 4 * node);
  };
  set(1);
  kernels.admmProject(address, 5, 0, 10, 1.6);
  kernels.admmUpdate(address, active, 0);
  expect([...f32.subarray(projected, projected + 3)]).toEqual([1, 2, -1]);
  set(2);
  kernels.admmProject(address, 5, 0, 10, 1.5);
  expect(kernels.admmUpdate(address, active, 0)).toBe(2 + 1);
  expect([...f32.subarray(projected, projected + 8)]).toEqual([2.5, 5, -2.5, 0, 2, 4, -2, 0]);
  // Nothing pushes: no force is left behind.
  expect([...f32.subarray(dual, dual + 8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test('weights for the next step follow what a strand lacks: forces, velocities, or nothing', () => {
  const work = createWork([]);
  const { kernels, address, f32, i32, projected } = work;
  const { tables, arena } = work;
  const [delta, last] = [2, 8].map((field) => i32[(address >> 2) + field] >> 2);
  const strands = 4;
  tables.control.strands.ensure(strands);
  arena.i32[L.STRAND_COUNT >> 2] = strands;
  for (let strand = 0; strand < strands; strand++) {
    tables.strands.first[strand] = 5 * strand;
    tables.strands.nodes[strand] = 5;
  }
  const weights = allocate(arena, 4 * NODES);
  f32.fill(8, weights >> 2, (weights >> 2) + NODES);
  // v − p and the last move of one node each [m/s]; the tolerance is 0.01 m/s.
  const left = [
    [0.05, 0.01],
    [0.02, 0.05],
    [0.02, 0.015],
    [0.001, 0.0002],
  ];
  left.forEach(([gap, move], strand) => {
    const at = 4 * (5 * strand + 2) + 1;
    f32[last + at] = 3;
    f32[delta + at] = 3 + move;
    f32[projected + at] = 3 - gap;
  });
  const chosen = allocate(arena, strands);
  arena.u8.fill(1, chosen, chosen + strands);
  arena.u8[chosen + 3] = 0;
  kernels.admmBalance(address, weights, 0.01, chosen);
  expect(f32[(weights >> 2) + 5 * 3 + 4]).toBe(8);
  arena.u8.fill(0, chosen, chosen + 3);
  arena.u8[chosen + 3] = 1;
  kernels.admmBalance(address, weights, 0.01, chosen);
  const found = left.map((_, strand) => f32[(weights >> 2) + 5 * strand + 4]);
  const known = left.map(([gap, move]) => 8 * balance(gap, move, 0.01));
  expect(known).toEqual([12, 6.4, 8, 6.4]);
  found.forEach((w, k) => {
    expect(w).toBeCloseTo(known[k], 5);
  });
});

test('a strand that is done rests, with its contacts, until it is pushed or gets another one', () => {
  // Strand 0: nodes 0 to 19; strand 1: 20 to 39; strand 2: 40 to 59. A group of contacts
  // between 0 and 1, one contact of 2.
  const apart = { normal: [0, 1, 0], offset: [0, 99, 0] };
  const work = createWork(
    randomContacts(5, 3).map((contact, c) =>
      c < 4 ? { ...contact, a: 4 * c, b: 20 + 4 * c, ...apart } : { ...contact, a: 44, b: -1, ...apart },
    ),
  );
  const { kernels, address, active, tables, arena, f32, i32 } = work;
  tables.control.strands.ensure(3);
  arena.i32[L.STRAND_COUNT >> 2] = 3;
  for (let strand = 0; strand < 3; strand++) {
    tables.strands.first[strand] = 20 * strand;
    tables.strands.nodes[strand] = 20;
    tables.nodes.strand.fill(strand, 20 * strand, 20 * strand + 20);
  }
  for (let c = 0; c < 5; c++) tables.nodeContacts.side.set(c < 4 ? [0, 1] : [2, -1], 4 * c);
  kernels.admmRouse(address, active);
  work.gather(0, 5);
  const counts = () => [...i32.subarray((address >> 2) + 22, (address >> 2) + 24)];
  expect(counts()).toEqual([3, 0]);
  const delta = i32[(address >> 2) + 2] >> 2;
  const moving = new Uint8Array(arena.memory.buffer, i32[(address >> 2) + 20], 3);
  const round = (x: number): number => {
    // Only strand 2 goes on.
    f32[delta + 4 * 44] = x;
    const solved = kernels.admmProject(address, 1, 0, 10, 1);
    kernels.admmUpdate(address, active, 0.5);
    return solved;
  };
  expect(round(1)).toBe(5);
  expect([counts(), [...moving]]).toEqual([
    [1, 2],
    [0, 0, 1],
  ]);
  expect(round(2)).toBe(1);
  // Something pushes a node of strand 1 by more than it may be off.
  f32[work.projected + 4 * 25] += 0.75;
  round(3);
  expect([...moving]).toEqual([0, 1, 1]);
  expect(round(4)).toBe(5);
  kernels.admmRouseTouched(address, 0);
  expect([...moving]).toEqual([1, 1, 1]);
  new Uint8Array(arena.memory.buffer)[active] = 2;
  kernels.admmRouse(address, active);
  for (let k = 0; k < 3; k++) round(5);
  // Strand 0 never rests: a joint holds it.
  expect([counts(), [...moving]]).toEqual([
    [1, 2],
    [2, 0, 0],
  ]);
});

/** Rows of points, edges and triangles against each other and against bodies, with nodes that are no neighbours. */
function mixRows({ tables }: Work, count: number, seed: number): { node: number[]; weight: number[] }[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, c) => {
    const nodes = Array.from({ length: 4 }, (_, j) => Math.floor(15 * (((j + c) % 4) + random())));
    const [s, t] = [random(), random() / 2];
    // Point and triangle, two edges, then one to three nodes against a body.
    const weight = [
      [1, -s / 2, -t, s / 2 + t - 1],
      [1 - s, s, t - 1, -t],
      [1, 0, 0, 0],
      [1 - s, s, 0, 0],
      [1 - s / 2 - t, s / 2, t, 0],
    ][c % 5];
    const ofBody = c % 5 > 1;
    const node = nodes.map((i, j) => (ofBody && j > (c % 5) - 2 ? -1 : i));
    tables.nodeContacts.node.set(node, 4 * c);
    tables.nodeContacts.weight.set(weight, 4 * c);
    tables.nodeContacts.side[4 * c + 1] = ofBody ? -1 : 0;
    tables.nodeContacts.key.set(
      [
        [1, 3],
        [2, 2],
        [1, 0],
        [2, 0],
        [3, 0],
      ][c % 5],
      4 * c + 2,
    );
    return { node, weight };
  });
}

test('rows of points, edges and triangles share groups with each other, not with strands, and reach the law', () => {
  const contacts = randomContacts(36, 21);
  const work = createWork(contacts);
  const rows = mixRows(work, 24, 22);
  expect(work.gather(0, 36)).toBe(36);
  const nodes = (c: number) => (c < 24 ? rows[c].node.filter((i) => i >= 0) : nodesOf([c], contacts));
  const groups = groupsOf(work).map((group) => group.filter((c) => c >= 0));
  expect(groups.flat().sort((a, b) => a - b)).toEqual(contacts.map((_, c) => c));
  for (const group of groups) {
    expect(new Set(group.map((c) => c < 24)).size).toBe(1);
    const held = group.flatMap(nodes);
    expect(new Set(held).size).toBe(held.length);
  }
  work.kernels.admmProject(work.address, 4000, 0, 10, 1);
  work.kernels.admmStore(work.address, allocate(work.arena, 4 * NODES));
  rows.forEach(({ node, weight }, c) => {
    const { normal, offset, mu } = contacts[c];
    const p = (k: number) =>
      node.reduce((sum, i, j) => sum + (i < 0 ? 0 : weight[j] * work.f32[work.projected + 4 * i + k]), offset[k]);
    const u = [0, 1, 2].map(p);
    const force = [...work.tables.nodeContacts.force.subarray(4 * c, 4 * c + 3)];
    const dot = (x: number[], y: number[]) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    const [un, fn] = [dot(u, normal), dot(force, normal)];
    const pull = Math.sqrt(dot(force, force) - fn * fn);
    expect(Math.max(-un, -fn, Math.min(un, fn), pull - mu * fn)).toBeLessThan(3e-5);
  });
});
