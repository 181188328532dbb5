// `stiction bake` as users meet it: the built program, with threads, killed and started again.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWorld } from 'bitecs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import { addScene, createPhysics, readGroom, readScene, rodPositions, sceneSettings } from '../../src/index';
import { longTest } from '../setup/suite';
import { buildProgram } from './program';

const root = fileURLToPath(new URL('../../', import.meta.url));
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
/** Within the repository: the program finds its packages from there. */
const folder = mkdtempSync(join(root, 'node_modules/.cache/bake-'));
const groom = join(folder, 'tuft.data');

/** Strands of 30 points on their side, in the layout of USC-HairSalon. */
function writeTuft(path: string, strands: number): void {
  const bytes = Buffer.alloc(4 + strands * (4 + 12 * 30));
  bytes.writeInt32LE(strands, 0);
  for (let s = 0, at = 4; s < strands; s++) {
    bytes.writeInt32LE(30, at);
    at += 4;
    for (let i = 0; i < 30; i++) {
      for (const x of [0.004 * i, 0.01 * Math.sin(0.3 * i + s), 0.001 * s]) at = bytes.writeFloatLE(x, at);
    }
  }
  writeFileSync(path, bytes);
}

let program = '';
beforeAll(async () => {
  program = await buildProgram();
  writeTuft(groom, 60);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bake(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'bake', ...args], { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

/** Bakes into `out` and kills it once some parts are on disk, unless it has ended by then. */
async function bakeUntilKilled(path: string, out: string): Promise<void> {
  const child = spawn(process.execPath, [program, 'bake', path, '--out', out, '--workers', '1'], { stdio: 'ignore' });
  let isRunning = true;
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => {
      isRunning = false;
      resolve();
    });
  });
  while (isRunning && !(existsSync(`${out}.part`) && statSync(`${out}.part`).size > 60_000)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGKILL');
  await ended;
}

describe('stiction bake', () => {
  longTest('writes a groom that readGroom reads, the same with one thread and with three', () => {
    const [one, three] = ['one.sag', 'three.sag'].map((name) => join(folder, name));
    const { status, out, err } = bake(groom, '--out', one, '--workers', '1');
    expect([status, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ strands: 60, points: 1800, forceLeft: [], unstable: [] });
    expect(bake(groom, '--out', three, '--workers', '3').status).toBe(0);
    expect(readFileSync(three).equals(readFileSync(one))).toBe(true);
    expect(existsSync(`${one}.part`)).toBe(false);
    const read = readGroom(readFileSync(one));
    expect(read.counts.length).toBe(60);
    expect(read.rest?.curvatures?.length).toBe(4 * 1800);
  });

  it('goes on where it was killed, with the same result', async () => {
    const large = join(folder, 'large.data');
    const out = join(folder, 'killed.sag');
    // On a quick machine it may be done before it is killed: then a larger one is.
    for (let count = 300; ; count *= 4) {
      writeTuft(large, count);
      await bakeUntilKilled(large, out);
      if (!existsSync(out)) break;
      rmSync(out);
    }
    // A record cut short counts for nothing.
    const part = readFileSync(`${out}.part`);
    writeFileSync(`${out}.part`, part.subarray(0, part.length - 13));

    expect(bake(groom, '--out', out).err).toContain('got parts of another bake');
    const again = bake(large, '--out', out, '--workers', '2');
    expect(again.err).toMatch(/\d+ strands were baked before/);
    expect(again.status).toBe(0);
    const fresh = join(folder, 'fresh.sag');
    expect(bake(large, '--out', fresh, '--workers', '2').status).toBe(0);
    expect(readFileSync(out).equals(readFileSync(fresh))).toBe(true);
  });

  longTest('bakes the groom of a scene, in its place and under its gravity', () => {
    const scene = join(folder, 'hair.scene.json');
    const entry = { name: 'hair', file: 'tuft.data', vertices: 12, position: [0, 1, 0], rod: { youngModulus: 2e9 } };
    writeFileSync(scene, JSON.stringify({ version: 1, gravity: [0, -1.62, 0], grooms: [entry] }));
    const out = join(folder, 'scene.sag');
    expect(bake(scene, '--out', out, '--workers', '1').status).toBe(0);
    const { baked, counts, positions } = readGroom(readFileSync(out));
    expect(baked).toMatchObject({ youngModulus: 2e9, gravity: [0, -1.62, 0] });
    expect([counts[0], positions[1] > 0.9]).toEqual([12, true]);
    expect(bake(scene, '--out', out, '--groom', 'wig').err).toContain('--groom: must be one of "hair", got "wig"');
  });

  longTest('bakes a groom among its contacts: hair drawn within a head lies on it, and stays', () => {
    // Strands that follow the head a little below its skin, from its top down.
    const bytes = Buffer.alloc(4 + 8 * (4 + 12 * 16));
    bytes.writeInt32LE(8, 0);
    for (let s = 0, at = 4; s < 8; s++) {
      bytes.writeInt32LE(16, at);
      at += 4;
      for (let i = 0; i < 16; i++) {
        const [angle, radius] = [0.2 + 0.1 * i, i < 3 ? 0.1005 : 0.099];
        const [side, along] = [radius * Math.sin(angle), (s * Math.PI) / 4];
        const point = [side * Math.cos(along), radius * Math.cos(angle), side * Math.sin(along)];
        for (const x of point) at = bytes.writeFloatLE(x, at);
      }
    }
    writeFileSync(join(folder, 'fringe.data'), bytes);
    const bodies = [{ name: 'head', type: 'static', shape: { sphere: 0.1 }, material: 'skin' }];
    const rod = { attachStart: 'head', damping: 0.02, airDrag: 2 };
    const groom = { name: 'fringe', file: 'fringe.data', rod };
    const scene = { version: 1, materials: { skin: { friction: 0.5 } }, bodies, grooms: [groom] };
    const path = join(folder, 'head.scene.json');
    writeFileSync(path, JSON.stringify(scene));

    /** How far the strands of a baked file go from where they start in the scene within 3 s [m]. */
    const drift = (file: string): number => {
      const read = readScene(JSON.stringify({ ...scene, grooms: [{ ...groom, file }] }));
      const physics = createPhysics(createWorld(), { ...sceneSettings(read), sleeping: false });
      const eid = addScene(physics, read, { readFile: (name) => readFileSync(join(folder, name)) }).rods.get('fringe')!;
      const start = rodPositions(physics, eid);
      for (let k = 0; k < 180; k++) physics.step();
      return Math.max(...rodPositions(physics, eid).map((x, k) => Math.abs(x - start[k])));
    };
    const [free, held] = ['free.sag', 'held.sag'].map((name) => join(folder, name));
    expect(bake(path, '--out', free, '--workers', '1').status).toBe(0);
    const { status, out } = bake(path, '--out', held, '--workers', '2', '--contacts', '3');
    expect(status).toBe(0);
    const { settled, forceLeft } = JSON.parse(out);
    expect(forceLeft).toEqual([]);
    expect(settled.moved).toBeLessThan(0.005);
    expect(drift('free.sag')).toBeGreaterThan(1e-3);
    expect(drift('held.sag')).toBeLessThan(1.6e-4);
    expect(existsSync(`${held}.part`) || existsSync(`${held}.contacts.part`)).toBe(false);
  });

  it('says what it cannot do', async () => {
    expect(
      bake(groom, '--out', join(folder, 'x.sag'), '--check', '--stiffest', '1', '--curvature-change', '1e-4').status,
    ).toBe(1);
    const refusals: [string[], string][] = [
      [[], 'GROOM is missing'],
      [[groom], '--out FILE is missing'],
      [[groom, '--out', join(folder, 'x.sag'), '--gravity', '1,2'], '--gravity: must be three numbers'],
      [[groom, '--out', join(folder, 'x.sag'), '--workers', '0'], '--workers: must be a whole number >= 1'],
      [[groom, '--out', join(folder, 'x.sag'), '--groom', 'a'], '--groom: for scenes only'],
      [[groom, '--out', groom], 'must not be'],
      [[groom, '--out', join(folder, 'x.sag'), '--contacts', '2'], '--contacts: for scenes only'],
      [[program, '--out', join(folder, 'x.sag')], 'readGroom: file must be'],
    ];
    for (const [args, text] of refusals) {
      let err = '';
      const say = (text: string) => {
        err += text;
      };
      const status = await dispatch(['bake', ...args], { out: () => {}, err: say, terminal: false });
      expect([status, err.includes(text) ? text : err]).toEqual([2, text]);
    }
  });
});
