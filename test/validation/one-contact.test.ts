// One-contact problems: the hardest of 264 000 from running scenes (test/bench/solvers/one-contact.mjs), random ones on
// which newton alone fails, and a few thousand more. Nobody's own criterion counts but the scale-free natural map.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { F32_REACH } from '../../src/bench/solvers-contacts';
import { createBlockSweeps, type KernelLocalName } from '../../src/dynamics/block-sweeps';
import { createContactProblem } from '../../src/solvers/contact-problem';
import { chooseLocal } from '../../src/solvers/local/choose-local';
import { type RandomContact, randomContacts, scaleFreeNaturalMap } from '../solvers/random-contacts';

const FAILED = 1e-3;

interface Sample {
  W: number[][];
  b: number[][];
  mu: number[];
}

const file = new URL('./one-contact.json.gz', import.meta.url);
const samples = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as { real: Sample; random: Sample };
const unpack = ({ W, b, mu }: Sample): RandomContact[] =>
  mu.map((m, c) => ({ W: Float64Array.from(W[c]), b: Float64Array.from(b[c]), mu: m }));

const sets: Readonly<Record<string, RandomContact[]>> = {
  'from scenes': unpack(samples.real),
  'missed by newton': unpack(samples.random),
  'condition 1e2': randomContacts(2000, 1e2, 11),
  'condition 1e8': randomContacts(4000, 1e8, 12),
};

const kernels = createBlockSweeps();

/** Answers of all contacts, three numbers each. */
function solveAll(contacts: readonly RandomContact[], arithmetic: 'TS' | 'f64' | 'f32', local: KernelLocalName) {
  const n = contacts.length;
  const problem = createContactProblem(n, n);
  problem.contactCount = n;
  contacts.forEach(({ W, b, mu }, c) => {
    problem.rowStart[c + 1] = c + 1;
    problem.column[c] = c;
    problem.diagonal[c] = c;
    problem.values.set(W, 9 * c);
    problem.b.set(b, 3 * c);
    problem.mu[c] = mu;
  });
  const r = new Float64Array(3 * n);
  if (arithmetic === 'TS') {
    if (local === 'bracketed-plain') throw new Error('only in kernels');
    const solve = chooseLocal(local, null);
    for (let c = 0; c < n; c++) solve(r, 3 * c, problem.values, 9 * c, problem.b, 3 * c, problem.mu[c]);
  } else {
    kernels.load(problem, arithmetic);
    kernels.runApart(r, local);
  }
  return r;
}

const errorsOf = (contacts: readonly RandomContact[], r: Float64Array) =>
  contacts.map((contact, c) => scaleFreeNaturalMap(contact, r.subarray(3 * c, 3 * c + 3)));

describe.each(Object.keys(sets))('one contact, %s', (name) => {
  const contacts = sets[name];

  it.each(['TS', 'f64'] as const)('is solved by hybrid, enumerative and bracketed in %s', (arithmetic) => {
    for (const local of ['hybrid', 'enumerative', 'bracketed'] as const) {
      const worst = Math.max(...errorsOf(contacts, solveAll(contacts, arithmetic, local)));
      expect([local, worst < 1e-6]).toEqual([local, true]);
    }
  });

  it('is solved by bracketed and hybrid in f32 wherever f32 holds an answer', () => {
    const exact = solveAll(contacts, 'f64', 'bracketed');
    const isWithin = contacts.map(({ W, b }, c) => {
      const scale = (W[0] + W[4] + W[8]) / 3;
      return scale * Math.hypot(exact[3 * c], exact[3 * c + 1], exact[3 * c + 2]) <= F32_REACH * Math.hypot(...b);
    });
    expect(isWithin.filter((x) => x).length).toBeGreaterThan(0.5 * contacts.length);
    for (const local of ['bracketed', 'hybrid'] as const) {
      const errors = errorsOf(contacts, solveAll(contacts, 'f32', local));
      expect([local, errors.filter((error, c) => isWithin[c] && !(error <= FAILED)).length]).toEqual([local, 0]);
    }
  });
});

describe('one contact in f32 throughout', () => {
  it('is solved by the bracketed root for all contacts of scenes, to the rounding of f32', () => {
    const contacts = sets['from scenes'];
    expect(Math.max(...errorsOf(contacts, solveAll(contacts, 'f32', 'bracketed-plain')))).toBeLessThan(1e-5);
  });
});

describe('the sample of random contacts', () => {
  it('is one that newton alone does not solve', () => {
    const contacts = sets['missed by newton'];
    const errors = errorsOf(contacts, solveAll(contacts, 'f64', 'newton'));
    expect(errors.every((error) => error > FAILED)).toBe(true);
  });
});
