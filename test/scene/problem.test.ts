import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/core/errors';
import { type FrictionProblem, readProblem, writeProblem } from '../../src/scene/problem';
import { SceneError } from '../../src/scene/read';

const EYE = [0, 1, 2].map((i) => [i, i, 1]);
const reduced = {
  version: 1,
  contacts: 1,
  mu: [0.3],
  W: {
    rows: 3,
    columns: 3,
    entries: [
      [0, 0, 2],
      [1, 1, 2],
      [2, 2, 2],
      [0, 1, 0.5],
      [1, 0, 0.5],
    ],
  },
  b: [-1, 0.25, 0],
};
const full = {
  version: 1,
  contacts: 1,
  mu: [0.3],
  A: {
    rows: 2,
    columns: 2,
    entries: [
      [0, 0, 1],
      [1, 1, 4],
    ],
  },
  f: [1, 2],
  H: {
    rows: 3,
    columns: 2,
    entries: [
      [0, 0, 1],
      [1, 1, 1],
    ],
  },
  w: [0, 0, 0.5],
};

function refusal(data: unknown): string {
  try {
    readProblem(data);
  } catch (error) {
    expect(error).toBeInstanceOf(SceneError);
    return (error as Error).message;
  }
  return 'taken';
}

describe('reading a friction problem', () => {
  it('takes the reduced form', () => {
    const problem = readProblem(JSON.stringify(reduced));
    expect(problem).toMatchObject({ form: 'reduced', contacts: 1, bilateral: null });
    expect(problem.form === 'reduced' && Array.from(problem.W.value)).toEqual([2, 2, 2, 0.5, 0.5]);
  });

  it('takes the full form, with bilateral rows', () => {
    const problem = readProblem({ ...full, bilateral: [2, 0, 1] });
    expect(problem).toMatchObject({ form: 'full', bilateral: Uint8Array.of(1) });
  });

  it('says where, what came and what was expected', () => {
    const W = (entries: unknown) => ({ ...reduced, W: { rows: 3, columns: 3, entries } });
    const cases: [unknown, string | RegExp][] = [
      [[], 'problem: must be an object with version, contacts, mu and matrices, got []'],
      [{ ...reduced, version: 2 }, 'version: must be 1, got 2'],
      [{ ...reduced, contacts: 0 }, 'contacts: must be a whole number >= 1, got 0'],
      [{ ...reduced, contacts: 1e9 }, 'contacts: must be at most 100000, got 1000000000'],
      [{ ...reduced, colour: 1 }, /^colour: unknown key, expected one of version, title/],
      [{ ...reduced, mu: [-0.1] }, 'mu[0]: must be >= 0, got -0.1'],
      [{ ...reduced, mu: [null] }, 'mu[0]: must be a finite number, got null'],
      [{ ...reduced, mu: [Number.POSITIVE_INFINITY] }, 'mu[0]: must be a finite number, got Infinity'],
      [{ ...reduced, mu: [0.3, 0.3] }, 'mu: must be a list of 1 numbers, got [0.3, 0.3]'],
      [{ ...reduced, b: [1, 2] }, 'b: must be a list of 3 numbers, got [1, 2]'],
      [{ ...reduced, b: undefined }, 'b: must be a list of 3 numbers, got nothing'],
      [{ ...reduced, W: 3 }, 'W: must be an object with rows, columns and entries, got 3'],
      [{ ...reduced, W: { rows: 6, columns: 3, entries: [] } }, 'W.rows: must be 3, got 6'],
      [W([[0, 0]]), 'W.entries[0]: must be [row, column, value], got [0, 0]'],
      [W([[0, 3, 1]]), 'W.entries[0][1]: must be a column from 0 to 2, got 3'],
      [W([[-1, 0, 1]]), 'W.entries[0][0]: must be a row from 0 to 2, got -1'],
      [W([[0.5, 0, 1]]), 'W.entries[0][0]: must be a row from 0 to 2, got 0.5'],
      [W([...EYE, [0, 1, Number.NaN]]), 'W.entries[3][2]: must be a finite number, got NaN'],
      [W([...EYE, [0, 1, 0.5]]), 'W.entries[3]: must be symmetric: W[1, 0] is 0, got 0.5'],
      [
        W([
          [0, 0, -1],
          [1, 1, 1],
          [2, 2, 1],
        ]),
        /^W: diagonal block of contact 0 must be positive semidefinite, got a/,
      ],
      [W([...EYE, [0, 1, 2], [1, 0, 2]]), /^W: diagonal block of contact 0 must be positive semidefinite, got a/],
      [{ ...reduced, A: full.A }, 'A: belongs to the full form, expected it not together with W'],
      [{ version: 1, contacts: 1, mu: [1] }, 'W: is missing, expected W and b, or A, f, H and w'],
      [{ ...full, f: [1] }, 'f: must be a list of 2 numbers, got [1]'],
      [{ ...full, H: { ...full.H, columns: 3 } }, 'H.columns: must be 2, got 3'],
      [{ ...full, A: { ...full.A, columns: 3 } }, 'A.columns: must equal rows, 2, got 3'],
      [{ ...reduced, bilateral: [0, 1] }, 'bilateral: must hold all three rows of a contact, got 2 of contact 0'],
      [{ ...reduced, bilateral: [0, 1, 3] }, /^bilateral\[2\]: must be a row from 0 to 2, got 3/],
      [{ ...reduced, bilateral: [0, 0, 1] }, /^bilateral\[1\]: must be named once, got 0 again/],
      ['{ "version": 1, ', /^not valid JSON at line 1, column 17/],
    ];
    for (const [data, message] of cases) {
      const got = refusal(data);
      if (typeof message === 'string') expect(got).toBe(message);
      else expect(got).toMatch(message);
    }
  });

  it('takes rounding for symmetry and for positive semidefinite blocks', () => {
    const v = [0.1, 0.7, -0.3];
    const entries = v.flatMap((x, i) => v.map((y, j) => [i, j, x * y * (1 + 1e-14 * (i - j))]));
    expect(readProblem({ ...reduced, W: { rows: 3, columns: 3, entries } }).contacts).toBe(1);
  });

  it('lists ten problems at most', () => {
    const message = refusal({ ...reduced, contacts: 100, mu: new Array(100).fill(-1), b: new Array(300).fill(null) });
    expect(message.split('\n').length).toBe(11);
    expect(message).toMatch(/and \d+ more$/);
  });

  it('refuses more than the limits before building anything', () => {
    expect(() => readProblem(reduced, { entries: 2 })).toThrow('W.entries: must be at most 2, got 5');
    expect(() => readProblem({ ...reduced, contacts: 3 }, { contacts: 2 })).toThrow(
      'contacts: must be at most 2, got 3',
    );
  });
});

describe('writing a friction problem', () => {
  it('gives back what was read, to the last bit', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 3, maxLength: 3 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 1 }), number), { maxLength: 8 }),
        fc.boolean(),
        (w, entries, isBilateral) => {
          const data = { ...full, w, H: { ...full.H, entries }, bilateral: isBilateral ? [0, 1, 2] : [] };
          const problem = readProblem(data);
          expect(readProblem(writeProblem(problem))).toEqual(problem);
        },
      ),
      { numRuns: 200, seed: 1 },
    );
    const problem = readProblem(reduced);
    expect(readProblem(writeProblem(problem))).toEqual(problem);
  });

  it('refuses what the reader would refuse', () => {
    const problem = readProblem(reduced);
    const broken = { ...problem, mu: Float64Array.of(-1) } as FrictionProblem;
    expect(() => writeProblem(broken)).toThrow('mu[0]: must be >= 0, got -1');
    for (const wrong of [
      null,
      7,
      {},
      [],
      'text',
      { form: 'full' },
      { ...broken, W: {} },
      { ...broken, bilateral: 3 },
    ]) {
      const expected = 'writeProblem: problem must be of the form that readProblem gives, got';
      expect(() => writeProblem(wrong as unknown as FrictionProblem)).toThrow(expected);
    }
  });
});

describe('hostile problem files', () => {
  it('any data and any text are taken or refused with a UsageError', () => {
    const anything = fc.anything({ withNullPrototype: true, withTypedArray: true, maxDepth: 4 });
    const check = (data: unknown): void => {
      try {
        readProblem(data);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        expect((error as Error).message.length).toBeLessThan(5000);
      }
    };
    fc.assert(fc.property(anything, check), { numRuns: 500, seed: 2 });
    fc.assert(fc.property(fc.string(), check), { numRuns: 300, seed: 2 });
    fc.assert(
      fc.property(
        fc.constantFrom('version', 'contacts', 'mu', 'W', 'b', 'bilateral', 'A', 'f', 'H', 'w'),
        anything,
        fc.boolean(),
        (key, value, isFull) => check({ ...(isFull ? full : reduced), [key]: value }),
      ),
      { numRuns: 1000, seed: 2 },
    );
    fc.assert(
      fc.property(
        fc.constantFrom('W', 'A', 'H'),
        fc.constantFrom('rows', 'columns', 'entries'),
        anything,
        (m, key, x) => {
          const base: Record<string, unknown> =
            m === 'W' ? { ...reduced, W: reduced.W } : { ...full, A: full.A, H: full.H };
          check({ ...base, [m]: { ...(base[m] as object), [key]: x } });
        },
      ),
      { numRuns: 500, seed: 2 },
    );
  });

  it('a cut or changed text never crashes the reader', () => {
    const text = JSON.stringify(reduced);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), fc.string({ maxLength: 3 }), (a, b, insert) => {
        const changed = text.slice(0, Math.min(a, b)) + insert + text.slice(Math.max(a, b));
        try {
          readProblem(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 1000, seed: 5 },
    );
  });
});
