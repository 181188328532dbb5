// The benchmark's dolls, dashed to the ground: once they lie there, steps are solved well, with sleep off.

import { createWorld } from 'bitecs';
import { expect } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addScene, createPhysics, readScene, sceneSettings } from '../../src/index';
import { longTest } from '../setup/suite';

type Place = [number, number, number];

interface Source {
  bodies: { type?: string; position: Place }[];
  joints: { anchor: Place }[];
}

interface Modules {
  buildScene(name: string): { scene: Source };
}

const DOLLS = 10;
const PARTS = 11;
const STARTS = 24;

/** Puts each doll up to a centimetre aside, `start` ways of which 0 is none. */
function moveAside({ bodies, joints }: Source, start: number): void {
  const moving = bodies.filter(({ type }) => type !== 'static');
  const random = createRandom(start);
  for (let doll = 0; doll < DOLLS && start > 0; doll++) {
    const x = 0.02 * (random() - 0.5);
    const z = 0.02 * (random() - 0.5);
    const aside = (place: Place): Place => [place[0] + x, place[1], place[2] + z];
    for (const body of moving.slice(PARTS * doll, PARTS * (doll + 1))) body.position = aside(body.position);
    const own = joints.slice((PARTS - 1) * doll, (PARTS - 1) * (doll + 1));
    for (const joint of own) joint.anchor = aside(joint.anchor);
  }
}

// Before: 10 mm/s, from the 200th step to the 900th. Penetrations a hair beyond what is allowed had the heap solved for
// a second velocity in most steps, and that solve did not end. Few starts say little, as a doll may slip in those
// steps: medians are 0.1 to 19 mm/s.
longTest('heaps of dolls at rest are left with little residual', async () => {
  // A plain script without types: read by address, so that the compiler does not look for them.
  const scenes: Modules = await import(new URL('../bench/rigid/scenes.mjs', import.meta.url).href);
  const medians: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const source = scenes.buildScene('ragdolls10-hard').scene;
    moveAside(source, start);
    const scene = readScene(source);
    const physics = createPhysics(createWorld(), { ...sceneSettings(scene), sleeping: false });
    addScene(physics, scene);
    const residuals: number[] = [];
    for (let k = 0; k < 350; k++) {
      physics.step();
      if (k >= 200) residuals.push(physics.report.residual);
    }
    medians.push(residuals.sort((a, b) => a - b)[75]);
    physics.dispose();
  }
  expect(medians.sort((a, b) => a - b)[STARTS / 2], medians.join(' ')).toBeLessThan(0.002);
});
