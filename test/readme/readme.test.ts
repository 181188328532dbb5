import { readFileSync } from 'node:fs';
import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, applyImpulse, createPhysics, solidPositions } from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';
import { box } from '../mechanics/solid/solid-world';
import { frame } from './quick-start';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** The page behind the README, with all that a newcomer does not need. */
const manual = readFileSync(new URL('../../docs/manual.md', import.meta.url), 'utf8');
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

test('the README and the page on architecture have the same picture of the layers', () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const picture = readme.match(/```\n {3}demos[\s\S]*?```/)?.[0];
  expect(picture).toContain('src/state');
  expect(page).toContain(picture);
});

test('the two command lines of the README are the ones that CI runs', () => {
  const ci = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
  expect(ci).toMatch(/^npm ci && npm test$/m);
});

test('the rods of the page in depth are those that are compiled here, and the rope holds the crate', async () => {
  const lines = readFileSync(new URL('./rods.ts', import.meta.url), 'utf8').split('\n');
  const body = (name: string) => {
    const start = lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;
    const end = lines.findIndex((line, i) => i > start && (line === '}' || line.startsWith('  return ')));
    return lines.slice(start, end).map((line) => line.slice(2));
  };
  const example = [...body('addRope'), '', ...body('addHair')].join('\n');
  expect(manual).toContain(`\`\`\`ts\n${example}\n\`\`\``);
  const { addRope, physics } = await import('./rods');
  const { crate } = addRope();
  for (let i = 0; i < 120; i++) physics.step();
  // 49 N stretch 2 m of EA = 3142 N by 31 mm.
  expect(physics.components.Transform.position.y[crate]).toBeGreaterThan(0.9);
  expect(physics.components.Transform.position.y[crate]).toBeLessThan(1);
});

test('the pad of the page in depth is the one compiled here, held at two corners and drawn at a third', async () => {
  const source = readFileSync(new URL('./solids.ts', import.meta.url), 'utf8');
  const lines = source.slice(source.indexOf('  const pad'), source.indexOf('  return pad')).trimEnd().split('\n');
  expect(manual).toContain(`\`\`\`ts\n${lines.map((line) => line.slice(2)).join('\n')}\n\`\`\``);
  const { addPad, physics } = await import('./solids');
  const hand = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [0, 1, 1] });
  const { vertices, tetrahedra } = box([1, 1, 1], [0, 0, 0], [0.5, 0.5, 0.5]);
  const pad = addPad(vertices, tetrahedra, hand);
  for (let i = 0; i < 3; i++) physics.step();
  const positions = solidPositions(physics, pad);
  expect(positions.subarray(0, 3)).toEqual(Float64Array.of(0, 0, 0));
  expect(positions[3 * 7 + 1]).toBeGreaterThan(0.5 + 1e-5);
});

test('the cape of the page in depth is the one that is compiled here, and blows in the wind', async () => {
  const source = readFileSync(new URL('./shells.ts', import.meta.url), 'utf8');
  const lines = source.slice(source.indexOf('  const cape'), source.indexOf('  return cape')).trimEnd().split('\n');
  expect(manual).toContain(`\`\`\`ts\n${lines.map((line) => line.slice(2)).join('\n')}\n\`\`\``);
  const { addCape, physics } = await import('./shells');
  const shoulder = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [0, 1.5, 1.2] });
  const { points, triangles } = gridMesh(8, 8, 1, 1);
  const vertices = Float32Array.from(points, (x, k) => (k % 3 === 1 ? 1.5 : x));
  const cape = addCape(vertices, Uint16Array.from(triangles), shoulder);
  for (let i = 0; i < 30; i++) physics.step();
  physics.interpolate();
  const last = 3 * (physics.components.Shell.firstVertex[cape] + 80);
  expect(physics.shells.positions[last + 1]).toBeLessThan(1.4);
});

test('rollback and saving of the page in depth are those that are compiled here, and work', async () => {
  const lines = readFileSync(new URL('./saving.ts', import.meta.url), 'utf8').split('\n');
  const body = (name: string, end: string) => {
    const start = lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;
    return lines
      .slice(
        start,
        lines.findIndex((line, i) => i > start && line.startsWith(end)),
      )
      .map((line) => line.slice(2));
  };
  const example = [...body('rollBack', '}'), '', ...body('reload', '  return ')].join('\n');
  expect(manual).toContain(`\`\`\`ts\n${example}\n\`\`\``);
  const { rollBack, step, reload } = await import('./saving');
  const play = () => {
    const physics = createPhysics(createWorld());
    return { physics, hero: addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 9, 0] }) };
  };
  const [punctual, late] = [play(), play()];
  const push = ({ physics, hero }: typeof late) => applyImpulse(physics, hero, [50, 0, 0]);
  for (let i = 0; i < 10; i++) {
    step(punctual.physics, (at) => void (at === 4 && push(punctual)));
  }
  for (let i = 0; i < 10; i++) step(late.physics, () => {});
  expect(late.physics.hash()).not.toBe(punctual.physics.hash());
  rollBack(late.physics, 4, (at) => void (at === 4 && push(late)));
  expect(late.physics.hash()).toBe(punctual.physics.hash());
  const loaded = reload(late.physics, late.hero);
  loaded.physics.step();
  late.physics.step();
  expect(loaded.physics.hash()).toBe(late.physics.hash());
});

test('the guide of the README is compiled here, and its snippets do what they say', async () => {
  const lines = readFileSync(new URL('./guide.ts', import.meta.url), 'utf8').split('\n');
  const names = ['makeBodies', 'push', 'addLift', 'look', 'listen', 'draw'];
  for (const name of names) {
    const start = lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;
    const end = lines.findIndex((line, i) => i > start && (line === '}' || line.startsWith('  return ')));
    const body = lines.slice(start, end).map((line) => line.slice(2));
    expect(readme, name).toContain(`\`\`\`ts\n${body.join('\n')}\n\`\`\``);
  }
  const guide = await import('./guide');
  const { physics } = guide;
  const { Transform, Velocity } = physics.components;
  const { hero, crate, bolt, WORLD, ITEM } = guide.makeBodies();
  expect(guide.look(hero, WORLD, ITEM)).toMatchObject({
    isStanding: true,
    near: [bolt],
    seen: { entity: hero, distance: 0 },
  });
  guide.listen();
  for (let i = 0; i < 60; i++) physics.step();
  // The bolt fell 1.9 m through the door: v = √(2 g h).
  expect(guide.heard).toEqual(['bell', 'hit at 6 m/s']);
  expect(Math.abs(Transform.rotation.w[hero])).toBe(1);
  const [before, z] = [Transform.position.y[hero], Transform.position.z[crate]];
  guide.push(hero, crate);
  const lift = guide.addLift();
  for (let i = 0; i < 30; i++) physics.step();
  expect(Transform.position.y[lift]).toBeCloseTo(1 + Math.sin(physics.time), 9);
  expect(Transform.position.y[hero] - before).toBeGreaterThan(0.5);
  expect(Velocity.linear.y[hero]).toBeCloseTo(4 - 9.81 * 0.5, 1);
  expect(Transform.position.z[crate]).toBeLessThan(z - 0.1);
  guide.draw();
  expect(guide.drawn[0]).toBeGreaterThan(100);
  expect(guide.drawn[2]).toBeGreaterThan(12);
});
