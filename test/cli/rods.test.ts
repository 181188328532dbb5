// `stiction run` on scenes with rods and grooms: what it prints, where it looks for files, how it refuses.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import type { RunResult } from '../../src/cli/result';

const folder = mkdtempSync(join(tmpdir(), 'stiction-rods-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function stiction(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const streams = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    terminal: false,
  };
  return { status: await dispatch(args, streams), out, err };
}

function file(name: string, contents: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, contents instanceof Uint8Array ? contents : JSON.stringify(contents));
  return path;
}

const points = [0, 1, 2, 3].map((i) => [0.1 * i, 1, 0]);
const rope = { name: 'rope', points, radius: 0.005, youngModulus: 1e7, clampStart: true };

/** Two strands of two points in the .data form. */
const strands = new Uint8Array(Int32Array.of(2, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0).buffer);
new Float32Array(strands.buffer).set([0, 0, 0, 0, 1, 0], 2);
new Float32Array(strands.buffer).set([1, 0, 0, 1, 1, 0], 9);

describe('stiction run', () => {
  it('prints positions and twists of rods, and strands of grooms from files beside the scene', async () => {
    mkdirSync(join(folder, 'grooms'), { recursive: true });
    file('grooms/two.data', strands);
    const path = file('rods.json', {
      version: 1,
      rods: [{ ...rope, twist: [0, 0.1, 0.3] }],
      grooms: [{ name: 'tuft', file: 'grooms/two.data', vertices: 3, rod: { radius: 0.001, youngModulus: 1e7 } }],
    });
    const { status, out, err } = await stiction('run', path, '--steps', '2', '--every', '1', '--quiet');
    expect([status, err]).toEqual([0, '']);
    const result = JSON.parse(out) as RunResult;
    expect(Object.keys(result.rods)).toEqual(['rope', 'tuft']);
    expect(result.rods.rope.positions.length).toBe(4);
    expect(result.rods.rope.positions[0]).toEqual([0, 1, 0]);
    expect(result.rods.rope.twists.length).toBe(4);
    expect(result.rods.tuft.strands).toEqual([3, 3]);
    expect(result.rods.tuft.positions.length).toBe(6);
    expect(result.trace?.[0].rods?.rope.positions.length).toBe(4);
    expect(['reference', 'wasm']).toContain(result.backend);
  });

  it('counts the energy of strands', async () => {
    const path = file('energy.json', { version: 1, rods: [{ ...rope, density: 1000, twist: [0, 0, 2] }] });
    const { out } = await stiction('run', path, '--steps', '0');
    const { energy } = (JSON.parse(out) as RunResult).report;
    // Twist of 2 rad at one inner node: ½ GJ 2²/ℓ with GJ = G π r⁴/2, ℓ = 0.1 m.
    const G = 0.3375 * 1e7;
    const expected = (0.5 * G * Math.PI * 0.005 ** 4 * 0.5 * 4) / 0.1;
    expect((energy.elastic as number) / expected).toBeCloseTo(1, 9);
    // m g h of 0.3 m at height 1 m.
    expect((energy.potential as number) / (1000 * Math.PI * 0.005 ** 2 * 0.3 * 9.81)).toBeCloseTo(1, 9);
    expect(energy.kinetic).toBe(0);
  });

  it('takes the backend from the call before the scene', async () => {
    const path = file('backend.json', { version: 1, rods: [rope], solver: { backend: 'reference' } });
    const named = async (...more: string[]) => {
      const { out } = await stiction('run', path, '--steps', '1', ...more);
      return (JSON.parse(out) as RunResult).backend;
    };
    expect(await named()).toBe('reference');
    expect(await named('--backend', 'reference')).toBe('reference');
  });

  it('refuses a wrong rod, a missing and a broken groom in one line, with status 2', async () => {
    const wrong = file('wrong.json', { version: 1, rods: [{ ...rope, radius: -0.1 }] });
    expect(await stiction('run', wrong)).toEqual({
      status: 2,
      out: '',
      err: `stiction run: ${wrong}: rods[0].radius: must be > 0 [m], got -0.1\n`,
    });
    const none = file('none.json', { version: 1, grooms: [{ file: 'none.hair' }] });
    expect(await stiction('run', none)).toEqual({
      status: 2,
      out: '',
      err: `stiction run: cannot read ${join(folder, 'none.hair')}: there is no such file\n`,
    });
    file('broken.tfx', strands.subarray(0, 9));
    const broken = file('broken.json', { version: 1, grooms: [{ name: 'g', file: 'broken.tfx' }] });
    const { status, err } = await stiction('run', broken);
    expect([status, err]).toEqual([
      2,
      `stiction run: ${broken}: addScene: groom "g": readGroom: .tfx file must have 160 bytes to hold its ` +
        'header, got 9\n',
    ]);
  });

  it('reads what a scene names from regular files in its folder only, unless the call allows more', async () => {
    mkdirSync(join(folder, 'inner'), { recursive: true });
    file('outside.data', strands);
    symlinkSync(join(folder, 'outside.data'), join(folder, 'inner/link.data'));
    execFileSync('mkfifo', [join(folder, 'inner/pipe.data')]);
    const scene = (name: string) =>
      file('inner/scene.json', { version: 1, grooms: [{ file: name, rod: { radius: 1e-3 } }] });
    const zero = relative(join(folder, 'inner'), '/dev/zero');
    const outside = ['../outside.data', 'link.data', zero, '../../..'];
    for (const name of outside) {
      const { status, out, err } = await stiction('run', scene(name), '--steps', '1');
      const expected = 'files of a scene must lie in its folder, unless --allow-files is given';
      expect([status, out, err]).toEqual([2, '', `stiction run: cannot read ${JSON.stringify(name)}: ${expected}\n`]);
    }
    for (const name of outside.slice(0, 2)) {
      const { status, err } = await stiction('run', scene(name), '--steps', '1', '--quiet', '--allow-files');
      expect([status, err]).toEqual([0, '']);
    }
    const odd: [string, string][] = [
      [zero, '/dev/zero: it is no regular file'],
      ['pipe.data', `${join(folder, 'inner/pipe.data')}: it is no regular file`],
      ['.', `${join(folder, 'inner')}: it is a folder`],
    ];
    for (const [name, reason] of odd) {
      const { status, err } = await stiction('run', scene(name), '--steps', '1', '--allow-files');
      expect([status, err]).toEqual([2, `stiction run: cannot read ${reason}\n`]);
    }
  });

  it('reads no device and no endless file as a scene', async () => {
    expect((await stiction('run', '/dev/zero')).err).toBe('stiction run: cannot read /dev/zero: it is a device\n');
    const large = join(folder, 'large.json');
    closeSync(openSync(large, 'w'));
    truncateSync(large, 600 * 2 ** 20);
    expect((await stiction('run', large)).err).toBe(
      `stiction run: cannot read ${large}: must be at most 512 MiB, got 600 MiB\n`,
    );
  });

  it('says of a groom without strands that it has none', async () => {
    file('empty.data', new Uint8Array(4));
    const empty = file('empty.json', { version: 1, grooms: [{ name: 'g', file: 'empty.data', maxStrands: 5 }] });
    const { status, err } = await stiction('run', empty);
    expect(status).toBe(2);
    expect(err).toContain('must have at least 1 strand');
    expect(err).not.toContain('maxStrands');
  });

  it('uses the solvers a scene asks for', async () => {
    const bodies = [
      { type: 'static', shape: { plane: [0, 1, 0] } },
      { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] },
    ];
    const rigid = file('rigid.json', { version: 1, bodies, solver: { rigid: 'contact-admm' } });
    const { out, err } = await stiction('run', rigid, '--steps', '30', '--quiet');
    expect(err).toBe('');
    const { solver } = (JSON.parse(out) as RunResult).report;
    expect(Object.entries(solver).map(([name, { islands }]) => [name, islands > 0])).toContainEqual([
      'contact-admm',
      true,
    ]);
    // A wall that closes in has no answer.
    const wall = { shape: { box: [0.5, 3, 3] } };
    const closing = file('closing.json', {
      version: 1,
      bodies: [
        bodies[0],
        { ...wall, type: 'static', position: [3, 3, 0] },
        { ...wall, type: 'kinematic', position: [-5, 3, 0], velocity: [20, 0, 0] },
        ...[-2.4, -1.2, 0, 1.2, 2.4].map((x) => ({ shape: { sphere: 0.5 }, position: [x, 0.5, 0] })),
      ],
      solver: { rigid: 'contact-admm' },
    });
    const swept = await stiction('run', closing, '--steps', '25', '--quiet');
    expect(swept.err).toMatch(/^stiction run: warning: solver 'contact-admm' found no answer for an island[^\n]*\n$/);
    const elastic = file('elastic.json', { version: 1, rods: [rope], solver: { elastic: 'conjugate-residual' } });
    const answer = await stiction('run', elastic, '--steps', '1', '--quiet');
    expect([answer.status, answer.err]).toEqual([
      0,
      "stiction run: warning: elastic.solver 'conjugate-residual' is for worlds with cloth or solids: " +
        'strands took ADMM\n',
    ]);
  });
});
