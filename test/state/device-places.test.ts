// Twins: the names of words in TypeScript are those of the structs that shaders read.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as D from '../../src/state/device-places';

/** Words of WGSL's types: size, and what their first is a multiple of. */
const TYPES: Readonly<Record<string, readonly [number, number]>> = {
  f32: [1, 1],
  u32: [1, 1],
  i32: [1, 1],
  vec3f: [3, 4],
  vec4f: [4, 4],
  vec4u: [4, 4],
};

/** First word of each member of a struct, and `words`, its size. */
function membersOf(file: string, name: string): Record<string, number> {
  const text = readFileSync(fileURLToPath(new URL(`../../src/gpu/wgsl/${file}`, import.meta.url)), 'utf8');
  const body = new RegExp(`struct ${name} \\{([^}]*)\\}`).exec(text)?.[1] ?? '';
  const places: Record<string, number> = {};
  let at = 0;
  for (const [, member, type] of body.replaceAll(/\/\/.*/g, '').matchAll(/(\w+): (\w+)/g)) {
    const [size, step] = TYPES[type];
    places[member] = Math.ceil(at / step) * step;
    at = places[member] + size;
  }
  return { ...places, words: 4 * Math.ceil(at / 4) };
}

test('words of a body that was put somewhere else are those of Move', () => {
  expect(membersOf('world/move.wgsl', 'Move')).toEqual({
    ...{ start: D.MOVE_START, strands: D.MOVE_STRANDS, end: D.MOVE_END, body: D.MOVE_BODY, turn: D.MOVE_TURN },
    ...{ velocity: D.MOVE_VELOCITY, rows: D.MOVE_ROWS, spin: D.MOVE_SPIN, words: D.MOVE_WORDS },
  });
});

test('words of a hand are those of Grip', () => {
  expect(membersOf('rod/rod-grip.wgsl', 'Grip')).toEqual({
    ...{ centre: D.GRIP_CENTRE, radius: D.GRIP_RADIUS, velocity: D.GRIP_VELOCITY, rate: D.GRIP_RATE },
    ...{ gather: D.GRIP_GATHER, words: D.GRIP_WORDS },
  });
});

test('words of bodies and colliders are those of Mover and Collider', () => {
  expect(membersOf('shared/contact.wgsl', 'Mover')).toMatchObject({
    // The fourth of a vector, but for the slot: the third.
    ...{ position: D.MOVER_INVERSE_MASS - 3, velocity: D.MOVER_TOUCHES - 3, inertiaMore: D.MOVER_BODY - 2 },
    words: D.MOVER_WORDS,
  });
  expect(membersOf('find/body.wgsl', 'Collider')).toMatchObject({
    ...{ kind: D.COLLIDER_KIND, friction: D.COLLIDER_FRICTION, layers: D.COLLIDER_LAYERS, mover: D.COLLIDER_MOVER },
    ...{ nodes: D.COLLIDER_NODES, corners: D.COLLIDER_CORNERS, slot: D.COLLIDER_SLOT, body: D.COLLIDER_BODY },
    ...{ flags: D.COLLIDER_FLAGS, words: D.COLLIDER_WORDS },
  });
});
