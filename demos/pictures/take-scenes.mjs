// Takes the small pictures of the menu, demos/pictures/scenes/ID.jpg, of all scenes or of those named:
//   npm run pictures [-- --built ID …]
// `--built` takes the pages as they were built last.
// Each scene is stepped to a moment at which it shows what it is about, then drawn without the panels.

import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { findBrowser } from '../../test/setup/find-browser.mjs';

/** When a scene is at its best [s]; others after USUAL. */
const MOMENTS = {
  ...{ arch: 1.3, 'wrecking-ball': 2.2, dominoes: 3, 'boulder-slide': 1.2, 'mixed-pile': 4, stairs: 2 },
  ...{ pile: 4, 'large-pile': 3, flag: 3, cape: 2, drape: 2, ragdolls: 1.6, cradle: 0.35, playground: 3 },
  ...{ 'gummy-bears': 1.4, ponytail: 2, jack: 3.2, crane: 4.6, 'block-feeder': 1.6, chimes: 2, strengths: 3.6 },
  'rolling-friction': 3.2,
};
const USUAL = 1.5;
/** Pixels of the page, and of the picture. */
const [PAGE, PICTURE] = [
  { width: 792, height: 528 },
  { width: 198, height: 132 },
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('./scenes/', import.meta.url));
const executablePath = findBrowser();
if (!executablePath) throw new Error('pictures: there is no browser');
mkdirSync(folder, { recursive: true });
const pages = { configFile: `${root}vite.config.ts`, mode: 'demo', logLevel: 'error' };
if (!process.argv.includes('--built')) await build(pages);
const server = await preview({ ...pages, preview: { port: 0, open: false } });
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const page = await browser.newPage({ viewport: PAGE });
page.setDefaultTimeout(600_000);
await page.goto(`${server.resolvedUrls?.local[0]}?paused&engine=webgl2&strands=wasm`);
await page.waitForFunction('window.stiction !== undefined');
await page.addStyleTag({ content: '#ui { display: none; }' });
const asked = process.argv.slice(2).filter((word) => word !== '--built');
const ids = asked.length > 0 ? asked : await page.evaluate('stiction.scenes.map((scene) => scene.id)');

for (const id of ids) {
  await page.evaluate(
    async ([hash, seconds]) => {
      const { select, player, view } = globalThis.stiction;
      select(`${hash}?duel=0`);
      const { physics } = player.session;
      while (physics.time < seconds) {
        physics.step();
        if (physics.stepCount % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      view.clear({ left: 0, right: 0, top: 0, bottom: 0 });
      view.reframe();
      // A camera that goes along is there at once.
      physics.interpolate(1);
      view.move(true, 60);
    },
    [id, MOMENTS[id] ?? USUAL],
  );
  // The frame of the last step, and one for what comes late, such as shadows.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const png = await page.screenshot({ type: 'png' });
  const base64 = await page.evaluate(
    async ([source, { width, height }]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext('2d');
      pen.imageSmoothingQuality = 'high';
      pen.drawImage(image, 0, 0, width, height);
      return canvas.toDataURL('image/jpeg', 0.82).split(',')[1];
    },
    [png.toString('base64'), PICTURE],
  );
  writeFileSync(`${folder}${id}.jpg`, Buffer.from(base64, 'base64'));
  console.log(`${id}.jpg`);
}
await browser.close();
await server.close();
