// `stiction tetrahedra` as its command runs. Filling needs an optional package: where it is missing those tests are
// skipped.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import { openFiller } from '../../src/cli/tetrahedra/tet-maker';
import { checkTetrahedra, measureTetrahedra } from '../../src/geometry/tetrahedra';
import { readTetrahedra } from '../../src/index';

const folder = mkdtempSync(join(tmpdir(), 'stiction-tetrahedra-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hasPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('physx-js-webidl');
    return true;
  } catch {
    return false;
  }
}

async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const streams = { out: '', err: '' };
  const status = await dispatch(['tetrahedra', ...args], {
    out: (text) => {
      streams.out += text;
    },
    err: (text) => {
      streams.err += text;
    },
    terminal: false,
  });
  return { status, ...streams };
}

/** A ball: an octahedron's faces cut into n² triangles each, pushed out to the radius. */
function writeBall(path: string, radius: number, n = 12): void {
  const lines: string[] = [];
  const known = new Map<string, number>();
  const vertex = (p: number[]) => {
    const key = p.join();
    if (!known.has(key)) {
      known.set(key, known.size + 1);
      const length = Math.hypot(...p);
      lines.push(`v ${p.map((c) => (radius * c) / length).join(' ')}`);
    }
    return known.get(key)!;
  };
  for (const sx of [-1, 1])
    for (const sy of [-1, 1])
      for (const sz of [-1, 1]) {
        const at = (i: number, j: number) => vertex([sx * i, sy * j, sz * (n - i - j)].map((c) => c + 0));
        const face = (...c: number[]) => lines.push(`f ${(sx * sy * sz > 0 ? c : c.reverse()).join(' ')}`);
        for (let i = 0; i < n; i++)
          for (let j = 0; i + j < n; j++) {
            face(at(i, j), at(i + 1, j), at(i, j + 1));
            if (i + j < n - 1) face(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
          }
      }
  writeFileSync(path, `${lines.join('\n')}\n`);
}

const ball = join(folder, 'ball.obj');
writeBall(ball, 2);

describe('stiction tetrahedra', () => {
  it('puts cubes around a surface, as an entry of a scene with the surface in it', async () => {
    const file = join(folder, 'voxels.json');
    const { status, out, err } = await run(ball, '--method', 'voxels', '--cells', '8', '--scale', '0.5', '--out', file);
    expect([status, err]).toEqual([0, '']);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ file, method: 'voxels', inverted: 0, surface: { triangles: 1152 } });
    expect(report.meanRatio.least).toBeCloseTo(0.84, 3);
    const entry = JSON.parse(readFileSync(file, 'utf8'));
    expect([entry.name, entry.tetrahedra.length]).toEqual(['ball', report.tetrahedra]);
    checkTetrahedra(entry.vertices.flat(), entry.tetrahedra.flat(), 'entry');
    // All of the surface is within: a ball of radius 1 in cells of ¼.
    const volume = measureTetrahedra(entry.vertices.flat(), entry.tetrahedra.flat()).volume;
    expect(volume).toBeGreaterThan((4 / 3) * Math.PI);
    expect(volume).toBeLessThan((4 / 3) * Math.PI * 1.25 ** 3);
    expect(entry.surface.triangles.length).toBe(1152);
    const farthest = Math.max(...entry.surface.vertices.map((p: number[]) => Math.hypot(...p)));
    expect(farthest).toBeCloseTo(1, 6);
  });

  it.skipIf(!hasPackage())('fills a surface up to its boundary, well shaped, and leaves Node as it was', async () => {
    const file = join(folder, 'ball.msh');
    const { status, out, err } = await run(ball, '--cells', '6', '--out', file);
    expect([status, err]).toEqual([0, '']);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ method: 'conforming', inverted: 0 });
    expect(report.meanRatio.least).toBeGreaterThanOrEqual(0.2);
    expect(report.volume / report.surface.volume).toBeGreaterThan(0.9);
    expect(report.volume / report.surface.volume).toBeLessThan(1.1);
    expect([typeof process.versions.node, 'window' in globalThis, 'document' in globalThis]).toEqual([
      ...['string', false, false],
    ]);
    // What it wrote it reads, and measures the same.
    const mesh = readTetrahedra(readFileSync(file), file);
    expect([mesh.vertices.length / 3, mesh.tetrahedra.length / 4]).toEqual([report.vertices, report.tetrahedra]);
    const again = await run(file);
    expect(JSON.parse(again.out)).toMatchObject({ method: 'read', volume: report.volume, meanRatio: report.meanRatio });
  });

  it('says which package is missing', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(openFiller(() => Promise.reject(missing))).rejects.toThrow(
      'filling a surface needs the package physx-js-webidl: npm install --no-save physx-js-webidl',
    );
  });

  it('refuses an open surface with the triangle and the edge', async () => {
    const open = join(folder, 'open.obj');
    writeFileSync(open, readFileSync(ball, 'utf8').trimEnd().split('\n').slice(0, -1).join('\n'));
    const { status, out, err } = await run(open);
    if (hasPackage()) {
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(
        /open\.obj: triangles\[\d+\]: edge \d+, \d+ must have two triangles, got one: the surface is open/,
      );
    } else expect(err).toMatch(/needs the package physx-js-webidl/);
  });

  it('reports bad tetrahedra, and writes none', async () => {
    const file = join(folder, 'flat.vtk');
    const grid = (z: string) =>
      `# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 ${z}
CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n`;
    const target = join(folder, 'flat.msh');
    writeFileSync(file, grid('0.01'));
    const flat = await run(file, '--out', target);
    expect(flat.status).toBe(1);
    expect(flat.err).toMatch(/flat\.vtk: tetrahedra\[0\]: mean ratio must be >= 0\.2, got 0\.05\d+\n$/);
    expect(JSON.parse(flat.out).meanRatio.least).toBeLessThan(0.2);
    expect((await run(file, '--least-ratio', '0.05')).status).toBe(0);
    writeFileSync(file, grid('-1'));
    const inverted = await run(file, '--out', target);
    expect([inverted.status, JSON.parse(inverted.out).inverted]).toEqual([1, 1]);
    expect(inverted.err).toMatch(/tetrahedra\[0\]: volume must be > 0/);
    expect(existsSync(target)).toBe(false);
  });

  it.each([
    [[], 'MESH is missing'],
    [[ball, '--out', 'x.stl'], '--out: must end in .json or .msh, got "x.stl"'],
    [[ball, '--cells', '1'], '--cells: must be a whole number >= 2, got "1"'],
    [[ball, '--cells', '900'], '--cells: must be at most 200, got 900'],
    [[ball, '--scale', '0'], '--scale: must be a number > 0, got "0"'],
    [[ball, '--method', 'cubes'], '--method: must be one of conforming, voxels, got "cubes"'],
    [[join(folder, 'no.obj')], 'there is no such file'],
    [[join(folder, 'no.fbx')], ''],
  ])('refuses wrong calls: %#', async (args, message) => {
    const { status, out, err } = await run(...(args as string[]));
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
