// Contacts in colours, four at a time: nobody is lost, no two of a group share a node, and the sweeps find what the law says.

import { expect, test } from 'vitest';
import { allocate } from '../../src/core/arena';
import { createRandom } from '../../src/core/random';
import { instantiateKernels } from '../../src/kernels/kernels';
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
  const { arena } = S.createStrandWorld(1 / 60);
  const rows = NODES + 1;
  const address = allocate(arena, 1 << 20);
  const kernels = instantiateKernels(arena.memory);
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
  return { address, kernels, f32, i32, records: records >> 2, order: order >> 2, projected: projected >> 2 };
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
  expect(work.kernels.admmProject(work.address, 4000, 0, 10)).toBe(4000 * count);
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
  expect(work.kernels.admmProject(work.address, 2, 0, 10)).toBe(180);
});

test('contacts that join later come behind and start from their own force', () => {
  const contacts = randomContacts(60, 5);
  const whole = createWork(contacts);
  const header = whole.address >> 2;
  whole.i32[header + 1] = 50;
  whole.kernels.admmGroup(whole.address, 0);
  whole.kernels.admmProject(whole.address, 1, 0, 10);
  whole.kernels.admmUpdate(whole.address, 0);
  const before = groupsOf(whole).length;
  whole.i32[header + 1] = 60;
  whole.kernels.admmGroup(whole.address, 50);
  const added = groupsOf(whole).slice(before).flat();
  expect(added.filter((c) => c >= 0).length).toBe(10);
  expect(Math.min(...added.filter((c) => c >= 0))).toBe(50);
  whole.kernels.admmProject(whole.address, 4000, 0, 10);
  whole.kernels.admmUngroup(whole.address);
  expect(worstBreach(whole, contacts)).toBeLessThan(2e-5);
});
