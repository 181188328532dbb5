// The guides of docs/: their code is that of docs/examples, compiled with the project and run here; links lead on.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fillCode } from '../../docs/fill-code.mjs';
import { longTest } from '../setup/suite';

const root = fileURLToPath(new URL('../../docs', import.meta.url));
const pages = (readdirSync(root, { recursive: true }) as string[]).filter(
  (name) => name.endsWith('.md') && !/node_modules|^reference/.test(name),
);
const text = (name: string) => readFileSync(`${root}/${name}`, 'utf8');

describe.each(pages)('%s', (page) => {
  test('links to pages that exist', () => {
    const folder = page.includes('/') ? `${page.slice(0, page.lastIndexOf('/'))}/` : '';
    for (const [, target] of text(page).matchAll(/\]\(([^)#:]+\.md)/g)) {
      if (!target.startsWith('reference/')) expect(existsSync(`${root}/${folder}${target}`), target).toBe(true);
    }
  });

  test('shows the code of examples as it is now', () => {
    expect(text(page), 'run node docs/fill-code.mjs').toBe(fillCode(text(page)));
    // Filled in by the site alone it is no guide to those who read the file.
    expect(text(page)).not.toMatch(/^<<< /m);
  });

  test.skipIf(page === 'manual.md')('shows no code but that of examples, which is compiled', () => {
    const own = text(page).replace(/^<!-- code: \S+ -->\n```ts$/gm, '');
    expect(own).not.toMatch(/^```(ts|js|tsx|jsx|typescript|javascript)\b/m);
  });

  test('is in the menu', () => {
    const name = page.replace(/\.md$/, '');
    const menu = text('.vitepress/config.ts');
    if (name !== 'index') expect(menu).toContain(name.startsWith('guide/') ? `'${name.slice(6)}'` : `'/${name}'`);
  });
});

/** One strand as a .data file has it: strands; points; x y z of each. */
function hairFile(points: readonly (readonly number[])[]): ArrayBuffer {
  const bytes = new ArrayBuffer(8 + 12 * points.length);
  const view = new DataView(bytes);
  view.setInt32(0, 1, true);
  view.setInt32(4, points.length, true);
  points.flat().forEach((x, i) => {
    view.setFloat32(8 + 4 * i, x, true);
  });
  return bytes;
}

describe('examples', () => {
  test('first scene: the crate lands', async () => {
    const { frame } = await import('../../docs/examples/first-scene');
    let height = 0;
    for (let i = 0; i < 90; i++) frame(1 / 60, ([, y]) => (height = y));
    expect(height).toBeCloseTo(0.5, 3);
  });

  test('concepts: columns, plain entities, systems, sleep', async () => {
    const { addWindTunnel, asleep, barrel, height, physics } = await import('../../docs/examples/concepts');
    expect(height).toBeGreaterThan(2);
    const stop = addWindTunnel(physics);
    for (let i = 0; i < 60; i++) physics.step();
    expect(physics.components.Transform.position.x[barrel]).toBeGreaterThan(0);
    stop();
    expect(asleep()).toBe(0);
  });

  test('levels: a ball lies on the mesh, a ghost does too, and both ignore each other', async () => {
    const { ghost, level, physics, prop } = await import('../../docs/examples/levels');
    for (let i = 0; i < 90; i++) physics.step();
    const { y } = physics.components.Transform.position;
    expect(level).toBeGreaterThan(0);
    expect(y[prop]).toBeCloseTo(0.3, 2);
    expect(y[ghost]).toBeCloseTo(0.3, 2);
  });

  test('sounds: a hit for each bounce, softer and softer', async () => {
    const { heard, physics } = await import('../../docs/examples/sounds');
    for (let i = 0; i < 150; i++) physics.step();
    expect(heard.length).toBeGreaterThan(1);
    expect(Number(heard[1].split(' ')[1])).toBeLessThanOrEqual(Number(heard[0].split(' ')[1]));
  });

  test('joints: the door opens and closes by its motor', async () => {
    const { angle, open, physics } = await import('../../docs/examples/joints');
    open(true);
    for (let i = 0; i < 240; i++) physics.step();
    expect(angle()).toBeCloseTo(1.8, 1);
    open(false);
    for (let i = 0; i < 240; i++) physics.step();
    expect(angle()).toBeCloseTo(0, 1);
  });

  test('ropes: the bell hangs, the nodes can be drawn', async () => {
    const { bell, drawRope, physics } = await import('../../docs/examples/ropes');
    for (let i = 0; i < 60; i++) physics.step();
    physics.interpolate();
    expect(physics.components.Transform.position.y[bell]).toBeCloseTo(1, 1);
    drawRope((points, from, count) => {
      expect(count).toBe(16);
      expect(points[from + 1]).toBeCloseTo(2.8, 6);
    });
  });

  test('rollback: an input that comes late has the effect that it would have had in time', async () => {
    const { advanceOne, checksum, physics, receive } = await import('../../docs/examples/rollback');
    const start = physics.snapshot();
    receive(3, 40);
    for (let i = 0; i < 6; i++) advanceOne();
    const inTime = checksum();
    physics.restore(start);
    receive(3, 0);
    for (let i = 0; i < 6; i++) advanceOne();
    expect(checksum()).not.toBe(inTime);
    receive(3, 40);
    expect(checksum()).toBe(inTime);
  });

  test('saving: a fresh world has the crate where it was', async () => {
    const { crate, load, physics, save } = await import('../../docs/examples/saving');
    for (let i = 0; i < 20; i++) physics.step();
    const loaded = load(save());
    const { y } = loaded.fresh.components.Transform.position;
    expect(y[loaded.crate]).toBe(physics.components.Transform.position.y[crate]);
  });

  test('characters: the hero walks, jumps, and lands', async () => {
    const { hero, physics, wish } = await import('../../docs/examples/character');
    const { position } = physics.components.Transform;
    wish.x = 3;
    for (let i = 0; i < 60; i++) physics.step();
    expect(position.x[hero]).toBeGreaterThan(2.5);
    wish.jump = true;
    physics.step();
    wish.jump = false;
    for (let i = 0; i < 20; i++) physics.step();
    expect(position.y[hero]).toBeGreaterThan(0.9);
    for (let i = 0; i < 60; i++) physics.step();
    expect(position.y[hero]).toBeCloseTo(0.02, 4);
  });

  test('vehicles: the car drives off and stops', async () => {
    const { car, input, physics } = await import('../../docs/examples/vehicle');
    input.throttle = 1;
    for (let i = 0; i < 90; i++) physics.step();
    expect(physics.components.Vehicle.speed[car]).toBeGreaterThan(3);
    input.throttle = 0;
    input.brake = 1;
    for (let i = 0; i < 90; i++) physics.step();
    expect(Math.abs(physics.components.Vehicle.speed[car])).toBeLessThan(1e-3);
  });

  test('workers: poses of what moved', async () => {
    const { stepInWorker } = await import('../../docs/examples/worker');
    const poses = stepInWorker(0.05);
    expect(poses.length).toBe(8);
    expect(poses[2]).toBeLessThan(2);
    expect(poses[7]).toBe(1);
  });

  longTest('Babylon.js: the mesh follows the crate', async () => {
    const { NullEngine, Scene } = await import('@babylonjs/core');
    const { showCrate } = await import('../../docs/examples/babylon');
    const engine = new NullEngine();
    const scene = new Scene(engine);
    showCrate(scene);
    scene.onBeforeRenderObservable.notifyObservers(scene);
    expect(scene.getMeshByName('crate')?.position.y).toBeGreaterThan(0.4);
    engine.dispose();
  });

  test('hair: a wig from a file, on a device or not', async () => {
    const { addWig, physics, useDevice } = await import('../../docs/examples/hair');
    const points = Array.from({ length: 8 }, (_, i) => [0, 1.8 - 0.02 * i, 0.1]);
    const wig = addWig(hairFile(points));
    physics.step();
    expect(physics.components.Groom.strandCount[wig]).toBe(1);
    const shown: string[] = [];
    await useDevice((text) => shown.push(text));
    expect(shown).toHaveLength(1);
  });

  test('cloth: the wind blows the banner off the vertical, its corners stay where they are held', async () => {
    const { banner, drawCloth, drop, physics, pull } = await import('../../docs/examples/cloth');
    for (let i = 0; i < 40; i++) physics.step();
    pull(0.4, 2, 0.1);
    physics.step();
    physics.interpolate(1);
    drawCloth((positions, normals, triangles) => {
      expect([positions.length, normals.length, triangles.length]).toEqual([189, 189, 288]);
      expect(positions.subarray(0, 3)).toEqual(Float32Array.of(-0.5, 2, 0));
      expect(positions[3 * 8 + 2]).toBeCloseTo(0.1, 6);
      expect(positions[3 * 58 + 2]).toBeGreaterThan(0.1);
      expect(Math.max(...triangles)).toBe(62);
    });
    drop();
    for (let i = 0; i < 20; i++) physics.step();
    expect(physics.components.Shell.vertexCount[banner]).toBe(63);
  });

  test('solids: the jelly bears the crate, is lifted, and gets firmer', async () => {
    const { addClay, crate, drawJelly, jelly, letGo, lift, physics, stiffen, tie } = await import(
      '../../docs/examples/jelly'
    );
    const { y } = physics.components.Transform.position;
    for (let i = 0; i < 60; i++) physics.step();
    const soft = y[crate];
    expect(soft).toBeGreaterThan(0.37);
    expect(soft).toBeLessThan(0.42);
    stiffen(10);
    for (let i = 0; i < 60; i++) physics.step();
    expect(y[crate]).toBeGreaterThan(soft + 0.002);
    lift(0.2);
    physics.step();
    physics.interpolate(1);
    drawJelly((positions, normals, triangles) => {
      expect([positions.length, normals.length, triangles.length]).toEqual([81, 81, 144]);
      expect(positions[1]).toBeCloseTo(0.2, 6);
      expect(Math.max(...triangles)).toBe(26);
    });
    letGo();
    expect(tie(crate)).toBeGreaterThan(0);
    physics.step();
    expect(physics.components.Solid.vertexCount[jelly]).toBe(27);
    expect(physics.components.Solid.yieldStress[addClay()]).toBe(2000);
  });

  test('performance: the line of the report', async () => {
    const { line, physics } = await import('../../docs/examples/performance');
    physics.step();
    expect(line()).toMatch(/^\d+ contacts in \d+ islands, 0 approximate/);
  });
});
