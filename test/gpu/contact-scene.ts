// A scene of strands and bodies (test/kernels/strand-scene), detected on the device and by the WebAssembly kernel.

import { expect } from 'vitest';
import type { GpuContext } from '../../src/gpu/device/device';
import { createGpuContacts, type DetectionInputs, type GpuContacts } from '../../src/gpu/find/contacts';
import { createGpuStrands, type GpuStrands } from '../../src/gpu/rod/strands';
import { CONTACT_BYTES, COUNTER_BYTES, COUNTERS } from '../../src/gpu/tables/contact-buffers';
import type { Vector } from '../kernels/generic-scene';
import type { StrandContact, StrandScene } from '../kernels/strand-scene';
import { download } from './test-device';

export interface GpuContact extends StrandContact {
  colour: number;
  source: number;
  mover: number;
}

export interface Found {
  contacts: GpuContact[];
  counters: Uint32Array;
  /** Bits of all rows. */
  words: Uint32Array;
}

export interface Detector {
  strands: GpuStrands;
  contacts: GpuContacts;
  /** Uploads the scene anew and detects; `keep`: rows are as they were; `grow`: until everything has room. */
  detect(options?: Partial<DetectionInputs> & { look?: number; keep?: boolean; grow?: boolean }): Promise<Found>;
  /** Detects once more what was uploaded. */
  again(look?: number, inputs?: Partial<DetectionInputs>): Promise<Found>;
  /** Writes forces to the rows of the present list. */
  write(row: number, word: number, data: number[]): void;
}

const STEP = 1 / 60;

/** Runs `work` with the contact detection of a scene on the device. */
export async function withDetection<T>(
  context: GpuContext,
  scene: StrandScene,
  work: (detector: Detector) => Promise<T>,
): Promise<T> {
  const strands = await createGpuStrands(context);
  const contacts = await createGpuContacts(context, strands);
  const { arena, tables } = scene;
  const detect: Detector['detect'] = async ({ look = 0, keep = false, grow = true, ...inputs } = {}) => {
    strands.upload(arena, tables);
    contacts.upload(arena, tables, keep);
    for (;;) {
      const found = await again(look, inputs);
      // Flags are those of the whole step: a further look cannot tell whether it has room now.
      if (!grow || look > 0 || contacts.grow(found.counters).length === 0) return found;
    }
  };
  const again: Detector['again'] = async (look = 0, inputs = {}) => {
    contacts.begin(arena, tables, { timeStep: STEP, ...inputs });
    const encoder = context.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    contacts.encodeFind(pass, strands.buffers.columns.velocities, look);
    pass.end();
    context.device.queue.submit([encoder.finish()]);
    return readList(context, contacts);
  };
  const write: Detector['write'] = (row, word, data) => {
    const { lists, current } = contacts.buffers;
    context.device.queue.writeBuffer(lists[current].buffer, CONTACT_BYTES * row + 4 * word, Float32Array.from(data));
  };
  try {
    return await work({ strands, contacts, detect, again, write });
  } finally {
    strands.dispose();
  }
}

/** The current list, in the words of the CPU's. */
export async function readList(context: GpuContext, { buffers }: GpuContacts): Promise<Found> {
  const counters = new Uint32Array(await download(context, buffers.counters.buffer, COUNTER_BYTES));
  const count = counters[COUNTERS.contacts];
  if (count === 0) return { contacts: [], counters, words: new Uint32Array(0) };
  const bytes = await download(context, buffers.lists[buffers.current].buffer, CONTACT_BYTES * count);
  const reals = new Float32Array(bytes);
  const words = new Uint32Array(bytes);
  const contacts = Array.from({ length: count }, (_, row): GpuContact => {
    const at = 32 * row;
    const take = (word: number, n: number) => Array.from(reals.subarray(at + word, at + word + n));
    const mover = words[at + 19];
    const isBody = (words[at + 29] & 0x40000000) !== 0;
    return {
      nodes: Array.from(words.subarray(at, at + 4), (x) => x | 0),
      weights: take(4, 4),
      normal: take(8, 3) as Vector,
      gap: reals[at + 11],
      force: take(12, 4),
      arm: take(16, 3) as Vector,
      mover: mover | 0,
      body: mover === 0xffffffff ? -1 : buffers.moverBodies[mover],
      collider: isBody ? (words[at + 29] & ~0x40000000) >> 3 : -1,
      drift: take(20, 3) as Vector,
      time: reals[at + 23],
      friction: reals[at + 24],
      cohesion: reals[at + 25],
      compliance: reals[at + 26],
      key: [words[at + 28] | 0, words[at + 29] | 0],
      colour: words[at + 30],
      source: words[at + 31] | 0,
    };
  });
  return { contacts, counters, words };
}

/** Keys as text, for comparison of sets. */
export function keysOf(contacts: readonly StrandContact[]): string[] {
  return contacts.map(({ key }) => key.join(':'));
}

/** Differences that a comparison allows; lengths as shares of an edge's. */
export interface Tolerances {
  /**
   * Features that only the CPU has, only the device has: decisions on the edge of a threshold fall otherwise in f32.
   */
  missing?: number;
  extra?: number;
  /** Contacts of which both sides have another direction: as deep in a body from two faces. */
  turned?: number;
  place?: number;
  gap?: number;
  normal?: number;
}

/**
 * Compares two lists: the same features, and of each the same place, gap, normal and
 * material. `length`: of an edge [m].
 */
export function compareLists(
  known: readonly StrandContact[],
  found: readonly GpuContact[],
  length: number,
  { missing = 0, extra = missing, turned = 0, place = 1e-3, gap = 2e-5, normal = 1e-3 }: Tolerances = {},
): void {
  const byKey = new Map(known.map((c) => [c.key.join(':'), c]));
  const foundKeys = new Set(keysOf(found));
  const lost = keysOf(known).filter((key) => !foundKeys.has(key));
  const added = keysOf(found).filter((key) => !byKey.has(key));
  const worst = { place: 0, gap: 0, normal: 0, time: 0, arm: 0, drift: 0 };
  const other: string[] = [];
  const most = (name: keyof typeof worst, value: number) => {
    worst[name] = Math.max(worst[name], value);
  };
  for (const contact of found) {
    const key = contact.key.join(':');
    const twin = byKey.get(key);
    if (!twin) continue;
    const apart = (a: number[], b: number[], sign = 1) => Math.hypot(...a.map((x, k) => x - sign * b[k]));
    if (apart(contact.normal, twin.normal) > 0.1) {
      other.push(key);
      continue;
    }
    expect(contact.nodes).toEqual(twin.nodes);
    expect(contact.body).toBe(twin.body);
    expect(contact.friction).toBeCloseTo(twin.friction, 6);
    expect(contact.cohesion).toBeCloseTo(twin.cohesion, 6);
    expect(Math.abs(contact.compliance - twin.compliance)).toBeLessThanOrEqual(1e-2 * Math.abs(twin.compliance));
    most('place', Math.max(...contact.weights.map((w, k) => Math.abs(w - twin.weights[k]))));
    most('gap', Math.abs(contact.gap - twin.gap) / length);
    most('normal', apart(contact.normal, twin.normal));
    most('time', Math.abs(contact.time - twin.time));
    most('arm', apart(contact.arm, twin.arm) / length);
    // The CPU keeps the velocity that side B is seen with from A.
    most('drift', apart(contact.drift, twin.drift, -1));
  }
  if (process.env.SHOW_ERRORS) console.log(known.length, found.length, lost, added, other, worst);
  expect(lost.length <= missing, `missing ${lost}`).toBe(true);
  expect(added.length <= extra, `extra ${added}`).toBe(true);
  expect(other.length <= turned, `turned ${other}`).toBe(true);
  expect(worst.place).toBeLessThan(place);
  expect(worst.gap).toBeLessThan(gap);
  expect(worst.normal).toBeLessThan(normal);
  expect(worst.time).toBeLessThan(2e-2);
  expect(worst.arm).toBeLessThan(2 * place);
  expect(worst.drift).toBeLessThan(0.1 * place);
}
