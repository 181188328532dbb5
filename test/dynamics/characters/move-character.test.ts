// Characters: what a player expects of a walk, in numbers.

import { createWorld, hasComponent, removeComponent } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addCharacter,
  addRigidBody,
  type CharacterSpec,
  createDrawList,
  createPhysics,
  drawDebug,
  enableCharacters,
  loadGame,
  type Physics,
  removeRigidBody,
  saveGame,
  setKinematicTarget,
} from '../../../src/index';

/** Gap that a character keeps [m]. */
const SKIN = 0.02;

function makeWorld(withGround = true): Physics {
  const physics = createPhysics(createWorld());
  if (withGround) addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return physics;
}

function place(physics: Physics, eid: number): [number, number, number] {
  const { position } = physics.components.Transform;
  return [position.x[eid], position.y[eid], position.z[eid]];
}

function walk(physics: Physics, hero: number, x: number, z: number, steps: number, each?: () => void): void {
  const { move } = physics.components.Character;
  move.x[hero] = x;
  move.z[hero] = z;
  for (let i = 0; i < steps; i++) {
    physics.step();
    each?.();
  }
}

function stand(physics: Physics, spec: CharacterSpec = {}): number {
  const hero = addCharacter(physics, { position: [0, SKIN, 0], ...spec });
  walk(physics, hero, 0, 0, 2);
  expect(physics.components.Character.status[hero]).toBe(1);
  return hero;
}

/** A quaternion about z. */
const tilt = (angle: number): [number, number, number, number] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];

test('falls as bodies fall, lands on its feet, and jumps as high as its speed carries it', () => {
  const physics = makeWorld();
  const hero = addCharacter(physics, { position: [0, 3, 0] });
  const ball = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [5, 3, 0] });
  for (let i = 0; i < 30; i++) physics.step();
  expect(place(physics, hero)[1]).toBeCloseTo(place(physics, ball)[1], 9);
  expect(physics.components.Character.status[hero]).toBe(0);
  for (let i = 0; i < 60; i++) physics.step();
  expect(place(physics, hero)[1]).toBeCloseTo(SKIN, 6);
  expect(physics.components.Character.velocity.y[hero]).toBe(0);

  physics.components.Character.jump[hero] = 5;
  let highest = 0;
  for (let i = 0; i < 90; i++) {
    physics.step();
    highest = Math.max(highest, place(physics, hero)[1]);
    // Asked for again in the air it has no effect.
    if (i === 20) physics.components.Character.jump[hero] = 5;
  }
  const { timeStep } = physics.settings;
  expect(Math.abs(highest - (SKIN + 25 / (2 * 9.81)))).toBeLessThan(5 * timeStep);
  expect(physics.components.Character.status[hero]).toBe(1);
});

test('stands still on slopes, keeps its speed over ground on them, and slides down what is too steep', () => {
  for (const degrees of [20, 45, 60]) {
    const physics = makeWorld(false);
    const angle = (degrees * Math.PI) / 180;
    addRigidBody(physics, { type: 'static', shape: { box: [50, 1, 5] }, rotation: tilt(angle) });
    const hero = addCharacter(physics, { position: [0, 1 / Math.cos(angle) + 0.3, 0], maxSlope: 0.87 });
    walk(physics, hero, 0, 0, 30);
    const before = place(physics, hero);
    if (degrees > 50) {
      expect(physics.components.Character.status[hero]).toBe(2);
      walk(physics, hero, 3, 0, 60);
      expect(place(physics, hero)[1]).toBeLessThan(before[1] - 1);
      continue;
    }
    walk(physics, hero, 0, 0, 120);
    expect(place(physics, hero)).toEqual(before);
    walk(physics, hero, 3, 0, 60);
    expect(place(physics, hero)[0] - before[0]).toBeCloseTo(3, 6);
    expect(place(physics, hero)[1] - before[1]).toBeCloseTo(3 * Math.tan(angle), 6);
    walk(physics, hero, -3, 0, 60);
    expect(place(physics, hero)[0]).toBeCloseTo(before[0], 6);
    expect(physics.components.Character.status[hero]).toBe(1);
  }
});

test('follows the floor over the edge of a ramp; without a step height it flies', () => {
  for (const stepHeight of [0.4, 0]) {
    const physics = makeWorld(false);
    addRigidBody(physics, { type: 'static', shape: { box: [10, 1, 5] }, position: [-10, -1, 0] });
    const angle = -0.5;
    const middle: [number, number, number] = [
      10 * Math.cos(angle) + Math.sin(angle),
      10 * Math.sin(angle) - Math.cos(angle),
      0,
    ];
    addRigidBody(physics, { type: 'static', shape: { box: [10, 1, 5] }, position: middle, rotation: tilt(angle) });
    const hero = stand(physics, { position: [-1, SKIN, 0], stepHeight });
    let airborne = 0;
    walk(physics, hero, 6, 0, 60, () => {
      if (physics.components.Character.status[hero] !== 1) airborne++;
    });
    if (stepHeight > 0) expect(airborne).toBe(0);
    else expect(airborne).toBeGreaterThan(3);
  }
});

function addStairs(physics: Physics, rise: number, count: number): void {
  for (let i = 1; i <= count; i++) {
    const shape = { box: [0.15, (rise * i) / 2, 2] as [number, number, number] };
    addRigidBody(physics, { type: 'static', shape, position: [1 + 0.3 * i, (rise * i) / 2, 0] });
  }
}

test('walks stairs up and down without losing speed, and stops at a step that is too high', () => {
  const physics = makeWorld();
  addStairs(physics, 0.25, 8);
  const hero = stand(physics);
  walk(physics, hero, 2.5, 0, 85);
  expect(place(physics, hero)[0]).toBeCloseTo((2.5 * 85) / 60, 2);
  expect(place(physics, hero)[1]).toBeCloseTo(2 + SKIN, 2);
  let airborne = 0;
  walk(physics, hero, -2.5, 0, 85, () => {
    if (physics.components.Character.status[hero] !== 1) airborne++;
  });
  expect(airborne).toBe(0);
  expect(place(physics, hero)[1]).toBeCloseTo(SKIN, 4);

  const high = makeWorld();
  addStairs(high, 0.45, 2);
  const other = stand(high, { stepHeight: 0.4 });
  walk(high, other, 2.5, 0, 60);
  expect(place(high, other)[0]).toBeCloseTo(1.15 - 0.3 - SKIN, 4);
  expect(place(high, other)[1]).toBeCloseTo(SKIN, 4);
});

test('walks stairs along a wall as fast as without', () => {
  const physics = makeWorld();
  addStairs(physics, 0.25, 8);
  addRigidBody(physics, { type: 'static', shape: { box: [10, 5, 1] }, position: [0, 5, 1 + 0.3 + SKIN] });
  const hero = stand(physics);
  walk(physics, hero, 2.5, 1, 85);
  expect(place(physics, hero)[0]).toBeCloseTo((2.5 * 85) / 60, 2);
  expect(place(physics, hero)[2]).toBeCloseTo(0, 6);
});

test('rides a turning platform at its radius, and turns with it', () => {
  const physics = makeWorld(false);
  const disc = addRigidBody(physics, { type: 'kinematic', shape: { cylinder: [4, 0.5] }, position: [0, -0.5, 0] });
  const hero = addCharacter(physics, { position: [2, SKIN, 0] });
  physics.step();
  const { timeStep } = physics.settings;
  let angle = 0;
  physics.schedule.before('predict-motion', () => {
    angle += 1.5 * timeStep;
    setKinematicTarget(physics, disc, [0, -0.5, 0], [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]);
  });
  for (let i = 0; i < 120; i++) {
    physics.step();
    const [x, y, z] = place(physics, hero);
    expect(Math.abs(Math.hypot(x, z) - 2)).toBeLessThan(1e-6);
    expect(Math.abs(y - SKIN)).toBeLessThan(1e-6);
  }
  const [x, , z] = place(physics, hero);
  expect(Math.atan2(-z, x)).toBeCloseTo(Math.atan2(Math.sin(angle), Math.cos(angle)), 4);
  const { rotation } = physics.components.Transform;
  const turned = 2 * Math.atan2(rotation.y[hero], rotation.w[hero]);
  expect(Math.cos(turned - angle)).toBeGreaterThan(1 - 1e-6);
});

test('rides lifts up and down, and takes the speed of a platform along when it jumps off', () => {
  const physics = makeWorld(false);
  const lift = addRigidBody(physics, { type: 'kinematic', shape: { box: [2, 0.5, 2] }, position: [0, -0.5, 0] });
  const hero = addCharacter(physics, { position: [0, SKIN, 0] });
  physics.step();
  const { timeStep } = physics.settings;
  const speed = [2, 1.5];
  const remove = physics.schedule.before('predict-motion', () => {
    const [x, y] = place(physics, lift);
    setKinematicTarget(physics, lift, [x + speed[0] * timeStep, y + speed[1] * timeStep, 0]);
  });
  for (const rise of [1.5, -1.5]) {
    speed[1] = rise;
    for (let i = 0; i < 30; i++) {
      physics.step();
      expect(physics.components.Character.ground[hero]).toBe(lift);
      expect(place(physics, hero)[1] - place(physics, lift)[1]).toBeCloseTo(0.5 + SKIN, 6);
      expect(place(physics, hero)[0] - place(physics, lift)[0]).toBeCloseTo(0, 6);
    }
  }
  physics.components.Character.jump[hero] = 3;
  physics.step();
  remove();
  for (let i = 0; i < 10; i++) physics.step();
  expect(physics.components.Character.velocity.x[hero]).toBeCloseTo(2, 9);
});

test('stands on and among more pieces than it can note, on meshes without bumps', () => {
  const physics = makeWorld(false);
  const vertices: [number, number, number][] = [];
  const triangles: [number, number, number][] = [];
  const n = 20;
  for (let i = 0; i <= n; i++) for (let k = 0; k <= n; k++) vertices.push([0.2 * i - 2, 0, 0.2 * k - 2]);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const a = i * (n + 1) + k;
      triangles.push([a, a + 1, a + n + 1], [a + 1, a + n + 2, a + n + 1]);
    }
  }
  addRigidBody(physics, { type: 'static', shape: { mesh: { vertices, triangles } } });
  for (let i = 0; i < 60; i++) {
    const angle = (2 * Math.PI * i) / 60;
    const position = [0.45 * Math.cos(angle), 1, 0.45 * Math.sin(angle)];
    addRigidBody(physics, { type: 'static', shape: { sphere: 0.1 }, position });
  }
  const hero = stand(physics);
  walk(physics, hero, 2, 1, 30);
  expect(Math.hypot(place(physics, hero)[0], place(physics, hero)[2])).toBeLessThan(0.06);

  const open = makeWorld(false);
  addRigidBody(open, { type: 'static', shape: { mesh: { vertices, triangles } } });
  const walker = stand(open, { position: [-1.5, SKIN, 0.03] });
  walk(open, walker, 1.7, 0.31, 90, () => expect(Math.abs(place(open, walker)[1] - SKIN)).toBeLessThan(2e-3));
  expect(place(open, walker)[0]).toBeCloseTo(-1.5 + 1.7 * 1.5, 3);
});

test('gets out of what it starts in', () => {
  const physics = makeWorld();
  addRigidBody(physics, { type: 'static', shape: { box: [0.5, 2, 2] }, position: [0.7, 2, 0] });
  const hero = addCharacter(physics, { position: [0, -0.2, 0] });
  for (let i = 0; i < 10; i++) physics.step();
  const [x, y] = place(physics, hero);
  expect(x).toBeCloseTo(0.2 - 0.3 - SKIN, 4);
  expect(y).toBeCloseTo(SKIN, 4);
});

test('gravity that points up or aside takes one along who stands', () => {
  for (const [x, y] of [
    [0, 5],
    [9.81, -1],
    [-6, 1],
  ]) {
    const physics = makeWorld();
    const hero = stand(physics, { position: [0, SKIN, 0] });
    for (let i = 0; i < 10; i++) physics.step();
    physics.setGravity([x, y, 0]);
    for (let i = 0; i < 60; i++) physics.step();
    const [at, height] = place(physics, hero);
    expect(physics.components.Character.status[hero]).not.toBe(1);
    expect(at).toBeCloseTo(0.5 * x, 0);
    expect(height - SKIN).toBeCloseTo(Math.max(0, 0.5 * y), 0);
  }
});

test('without gravity it stands where it stood', () => {
  const physics = makeWorld();
  const hero = stand(physics, { position: [0, SKIN, 0] });
  for (let i = 0; i < 10; i++) physics.step();
  physics.setGravity([0, 0, 0]);
  for (let i = 0; i < 60; i++) physics.step();
  expect(physics.components.Character.status[hero]).toBe(1);
});

test('characters stop at each other, and one that stands is not walked through', () => {
  const physics = makeWorld();
  const a = stand(physics, { position: [-2, SKIN, 0] });
  const b = stand(physics, { position: [2, SKIN, 0] });
  const { move } = physics.components.Character;
  move.x[a] = 3;
  move.x[b] = -3;
  for (let i = 0; i < 120; i++) {
    physics.step();
    expect(place(physics, b)[0] - place(physics, a)[0]).toBeGreaterThan(0.6);
  }
  const at = place(physics, a);
  physics.step();
  expect(place(physics, a)).toEqual(at);
  move.x[a] = 0;
  move.x[b] = -3;
  for (let i = 0; i < 60; i++) physics.step();
  expect(place(physics, a)[0]).toBeCloseTo(at[0], 6);
});

test('comes to rest in corners of walls, wide and narrow, and stays to the bit', () => {
  for (const angle of [0.2, 0.5, 0.785, 1.2]) {
    const physics = makeWorld();
    for (const side of [1, -1]) {
      const rotation = [0, (side * Math.sin(angle / 2)) as number, 0, Math.cos(angle / 2)];
      const position = [3, 2, side * 0.5];
      addRigidBody(physics, { type: 'static', shape: { box: [4, 2, 0.2] }, position, rotation });
    }
    const hero = stand(physics, { position: [-4, SKIN, 0] });
    walk(physics, hero, 4, 0.2, 150);
    const rest = place(physics, hero);
    walk(physics, hero, 4, 0.2, 30, () => {
      const now = place(physics, hero);
      for (let k = 0; k < 3; k++) expect(now[k]).toBe(rest[k]);
    });
  }
});

test('pushes with a force that has a limit: against friction exactly', () => {
  // 50 kg at 0.6: 294.3 N hold it.
  for (const pushForce of [285, 310]) {
    const physics = makeWorld();
    const position = [1.2, 0.5, 0];
    const crate = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, mass: 50, position, friction: 0.6 });
    physics.components.Material.friction[1] = 0.6;
    const hero = stand(physics, { pushForce, height: 1, radius: 0.3 });
    walk(physics, hero, 2, 0, 120);
    const moved = place(physics, crate)[0] - 1.2;
    if (pushForce < 294) expect(moved).toBeLessThan(1e-3);
    else expect(moved).toBeGreaterThan(0.1);
    expect(place(physics, hero)[0] + 0.3).toBeLessThan(place(physics, crate)[0] - 0.5);
  }
});

test('is pushed by what is kinematic, and by what flies as their masses are', () => {
  const physics = makeWorld();
  const wall = addRigidBody(physics, { type: 'kinematic', shape: { box: [0.2, 2, 2] }, position: [-2, 2, 0] });
  const hero = stand(physics);
  physics.components.Velocity.linear.x[wall] = 2;
  for (let i = 0; i < 90; i++) physics.step();
  expect(place(physics, hero)[0] - place(physics, wall)[0]).toBeCloseTo(0.2 + 0.3 + SKIN, 2);

  const moved = [7, 700].map((mass) => {
    const other = makeWorld();
    const target = stand(other);
    addRigidBody(other, { shape: { sphere: 0.4 }, mass, position: [-1.5, 1, 0], velocity: [8, 0, 0] });
    for (let i = 0; i < 20; i++) other.step();
    return place(other, target)[0];
  });
  expect(moved[0]).toBeLessThan(0.3);
  expect(moved[1]).toBeGreaterThan(0.6);
});

test('its weight is on what it stands on', () => {
  const physics = makeWorld(false);
  addRigidBody(physics, { type: 'static', shape: { box: [0.1, 0.5, 1] }, position: [0, 0.5, 0] });
  const plank = addRigidBody(physics, { shape: { box: [2, 0.05, 0.5] }, mass: 20, position: [0, 1.05, 0] });
  addCharacter(physics, { position: [1.5, 1.1 + SKIN, 0], mass: 80 });
  for (let i = 0; i < 40; i++) physics.step();
  // The seesaw goes down on its side.
  expect(physics.components.Transform.rotation.z[plank]).toBeLessThan(-0.1);
});

test('crouches under what is low, and rises when there is room', () => {
  const physics = makeWorld();
  addRigidBody(physics, { type: 'static', shape: { box: [1, 0.5, 2] }, position: [2, 1.8, 0] });
  const hero = stand(physics);
  walk(physics, hero, 3, 0, 60);
  expect(place(physics, hero)[0]).toBeLessThan(1);
  const { crouch, isCrouched } = physics.components.Character;
  crouch[hero] = 1;
  walk(physics, hero, 3, 0, 30);
  const [x] = place(physics, hero);
  expect(x).toBeGreaterThan(1.2);
  crouch[hero] = 0;
  walk(physics, hero, 0, 0, 5);
  expect(isCrouched[hero]).toBe(1);
  walk(physics, hero, 3, 0, 60);
  expect(isCrouched[hero]).toBe(0);
  expect(place(physics, hero)[0]).toBeGreaterThan(3);
  expect(physics.components.Character.status[hero]).toBe(1);
});

/** A world with everything that acts on a character. */
function makeBusy(): { physics: Physics; hero: number } {
  const physics = makeWorld();
  addStairs(physics, 0.2, 4);
  for (let i = 0; i < 4; i++)
    addRigidBody(physics, { shape: { box: [0.2, 0.2, 0.2] }, position: [0.6, 0.2 + 0.4 * i, 0.1] });
  const hero = addCharacter(physics, { position: [-0.5, 0.5, 0] });
  addCharacter(physics, { position: [-1.5, 0.5, 0], height: 1.2 });
  return { physics, hero };
}

test('a run from a snapshot, or from a saved game, repeats bit for bit; a character removed since comes back', () => {
  const { physics, hero } = makeBusy();
  walk(physics, hero, 2, 0, 20);
  const snapshot = physics.snapshot();
  const bytes = saveGame(physics);
  const go = (world: Physics, who: number) => {
    world.components.Character.crouch[who] = 1;
    walk(world, who, 2, 0.1, 20);
    world.components.Character.jump[who] = 3;
    walk(world, who, 1, 0, 40);
    return world.hash();
  };
  const first = go(physics, hero);
  removeRigidBody(physics, hero);
  physics.step();
  expect(physics.restore(snapshot).returned).toContain(hero);
  expect(hasComponent(physics.world, hero, physics.components.Character)).toBe(true);
  expect(go(physics, hero)).toBe(first);

  const fresh = createPhysics(createWorld());
  expect(() => loadGame(fresh, bytes)).toThrow(/enableCharacters/);
  enableCharacters(fresh);
  const numbers = loadGame(fresh, bytes);
  expect(go(fresh, numbers.get(hero) as number)).toBe(first);
});

test('its component or its body may be taken off at any time', () => {
  const { physics, hero } = makeBusy();
  physics.step();
  removeComponent(physics.world, hero, physics.components.Character);
  physics.step();
  const at = place(physics, hero);
  for (let i = 0; i < 5; i++) physics.step();
  expect(place(physics, hero)).toEqual(at);
  const other = addCharacter(physics, { position: [5, 0.02, 0] });
  removeRigidBody(physics, other);
  physics.step();
  const again = addCharacter(physics, { position: [5, 0.02, 0] });
  walk(physics, again, 1, 0, 30);
  expect(place(physics, again)[0]).toBeCloseTo(5.5, 1);
});

test('numbers that are none are refused by name, at the call and in the columns', () => {
  const physics = makeWorld();
  expect(() => addCharacter(physics, { radius: 0 })).toThrow('addCharacter: radius must be > 0 [m], got 0');
  expect(() => addCharacter(physics, { height: 0.3 })).toThrow(
    /height must be at least twice the radius, 0.6 \[m\], got 0.3/,
  );
  expect(() => addCharacter(physics, { maxSlope: 50 })).toThrow(/maxSlope must be below π\/2/);
  expect(() => addCharacter(physics, { speed: 3 } as CharacterSpec)).toThrow(/unknown key/);
  const hero = stand(physics);
  physics.components.Character.move.x[hero] = Number.NaN;
  physics.components.Character.jump[hero] = Number.POSITIVE_INFINITY;
  physics.step();
  expect(physics.report.limits.join(' ')).toMatch(/Character\.move\.x/);
  expect(place(physics, hero)[0]).toBe(0);
});

test('is drawn: where it stands and where it goes', () => {
  const physics = makeWorld();
  const hero = stand(physics);
  walk(physics, hero, 1, 0, 3);
  const list = createDrawList();
  drawDebug(physics, list, { characters: true });
  expect(list.lineCount).toBeGreaterThanOrEqual(2);
  expect(list.pointCount).toBe(1);
});
