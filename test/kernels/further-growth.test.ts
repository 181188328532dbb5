// A further look within a step that has too little room is made once more with more of it, and finds what it would have
// found with room at once: places, forces and all.

import { expect, test } from 'vitest';
import { createStrandCrossings, findStrandCrossings } from '../../src/collision/strands';
import { createKernelScratch } from '../../src/core/scratch';
import { instantiateSurfaceKernels } from '../../src/kernels/surface-kernels';
import * as L from '../../src/state/layout';
import { DETECT_AGAIN, DETECT_APPEND, DETECT_CONTINUOUS, DETECT_RETRY } from '../../src/state/rod-layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { bySuite } from '../setup/suite';
import { scale, type Vector } from './generic-scene';
import { createRandom, createStrandScene, randomDirection, type StrandScene, tangledStrands } from './strand-scene';
import { createSurfaceScene, placeMesh, randomFrame } from './surface-scene';

const DT = 1 / 60;
const RADIUS = 0.001;
const HARMLESS = 0.2;
const ROOM = L.STRAND_CANDIDATE_ROOM >> 2;

/** Counts the calls with DETECT_RETRY: place of the question among the arguments by the kernel's name. */
function countRetries<K extends object>(
  kernels: K,
  places: Record<string, number>,
): { kernels: K; retries: () => number } {
  let count = 0;
  const wrapped = { ...kernels } as Record<string, unknown>;
  for (const [name, place] of Object.entries(places)) {
    const call = wrapped[name] as (...numbers: number[]) => number;
    wrapped[name] = (...numbers: number[]) => {
      if (numbers[place] & DETECT_RETRY) count++;
      return call(...numbers);
    };
  }
  return { kernels: wrapped as K, retries: () => count };
}

function createTangle(seed: number): StrandScene {
  const scene = createStrandScene();
  scene.addRod(tangledStrands(60, 17, 0.004, 0.03, seed), { radius: RADIUS });
  return scene;
}

/** Velocities of one look after the other: a share of the strands changes theirs by much more than the rest. */
function velocitiesOf(seed: number, look: number, few: number, much: number): Vector[] {
  const random = createRandom(1000 * seed + 1);
  const change = createRandom(77 * seed + look);
  const speeds = Array.from({ length: 60 }, () => (change() < few ? much : 0.02) * (look > 0 ? change() : 0));
  const ways = Array.from({ length: 60 }, () => randomDirection(change));
  return Array.from({ length: 60 * 17 }, (_, i) => {
    const base = scale(randomDirection(random), 0.3 * random());
    const strand = Math.floor(i / 17);
    return base.map((x, k) => x + speeds[strand] * ways[strand][k]) as Vector;
  });
}

/** What looks, and crossings after them, find in a world that begins with `room` for pairs of edges. */
function lookAround(seed: number, room: number, few: number, much: number) {
  const scene = createTangle(seed);
  const { arena, tables } = scene;
  const places = { findStrandContacts: 5, findStrandCrossings: 6 };
  const { kernels, retries } = countRetries(scene.strandKernels, places);
  arena.i32[ROOM] = room;
  if (room > 1e5) tables.control.nodeContacts.ensure(1e5);
  const parts = { arena, tables, kernels };
  const found: unknown[] = [];
  for (let look = 0; look < 4; look++) {
    scene.setVelocities(0, velocitiesOf(seed, look, few, much));
    scene.find({ timeStep: DT, append: look > 0, harmless: HARMLESS }, kernels);
    found.push(scene.readContacts());
    if (look === 0) continue;
    const out = createStrandCrossings();
    findStrandCrossings(out, parts, { timeStep: DT, harmless: HARMLESS }, look > 1);
    found.push(out.edges.slice(0, 2 * out.count), out.meeting.slice(0, 8 * out.count));
  }
  return { found, retries: retries() };
}

/** What the first look of a world needs for pairs of edges. */
function needOf(seed: number, few: number, much: number): number {
  const scene = createTangle(seed);
  scene.setVelocities(0, velocitiesOf(seed, 0, few, much));
  let room = 0;
  // Without room it is told how many are missing.
  for (const step of [4096, 512, 64, 8, 1]) {
    for (;;) {
      const { arena } = scene;
      arena.i32[ROOM] = room + step;
      scene.find({ timeStep: DT, harmless: HARMLESS });
      if (arena.i32[ROOM] === room + step) break;
      room += step;
    }
  }
  return room + 1;
}

test.each([
  ['some strands leave their boxes', 0.1, 1.5],
  ['so many leave their boxes that all are made anew', 0.7, 1.5],
  ['a few strands go wild', 0.05, 12],
])('%s: a look that lacks room finds what one with room finds', (_name, few, much) => {
  for (let seed = 1; seed <= bySuite(1, 4); seed++) {
    const roomy = lookAround(seed, 1e6, few, much);
    const tight = lookAround(seed, needOf(seed, few, much), few, much);
    // Further looks have room for few, whatever the first one had: some are made again in both.
    expect(tight.retries).toBeGreaterThan(roomy.retries);
    expect(tight.found).toEqual(roomy.found);
  }
});

/** What looks at sheets, and for crossings after each, find where there is room for `room(found)`, at first room(0). */
function lookAtSheets(room: (found: number) => number) {
  const scene = createSurfaceScene();
  const random = createRandom(9);
  for (let s = 0; s < 4; s++)
    scene.addSurface(placeMesh(gridMesh(6, 6, 0.2, 0.2), randomFrame(random), [0.02 * s, 0.03 * s, 0.01 * s]), 0.004);
  const { arena, tables } = scene;
  const kernels = instantiateSurfaceKernels(arena.memory);
  const cells = { address: L.SURFACE_DETECTION_ADDRESS, size: L.SURFACE_DETECTION_SIZE };
  const scratch = createKernelScratch(arena, cells);
  const count = arena.i32[L.NODE_COUNT >> 2];
  const base = Array.from({ length: count }, () => randomDirection(random));
  const found: number[][] = [];
  let retries = 0;
  const detect = (call: (address: number, room: number, retry: number) => number): number => {
    let has = room(0);
    for (let retry = 0; ; retry = DETECT_RETRY) {
      const number = call(scratch.address(kernels.surfaceScratchSize(has), true), has, retry);
      if (number <= has) return number;
      has = room(number);
      retries++;
    }
  };
  for (let look = 0; look < 4; look++) {
    // A third of the nodes moves otherwise than before, a third by little.
    base.forEach((v, node) => {
      const change = look === 0 || node % 3 === 2 ? 0 : node % 3 === 0 ? 2 * random() : 0.01 * random();
      tables.nodes.velocity.set([...v.map((x) => x + change), 0], 4 * node);
    });
    const question = DETECT_CONTINUOUS | (look > 0 ? DETECT_APPEND : 0);
    const hits = detect((address, has, retry) =>
      kernels.findSurfaceContacts(address, has, DT, 0, 0.25, question | (look > 0 ? retry : 0), HARMLESS),
    );
    if (look === 0) arena.i32[L.NODE_CONTACT_COUNT >> 2] = 0;
    tables.control.nodeContacts.ensure(arena.i32[L.NODE_CONTACT_COUNT >> 2] + hits);
    if (hits > 0) kernels.writeSurfaceContacts();
    found.push([hits, ...tables.nodeContacts.key.slice(0, 4 * arena.i32[L.NODE_CONTACT_COUNT >> 2])]);
    const rows = detect((address, has, retry) =>
      kernels.findSurfaceCrossings(address, has, DT, 0, 0.25, retry | (look > 1 ? DETECT_AGAIN : 0)),
    );
    const at = kernels.surfaceCrossings() >> 2;
    // Four nodes and a collider; the rest of a row is spare.
    for (let row = 0; row < rows; row++) found.push([...arena.i32.slice(at + 8 * row, at + 8 * row + 5)]);
  }
  return { found, retries };
}

test('a look at sheets that lacks room finds what one with room finds', () => {
  const roomy = lookAtSheets(() => 1e5);
  expect(roomy.retries).toBe(0);
  const tight = lookAtSheets((found) => found);
  expect(tight.retries).toBeGreaterThan(4);
  expect(tight.found).toEqual(roomy.found);
});
