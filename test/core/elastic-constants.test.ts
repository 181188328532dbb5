// Twins by construction: a constant or an offset that two languages need is written once.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as constants from '../../src/core/elastic-constants';
import * as admmLayout from '../../src/state/admm-layout';
import * as rodLayout from '../../src/state/rod-layout';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Constants of one file that are plain numbers: name and value. */
function numbersOf(text: string): [string, number][] {
  const found = text.matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: \w+)? = (-?[\d.]+(?:e-?\d+)?)u?;/gm);
  return [...found].map(([, name, value]) => [name, Number(value)]);
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|wgsl)$/.test(name))
    .map((name) => join(folder, name));
}

const SHARED = ['src/core/elastic-constants.ts', 'src/state/admm-layout.ts', 'src/state/rod-layout.ts'];
/** Where the elastic objects live. */
const ROOMS = ['elastic', 'rod', 'proximity'].map((room) => `src/kernels/assembly/${room}`);
const FOLDERS = [...ROOMS, 'src/dynamics/elastic', 'src/solvers', 'src/mechanics', 'src/collision', 'src/gpu'];

test('no constant of elastic objects is declared a second time', () => {
  const names = new Set([constants, admmLayout, rodLayout].flatMap((file) => Object.keys(file)));
  const twice = FOLDERS.flatMap(filesOf)
    .filter((file) => !SHARED.includes(file))
    .flatMap((file) =>
      numbersOf(readFileSync(join(root, file), 'utf8'))
        // Bytes and places of other records may have the same short name.
        .filter(([name]) => names.has(name) && (name in constants || file.includes('/elastic/')))
        .map(([name]) => `${file}: ${name}`),
    );
  expect(twice).toEqual([]);
});

test('all languages can read them: one literal a line, no name twice', () => {
  for (const [file, values] of [
    [SHARED[0], constants],
    [SHARED[1], admmLayout],
    [SHARED[2], rodLayout],
  ] as const) {
    const found = numbersOf(readFileSync(join(root, file), 'utf8'));
    expect(Object.fromEntries(found), file).toEqual({ ...values });
    expect(found.length, file).toBe(Object.keys(values).length);
  }
});
