// The real gallery: the built pages (test/setup/gallery.ts), and a headless Chromium that renders in software.

import { fileURLToPath } from 'node:url';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { findBrowser } from '../setup/find-browser.mjs';

/** Folder for pictures; git ignores it. */
export const SCREENSHOTS = fileURLToPath(new URL('./screenshots/', import.meta.url));

const SLOWEST_START = 180_000; // [ms]

/**
 * Pixels of the picture a pixel of the layout: software draws a picture of half the width more than twice as often, and
 * where things stand on the page is the same.
 */
const COARSE = 0.25;

export interface Gallery {
  url: string;
  /**
   * Opens the gallery and waits until it plays. `where` is what follows the address, such as `?paused#arch`;
   * `scripts` run in the page before its own.
   */
  open(where: string, options?: BrowserContextOptions, scripts?: readonly (() => void)[]): Promise<GalleryPage>;
  close(): Promise<void>;
}

export interface GalleryPage {
  page: Page;
  /** Errors on the console, uncaught errors, failed requests. */
  errors: string[];
  /** Requests that left this machine. */
  external: string[];
  close(): Promise<void>;
}

/** The gallery as test/setup/gallery.ts serves it, in a browser of its own. */
export async function startGallery(): Promise<Gallery> {
  const url = inject('gallery');
  const executablePath = findBrowser();
  if (!url || !executablePath) throw new Error('startGallery: there is no browser');
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...['--no-first-run', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
      ...['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
    ],
  });
  return {
    url,
    async open(where, options = { viewport: { width: 800, height: 500 } }, scripts = []) {
      const context = await browser.newContext({ deviceScaleFactor: COARSE, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(SLOWEST_START);
      for (const script of scripts) await page.addInitScript(script);
      const errors: string[] = [];
      const external: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
      page.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
      page.on('request', (request) => {
        if (!/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(request.url())) external.push(request.url());
      });
      await page.goto(url + where, { timeout: SLOWEST_START });
      await page.waitForFunction('window.stiction !== undefined', null, { timeout: SLOWEST_START });
      return { page, errors, external, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

/** Number that a cell of the frame-budget panel shows. */
export async function readFact(page: Page, name: string): Promise<number> {
  const text = await page.getByTestId(`fact-${name}`).textContent();
  return Number.parseFloat(text ?? '');
}

/** Number of different colours, coarsely, in a picture: an empty stage has few. */
export function countColors(page: Page, png: string): Promise<number> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const colors = new Set<number>();
    for (let i = 0; i < data.length; i += 4)
      colors.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
    return colors.size;
  }, png);
}
