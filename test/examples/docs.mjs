// The documentation's site as it is built (dist/demos/docs): every guide through axe-core, light and dark and on a
// phone, a sample of the reference, and a page of the reference for every export of the package. Run by
// `npm run test:examples`.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const SITE = `${DIST}demos`;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
/** Guides in all looks; of the reference, whose pages are of one making, a sample in the first only. */
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 720 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 720 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];

/** Names that an entry of the package exports, values and types, by its declarations. */
function exportsOf(entry) {
  const names = [];
  const text = readFileSync(`${DIST}types/src/${entry}`, 'utf8');
  if (/^export (\*|declare|const|function|interface|class)/m.test(text))
    throw new Error(`exportsOf: ${entry} must export by lists of names alone, else some are not seen here`);
  for (const [, list] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
    for (const item of list.split(',')) {
      const name = item
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, '');
      if (name) names.push(name);
    }
  return names;
}

/** Exports without a page of the reference, a line each. */
function exportsWithoutPage() {
  const failures = [];
  for (const [entry, folder] of [
    ['index.d.ts', ''],
    ['panel/index.d.ts', '/panel'],
  ]) {
    const names = exportsOf(entry);
    if (names.length === 0) failures.push(`docs: found no export in ${entry}`);
    for (const name of names) {
      const kinds = ['functions', 'interfaces', 'type-aliases', 'variables', 'classes', 'enumerations'];
      const pages = kinds.map((kind) => `${SITE}/docs/reference${folder}/${kind}/${name}.html`);
      if (!pages.some((page) => existsSync(page))) failures.push(`docs: the reference has no page of ${name}`);
    }
  }
  return failures;
}

/** Of each folder of the reference its smallest page, its largest and the one between, which are like all others. */
function sampleOf(paths) {
  const folders = new Map();
  for (const path of paths) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return [...folders.values()].flatMap((pages) => {
    const sizeOf = (path) => statSync(`${SITE}/docs/${path}`).size;
    const bySize = pages.toSorted((a, b) => sizeOf(a) - sizeOf(b));
    return [...new Set([bySize[0], bySize[bySize.length >> 1], bySize[bySize.length - 1]])];
  });
}

/** Serves the built site as static hosts do. */
function serve() {
  const server = createServer(({ url }, response) => {
    const file = SITE + decodeURIComponent(new URL(url, 'http://x').pathname);
    if (!file.startsWith(`${SITE}/`) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain');
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** What is wrong with the site, a line each. */
export async function faultsOfDocs(browser) {
  if (!existsSync(`${SITE}/docs/index.html`)) return ['docs: there is no site, run `npm run build`'];
  const failures = exportsWithoutPage();
  const server = await serve();
  const all = readdirSync(`${SITE}/docs`, { recursive: true }).filter((name) => name.endsWith('.html'));
  const guides = all.filter((path) => !path.startsWith('reference'));
  const sample = sampleOf(all.filter((path) => path.startsWith('reference')));

  for (const { name, ...options } of LOOKS) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('pageerror', (error) => failures.push(`docs: ${error.message}`));
    for (const path of name === 'light' ? [...guides, ...sample] : guides) {
      await page.goto(`http://127.0.0.1:${server.address().port}/docs/${path}`);
      // Its scripts have run: before that the theme of the system is not there.
      await page.waitForFunction('document.getElementById("app")?.__vue_app__ !== undefined');
      await page.evaluate(AXE);
      const { violations } = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
      for (const { id, nodes } of violations)
        for (const { target } of nodes) failures.push(`docs: ${path} (${name}): ${id}: ${target.flat().join(' ')}`);
    }
    await context.close();
  }
  server.close();
  if (failures.length === 0)
    console.log(`${guides.length} guides and ${sample.length} pages of the reference without a fault`);
  return failures;
}
