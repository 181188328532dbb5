// Writes dist/scene.schema.json; a step of `npm run build`, after the library build has emptied dist.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('./json-schema.ts', import.meta.url));
const target = new URL('../../dist/scene.schema.json', import.meta.url);
const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' });
mkdirSync(new URL('.', target), { recursive: true });
writeFileSync(target, `${JSON.stringify(module.makeSceneJsonSchema(toJsonSchema), null, 1)}\n`);
