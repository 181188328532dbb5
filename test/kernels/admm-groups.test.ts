// Contacts in colours, four at a time: nobody is lost, no two of a group share a node, and the sweeps find what the law says.

import { expect, test } from 'vitest';
import { allocate } from '../../src/core/arena';
import { createRandom } from '../../src/core/random';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import { balance } from '../../src/solvers/admm/weights';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';

const RECORD = 32; // numbers of a record
const GROUP = 76; // and of a group
const NODES = 60;

interface Contact {
  a: number;
  b: number;
  s: number;
  t: number;
  normal: number[];
  offset: number[];
  mu: number;
}

/** A work memory with unit weights, laid out as admm-layout.ts says. */
function createWork(contacts: Contact[], room = contacts.length) {
  const { arena, tables } = S.createStrandWorld(1 / 60);
  const rows = NODES + 1;
  const address = allocate(arena, 1 << 20);
  const kernels = instantiateStrandKernels(arena.memory);
  const f32 = new Float32Array(arena.memory.buffer);
  const i32 = new Int32Array(arena.memory.buffer);
  f32.fill(0, address >> 2, (address + (1 << 20)) >> 2);
  let next = address + 128;
  const take = (bytes: number) => {
    const here = next;
    next += Math.ceil(bytes / 16) * 16;
    return here;
  };
  const row = () => take(16 * rows);
  const [delta, projected, dual, dualStart, weight, right, last, start] = Array.from({ length: 8 }, row);
  const records = take(4 * RECORD * contacts.length);
  const groups = take(4 * GROUP * room);
  const order = take(16 * room);
  const list = take(4 * (room + contacts.length));
  const vectors = [delta, projected, dual, dualStart, weight, right, last, records, 0, NODES, start, 0];
  i32.set([rows, contacts.length, ...vectors, 0, groups, 0, room, order, list], address >> 2);
  for (let i = 0; i < NODES; i++) f32.fill(1, (weight >> 2) + 4 * i, (weight >> 2) + 4 * i + 3);
  contacts.forEach(({ a, b, s, t, normal, offset, mu }, c) => {
    const at = (records >> 2) + RECORD * c;
    const share = [1 - s, s, t - 1, -t];
    const scale = share.reduce((sum, x) => sum + x * x, 0);
    i32.set(
      [a, a + 1, b, b + 1].map((n) => 16 * n),
      at,
    );
    f32.set(share, at + 4);
    f32.set(
      share.map((x) => x / scale),
      at + 8,
    );
    f32.set(normal, at + 12);
    f32.set(offset, at + 16);
    f32[at + 24] = mu;
    i32[at + 26] = -1;
    f32[at + 31] = scale;
  });
  return {
    arena,
    tables,
    address,
    kernels,
    f32,
    i32,
    records: records >> 2,
    order: order >> 2,
    projected: projected >> 2,
  };
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
  const groups = i32[(address >> 2) + 16];
  return Array.from({ length: groups }, (_, g) => [...i32.subarray(order + 4 * g, order + 4 * g + 4)]);
}

/** Largest breach of the law: of u = B p + offset and s r of all contacts [m/s]. */
function worstBreach({ f32, i32, records, projected }: Work, contacts: Contact[]): number {
  let worst = 0;
  contacts.forEach(({ normal, mu }, c) => {
    const at = records + RECORD * c;
    const u = [0, 1, 2].map((k) => {
      let x = f32[at + 16 + k];
      for (let j = 0; j < 4; j++) x += f32[at + 4 + j] * f32[projected + (i32[at + j] >> 2) + k];
      return x;
    });
    const force = [...f32.subarray(at + 20, at + 23)];
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
  const contacts = randomContacts(150, 1);
  const work = createWork(contacts);
  work.kernels.admmGroup(work.address, 0);
  const groups = groupsOf(work);
  const held = groups.flat().filter((c) => c >= 0);
  expect([...held].sort((a, b) => a - b)).toEqual(contacts.map((_, c) => c));
  for (const group of groups) {
    const nodes = group
      .filter((c) => c >= 0)
      .flatMap((c) => [0, 1].flatMap((k) => [contacts[c].a + k, contacts[c].b + k]));
    expect(new Set(nodes).size).toBe(nodes.length);
  }
  // Four a group but for the last of each colour.
  expect(groups.length).toBeLessThan(150 / 4 + 64);
  expect(groups.filter((group) => !group.includes(-1)).length).toBeGreaterThan(20);
});

test.each([
  ['grouped', 40, 40],
  ['with room for a few groups only, the rest one by one', 40, 3],
  ['without room for any group', 40, 0],
])('sweeps reach the law: %s', (_, count, room) => {
  const contacts = randomContacts(count, 7);
  const work = createWork(contacts, room);
  work.kernels.admmGroup(work.address, 0);
  expect(work.kernels.admmProject(work.address, 4000, 0, 10, 1)).toBe(4000 * count);
  work.kernels.admmUngroup(work.address);
  expect(worstBreach(work, contacts)).toBeLessThan(2e-5);
});

test('more contacts at a node than there are colours are solved all the same', () => {
  const contacts = randomContacts(90, 3).map((contact) => ({ ...contact, a: 4, s: 0.5, normal: [0, 1, 0], mu: 0 }));
  const work = createWork(contacts);
  work.kernels.admmGroup(work.address, 0);
  expect(
    groupsOf(work)
      .flat()
      .filter((c) => c >= 0).length,
  ).toBe(64);
  expect(work.kernels.admmProject(work.address, 2, 0, 10, 1)).toBe(180);
});

test('contacts that join later come behind and start from their own force', () => {
  const contacts = randomContacts(60, 5);
  const whole = createWork(contacts);
  const header = whole.address >> 2;
  whole.i32[header + 1] = 50;
  whole.kernels.admmGroup(whole.address, 0);
  whole.kernels.admmProject(whole.address, 1, 0, 10, 1);
  whole.kernels.admmUpdate(whole.address);
  const before = groupsOf(whole).length;
  whole.i32[header + 1] = 60;
  whole.kernels.admmGroup(whole.address, 50);
  const added = groupsOf(whole).slice(before).flat();
  expect(added.filter((c) => c >= 0).length).toBe(10);
  expect(Math.min(...added.filter((c) => c >= 0))).toBe(50);
  whole.kernels.admmProject(whole.address, 4000, 0, 10, 1);
  whole.kernels.admmUngroup(whole.address);
  expect(worstBreach(whole, contacts)).toBeLessThan(2e-5);
});

test('the projection starts from relaxed velocities, nodes without a weight from their own', () => {
  // One contact that stays open.
  const work = createWork([{ ...randomContacts(1, 1)[0], a: 4, normal: [0, 1, 0], offset: [0, 99, 0] }]);
  const { kernels, address, f32, i32, projected } = work;
  const [delta, weight, dual] = [2, 6, 4].map((field) => i32[(address >> 2) + field] >> 2);
  f32.fill(0, weight + 4, weight + 8);
  const set = (x: number) => {
    for (let node = 0; node < 2; node++) f32.set([x, 2 * x, -x], delta + 4 * node);
  };
  set(1);
  kernels.admmProject(address, 5, 0, 10, 1.6);
  kernels.admmUpdate(address);
  expect([...f32.subarray(projected, projected + 3)]).toEqual([1, 2, -1]);
  set(2);
  kernels.admmProject(address, 5, 0, 10, 1.5);
  expect(kernels.admmUpdate(address)).toBe(2 + 1);
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
  kernels.admmBalance(address, weights, 0.01);
  const found = left.map((_, strand) => f32[(weights >> 2) + 5 * strand + 4]);
  const known = left.map(([gap, move]) => 8 * balance(gap, move, 0.01));
  expect(known).toEqual([12, 6.4, 8, 6.4]);
  found.forEach((w, k) => {
    expect(w).toBeCloseTo(known[k], 5);
  });
});
