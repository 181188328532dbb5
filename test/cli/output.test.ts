import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareOutput, readText } from '../../src/cli/files';
import { spreadOf } from '../../src/cli/measurements';
import { createProgress } from '../../src/cli/progress';
import { type RunResult, showResult } from '../../src/cli/result';

const folder = mkdtempSync(join(tmpdir(), 'stiction-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('output files', () => {
  it('are not there before they are written, whole after it', () => {
    const path = join(folder, 'new.json');
    const output = prepareOutput(path);
    expect(readdirSync(folder)).toEqual([]);
    output.write('text');
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(readdirSync(folder)).toEqual(['new.json']);
  });

  it('keep their old contents until the new ones are there', () => {
    const path = join(folder, 'old.json');
    writeFileSync(path, 'old');
    const output = prepareOutput(path);
    expect(readFileSync(path, 'utf8')).toBe('old');
    output.write('new');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('are refused in folders that are not there, as folders, and below files', () => {
    const missing = join(folder, 'no', 'such', 'x.json');
    expect(() => prepareOutput(missing)).toThrow(`cannot write ${missing}: there is no such folder`);
    expect(() => prepareOutput(folder)).toThrow(`cannot write ${folder}: it is a folder`);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => prepareOutput(join(file, 'x'))).toThrow(/^cannot write .*: a part of the path is no folder$/);
    expect(() => prepareOutput(join(folder, 'x'.repeat(300)))).toThrow(/: the name is too long$/);
    expect(existsSync(missing)).toBe(false);
  });

  it('cannot be read where there is none', () => {
    expect(() => readText(join(folder, 'none'))).toThrow(/^cannot read .*none: there is no such file$/);
    expect(() => readText(folder)).toThrow(/: it is a folder$/);
  });
});

describe('the progress bar', () => {
  const draw = (terminal: boolean, quiet: boolean) => {
    let text = '';
    const streams = { terminal, out() {}, err: (part: string) => (text += part) };
    const progress = createProgress(streams, 1000, quiet);
    for (let k = 1; k <= 1000; k++) progress.show(k, 0.5);
    progress.clear();
    return text;
  };

  it('is drawn on a terminal only, once a per cent, and taken away', () => {
    expect(draw(false, false)).toBe('');
    expect(draw(true, true)).toBe('');
    const drawn = draw(true, false).split('\r');
    expect(drawn.length).toBe(1 + 101 + 1);
    expect(drawn[51]).toContain(' 50 %  500/1000 steps  0.50 ms a step');
    expect(drawn.at(-1)).toBe('\u001b[K');
  });
});

describe('the result', () => {
  const result: RunResult = {
    version: 1,
    title: 'a "title"',
    backend: 'wasm',
    steps: 1,
    time: 0.5,
    bodies: Object.assign(Object.create(null), {
      ['__proto__']: {
        position: [Number.NaN, 1, Number.POSITIVE_INFINITY],
        rotation: [0, 0, 0, 1],
        velocity: [0, 0, 0],
        angularVelocity: [0, 0, 0],
        awake: true,
      },
    }),
    rods: {},
    joints: {},
    shells: {},
    solids: {},
    trace: [],
    report: {
      stepMilliseconds: { median: Number.NaN, p99: 1, max: 2 },
      stages: {},
      residual: { median: 0, max: 0 },
      penetration: { max: 0 },
      energy: { kinetic: 1, potential: 2, elastic: 0 },
      contacts: { mean: 0, max: 0 },
      points: { mean: 0, max: 0 },
      solver: {
        dantzig: { islands: 0, passes: 0, pivots: 0, warm: 0, fallbacks: 0 },
        'gauss-seidel': { islands: 0 },
        'contact-admm': { islands: 0, iterations: 0, factorisations: 0, fallbacks: 0 },
      },
      limits: [],
      quarantined: [],
      hash: '00',
    },
  };

  it('is JSON with every key, without a number that is not finite', () => {
    const text = showResult(result);
    const read = JSON.parse(text) as RunResult;
    expect(Object.keys(read)).toEqual([
      ...[
        'version',
        'title',
        'backend',
        'steps',
        'time',
        'bodies',
        'rods',
        'joints',
        'shells',
        'solids',
        'trace',
        'report',
      ],
    ]);
    expect(text).toContain('"__proto__": {"position":[null,1,null]');
    expect(read.report.stepMilliseconds).toEqual({ median: null, p99: 1, max: 2 });
    expect(text).not.toMatch(/NaN|Infinity/);
  });
});

describe('figures of a run', () => {
  it('are the median, the 99th percentile by nearest rank, and the largest', () => {
    expect(spreadOf(Float64Array.of(3, 1, 2))).toEqual({ median: 2, p99: 3, max: 3 });
    expect(spreadOf(Float64Array.of(4, 1, 2, 3))).toEqual({ median: 2.5, p99: 4, max: 4 });
    expect(spreadOf(Float64Array.from({ length: 200 }, (_, i) => 200 - i))).toEqual({
      median: 100.5,
      p99: 198,
      max: 200,
    });
    expect(spreadOf(new Float64Array())).toEqual({ median: null, p99: null, max: null });
  });
});
