// The command line as users meet it: the built program in a process of its own, once for each way to end. All other
// calls are made without one: starting it costs more than they do.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json';
import { dispatch } from '../../src/cli/dispatch';
import type { RunResult } from '../../src/cli/result';
import { buildProgram } from './program';

const stack = fileURLToPath(new URL('../scene/fixtures/stack-of-ten.scene.json', import.meta.url));
const everyKind = fileURLToPath(new URL('../scene/fixtures/every-kind.scene.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'stiction-test-'));

let program = '';
beforeAll(async () => {
  program = await buildProgram();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Ended {
  status: number | null;
  out: string;
  err: string;
}

/** The built program. */
function started(...args: string[]): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { status, out: stdout, err: stderr };
}

/** What the program does, in this process. */
async function stiction(...args: string[]): Promise<Ended> {
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
  return { status: await dispatch(args, streams), out, err };
}

function file(name: string, contents: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents));
  return path;
}

/** Runs what must be refused: status 2, nothing on standard output, a few lines on the error stream. */
async function refused(...args: string[]): Promise<string> {
  const { status, out, err } = await stiction(...args);
  expect(out).toBe('');
  expect(status).toBe(2);
  expect(err).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  expect(err.split('\n').length).toBeLessThan(13);
  return err;
}

describe('stiction', () => {
  it('explains itself and its commands', async () => {
    const { status, out, err } = started('--help');
    expect([status, err]).toEqual([0, '']);
    for (const command of ['run', 'solve', 'bench']) {
      expect(out).toContain(`\n  ${command} `);
      const help = await stiction(command, '--help');
      expect([help.status, help.err]).toEqual([0, '']);
      expect(help.out).toContain(`stiction ${command} `);
    }
    for (const flag of ['--steps', '--seconds', '--backend', '--every', '--out', '--quiet']) {
      expect((await stiction('run', '--help')).out).toContain(flag);
    }
  });

  it('tells its version', async () => {
    expect(await stiction('--version')).toEqual({ status: 0, out: `${packageJson.version}\n`, err: '' });
  });

  it('refuses calls that make no sense', async () => {
    const missing = 'stiction: COMMAND is missing; stiction --help lists what there is\n';
    expect(started()).toEqual({ status: 2, out: '', err: missing });
    expect(await refused()).toBe(missing);
    expect(await refused('fly')).toBe('stiction: unknown command "fly"; stiction --help lists what there is\n');
    expect(await refused('--fly')).toBe('stiction: unknown option "--fly"; stiction --help lists what there is\n');
    expect(await refused('run')).toBe('stiction run: SCENE is missing: stiction run SCENE [options]\n');
    expect(await refused('run', stack, '--fly')).toBe("stiction run: Unknown option '--fly'\n");
    expect(await refused('run', stack, stack)).toMatch(/^stiction run: one SCENE at a time, got /);
    expect(await refused('run', stack, '--steps', '-5')).toBe(
      'stiction run: --steps: must be a whole number >= 0, got "-5"\n',
    );
    expect(await refused('run', stack, '--every', '0')).toBe(
      'stiction run: --every: must be a whole number >= 1, got "0"\n',
    );
    expect(await refused('run', stack, '--steps', '5', '--seconds', '1')).toBe(
      'stiction run: give --steps or --seconds, not both\n',
    );
    expect(await refused('run', stack, '--backend', 'cuda')).toBe(
      'stiction run: --backend: must be one of auto, reference, wasm, webgpu, got "cuda"\n',
    );
  });
});

describe('stiction run refuses', () => {
  it('files that are not there, or are no scenes, line by line', async () => {
    const none = join(folder, 'none.scene.json');
    expect(await refused('run', none)).toBe(`stiction run: cannot read ${none}: there is no such file\n`);
    const broken = file('broken.json', '{\n  "version": 1,\n}');
    expect(await refused('run', broken)).toBe(
      `stiction run: ${broken}: not valid JSON at line 3, column 1: expected a key in double quotes, got "}"\n`,
    );
    const wrong = file('wrong.json', {
      version: 1,
      solids: [{ youngModulus: 0 }],
      bodies: [{ mass: -1, shape: { sphere: 1 } }],
    });
    expect(await refused('run', wrong)).toBe(
      `stiction run: ${wrong}: bodies[0].mass: must be > 0 [kg], got -1\n` +
        `stiction run: ${wrong}: solids[0].youngModulus: must be > 0 [Pa], got 0\n`,
    );
    const many = file('many.json', { version: 1, bodies: Array(1000).fill({}) });
    expect((await refused('run', many)).split('\n').length).toBe(11);
  });

  it('results that cannot be written, before it runs, and leaves nothing behind', async () => {
    const nowhere = join(folder, 'no', 'out.json');
    const err = await refused('run', stack, '--steps', '999999999', '--out', nowhere);
    expect(err).toBe(`stiction run: cannot write ${nowhere}: there is no such folder\n`);
    const out = join(folder, 'out-of-wrong.json');
    await refused('run', file('wrong2.json', { version: 2 }), '--out', out);
    expect(existsSync(out)).toBe(false);
  });
});

describe('stiction run', () => {
  it('prints the state of every body and a full report', async () => {
    const { status, out, err } = await stiction('run', stack, '--steps', '60', '--no-sleep');
    expect([status, err]).toEqual([0, '']);
    const result = JSON.parse(out) as RunResult;
    expect(result).toMatchObject({ version: 1, title: 'stack1', backend: 'wasm', steps: 60, time: 1 });
    expect(result).not.toHaveProperty('trace');
    expect(Object.keys(result.bodies)).toEqual(['static-0', ...Array.from({ length: 10 }, (_, i) => `body-${i}`)]);
    for (let i = 0; i < 10; i++) {
      const body = result.bodies[`body-${i}`];
      expect(Math.abs((body.position[1] as number) - (i + 0.5))).toBeLessThan(1e-3);
      expect(body.awake).toBe(true);
    }
    const { report } = result;
    expect(Object.keys(report).sort()).toEqual(
      [
        ...['contacts', 'energy', 'hash', 'limits', 'penetration', 'points', 'quarantined', 'residual', 'solver'],
        ...['stages', 'stepMilliseconds'],
      ].sort(),
    );
    expect(report.contacts.max).toBe(10);
    expect(report.points.max).toBe(40);
    expect(report.stages['solve-contacts'].median).toBeGreaterThan(0);
    expect(report.stepMilliseconds.max).toBeGreaterThanOrEqual(report.stepMilliseconds.median as number);
    expect(report.solver.dantzig.islands + report.solver['gauss-seidel'].islands).toBeGreaterThanOrEqual(59);
    expect([report.limits, report.quarantined]).toEqual([[], []]);
    // Ten boxes of 10 kg with centres at 0.5 m, 1.5 m, ... 9.5 m: 50 m in all.
    expect(Math.abs((report.energy.potential as number) - 9.81 * 10 * 50)).toBeLessThan(1);
    expect(report.energy.kinetic).toBeLessThan(1e-3);
    expect(report.energy.elastic).toBe(0);
    expect(report.hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('gives the same hash again, for steps as for seconds, and writes it to a file', async () => {
    const out = join(folder, 'result.json');
    const first = started('run', everyKind, '--steps', '30', '--quiet');
    const second = await stiction('run', everyKind, '--seconds', '0.5', '--out', out);
    expect([first.status, first.err, second.status, second.out, second.err]).toEqual([0, '', 0, '', '']);
    const a = JSON.parse(first.out) as RunResult;
    const b = JSON.parse(readFileSync(out, 'utf8')) as RunResult;
    expect(a.report.hash).toBe(b.report.hash);
    expect(a.bodies).toEqual(b.bodies);
    expect(Object.keys(a.bodies)).toContain('crate-11');
    // Half a second of a motion of one second: half way, a quarter turn about y.
    const { position, rotation } = a.bodies.pusher;
    [-4, 1, 0].forEach((x, k) => {
      expect(position[k]).toBeCloseTo(x, 9);
    });
    [0, Math.SQRT1_2, 0, Math.SQRT1_2].forEach((x, k) => {
      expect(rotation[k]).toBeCloseTo(x, 9);
    });
  });

  it('writes the contact problem of a step, which solve then solves exactly', async () => {
    const dumped = join(folder, 'dumped.problem.json');
    const run = await stiction('run', stack, '--steps', '12', '--quiet', '--dump-problem', '10', dumped);
    expect(run.status).toBe(0);
    const solved = JSON.parse((await stiction('solve', dumped)).out);
    expect(solved.status).toBe('converged');
    expect(solved.r).toHaveLength(3 * 40);
    expect(await refused('run', stack, '--dump-problem', 'x')).toContain(
      '--dump-problem: must be followed by STEP (>= 1) and FILE',
    );
    expect(await refused('run', stack, '--steps', '5', '--dump-problem', '6', dumped)).toContain(
      'STEP must be 1..5, got 6',
    );
  });

  it('takes down every K steps, moving bodies only', async () => {
    const { out } = await stiction('run', stack, '--steps', '10', '--every', '4');
    const { trace = [] } = JSON.parse(out) as RunResult;
    expect(trace.map(({ time }) => Math.round(time * 60))).toEqual([4, 8]);
    expect(Object.keys(trace[0].bodies).length).toBe(10);
  });

  it('reports the initial state for no steps at all', async () => {
    const result = JSON.parse((await stiction('run', stack, '--steps', '0')).out) as RunResult;
    expect(result.bodies['body-3'].position).toEqual([0, 3.5, 0]);
    expect(result.report.stepMilliseconds).toEqual({ median: null, p99: null, max: null });
    expect(result.report.energy.potential).toBeCloseTo(9.81 * 10 * 50, 6);
  });
});
