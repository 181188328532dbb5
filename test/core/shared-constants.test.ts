// Twins by construction: a constant or an offset that two languages need is written once.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as law from '../../src/core/contact-law-constants';
import * as elastic from '../../src/core/elastic-constants';
import * as engine from '../../src/core/engine-constants';
import * as numbers from '../../src/core/number-constants';
import * as gpu from '../../src/gpu/constants';
import * as admmLayout from '../../src/state/admm-layout';
import * as jointRowLayout from '../../src/state/joint-row-layout';
import * as problemJobLayout from '../../src/state/problem-job-layout';
import * as rodLayout from '../../src/state/rod-layout';
import * as settledLayout from '../../src/state/settled-layout';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Constants of one file that are plain numbers: name and value. */
function numbersOf(text: string): [string, number][] {
  const found = text.matchAll(
    /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: \w+)? = (-?(?:0x[\da-f]+|[\d._]+(?:e-?\d+)?))u?;/gm,
  );
  return [...found].map(([, name, value]) => [name, Number(value.replaceAll('_', ''))]);
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|wgsl)$/.test(name))
    .map((name) => join(folder, name));
}

/** Files that all languages read, and what of them TypeScript sees. */
const SHARED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'src/core/elastic-constants.ts': elastic,
  'src/core/engine-constants.ts': engine,
  'src/core/contact-law-constants.ts': law,
  'src/core/number-constants.ts': numbers,
  'src/gpu/constants.ts': gpu,
  'src/state/admm-layout.ts': admmLayout,
  'src/state/problem-job-layout.ts': problemJobLayout,
  'src/state/rod-layout.ts': rodLayout,
  'src/state/joint-row-layout.ts': jointRowLayout,
  'src/state/settled-layout.ts': settledLayout,
};
/** Places and bytes: other records may have the same short names. */
const isLayout = (file: string) => file.endsWith('-layout.ts');
/** Where a layout is used: elastic objects have their work memory, friction problems their job. */
const roomOf = (layout: string) => (layout.includes('problem-job') ? '/contact-law/' : '/elastic/');
/** Names of shared files that mean something else in the rooms of others. */
const ELSEWHERE = new Set(['OPEN', 'MISSED', 'NOTHING', 'FAILURE']);

const declared = filesOf('src').map((file) => ({ file, found: numbersOf(readFileSync(join(root, file), 'utf8')) }));

test('no shared constant is declared a second time', () => {
  const names = new Map<string, string[]>();
  for (const [file, values] of Object.entries(SHARED))
    for (const name of Object.keys(values)) names.set(name, [...(names.get(name) ?? []), file]);
  const twice = declared
    .filter(({ file }) => !(file in SHARED))
    .flatMap(({ file, found }) =>
      found
        .filter(([name]) => !ELSEWHERE.has(name))
        .filter(([name]) => names.get(name)?.some((owner) => !isLayout(owner) || file.includes(roomOf(owner))))
        .map(([name]) => `${file}: ${name}`),
    );
  expect(twice).toEqual([]);
});

/** Of which of the three languages a file is; files that two of them read are shared. */
function languageOf(file: string): string {
  if (file.endsWith('.wgsl')) return 'WGSL';
  return file.startsWith('src/kernels/assembly/') ? 'AssemblyScript' : 'TypeScript';
}

/**
 * The same name and number in two languages, and yet two things: a number of tries or a tolerance of two methods, a
 * size of two records.
 */
const COINCIDENCES = new Set([
  ...['ITERATIONS = 80', 'PASSES = 8', 'ROUNDS = 12', 'SWEEPS = 6', 'SWEEPS = 10', 'TURNS = 4'],
  ...['RIGHT_ANGLE = 1e-15', 'ROUNDING = 1e-14', 'TOLERANCE = 1e-9', 'TOLERANCE = 1e-13'],
  ...['ENTRY = 32', 'IMPACT_BIT = 1', 'OPEN = 0'],
]);

test('no constant stands in two languages', () => {
  const places = new Map<string, string[]>();
  for (const { file, found } of declared) {
    if (file.startsWith('src/bench') || file.startsWith('src/scene') || file.startsWith('src/cli')) continue;
    for (const [name, value] of found) {
      const key = `${name} = ${value}`;
      places.set(key, [...(places.get(key) ?? []), file]);
    }
  }
  const twice = [...places]
    .filter(([, files]) => new Set(files.map(languageOf)).size > 1)
    .filter(([key]) => !COINCIDENCES.has(key))
    .map(([key, files]) => `${key}: ${files.join(', ')}`);
  expect(twice).toEqual([]);
});

test('all languages can read them: one literal a line, no name twice', () => {
  for (const [file, values] of Object.entries(SHARED)) {
    const found = numbersOf(readFileSync(join(root, file), 'utf8'));
    // The built engine adds a namespace of its own where another module takes one (`elastic_constants_exports`).
    const own = Object.entries(values).filter(([name]) => !name.endsWith('_exports'));
    expect(Object.fromEntries(found), file).toEqual(Object.fromEntries(own));
    expect(found.length, file).toBe(own.length);
  }
});
