import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frame } from './quick-start';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const example = readFileSync(new URL('./quick-start.ts', import.meta.url), 'utf8');

test('the README shows the quick start that is compiled here', () => {
  const shown = readme.match(/```ts\n([\s\S]*?)```/)?.[1];
  expect(shown).toBe(example.replace("'../../src/index'", "'stiction'"));
});

test('the quick start runs: ten boxes stand, then the top one is pushed off', () => {
  let line = '';
  for (let i = 0; i < 100; i++) line = frame(1 / 60);
  expect(line).toBe('top box at 9.500 m, 10 touches');
  for (let i = 0; i < 300; i++) line = frame(1 / 60);
  expect(line).not.toMatch(/at 9\.500 m/);
});

test('the two command lines of the README are the ones that CI runs', () => {
  const ci = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
  expect(ci).toMatch(/^npm ci && npm test$/m);
});

test('the rods of the README are those that are compiled here, and the rope holds the crate', async () => {
  const lines = readFileSync(new URL('./rods.ts', import.meta.url), 'utf8').split('\n');
  const body = (name: string) => {
    const start = lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;
    const end = lines.findIndex((line, i) => i > start && (line === '}' || line.startsWith('  return ')));
    return lines.slice(start, end).map((line) => line.slice(2));
  };
  const example = [...body('addRope'), '', ...body('addHair')].join('\n');
  expect(readme).toContain(`\`\`\`ts\n${example}\n\`\`\``);
  const { addRope, physics } = await import('./rods');
  const { crate } = addRope();
  for (let i = 0; i < 120; i++) physics.step();
  // 49 N stretch 2 m of EA = 3142 N by 31 mm.
  expect(physics.components.Transform.position.y[crate]).toBeGreaterThan(0.9);
  expect(physics.components.Transform.position.y[crate]).toBeLessThan(1);
});
