// `stiction run` on elastic solids: where they come to lie, and one line for what is wrong.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import { box } from '../mechanics/solid/solid-world';

const folder = mkdtempSync(join(tmpdir(), 'stiction-solids-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(scene: object): Promise<{ status: number; out: string; err: string }> {
  const path = join(folder, 'a.scene.json');
  writeFileSync(path, JSON.stringify(scene));
  let [out, err] = ['', ''];
  const streams = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    terminal: false,
  };
  return { status: await dispatch(['run', path, '--steps', '40', '--quiet'], streams), out, err };
}

const mesh = box([1, 1, 1], [-0.2, 0, -0.2], [0.2, 0.4, 0.2]);
const rows = <T extends ArrayLike<number>>(flat: T, width: number) =>
  Array.from({ length: flat.length / width }, (_, i) => Array.from(flat).slice(width * i, width * (i + 1)));
const jelly = { name: 'jelly', vertices: rows(mesh.vertices, 3), tetrahedra: rows(mesh.tetrahedra, 4), radius: 0.005 };
const ground = { name: 'ground', type: 'static', shape: { plane: [0, 1, 0] } };

test('positions of solids are in the output', async () => {
  const scene = { version: 1, bodies: [ground], solids: [{ ...jelly, position: [1, 0.02, 0] }] };
  const { status, out, err } = await run(scene);
  expect([status, err]).toEqual([0, '']);
  const { positions } = JSON.parse(out).solids.jelly as { positions: number[][] };
  expect(positions).toHaveLength(8);
  expect(positions[0][0]).toBeCloseTo(0.8, 2);
  expect(positions[0][1]).toBeCloseTo(0.005, 3);
});

test('a wrong solid is refused in one line, with status 2', async () => {
  const { status, out, err } = await run({ version: 1, solids: [{ ...jelly, poissonRatio: 0.5 }] });
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain('solids[0].poissonRatio: must be -0.9..0.49, got 0.5');
  expect(err.trim().split('\n')).toHaveLength(1);
});
