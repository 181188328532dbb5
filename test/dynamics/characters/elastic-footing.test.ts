// Characters on a trampoline, a jelly and a net of ropes: they stand, walk, jump, ride, and come off.

import { addEntity, createWorld, query } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { boxMesh } from '../../../src/bench/solids-worlds';
import {
  addCharacter,
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  createPhysics,
  enableCharacters,
  loadGame,
  type Physics,
  removeShell,
  saveGame,
  setKinematicTarget,
} from '../../../src/index';

const IN_AIR = 0;
const STANDING = 1;
const MASS = 70; // [kg]

function makeWorld(): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return physics;
}

/** A square of cloth that is held by its rim, by the world or a body, `height` above the ground. */
function addTrampoline(physics: Physics, side: number, height: number, body?: number, stretchModulus = 2e6) {
  const vertices: number[] = [];
  const triangles: number[] = [];
  const pins: (number | { vertex: number; body: number })[] = [];
  const cells = 12;
  const n = cells + 1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      vertices.push(side * (i / cells - 0.5), height, side * (j / cells - 0.5));
      const vertex = i * n + j;
      if (i * j === 0 || i === cells || j === cells) pins.push(body === undefined ? vertex : { vertex, body });
      if (i === cells || j === cells) continue;
      const [a, b, c, d] = [i * n + j, i * n + j + 1, (i + 1) * n + j, (i + 1) * n + j + 1];
      triangles.push(a, b, d, a, d, c);
    }
  }
  const material = { thickness: 0.01, density: 300, stretchModulus, bendingModulus: 1e5, damping: 0.02 };
  return addShell(physics, { vertices, triangles, pins, ...material });
}

function addJelly(physics: Physics): number {
  const { vertices, tetrahedra } = boxMesh([2, 0.6, 2], [4, 3, 4], [0, 0.31, 0], 0);
  return addSolid(physics, { vertices, tetrahedra, youngModulus: 1e5, poissonRatio: 0.4, density: 400, damping: 0.01 });
}

const rope = { radius: 0.02, density: 900, youngModulus: 2e6, stretchModulus: 4e7, damping: 0.02 };

/** Ropes along x, 10 cm apart; the first is returned. */
function addNet(physics: Physics): number[] {
  return Array.from({ length: 9 }, (_, i) =>
    addRod(physics, {
      points: Array.from({ length: 21 }, (_, k): [number, number, number] => [0.2 * k - 2, 1, 0.1 * (i - 4)]),
      ...rope,
      clampStart: true,
      clampEnd: true,
    }),
  );
}

/** What bears a character, and where its feet begin. */
const GROUNDS: Record<string, { add: (physics: Physics) => number[]; feet: number }> = {
  trampoline: { add: (physics) => [addTrampoline(physics, 3, 1)], feet: 1.01 },
  jelly: { add: (physics) => [addJelly(physics)], feet: 0.63 },
  net: { add: addNet, feet: 1.03 },
};

function settle(name: string) {
  const physics = makeWorld();
  const { add, feet } = GROUNDS[name];
  const grounds = add(physics);
  const hero = addCharacter(physics, { position: [0, feet, 0], mass: MASS });
  for (let k = 0; k < 300; k++) physics.step();
  return { physics, grounds, hero };
}

describe.each(Object.keys(GROUNDS))('on a %s', (name) => {
  test('a character stands, is told on what, and does not wander', () => {
    const { physics, grounds, hero } = settle(name);
    const { Character, Transform } = physics.components;
    const { x, y, z } = Transform.position;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < 120; k++) {
      physics.step();
      expect(Character.status[hero]).toBe(STANDING);
      expect(grounds).toContain(Character.ground[hero]);
      least = Math.min(least, y[hero]);
      most = Math.max(most, y[hero]);
    }
    expect(Character.groundNormal.y[hero]).toBeGreaterThan(0.9);
    expect(Math.hypot(x[hero], z[hero])).toBeLessThan(0.05);
    expect(least).toBeGreaterThan(0.1);
    expect(most - least).toBeLessThan(0.1);
  });

  test('it walks at the speed asked for, and jumps once', () => {
    const { physics, hero } = settle(name);
    const { Character, Transform } = physics.components;
    const { x, y } = Transform.position;
    for (let k = 0; k < 30; k++) {
      Character.move.x[hero] = 1;
      physics.step();
    }
    expect(x[hero]).toBeGreaterThan(0.42);
    expect(x[hero]).toBeLessThan(0.55);
    Character.move.x[hero] = 0;
    for (let k = 0; k < 60; k++) physics.step();
    expect(Character.status[hero]).toBe(STANDING);
    const feet = y[hero];
    Character.jump[hero] = 3;
    physics.step();
    expect(Character.status[hero]).toBe(IN_AIR);
    expect(Character.ground[hero]).toBe(0);
    expect(Character.velocity.y[hero]).toBeGreaterThan(2.7);
    let highest = y[hero];
    for (let k = 0; k < 30; k++) {
      // A key that is held does nothing in the air.
      if (k < 12) Character.jump[hero] = 3;
      physics.step();
      highest = Math.max(highest, y[hero]);
    }
    expect(highest - feet).toBeGreaterThan(0.38);
    expect(highest - feet).toBeLessThan(0.62);
  });
});

test('a character rides on cloth that is carried along', () => {
  const physics = makeWorld();
  const frame = addRigidBody(physics, { type: 'kinematic', shape: { box: [0.05, 0.05, 0.05] }, position: [0, 0.1, 0] });
  addTrampoline(physics, 3, 1, frame);
  const hero = addCharacter(physics, { position: [0, 1.01, 0], mass: MASS });
  for (let k = 0; k < 240; k++) physics.step();
  const { x } = physics.components.Transform.position;
  for (let k = 1; k <= 120; k++) {
    // To 1 m/s within half a second.
    const t = k / 60;
    setKinematicTarget(physics, frame, [t < 0.5 ? t * t : t - 0.25, 0.1, 0]);
    physics.step();
  }
  expect(Math.abs(x[hero] - x[frame])).toBeLessThan(0.05);
  expect(physics.components.Character.status[hero]).toBe(STANDING);
});

test('it steps off a rail onto cloth that lies less than a step over the floor, and up the rail behind', () => {
  const physics = makeWorld();
  addTrampoline(physics, 1.8, 0.28, undefined, 1e7);
  for (const side of [-1, 1]) {
    const shape = { box: [0.1, 0.15, 1.2] as [number, number, number] };
    addRigidBody(physics, { type: 'static', shape, position: [1.01 * side, 0.15, 0] });
  }
  const hero = addCharacter(physics, { position: [-1, 0.32, 0], mass: MASS });
  const { Character, Transform } = physics.components;
  const { x, y } = Transform.position;
  let lowest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 90; k++) {
    Character.move.x[hero] = 2;
    physics.step();
    if (x[hero] < 0.9) lowest = Math.min(lowest, y[hero]);
  }
  expect(lowest).toBeGreaterThan(0.06);
  expect(x[hero]).toBeGreaterThan(1);
});

test('a rug does not lift it off the floor that it follows', () => {
  const physics = makeWorld();
  addTrampoline(physics, 3, 0.012);
  addRigidBody(physics, { type: 'static', shape: { box: [1, 0.1, 1] }, position: [-2.6, 0.1, 0] });
  const hero = addCharacter(physics, { position: [-2.4, 0.22, 0], mass: MASS });
  const { Character, Transform } = physics.components;
  for (let k = 0; k < 60; k++) {
    Character.move.x[hero] = 2;
    physics.step();
    if (k > 5) expect(Character.status[hero]).toBe(STANDING);
  }
  expect(Transform.position.y[hero]).toBeLessThan(0.06);
});

test('what bears it is taken away: it falls', () => {
  const { physics, grounds, hero } = settle('trampoline');
  const { Character, Transform } = physics.components;
  removeShell(physics, grounds[0]);
  for (let k = 0; k < 8; k++) physics.step();
  expect(Character.status[hero]).toBe(IN_AIR);
  expect(Character.ground[hero]).toBe(0);
  for (let k = 0; k < 60; k++) physics.step();
  expect(Transform.position.y[hero]).toBeLessThan(0.03);
  expect(Character.status[hero]).toBe(STANDING);
});

test('a jump key that is held through a deep fall takes it off once a bounce, by no more than it is', () => {
  const physics = makeWorld();
  addTrampoline(physics, 3, 1.5);
  const hero = addCharacter(physics, { position: [0, 3.5, 0], mass: MASS });
  const { Character } = physics.components;
  const jumps: number[] = [];
  for (let k = 0; k < 150; k++) {
    const before = Character.velocity.y[hero];
    Character.jump[hero] = 3;
    physics.step();
    if (Character.velocity.y[hero] > 2.5 && before < 2) jumps.push(k);
    expect(Character.velocity.y[hero]).toBeLessThan(6.3); // of the fall from 2 m
  }
  expect(jumps.length).toBeGreaterThan(1);
  for (let i = 1; i < jumps.length; i++) expect(jumps[i] - jumps[i - 1]).toBeGreaterThan(25);
});

test('nothing elastic bears one that wears some', () => {
  const physics = makeWorld();
  addTrampoline(physics, 3, 1);
  const hero = addCharacter(physics, { position: [0, 1.01, 0], mass: MASS });
  addRod(physics, {
    ...rope,
    points: [0, 1, 2].map((k) => [0, 2.8 + 0.2 * k, 0.5]),
    clampStart: true,
    attachStart: hero,
  });
  for (let k = 0; k < 90; k++) {
    physics.step();
    if (physics.components.Transform.position.y[hero] > 0.1)
      expect(physics.components.Character.status[hero]).toBe(IN_AIR);
  }
  expect(physics.components.Transform.position.y[hero]).toBeLessThan(0.1);
});

test('a saved game, loaded under other numbers, keeps what it stands on, while it hops too', () => {
  const { physics, hero } = settle('trampoline');
  // Feet leave the cloth for a step: a push upwards.
  physics.components.Character.push.y[hero] = 0.4;
  for (let k = 0; k < 2; k++) physics.step();
  const game = saveGame(physics);
  const other = createPhysics(createWorld(), { userTiming: false });
  enableCharacters(other);
  for (let k = 0; k < 7; k++) addEntity(other.world);
  loadGame(other, game);
  for (const each of [physics, other]) for (let k = 0; k < 3; k++) each.step();
  expect(other.hash()).toBe(physics.hash());
  const { Character } = other.components;
  const [loaded] = query(other.world, [Character]);
  expect(Character.status[loaded]).toBe(physics.components.Character.status[hero]);
});

test('a snapshot keeps what it stands on', () => {
  const { physics, hero } = settle('jelly');
  const saved = physics.snapshot();
  const go = () => {
    for (let k = 0; k < 20; k++) {
      physics.components.Character.move.x[hero] = 0.5;
      physics.step();
    }
    return physics.hash();
  };
  const first = go();
  physics.restore(saved);
  expect(go()).toBe(first);
});
