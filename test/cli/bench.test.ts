// `stiction bench` as the command runs it: wrong calls, and a few steps of two scenes with ours alone.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import { buildLibrary } from './program';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'stiction-bench-'));

let library = '';
beforeAll(async () => {
  library = join(await buildLibrary(), 'index.js');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function bench(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const status = await dispatch(['bench', ...args], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: false,
  });
  return { status, out, err };
}

describe('stiction bench', () => {
  it('runs two scenes of ours, prints a table of each and writes the results', async () => {
    const file = join(folder, 'rigid.json');
    const scenes = ['--scenes', 'stack100,slope-1.02', '--steps', '60'];
    const ours = ['--library', library, '--engines', 'stiction', '--rounds', '2'];
    const { status, out } = await bench('rigid', ...scenes, ...ours, '--out', file);
    expect(out).toMatch(/\n## stack100\nengine .*median ms.*pen peak mm.*drift mm.*stands/s);
    expect(out).toMatch(/\nstiction +60 .* yes +yes /);
    expect(out).toMatch(/\n## slope-1.02\n.*\nstiction .*slid 0\.0\d+ of 0\.0\d+ m/);
    expect(status).toBe(0);
    const { scenes: results, targets } = JSON.parse(readFileSync(file, 'utf8'));
    expect(results.stack100.stiction).toMatchObject({
      steps: 60,
      bodies: 10,
      startError: 0,
      stands: true,
      repeats: true,
    });
    expect(targets.map(({ scene }: { scene: string }) => scene)).toContain('library');
    const page = readFileSync(join(folder, 'rigid.md'), 'utf8');
    expect(page).toContain('## stack100');
    expect(page).not.toContain(root);
  });

  it('refuses calls that make no sense, in one line', async () => {
    for (const [args, message] of [
      [
        ['elastic'],
        'NAME: must be one of rigid, solvers, conjugate-residual, rods, shells, solids, snapshots, sag-free, gpu, ' +
          'got "elastic"',
      ],
      [['rigid', '--scenes', 'pyramid11'], /--scenes: must be all, or some of pyramid10,.*, got "pyramid11"/],
      [['rigid', '--engines', 'abacus'], /--engines: must be all, or some of rapier,.*, got "abacus"/],
      [['rigid', '--rounds', '0'], '--rounds: must be a whole number >= 1, got "0"'],
      [['rigid', '--library', 'nowhere.js'], '--library: must be a built library, got "nowhere.js"'],
      [['rigid', '--out', 'results.txt'], '--out: must end with .json, got "results.txt"'],
      [['rigid', '--quick', '--scenes', 'slide'], '--quick and --scenes: one of them'],
      [['shells', '--scenes', 'sail'], /--scenes: must be of hang,.*growth.*, got "sail"/],
    ] as [string[], string | RegExp][]) {
      const { status, out, err } = await bench(
        ...args,
        ...(args.includes('--library') || args[0] === 'shells' ? [] : ['--library', library]),
      );
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(message);
      expect(err.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});
