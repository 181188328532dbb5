// `stiction run` on scenes with rods and grooms: what it prints, where it looks for files, how it refuses.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
      `stiction run: ${broken}: addScene: groom "g": readGroom: .tfx file must have 160 bytes to hold its header, got 9\n`,
    ]);
  });
});
