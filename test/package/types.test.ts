// The package's types as its users' compilers see them: without `skipLibCheck`, from TypeScript 5.4 on.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongSuite, longTest } from '../setup/suite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache');
const present = join(root, 'node_modules/typescript/bin/tsc');

/** Oldest compiler that is promised; it has a folder of its own, for its `tsc` must not be the project's. */
const OLDEST = '5.4.5';
const oldFolder = join(cache, `typescript-${OLDEST}`);
const oldest = join(oldFolder, 'node_modules/typescript/bin/tsc');

let folder = '';

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  // Inside node_modules, so that the types of bitecs are found.
  folder = mkdtempSync(join(cache, 'types-'));
  // Unchecked: `npm run typecheck` has done that.
  const emit = ['-p', join(root, 'tsconfig.build.json'), '--noCheck', '--outDir', join(folder, 'types')];
  execFileSync(process.execPath, [present, ...emit]);
  execFileSync(process.execPath, [join(root, 'src/emit-types.mjs'), join(folder, 'types')]);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  if (!isLongSuite || existsSync(oldest)) return;
  const install = ['install', '--prefix', oldFolder, '--no-save', '--fetch-retries=6', `typescript@${OLDEST}`];
  execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a strict compiler says of the code of games. */
function problemsOf(
  tsc: string,
  resolution: string,
  games: Readonly<Record<string, string>>,
  types: string[],
  lib?: string[],
): string {
  const game = { module: resolution === 'nodenext' ? 'nodenext' : 'esnext', moduleResolution: resolution };
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: false, target: 'es2022', types, lib, ...game };
  const files = Object.keys(games).map((name) => `${name}.ts`);
  for (const name in games) writeFileSync(join(folder, `${name}.ts`), games[name]);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

// Were a type lost (any), the line after @ts-expect-error would be right and that an error.
const GAME = `import { createWorld } from 'bitecs';
import { quat, vec2, vec3 } from 'gl-matrix';
import { addRigidBody, addRod, castRay, createPhysics, enableGpuStrands } from './types/src/index.js';
import { readPosition, readScene, type StepReport } from './types/src/index.js';
import { openPanel, type Panel } from './types/src/panel/index.js';
const physics = createPhysics(createWorld());
export const panel: Panel = openPanel(physics, { budget: 8 });
export const eid: number = addRigidBody(physics, { shape: { box: [1, 1, 1] } });
export const y: number = physics.components.Transform.position.y[eid];
export const report: StepReport = physics.report;
export const strands = enableGpuStrands(physics, { budget: 6 });
const flat = new Float32Array(12);
addRigidBody(physics, { shape: { hull: flat } });
addRigidBody(physics, { shape: { box: vec3.create() }, position: vec3.create(), rotation: quat.create() });
export const place: vec3 = readPosition(physics, eid, flat.subarray(0, 3));
addRigidBody(physics, { type: 'static', shape: { mesh: { vertices: flat, triangles: new Uint16Array(3) } } });
addRigidBody(physics, { shape: { compound: [{ shape: { capsule: [1, 2] }, position: [0, 1, 0] }] } });
const part = { shape: { cone: vec2.fromValues(1, 2) }, position: vec3.create(), rotation: quat.create() };
addRigidBody(physics, { shape: { compound: [part, { shape: { hull: [vec3.create(), vec3.create()] } }] } });
addRigidBody(physics, { type: 'static', shape: { mesh: { vertices: [vec3.create()], triangles: new Uint8Array(3) } } });
addRod(physics, { points: [vec3.create(), vec3.fromValues(0, 1, 0)] });
const system = () => {};
physics.schedule.before('predict-motion', system);
physics.schedule.after(system, () => {});
physics.components.Attachment.length[eid] = physics.components.Interpolated.position.x[eid];
// @ts-expect-error
physics.schedule.before('predict-motions', system);
// @ts-expect-error
physics.components.Interpolated.position.x[eid] = 1;
// @ts-expect-error
physics.components.Contact.normalImpulse[eid] = 1;
// @ts-expect-error
physics.components.Rod.nodeCount[eid] = 1;
// @ts-expect-error
physics.components.Attachment.body[eid] = 1;
// @ts-expect-error
export const none: string = addRigidBody(physics, { shape: { box: [1, 1, 1] } });
// @ts-expect-error
physics.report.nothing;
// @ts-expect-error
castRay(physics, [0, 0, 0], [1, 0, 0])?.nothing;
// @ts-expect-error
readScene('{}').nothing;
// @ts-expect-error
addRigidBody(physics, { shape: { box: [1, 1] } });
// @ts-expect-error
addRigidBody(physics, { shape: { capsule: [1, 2, 3] } });
// @ts-expect-error
addRigidBody(physics, { shape: { cylinder: [1] } });
// @ts-expect-error
addRigidBody(physics, { shape: { sphere: 1, box: [1, 1, 1] } });
// @ts-expect-error
addRigidBody(physics, { shape: { compound: [{ shape: { plane: [0, 1] } }] } });
// @ts-expect-error
addRigidBody(physics, { shape: {} });
`;

/** A device of the compiler, or of @webgpu/types, is ours. */
const DEVICE = `import { createWorld } from 'bitecs';
import { createPhysics, enableGpuStrands } from './types/src/index.js';
export async function start(device: GPUDevice): Promise<GPUBuffer | undefined> {
  const gpu = await enableGpuStrands(createPhysics(createWorld()), { device });
  return gpu.buffers?.positions;
}
// @ts-expect-error
enableGpuStrands(createPhysics(createWorld()), { device: 7 });
`;

const BOX = `import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics } from './types/src/index.js';
const size = [1, 1, 1];
addRigidBody(createPhysics(createWorld()), { shape: { box: size } });
`;

// Each call of a compiler costs seconds, and the older one's package is fetched: one is asked in `npm test`, by the
// stricter of the two ways to resolve modules. The present one knows WebGPU.
test('the types hold: TypeScript of today, nodenext; a number[] for a box is refused in words', () => {
  const said = problemsOf(present, 'nodenext', { game: GAME, device: DEVICE, box: BOX }, []);
  expect(said).toMatch(/number\[\] may have any length here: write it where it is used/);
  const places = [...said.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, name]) => name);
  expect(places).toEqual(['box.ts']);
});

longTest('the types hold: TypeScript of today, bundler', () => {
  expect(problemsOf(present, 'bundler', { game: GAME, device: DEVICE }, [])).toBe('');
});

longTest.each([
  ['of today', present],
  [OLDEST, oldest],
])('the types hold without those of pages and of Node: TypeScript %s', (_name, tsc) => {
  expect(problemsOf(tsc, 'nodenext', { game: GAME }, [], ['es2022'])).toBe('');
});

longTest(`the types hold: TypeScript ${OLDEST}, nodenext`, () => {
  expect(problemsOf(oldest, 'nodenext', { game: GAME }, [])).toBe('');
});

longTest(`the types hold: TypeScript ${OLDEST}, bundler, with @webgpu/types`, () => {
  expect(problemsOf(oldest, 'bundler', { game: GAME, device: DEVICE }, ['@webgpu/types'])).toBe('');
});
