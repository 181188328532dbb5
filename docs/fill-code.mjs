// Puts the code of the examples into the guides: what stands between a line `<!-- code: examples/ropes.ts#rope -->`
// and the end of the block after it is that region of the file, which is compiled and tested.
//
// The guides are read as they are, in the repository and in the package, and by the documentation's site: code that
// only the site fills in is read nowhere else. `node docs/fill-code.mjs` after an example has changed; a test compares.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const BLOCK = /^(<!-- code: (\S+?)#(\S+) -->)\n(?:```ts\n[\s\S]*?^```\n)?/gm;

/** A region of a file, without marks of regions within it, moved to the margin. */
function regionOf(file, name) {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const inside = text.match(new RegExp(`^[ \\t]*// #region ${name}\\n([\\s\\S]*?)^[ \\t]*// #endregion ${name}$`, 'm'));
  if (!inside) throw new Error(`${file} has no region ${name}`);
  const lines = inside[1].split('\n').filter((line) => !/^\s*\/\/ #(end)?region\b/.test(line));
  const margin = Math.min(...lines.filter((line) => line.trim()).map((line) => line.match(/^ */)[0].length));
  return lines
    .map((line) => line.slice(margin))
    .join('\n')
    .trim();
}

/** A page with the code of its examples as it is now. */
export function fillCode(text) {
  return text.replace(BLOCK, (_, mark, file, name) => `${mark}\n\`\`\`ts\n${regionOf(file, name)}\n\`\`\`\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md') || /node_modules|^reference/.test(name)) continue;
    const before = readFileSync(`${root}${name}`, 'utf8');
    const after = fillCode(before);
    if (after !== before) writeFileSync(`${root}${name}`, after);
  }
}
