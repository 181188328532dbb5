import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandScene } from '../../src/scene/expand';
import { findJsonFault } from '../../src/scene/json-text';
import { readScene, SceneError } from '../../src/scene/read';
import { writeScene } from '../../src/scene/write';
import { bySuite, longTest } from '../setup/suite';

const fixture = readFileSync(new URL('./fixtures/every-kind.scene.json', import.meta.url), 'utf8');

/** Whatever comes: a scene that can be written, read and expanded again, or a SceneError of at most 11 short lines. */
function survives(source: unknown): void {
  let scene: ReturnType<typeof readScene>;
  try {
    scene = readScene(source, { bodies: 2000 });
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    const lines = error.message.split('\n');
    expect(lines.length).toBeLessThanOrEqual(11);
    for (const line of lines) expect(line.length).toBeLessThan(800);
    expect(error.message).not.toMatch(/undefined|\bat .*\.ts:|Invalid type|received/);
    return;
  }
  expect(readScene(writeScene(scene, { bodies: 2000 }))).toEqual(scene);
  for (const { spec } of expandScene(scene)) {
    // Huge places may overflow when added up; nothing else may go wrong.
    expect(spec.position.length).toBe(3);
  }
}

const wild = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constantFrom<unknown>(
    undefined,
    Number.NaN,
    -0,
    1e308,
    -1,
    0,
    '',
    '__proto__',
    [],
    {},
    null,
    () => 1,
    Symbol('s'),
    10n,
    new Date(0),
    new Map(),
    new Uint8Array(3),
    [[[[[[]]]]]],
    { compound: [{ shape: { compound: [] } }] },
  ),
);

/** All paths to values of `data`. */
function pathsOf(data: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof data !== 'object' || data === null) return [path];
  const keys = Array.isArray(data) ? data.map((_, i) => i) : Object.keys(data);
  return [path, ...keys.flatMap((key) => pathsOf((data as Record<string | number, unknown>)[key], [...path, key]))];
}

const paths = pathsOf(JSON.parse(fixture));

type Edit = { at: number; how: 'set' | 'delete' | 'add' | 'double'; value: unknown; key: string };
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.integer({ min: 0, max: paths.length - 1 }),
  how: fc.constantFrom('set', 'delete', 'add', 'double'),
  value: wild,
  key: fc.oneof(fc.string(), fc.constantFrom('name', 'shape', 'toString', 'constructor', 'rods', 'hull', 'count')),
});

function mutate(edits: readonly Edit[]): unknown {
  let data: unknown = JSON.parse(fixture);
  for (const { at, how, value, key } of edits) {
    const path = paths[at];
    if (path.length === 0) {
      if (how === 'set') data = value;
      continue;
    }
    let parent = data as Record<string | number, unknown>;
    for (const step of path.slice(0, -1)) parent = parent?.[step] as Record<string | number, unknown>;
    if (typeof parent !== 'object' || parent === null) continue;
    const last = path[path.length - 1];
    if (how === 'set') parent[last] = value;
    else if (how === 'delete') delete parent[last];
    else if (how === 'add' && !(Array.isArray(parent) && key === 'length')) parent[key] = value;
    else if (Array.isArray(parent)) parent.push(parent[0]);
  }
  return data;
}

describe('the scene reader survives', () => {
  it('values of every kind', () => {
    fc.assert(fc.property(wild, survives), { numRuns: bySuite(200, 500) });
    fc.assert(fc.property(fc.anything({ withNullPrototype: true, withTypedArray: true }), survives), {
      numRuns: bySuite(200, 500),
    });
  });

  it('objects that look like scenes', () => {
    const key = fc.constantFrom(
      'version',
      'bodies',
      'repeat',
      'motions',
      'materials',
      'solver',
      'rods',
      'gravity',
      'x',
    );
    const loose = fc.dictionary(key, wild).map((rest) => ({ version: 1, ...rest }));
    fc.assert(fc.property(loose, survives), { numRuns: bySuite(200, 500) });
  });

  it('valid scenes with values changed, deleted, added and doubled', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => survives(mutate(edits))),
      { numRuns: bySuite(200, 1500) },
    );
  });

  longTest('text of every kind', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), survives), { numRuns: bySuite(80, 500) });
    fc.assert(fc.property(fc.json(), survives), { numRuns: bySuite(60, 300) });
  });

  it('a valid file with characters changed, cut out and put in', () => {
    const slice = fc.record({
      at: fc.nat(fixture.length),
      length: fc.nat(12),
      text: fc.oneof(fc.string(), fc.constantFrom('{', ']', '"', ',', '1e999', '-', '\\', '\n', '\u0000', ':', '')),
    });
    fc.assert(
      fc.property(fc.array(slice, { minLength: 1, maxLength: 3 }), (slices) => {
        let text = fixture;
        for (const { at, length, text: put } of slices) text = text.slice(0, at) + put + text.slice(at + length);
        survives(text);
      }),
      { numRuns: bySuite(150, 700) },
    );
  });

  longTest('brackets nested a hundred thousand deep, and a string of millions of characters', () => {
    for (const open of ['[', '{"a":', '{"version":1,"bodies":[{"shape":{"compound":[']) survives(open.repeat(100_000));
    survives(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    survives(JSON.stringify({ version: 1, title: 'x'.repeat(3_000_000) }));
    survives(`"${'\\n'.repeat(1_000_000)}`);
  });

  it('proxies and objects that answer badly', () => {
    const evil = new Proxy(
      {},
      {
        ownKeys() {
          throw new TypeError('no keys');
        },
      },
    );
    const list = new Proxy([], { get: () => Number.NaN });
    for (const source of [evil, list, { version: 1, bodies: list }, { version: 1, bodies: [evil] }]) survives(source);
  });
});

describe('the JSON scanner', () => {
  it('accepts and refuses exactly what JSON.parse does, repeated keys aside', () => {
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"a"', '"b"', '"\\u00e9"', '1', '-0', '01', '1.', '.5', '1e5', '-1E-2', '--1'],
      ...['true', 'false', 'null', 'nul', ' ', '\n', '\u00a0', '"', '"\\x"', '"\t"', '/', "'a'", 'NaN', '+1'],
    );
    const soup = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
    const broken = fc.tuple(fc.json(), fc.nat(), piece).map(([text, at, put]) => {
      const i = at % (text.length + 1);
      return text.slice(0, i) + put + text.slice(i + 1);
    });
    fc.assert(
      fc.property(fc.oneof(soup, broken, fc.json()), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const fault = findJsonFault(text);
        if (valid && fault) expect(fault.reason).toMatch(/is there twice in one object$/);
        if (!valid) expect(fault).not.toBeNull();
        if (fault) expect(fault.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: bySuite(500, 5000) },
    );
  });
});
