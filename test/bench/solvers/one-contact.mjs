// Takes down one-contact problems (W_cc, b, mu) of running scenes and of the published problems, 100
// 000 and more, and keeps the hardest.
//
//     node test/bench/solvers/one-contact.mjs DUMP.json          all of them, for looking at
//     node test/bench/solvers/one-contact.mjs DUMP.json --fixture
//                                                    the sample that the tests use, too:
//                                                    test/validation/one-contact.json.gz
//
// Hardest: the largest errors of the bracketed root in f32 throughout, and the largest impulses; beside them, random
// contacts up to condition 1e8 on which newton alone fails, f32 being able to hold the answer. The sources are
// compiled as the tests compile them.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const EACH = 32;
const SWEEPS = 6;
const REAL = 200;
const RANDOM = 100;

const path = process.argv[2];
if (path === undefined) throw new Error('one-contact: the name of the dump file is missing');

const server = await createServer({ root, configFile: `${root}vite.config.ts`, server: { middlewareMode: true } });
try {
  const load = (name) => server.ssrLoadModule(`${root}src/${name}.ts`);
  const problems = await load('cli/bench-solvers-problems');
  const contacts = await load('cli/bench-solvers-contacts');
  const { createBlockSweeps } = await load('dynamics/block-sweeps');

  const batch = [...problems.captureBatch(EACH, () => {}), ...problems.loadPublished()];
  const real = contacts.collectContacts(batch, SWEEPS);
  const random = contacts.drawContacts(20_000, 1e8, 2);

  const solve = (all, arithmetic, local) => {
    const kernels = createBlockSweeps();
    kernels.load(contacts.problemOfContacts(all), arithmetic);
    const r = new Float64Array(3 * all.count);
    kernels.runApart(r, local);
    return r;
  };
  const order = (all, measure) => {
    const values = Float64Array.from({ length: all.count }, (_, c) => measure(c));
    return Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  };
  const pick = (all, places) => ({
    W: places.map((c) => Array.from(all.W.subarray(9 * c, 9 * c + 9))),
    b: places.map((c) => Array.from(all.b.subarray(3 * c, 3 * c + 3))),
    mu: places.map((c) => all.mu[c]),
  });

  const exact = solve(real, 'f64', 'bracketed');
  const single = solve(real, 'f32', 'bracketed-plain');
  const byError = order(real, (c) => contacts.contactError(real, c, single));
  const bySize = order(real, (c) => contacts.impulseSize(real, c, exact));
  const hardest = [...new Set([...byError.slice(0, REAL), ...bySize.slice(0, REAL)])];
  const newton = solve(random, 'f64', 'newton');
  const answer = solve(random, 'f64', 'bracketed');
  const missed = order(random, (c) => contacts.contactError(random, c, newton))
    .filter((c) => contacts.impulseSize(random, c, answer) <= contacts.F32_REACH)
    .slice(0, RANDOM);

  writeFileSync(
    path,
    JSON.stringify(
      pick(
        real,
        Array.from({ length: real.count }, (_, c) => c),
      ),
    ),
  );
  console.log(`${real.count} contacts of ${batch.length} problems written to ${path}`);
  if (process.argv.includes('--fixture')) {
    const sample = { real: pick(real, hardest), random: pick(random, missed) };
    writeFileSync(`${root}test/validation/one-contact.json.gz`, gzipSync(JSON.stringify(sample), { level: 9 }));
    console.log(`${hardest.length} of them and ${missed.length} random ones kept`);
  }
} finally {
  await server.close();
}
