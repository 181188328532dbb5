// Golden hashes of every scene with rods on `wasm`: who moves walls in here sees at once which scene gives other bits.
//
// `npm test` runs the first steps of each, `npm run test:golden` 600; `npm run test:golden -- --write` writes the file
// anew. Which entries were, by which commit and why: changes.md, which grows with them.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { bySuite } from '../setup/suite';
import { hashWorld } from './hash-world';
import { conformance, GOLDEN_SCENES } from './rod-scenes';

/** Steps after which each scene is looked at. */
const SHORT = 30;
const LONG = 600;

/** Scenes of many strands, of which others have the same kinds of contact. */
const ONLY_LONG = [
  ...['demo: valley', 'demo: head-of-hair', 'demo: rolling-fur', 'validation: a pile, 25 iterations'],
  ...bySuite(
    [
      ...['oscillating-sphere', 'tree', 'groom', 'sag-free', 'hair-on-shirt', 'rope-bridge', 'hairy-ball', 'ponytail'],
      ...['fur-and-curtain', 'strengths', 'belt'],
    ].map((id) => `demo: ${id}`),
    [],
  ),
  ...bySuite(['validation: a shaken ball of 100 strands of 24 nodes'], []),
];

const mode = process.env.GOLDEN ?? 'short';
const marks = mode === 'short' ? [SHORT] : [SHORT, LONG];
const file = fileURLToPath(new URL('./rod-hashes.json', import.meta.url));
/** Hash of each scene by steps. */
type Hashes = Record<string, Record<string, string>>;
const golden = JSON.parse(readFileSync(file, 'utf8')) as Hashes;
const written: Hashes = {};
const names = [...GOLDEN_SCENES, ...conformance()].map(({ name }) => name);
/** Name of the scene of an entry of the file. */
const sceneOf = (entry: string) => entry.replace(/, world \d+$/, '');

function check(name: string, steps: number, hash: string): void {
  if (mode === 'write') {
    written[name] ??= {};
    written[name][steps] = hash;
    return;
  }
  expect(
    hash,
    `${name} gives other bits after ${steps} steps. If that was meant, run \`npm run test:golden -- --write\` ` +
      'and say in the commit ' +
      'and in test/golden/changes.md which scenes changed and why the new numbers are better',
  ).toBe(golden[name]?.[steps]);
}

describe('golden hashes of rods on wasm', () => {
  const scenes = GOLDEN_SCENES.filter(({ name }) => mode !== 'short' || !ONLY_LONG.includes(name));
  test.each(scenes.map((scene) => [scene.name, scene] as const))('%s', (name, scene) => {
    const { physics, step } = scene.start();
    for (let count = 1; count <= marks[marks.length - 1]; count++) {
      step();
      if (marks.includes(count)) check(name, count, hashWorld(physics));
    }
    physics.dispose();
  });

  test.each(conformance().map((suite) => [suite.name, suite] as const))('%s', async (_name, suite) => {
    const worlds: { physics: Parameters<typeof hashWorld>[0]; count: number; name: string }[] = [];
    const count = (world: (typeof worlds)[number]) => {
      world.count++;
      if (marks.includes(world.count)) check(world.name, world.count, hashWorld(world.physics));
    };
    await suite.run(
      ({ physics }) => worlds.push({ physics, count: 0, name: `${suite.name}, world ${worlds.length + 1}` }),
      ({ physics }) => count(worlds.find((world) => world.physics === physics)!),
    );
    // On, to the end, where the check itself has seen enough.
    for (const world of worlds) {
      while (world.count < marks[marks.length - 1]) {
        world.physics.step();
        count(world);
      }
      world.physics.dispose();
    }
  });

  test('every scene has a name of its own, and the file names no other', () => {
    expect(new Set(names).size).toBe(names.length);
    if (mode !== 'write') for (const name of Object.keys(golden)) expect(names).toContain(sceneOf(name));
  });
});

afterAll(() => {
  if (mode !== 'write') return;
  // A part of the scenes may have been run (vitest -t): the others keep what they have,
  // and what is no scene any more goes.
  const kept = Object.entries(golden).filter(([name]) => names.includes(sceneOf(name)));
  writeFileSync(file, `${JSON.stringify({ ...Object.fromEntries(kept), ...written }, null, 2)}\n`);
});
