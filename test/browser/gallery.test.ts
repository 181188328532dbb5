// The real gallery in a real browser.

import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import { settingsOf } from '../../demos/app/session';
import { SCENES } from '../../demos/scenes/index';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';
import { bySuite, longTest } from '../setup/suite';
import { keepFrames } from './keep-frames';
import { countColors, type Gallery, type GalleryPage, readFact, SCREENSHOTS, startGallery } from './launch';

/** What the page shows to tests: see the end of `start` in demos/main.ts. */
interface Shown {
  physics: { step(): void; hash(): string; stepCount: number; strands: { positions: Float32Array } };
  player: { paused: boolean; session: { entities: Map<string, number> }; grab: { active: boolean } };
  view: { kind: string; camera: { project(point: number[]): [number, number]; eye(): [number, number, number] } };
  session: {
    entities: Map<string, number>;
    physics: { components: { Transform: { position: Record<'x' | 'y' | 'z', Float64Array> } } };
  };
  select(id: string): void;
}
declare const stiction: Shown;
/** Last frame of the WebGPU canvas as PNG, base64. */
declare function stictionFrame(): Promise<string>;

const browser = findBrowser();
const SMALL = '?quality=low&engine=webgl2';
/** For what the page does at its own pace, on a machine that has much else to do [ms]. */
const PATIENCE = 180_000;

function galleryTests(): void {
  let gallery: Gallery;
  let shown: GalleryPage;

  beforeAll(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true });
    gallery = await startGallery();
    shown = await gallery.open(SMALL, { viewport: { width: 1000, height: 560 } });
    // Panels are open from the first on the widest pages only.
    await shown.page.keyboard.press('p');
  });
  afterAll(() => gallery?.close());

  // Before anything else is opened on the page.
  test('the first scene moves before anything else is fetched, with no more than that takes', async () => {
    const { page } = shown;
    const asked = await page.evaluate(() => {
      const [{ startTime }] = performance.getEntriesByName('gallery-moving');
      const before = performance.getEntriesByType('resource').filter((entry) => entry.startTime < startTime);
      return [location.href, ...before.map(({ name }) => name)].filter((name) => name.startsWith('http'));
    });
    const sizes = asked.map(
      async (name) => gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer()), { level: 9 }).length,
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size);
    console.log(`${asked.length} files of ${bytes} bytes, compressed, in the build of the tests`);
    // As it is built for visitors, minified and without assertions in its kernels, 585 kB (test/bench/gallery).
    expect(bytes).toBeLessThan(1_020_000);
    expect(bytes).toBeGreaterThan(300_000);
    expect(asked.filter((name) => /\/rest-/.test(name))).toEqual([]);
  });

  const place = (name: string) =>
    shown.page.evaluate((body) => {
      const { session, view } = stiction;
      const eid = session.entities.get(body) as number;
      const { x, y, z } = session.physics.components.Transform.position;
      const point = [x[eid], y[eid], z[eid]];
      return { point, pixel: view.camera.project(point) };
    }, name);

  const stepsReach = (count: number) =>
    expect
      .poll(() => shown.page.evaluate(() => stiction.physics.stepCount), { timeout: PATIENCE })
      .toBeGreaterThanOrEqual(count);

  for (const id of bySuite(['card-house'], ['pyramid', 'card-house', 'mixed-pile']))
    longTest(`${id} runs, is drawn and reports contacts`, async () => {
      const { page } = shown;
      const scene = SCENES.find((one) => one.id === id);
      await page.goto(`${gallery.url}${SMALL}#${id}`);
      await expect.poll(() => page.getByTestId('scene-title').textContent()).toBe(scene?.title);
      // Contacts first: a stack that rests falls asleep, and what sleeps is not counted.
      await page.getByTestId('reset').click();
      const count = async (fact: string) => [await readFact(page, fact), await readFact(page, 'bodies')];
      await expect
        .poll(() => count('contacts'), { timeout: PATIENCE, interval: 30 })
        .toSatisfy(([contacts, bodies]) => contacts > 0 && bodies > 10);
      await stepsReach(60);
      await expect.poll(() => readFact(page, 'steps')).toBeGreaterThanOrEqual(60);
      expect(Number(await page.getByTestId('stage-solve-contacts').textContent())).toBeGreaterThanOrEqual(0);
      const picture = await page.screenshot({ path: `${SCREENSHOTS}${id}.png` });
      expect(await countColors(page, picture.toString('base64'))).toBeGreaterThan(60);
      expect(shown.errors).toEqual([]);
      expect(shown.external).toEqual([]);
    });

  longTest('pause holds the steps, step adds one, reset goes back to the start', async () => {
    const { page } = shown;
    await page.evaluate(() => stiction.select('card-house'));
    await stepsReach(5);
    await page.getByTestId('pause').click();
    const count = () => page.evaluate(() => stiction.physics.stepCount);
    const held = await count();
    await page.waitForTimeout(300);
    expect(await count()).toBe(held);
    await page.getByTestId('step').click();
    await page.keyboard.press('.');
    expect(await count()).toBe(held + 2);
    await page.getByTestId('reset').click();
    expect(await count()).toBe(0);
    await page.keyboard.press('Space');
    await stepsReach(5);
  });

  longTest('slow motion takes a tenth of the steps', async () => {
    const { page } = shown;
    await page.evaluate(() => stiction.select('pyramid'));
    await page.getByTestId('speed-10').click();
    await expect.poll(() => page.getByTestId('speed-10').getAttribute('aria-pressed')).toBe('true');
    const before = await page.evaluate(() => [stiction.physics.stepCount, performance.now()]);
    await page.waitForTimeout(1000);
    // On a busy machine a second may be too little for a frame.
    await stepsReach(before[0] + 1);
    const after = await page.evaluate(() => [stiction.physics.stepCount, performance.now()]);
    const perSecond = (1000 * (after[0] - before[0])) / (after[1] - before[1]);
    expect(perSecond).toBeLessThan(8);
    expect(perSecond).toBeGreaterThan(0);
    await page.getByTestId('speed-1').click();
  });

  test('a body follows the pointer and falls when released', async () => {
    const { page } = shown;
    await page.evaluate(() => stiction.select('pyramid'));
    await stepsReach(3);
    const top = 'block-9-0';
    const before = await place(top);
    const [x, y] = before.pixel;
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 8; i++) await page.mouse.move(x + 4 * i, y - 3 * i);
    const lifted = async () => (await place(top)).point[1] - before.point[1];
    await expect.poll(lifted, { timeout: PATIENCE }).toBeGreaterThan(0.2);
    await page.mouse.up();
    await expect.poll(lifted, { timeout: PATIENCE }).toBeLessThan(0.1);
    expect(shown.errors).toEqual([]);
  });

  const drop = (name: string, text: string) =>
    shown.page.evaluate(
      ([file, contents]) => {
        const data = new DataTransfer();
        data.items.add(new File([contents], file, { type: 'application/json' }));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, text],
    );

  longTest('a scene file dropped on the page is run', async () => {
    const { page } = shown;
    const scene = {
      version: 1,
      title: 'Two boxes from a file',
      bodies: [
        { name: 'floor', type: 'static', shape: { plane: [0, 1, 0] } },
        { name: 'low', position: [0, 0.5, 0], shape: { box: [0.5, 0.5, 0.5] } },
        { name: 'high', position: [0, 2, 0], shape: { box: [0.5, 0.5, 0.5] } },
      ],
    };
    await drop('two.scene.json', JSON.stringify(scene));
    await expect.poll(() => page.getByTestId('scene-title').textContent()).toBe('Two boxes from a file');
    await expect.poll(() => readFact(page, 'bodies')).toBe(3);
    await expect.poll(() => readFact(page, 'contacts'), { timeout: PATIENCE, interval: 30 }).toBe(2);
  });

  longTest('a bad file leaves a message that names the place, and the scene plays on', async () => {
    const { page } = shown;
    const bad = { version: 1, bodies: [{ name: 'a', mass: -1, shape: { sphere: 1 } }] };
    await drop('bad.scene.json', JSON.stringify(bad));
    const toast = page.getByTestId('toast');
    await expect.poll(() => toast.textContent()).toContain('bodies[0].mass');
    expect(await page.getByTestId('scene-title').textContent()).toBe('Two boxes from a file');
    await drop('worse.scene.json', '{ not json');
    await expect.poll(() => toast.textContent()).toContain('worse.scene.json');
    expect(shown.errors).toEqual([]);
  });

  longTest('a groom dropped on the page is seated on a head, and its hair can be pulled', async () => {
    const { page } = shown;
    // Thirty short hairs along a ring, in the layout of USC-HairSalon.
    await page.evaluate(() => {
      const [strands, points] = [30, 5];
      const bytes = new DataView(new ArrayBuffer(4 + strands * (4 + 12 * points)));
      bytes.setInt32(0, strands, true);
      for (let s = 0, at = 4; s < strands; s++) {
        bytes.setInt32(at, points, true);
        at += 4;
        for (let i = 0; i < points; i++, at += 12) {
          const [angle, reach] = [s * 2.4, 1 + 0.2 * i];
          const out = [0.5 * Math.cos(angle) * ((s + 1) / strands), 0.8, 0.5 * Math.sin(angle) * ((s + 1) / strands)];
          out.forEach((value, k) => {
            bytes.setFloat32(at + 4 * k, reach * value, true);
          });
        }
      }
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'ring.data'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await expect.poll(() => page.getByTestId('scene-title').textContent()).toBe('ring.data');
    await expect.poll(() => page.getByTestId('fact-strands').textContent()).toMatch(/^30 of 720/);
    await page.screenshot({ path: `${SCREENSHOTS}groom.png` });
    // Of the strand points that no panel covers the one nearest to the eye, in front of the head, while nothing moves.
    const [x, y] = await page.evaluate(() => {
      const { physics, player, view } = stiction;
      player.paused = true;
      const eye = view.camera.eye();
      const seen = Array.from({ length: 720 }, (_, node) => [
        ...physics.strands.positions.slice(4 * node, 4 * node + 3),
      ])
        .filter((_, node) => node % 24 > 10)
        .map((point) => ({
          pixel: view.camera.project(point),
          away: Math.hypot(...point.map((value, k) => value - eye[k])),
        }))
        .filter(({ pixel }) => document.elementFromPoint(...pixel)?.id === 'stage');
      return seen.reduce((best, one) => (one.away < best.away ? one : best)).pixel;
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    expect(await page.evaluate(() => stiction.player.grab.active)).toBe(true);
    await page.mouse.move(x + 20, y - 20);
    const steps = await page.evaluate(() => {
      stiction.player.paused = false;
      return stiction.physics.stepCount;
    });
    await stepsReach(steps + 5);
    await page.mouse.up();
    expect(await page.evaluate(() => stiction.player.grab.active)).toBe(false);
    await drop('bad.hair', 'not a groom');
    await expect.poll(() => page.getByTestId('toast').textContent()).toContain('readGroom');
    expect(shown.errors).toEqual([]);
  });

  longTest('keys open help, overlays and the next scene', async () => {
    const { page } = shown;
    await page.evaluate(() => stiction.select('pyramid'));
    await page.keyboard.press('?');
    expect(await page.getByTestId('help').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('help').isVisible()).toBe(false);
    // Who goes by keys: the space bar presses what has the focus, and the focus is given back.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
    await page.getByTestId('step').focus();
    await page.keyboard.press('Space');
    expect(await page.evaluate(() => stiction.player.paused)).toBe(true);
    expect(await focused()).toBe('step');
    await page.keyboard.press('?');
    expect(await focused()).toBe('help');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('step');
    await page.getByTestId('scene-menu').focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('scene-search');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('scene-menu');
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      stiction.player.paused = false;
    });
    await stepsReach(5);
    for (const key of ['c', 'i', 'b', 'z']) await page.keyboard.press(key);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${SCREENSHOTS}overlay.png` });
    for (const key of ['c', 'i', 'b', 'z']) await page.keyboard.press(key);
    await page.keyboard.press(']');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#heavy-top');
    expect(shown.errors).toEqual([]);
  });

  longTest('the trace that the panel saves holds events of every stage', async () => {
    const { page } = shown;
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('panel-trace').click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const { traceEvents } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { traceEvents: { name: string }[] };
    const names = new Set(traceEvents.map((event) => event.name));
    for (const stage of ['step', 'find-contacts', 'solve-contacts', 'integrate-motion']) expect(names).toContain(stage);
  });

  for (const id of bySuite(['block-feeder'], ['card-house', 'block-feeder']))
    test(`${id}: the page and Node reach the same state, bit for bit`, async () => {
      const steps = bySuite(30, 90);
      const scene = SCENES.find((one) => one.id === id);
      if (!scene) throw new Error(`no scene ${id}`);
      const session = openSession(loadScene(scene.build()), settingsOf(scene));
      for (let i = 0; i < steps; i++) session.physics.step();
      const inPage = await shown.page.evaluate(
        ([name, count]) => {
          stiction.player.paused = true;
          stiction.select(name as string);
          for (let i = 0; i < (count as number); i++) stiction.physics.step();
          const hash = stiction.physics.hash();
          stiction.player.paused = false;
          return hash;
        },
        [id, steps],
      );
      expect(inPage).toBe(session.physics.hash());
      session.close();
    });

  longTest('after a lost device the page says so, and its address does not', async () => {
    const { page } = shown;
    await page.goto(`${gallery.url}?quality=low&engine=webgl2&lost&paused#pyramid`);
    await expect
      .poll(() => page.getByTestId('toast').textContent())
      .toMatch(/graphics device was lost.*Reload the page/);
    await expect.poll(() => page.getByTestId('scene-title').textContent()).toBe('Pyramid');
    expect(await page.evaluate(() => location.search + location.hash)).toBe('?quality=low&paused=#pyramid');
  });

  longTest('without WebGL the page says what to do, and what works all the same', async () => {
    const { page } = shown;
    await page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      Object.assign(HTMLCanvasElement.prototype, {
        getContext(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
          return kind === '2d' ? Reflect.apply(getContext, this, [kind, ...rest]) : null;
        },
      });
    });
    await page.goto(`${gallery.url}?engine=webgl2`);
    const fatal = page.getByTestId('fatal');
    await expect.poll(() => fatal.textContent()).toMatch(/cannot start: .*It needs WebGL2: try another browser/);
    const links = await fatal.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toContain('lab.html');
    expect(links).toContain('docs/');
    shown.errors.length = 0;
  });

  test('the page can be left without an error', async () => {
    // Two pages would also share one processor that draws.
    await shown.page.goto('about:blank');
    expect(shown.errors).toEqual([]);
  });

  longTest(
    'WebGPU draws the same scene where there is one, else WebGL2 does',
    async () => {
      const gpu = await gallery.open(
        '?quality=low&engine=webgpu#mixed-pile',
        { viewport: { width: 160, height: 120 }, deviceScaleFactor: 1 },
        [keepFrames],
      );
      const { page } = gpu;
      try {
        const kind = await page.evaluate(() => stiction.view.kind);
        const adapter = await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));
        expect(kind).toBe(adapter ? 'webgpu' : 'webgl2');
        if (kind === 'webgpu') {
          const late = new Promise<null>((resolve) => setTimeout(resolve, 200_000, null));
          const colors = async () => {
            const frame = await Promise.race([late, page.evaluate(() => stictionFrame())]);
            return frame ? countColors(page, frame) : 0;
          };
          await expect.poll(colors, { timeout: 190_000, interval: 500 }).toBeGreaterThan(60);
        }
        // Shaders in WGSL of our own bundle: Babylon would else fetch a compiler from its servers.
        expect(gpu.external).toEqual([]);
        expect(gpu.errors).toEqual([]);
      } finally {
        await gpu.close();
      }
    },
    600_000,
  );

  longTest('on a phone the panels leave the scene in sight and the buttons are large enough', async () => {
    const phone = await gallery.open(`${SMALL}#arch`, {
      viewport: { width: 390, height: 760 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = phone;
    try {
      await expect.poll(() => page.getByTestId('chip').textContent()).toMatch(/ms/);
      expect(await page.getByTestId('budget-panel').isVisible()).toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      for (const id of ['pause', 'step', 'reset', 'scene-menu', 'chip']) {
        const box = await page.getByTestId(id).boundingBox();
        expect(box?.height, id).toBeGreaterThanOrEqual(44);
        expect((box?.x ?? 0) + (box?.width ?? 0), id).toBeLessThanOrEqual(390);
      }
      await page.screenshot({ path: `${SCREENSHOTS}phone.png` });
      await page.getByTestId('chip').tap();
      const sheet = await page.getByTestId('budget-panel').boundingBox();
      expect(sheet?.y).toBeGreaterThan(0.35 * 760);
      await page.screenshot({ path: `${SCREENSHOTS}phone-panels.png` });
      expect(phone.errors).toEqual([]);
    } finally {
      await phone.close();
    }
  });
}

if (browser) describe('the gallery', () => galleryTests());
else
  test('there is a browser where one is required', () => {
    console.log(missingBrowser());
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
