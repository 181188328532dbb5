// What plain snapshots share is what the memory has, whoever writes to it; and it comes back.

import { expect, test } from 'vitest';
import * as S from '../../src/index';
import { isRareTold } from '../fuzz/rare-told';
import { createGround } from '../validation/worlds';

const BODIES = 200;

function makeWorld() {
  const { physics } = createGround(0.5);
  const bodies = Array.from({ length: BODIES }, (_, i) =>
    S.addRigidBody(physics, {
      shape: { box: [0.2, 0.3, 0.25] },
      position: [2 * (i % 20), 0.3, 2 * Math.floor(i / 20)],
      mass: 1 + i,
    }),
  );
  const calm = () => {
    for (let k = 0; k < 3; k++) {
      physics.step();
      physics.snapshot();
    }
  };
  return { physics, bodies, calm };
}

test('snapshots of a world in which nobody writes share masses, materials and meshes', () => {
  const { physics, calm } = makeWorld();
  const positions = Array.from({ length: 101 * 101 }, (_, i) => [i % 101, -5 + 0.1 * (i % 7), Math.floor(i / 101)]);
  const triangles = Array.from({ length: 100 * 100 }, (_, i) => {
    const at = (i % 100) + 101 * Math.floor(i / 100);
    return [at, at + 101, at + 1];
  });
  S.addRigidBody(physics, { type: 'static', shape: { mesh: { vertices: positions, triangles } } });
  const first = physics.snapshot();
  calm();
  const [second, third] = [physics.snapshot(), physics.snapshot()];
  expect(third.rare).toBe(second.rare);
  // The mesh alone has 0.85 MB.
  expect(first.changes.length - third.changes.length).toBeGreaterThan(8e5);
  expect(third.changes.length).toBeLessThan(1.4e3 * BODIES + 1e5);
});

/** What a game may do to what is shared. */
const WRITES: Record<string, (physics: S.Physics, body: number) => void> = {
  mass: ({ components }, body) => {
    components.RigidBody.mass[body] = 7;
  },
  inertia: ({ components }, body) => {
    components.RigidBody.inertia.x[body] = components.RigidBody.inertia.y[body] = 3;
    components.RigidBody.inertia.z[body] = 4;
  },
  'centre of mass': ({ components }, body) => {
    components.RigidBody.centerOffset.x[body] = 0.05;
  },
  surface: ({ components }, body) => {
    components.RigidBody.surfaceVelocity.x[body] = 2;
  },
  friction: ({ components }, body) => {
    components.Material.friction[body] = 0.9;
  },
  'rolling friction': ({ components }, body) => {
    components.Material.rollingFriction[body] = 0.01;
  },
  shape: (physics, body) => {
    physics.components.Collider.shape[body] = S.createShape(physics, { hull: cube(0.3) });
  },
  'a body more': (physics) => {
    S.addRigidBody(physics, { shape: { hull: cube(0.2) }, position: [0, 9, 0] });
  },
  'a body less, and another in its place': (physics, body) => {
    S.removeRigidBody(physics, body);
    physics.step();
    S.addRigidBody(physics, { shape: { sphere: 0.4 }, position: [0, 9, 0], friction: 0.1 });
  },
  'many bodies': (physics) => {
    for (let i = 0; i < 2 * BODIES; i++) S.addRigidBody(physics, { shape: { sphere: 0.1 }, position: [3 * i, 40, 0] });
  },
};

function cube(half: number): number[][] {
  return Array.from({ length: 8 }, (_, i) => [i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half]);
}

test.each(Object.keys(WRITES))('a write to it is told, and taken back by a restore: %s', (name) => {
  const { physics, bodies, calm } = makeWorld();
  calm();
  const before = physics.snapshot();
  const { rare } = before;
  expect(rare).not.toBeNull();
  const ahead = () => {
    const hashes = [physics.hash()];
    for (let k = 0; k < 5; k++) {
      S.applyImpulse(physics, bodies[5], [3, 2, 1]);
      physics.step();
      hashes.push(physics.hash());
    }
    return hashes;
  };
  const expected = ahead();
  physics.restore(before);

  WRITES[name](physics, bodies[4]);
  physics.step();
  expect(isRareTold(physics)).toBe(true);
  const after = physics.snapshot();
  expect(after.rare).not.toBe(rare);
  for (let k = 0; k < 3; k++) {
    physics.step();
    physics.snapshot();
    expect(isRareTold(physics)).toBe(true);
  }
  const calmAfter = physics.snapshot();
  const expectedAfter = ahead();

  for (const [snapshot, hashes] of [
    [before, expected],
    [calmAfter, expectedAfter],
    [before, expected],
  ] as const) {
    physics.restore(snapshot);
    expect(isRareTold(physics)).toBe(true);
    expect(physics.snapshot().rare).toBe(snapshot.rare);
    expect(ahead()).toEqual(hashes);
  }
  physics.packSnapshot(before);
  physics.restore(before);
  expect(ahead()).toEqual(expected);
});

test('what plain snapshots share counts once towards the 64 MiB beyond which the oldest are packed', () => {
  const { physics } = createGround(0.5);
  const side = 280;
  const vertices = Array.from({ length: (side + 1) ** 2 }, (_, i) => [i % (side + 1), -5, Math.floor(i / (side + 1))]);
  const triangles = Array.from({ length: side * side }, (_, i) => {
    const at = (i % side) + (side + 1) * Math.floor(i / side);
    return [at, at + side + 1, at + 1];
  });
  S.addRigidBody(physics, { type: 'static', shape: { mesh: { vertices, triangles } } });
  const body = S.addRigidBody(physics, { shape: { box: [0.2, 0.3, 0.25] }, position: [0, 0.3, 0] });
  const taken: S.Snapshot[] = [];
  const hashes: string[] = [];
  const held = () => {
    const plain = taken.filter(({ bytes }) => bytes.length === 0);
    const shared = new Set(plain.map(({ rare }) => rare));
    let bytes = 0;
    for (const { changes } of plain) bytes += changes.length;
    for (const rare of shared) bytes += rare?.bytes.length ?? 0;
    return bytes / 2 ** 20;
  };
  // The mesh has 6.7 MB. A mass that is written every third step makes each two snapshots after it share a new copy.
  for (let k = 0; k < 36; k++) {
    if (k % 3 === 0) physics.components.RigidBody.mass[body] = 1 + k;
    physics.step();
    taken.push(physics.snapshot());
    hashes.push(physics.hash());
    expect(held()).toBeLessThan(64);
  }
  expect(new Set(taken.map(({ rare }) => rare)).size).toBeGreaterThan(4);
  expect(taken[35].bytes.length).toBe(0);
  for (const k of [0, 20, 35, 10]) {
    physics.restore(taken[k]);
    expect(physics.hash()).toBe(hashes[k]);
  }
});
