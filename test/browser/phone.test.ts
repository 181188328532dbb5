// What phones do: things are dragged by a finger, and the system may have a language that browsers do not know.

import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../setup/find-browser.mjs';
import { isLongSuite } from '../setup/suite';
import { type Gallery, type GalleryPage, startGallery } from './launch';

declare const stiction: {
  select(hash: string): void;
  session: { entities: Map<string, number> };
  physics: { components: { Transform: { position: Record<'x' | 'y' | 'z', ArrayLike<number>> } } };
  player: { grab: { active: boolean }; paused: boolean };
  view: { camera: { camera: { alpha: number; radius: number }; project(point: number[]): [number, number] } };
};

type Point = readonly [x: number, y: number];

/** Where a body is, and the pixel that shows it. */
const place = (page: Page, name: string) =>
  page.evaluate((body) => {
    const { x, y, z } = stiction.physics.components.Transform.position;
    const eid = stiction.session.entities.get(body) as number;
    const point = [x[eid], y[eid], z[eid]];
    return { point, pixel: stiction.view.camera.project(point) };
  }, name);

describe.runIf(isLongSuite && findBrowser())('on a phone', () => {
  let gallery: Gallery;
  let shown: GalleryPage;
  let line: CDPSession;
  beforeAll(async () => {
    gallery = await startGallery();
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 0.5 };
    const foreign = () => Object.defineProperty(navigator, 'language', { value: 'C' });
    shown = await gallery.open('?quality=low&engine=webgl2&strands=wasm#pyramid?duel=0', phone, [foreign]);
    line = await shown.page.context().newCDPSession(shown.page);
  });
  afterAll(() => gallery?.close());

  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: Point[]) =>
    line.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const isHeld = () => shown.page.evaluate(() => stiction.player.grab.active);

  test('a finger lifts a block and lets it go, and the camera stands still meanwhile', async () => {
    const { page } = shown;
    const before = await place(page, 'block-9-0');
    // It sways until somebody touches it.
    await touch('touchStart', [20, 600]);
    await touch('touchEnd');
    const { pixel } = await place(page, 'block-9-0');
    const stand = () => page.evaluate(() => stiction.view.camera.camera.alpha);
    const alpha = await stand();
    await touch('touchStart', pixel);
    await expect.poll(isHeld).toBe(true);
    await touch('touchMove', [pixel[0] + 10, pixel[1] - 30]);
    const lifted = async () => (await place(page, 'block-9-0')).point[1] - before.point[1];
    await expect.poll(lifted).toBeGreaterThan(0.2);
    expect(await stand()).toBe(alpha);
    await touch('touchEnd');
    await expect.poll(isHeld).toBe(false);
  });

  test('a finger beside it turns the camera, a second finger lets go of what is held', async () => {
    const { page } = shown;
    const alpha = () => page.evaluate(() => stiction.view.camera.camera.alpha);
    const before = await alpha();
    await touch('touchStart', [60, 650]);
    await touch('touchMove', [160, 650]);
    await touch('touchEnd');
    await expect.poll(async () => Math.abs((await alpha()) - before)).toBeGreaterThan(0.05);
    const { pixel } = await place(page, 'block-0-4');
    await touch('touchStart', pixel);
    await expect.poll(isHeld).toBe(true);
    await touch('touchStart', pixel, [60, 700]);
    await expect.poll(isHeld).toBe(false);
    await touch('touchEnd');
  });

  test('a language that no browser knows does not stop the page', async () => {
    const { page, errors } = shown;
    const refusal = () => {
      try {
        return new Intl.NumberFormat(navigator.language) && null;
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect(await page.evaluate(refusal)).toBe('RangeError');
    // All of the gallery has been fetched, its charts with it.
    expect(await page.evaluate(() => typeof stiction.select)).toBe('function');
    expect(errors).toEqual([]);
  });
});
