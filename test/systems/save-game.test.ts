// A saved game goes on in another world, where entities have other numbers, as it would have where it was saved.

import { addEntity, createWorld, entityExists, getWorldComponents, query } from 'bitecs';
import { expect, test } from 'vitest';
import { crc32 } from '../../src/core/crc32';
import {
  addCharacter,
  addGroom,
  addRigidBody,
  addRod,
  addShell,
  attach,
  attachmentDistance,
  createPhysics,
  enableCharacters,
  enableVehicles,
  loadGame,
  type Physics,
  removeRigidBody,
  rodPositions,
  saveGame,
} from '../../src/index';
import * as layout from '../../src/state/layout';
import { ROD_NUMBER_NAMES } from '../../src/state/rod-material';
import { MESH_FAMILIES } from '../../systems/mesh-families';
import { KINDS } from '../../systems/snapshot-types';

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}

/** A pile, a hull, hair on a driven head, and a crate in a sling that was attached while the world ran. */
function play(): { physics: Physics; crate: number; sling: number; joint: number } {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const corner = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const;
  addRigidBody(physics, { shape: { hull: corner }, position: [3, 1, 0] });
  for (let i = 0; i < 5; i++) addRigidBody(physics, { shape: { box: [0.4, 0.4, 0.4] }, position: [0.1 * i, 1 + i, 0] });
  const head = addRigidBody(physics, {
    type: 'kinematic',
    shape: { sphere: 0.1 },
    position: [-3, 2, 0],
    velocity: [0.1, 0, 0],
  });
  const hair = {
    counts: [3, 3],
    positions: [-3, 2.1, 0, -3, 2.15, 0, -3, 2.2, 0, -3, 2, 0.1, -3, 2, 0.15, -3, 2, 0.2],
  };
  addGroom(physics, { strands: hair, attach: head });
  const points = Array.from({ length: 9 }, (_, i) => [6, 3 - 0.1 * i, 0]);
  const sling = addRod(physics, { points, radius: 0.01, density: 900, youngModulus: 1e7, clampStart: true });
  const crate = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, position: [6, 2.1, 0], friction: 0.3 });
  steps(physics, 20);
  const joint = attach(physics, { rod: sling, node: 'end', body: crate });
  steps(physics, 40);
  physics.components.RigidBody.gravityScale[crate] = 0.5;
  return { physics, crate, sling, joint };
}

test('a saved game goes on bit for bit in a fresh world with other entities', () => {
  const { physics, crate, sling, joint } = play();
  const file = saveGame(physics);
  const [time, accumulated] = [physics.time, physics.alpha];
  const world = createWorld();
  const other = createPhysics(world);
  for (let i = 0; i < 7; i++) addEntity(world);
  const numbers = loadGame(other, file);
  const now = (eid: number) => numbers.get(eid) as number;
  expect([other.hash(), other.time, other.alpha]).toEqual([physics.hash(), time, accumulated]);
  expect(new Set(numbers.values()).size).toBe(numbers.size);
  for (const eid of numbers.values()) expect(entityExists(world, eid)).toBe(true);
  const { Attachment, RigidBody, Contact, Material } = other.components;
  expect([Attachment.rod[now(joint)], Attachment.body[now(joint)]]).toEqual([now(sling), now(crate)]);
  expect([RigidBody.gravityScale[now(crate)], Material.friction[now(crate)]]).toEqual([0.5, 0.3]);
  const before = [...query(physics.world, [physics.components.Contact])];
  expect(query(world, [Contact]).length).toBe(before.length);
  for (const eid of before) {
    const { entityA, entityB, normalImpulse } = physics.components.Contact;
    expect(Contact.entityA[now(eid)]).toBe(now(entityA[eid]));
    expect(Contact.entityB[now(eid)]).toBe(now(entityB[eid]));
    expect(Contact.normalImpulse[now(eid)]).toBe(normalImpulse[eid]);
  }
  steps(physics, 60);
  steps(other, 60);
  expect(other.hash()).toBe(physics.hash());
  expect(rodPositions(other, now(sling))).toEqual(rodPositions(physics, sling));
  expect(attachmentDistance(other, now(joint))).toBe(attachmentDistance(physics, joint));
  // The loaded world is a world like any other.
  addRigidBody(other, { shape: { box: [0.4, 0.4, 0.4] }, position: [0, 9, 0] });
  steps(other, 5);
  expect(saveGame(other).length).toBeGreaterThan(file.length / 2);
});

test('what is no saved game, and a world that has bodies, are refused with nothing changed', () => {
  const { physics } = play();
  const file = saveGame(physics);
  const empty = () => createPhysics(createWorld());
  const flipped = (at: number, bit: number) => {
    const bytes = file.slice();
    bytes[at] ^= 1 << bit;
    return bytes;
  };
  const asFormat = (version: number) => {
    const bytes = file.slice();
    bytes[14] = 48 + version;
    return bytes;
  };
  const made = 'loadGame: bytes must come from saveGame (a Uint8Array or its ArrayBuffer), got';
  const damaged = /^loadGame: bytes must be undamaged, with the checksum .{0,8}, got "[0-9a-f]{8}"$/;
  const wrong: [unknown, string | RegExp][] = [
    [null, made],
    [{}, made],
    [new Uint8Array(0), made],
    [flipped(3, 2), made],
    // The format before: what detection keeps of strands had other rows.
    [asFormat(8), 'loadGame: bytes must be a "stiction game 9", got "stiction game 8"'],
    [file.subarray(0, 20), damaged],
    [file.subarray(0, 100), damaged],
    [file.subarray(0, file.length - 1), damaged],
    ...[16, 20, 23, 24, 25, 30, 200].map((at): [unknown, RegExp] => [flipped(at, at % 7), damaged]),
  ];
  for (let i = 1; i < 40; i++) wrong.push([flipped(Math.floor((i * (file.length - 1)) / 40), i % 8), damaged]);
  for (const [bytes, text] of wrong) {
    const other = empty();
    expect(() => loadGame(other, bytes as Uint8Array)).toThrow(text);
    other.step();
    expect(other.stepCount).toBe(1);
  }
  // As fetch and IndexedDB give it.
  const fetched = empty();
  loadGame(fetched, file.slice().buffer);
  expect(fetched.hash()).toBe(physics.hash());
  // As Node reads a file: at any place of a larger pool.
  const read = empty();
  loadGame(read, Buffer.concat([Buffer.from('abc'), file]).subarray(3));
  expect(read.hash()).toBe(physics.hash());
  let inside: unknown = null;
  const stop = physics.schedule.before('copy-in', () => {
    try {
      saveGame(physics);
    } catch (error) {
      inside = error;
    }
  });
  physics.step();
  stop();
  expect(String(inside)).toMatch(/saveGame: must be called between steps/);
  expect(() => loadGame(physics, file)).toThrow(
    'loadGame: physics must be new: without a body, rod, shell or solid so far',
  );
  const waiting = empty();
  addShell(waiting, { vertices: [0, 1, 0, 1, 1, 0, 0, 1, 1], triangles: [0, 1, 2], thickness: 0.01, density: 300 });
  expect(() => loadGame(waiting, file)).toThrow(
    'loadGame: physics must be new: without a body, rod, shell or solid so far, got one with some',
  );
  const other = createPhysics(createWorld(), { timeStep: 1 / 32, elastic: { iterations: 7 } });
  const differing = 'timeStep 0.016666666666666666, here 0.03125; elastic.iterations "auto", here 7';
  expect(() => loadGame(other, file)).toThrow(
    `loadGame: snapshot must be of a world with the same settings, got others: ${differing}`,
  );
});

/** Names of all columns of a component, in the order of its declaration. */
function columnNames(tree: object, path: string): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    ArrayBuffer.isView(value) ? `${path}.${name}` : columnNames(value, `${path}.${name}`),
  );
}

test('characters are loaded only into a world that moves them, and what is missing is named', () => {
  const physics = createPhysics(createWorld());
  addCharacter(physics, { position: [0, 2, 0], height: 1.8 });
  physics.step();
  const file = saveGame(physics);
  const other = createPhysics(createWorld());
  // It moves wheels: a character hung in the air there.
  enableVehicles(other);
  const refusal = 'loadGame: enableCharacters must be called before, got one with characters';
  expect(() => loadGame(other, file)).toThrow(refusal);
  enableCharacters(other);
  loadGame(other, file);
  steps(physics, 10);
  steps(other, 10);
  expect(other.hash()).toBe(physics.hash());
});

test('the format of saved games is that of these tables and columns', () => {
  const { physics } = play();
  const families = Object.values(MESH_FAMILIES).map(({ columns }) => columns);
  const columns = columnNames(physics.components, '');
  // On the built engine a namespace has its names in another order, and one more (`layout_exports`).
  const addresses = Object.entries(layout)
    .filter(([name]) => !name.endsWith('_exports'))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const print = crc32(
    new TextEncoder().encode(JSON.stringify([KINDS, columns, ROD_NUMBER_NAMES, families, addresses])),
  );
  const format = `${new TextDecoder().decode(saveGame(physics).subarray(0, 15))}, tables ${print}`;
  expect(columns.length).toBeGreaterThan(50);
  // Where this fails and a game that was saved before cannot be read any more, raise the version in save-game.ts. Then,
  // and where only memory has moved that no snapshot keeps, write the new checksum here.
  expect(format).toBe('stiction game 9, tables a0dff246');
});

test('a disposed physics leaves no columns in a world that lives on', () => {
  const world = createWorld();
  const size = () => {
    let bytes = 0;
    const count = (tree: object): void => {
      for (const value of Object.values(tree)) {
        if (ArrayBuffer.isView(value)) bytes += value.byteLength;
        else if (typeof value === 'object' && value !== null) count(value);
      }
    };
    for (const component of getWorldComponents(world)) count(component as object);
    return bytes;
  };
  for (let i = 0; i < 3; i++) {
    const physics = createPhysics(world);
    const eid = addRigidBody(physics, { shape: { sphere: 1 } });
    physics.step();
    expect(size()).toBeGreaterThan(10_000);
    removeRigidBody(physics, eid);
    physics.step();
    physics.dispose();
    expect(size()).toBe(0);
  }
  // Of entities that stay the columns stay, too.
  const physics = createPhysics(world);
  const eid = addRigidBody(physics, { shape: { sphere: 1 } });
  physics.step();
  physics.dispose();
  expect(physics.components.Transform.position.y[eid]).toBeLessThan(0);
});
