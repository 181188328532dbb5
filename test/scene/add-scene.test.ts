import { addEntity, createWorld, getAllEntities, query, removeEntity } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { readScene } from '../../src/scene/read';
import { addScene, sceneSettings } from '../../systems/add-scene';
import { createPhysics } from '../../systems/create-physics';
import { removeRigidBody } from '../../systems/rigid-body';

const lift = { name: 'lift', type: 'kinematic', position: [0, 5, 0], shape: { box: [1, 0.1, 1] } };
const moving = {
  version: 1,
  bodies: [lift],
  motions: [
    {
      body: 'lift',
      keys: [
        { time: 0, position: [0, 0, 0] },
        { time: 1, position: [0, 3, 0], rotation: [0, 1, 0, 0] },
        { time: 1.5, position: [1, 3, 0] },
      ],
    },
  ],
};

function start(source: unknown) {
  const scene = readScene(source);
  const world = createWorld();
  const physics = createPhysics(world, sceneSettings(scene));
  return { physics, world, ...addScene(physics, scene) };
}

function poseOf({ physics, entities }: ReturnType<typeof start>, name: string): number[] {
  const eid = entities.get(name) as number;
  const { position: p, rotation: q } = physics.components.Transform;
  return [p.x[eid], p.y[eid], p.z[eid], q.x[eid], q.y[eid], q.z[eid], q.w[eid]];
}

describe('sceneSettings', () => {
  it('hands on what the file asks for, and nothing that it leaves to the engine', () => {
    expect(sceneSettings(readScene({ version: 1, gravity: [0, -1.62, 0], timeStep: 0.01 }))).toEqual({
      gravity: [0, -1.62, 0],
      timeStep: 0.01,
    });
    const solver = { rigid: 'dantzig', tolerance: 1e-6, sweeps: 5 };
    expect(sceneSettings(readScene({ version: 1, solver }))).toMatchObject({ solver: 'dantzig', tolerance: 1e-6 });
    expect(sceneSettings(readScene({ version: 1, solver: { rigid: 'contact-admm' } })).solver).toBe('contact-admm');
  });
});

describe('addScene', () => {
  it('adds every body under its name, with specs for rendering', () => {
    const added = start({
      version: 1,
      materials: { wood: { density: 500 } },
      bodies: [{ name: 'a', material: 'wood', position: [1, 2, 3], shape: { box: [0.5, 0.5, 0.5] } }],
      repeat: [{ count: 3, spacing: [2, 0, 0], body: { name: 'b', shape: { sphere: 0.5 } } }],
    });
    expect([...added.entities.keys()]).toEqual(['a', 'b-0', 'b-1', 'b-2']);
    expect(new Set(added.entities.values()).size).toBe(4);
    expect(query(added.world, [added.physics.components.RigidBody]).length).toBe(4);
    expect(added.specs.get('a')).toMatchObject({ shape: { box: [0.5, 0.5, 0.5] }, density: 500 });
    expect(poseOf(added, 'b-2')).toEqual([4, 0, 0, 0, 0, 0, 1]);
    added.physics.step();
    expect(added.physics.components.RigidBody.mass[added.entities.get('a') as number]).toBeCloseTo(500, 9);
  });

  it('moves bodies so that they are at each key exactly at its time, and rest afterwards', () => {
    const added = start(moving);
    expect(poseOf(added, 'lift')).toEqual([0, 0, 0, 0, 0, 0, 1]);
    for (let k = 0; k < 60; k++) added.physics.step();
    poseOf(added, 'lift').forEach((x, k) => {
      expect(Math.abs(x - [0, 3, 0, 0, 1, 0, 0][k])).toBeLessThan(1e-12);
    });
    for (let k = 0; k < 60; k++) added.physics.step();
    poseOf(added, 'lift').forEach((x, k) => {
      expect(Math.abs(x - [1, 3, 0, 0, 1, 0, 0][k])).toBeLessThan(1e-12);
    });
    const there = poseOf(added, 'lift');
    for (let k = 0; k < 60; k++) added.physics.step();
    expect(poseOf(added, 'lift')).toEqual(there);
  });

  it('repeats a motion bit for bit after a snapshot was restored', () => {
    const { physics } = start(moving);
    for (let k = 0; k < 20; k++) physics.step();
    const snapshot = physics.snapshot();
    for (let k = 0; k < 50; k++) physics.step();
    const hash = physics.hash();
    physics.restore(snapshot);
    for (let k = 0; k < 50; k++) physics.step();
    expect(physics.hash()).toBe(hash);
  });

  it('counts the time of a motion from the moment the scene is added', () => {
    const scene = readScene(moving);
    const physics = createPhysics(createWorld(), sceneSettings(scene));
    for (let k = 0; k < 7; k++) physics.step();
    const { entities } = addScene(physics, scene);
    for (let k = 0; k < 60; k++) physics.step();
    expect(physics.components.Transform.position.y[entities.get('lift') as number]).toBeCloseTo(3, 12);
  });

  it('forgets a moved body that is removed, even when its id is given away, and takes its system out', () => {
    const { physics, world, entities } = start(moving);
    expect(physics.schedule.names).toContain('move-scene-bodies');
    physics.step();
    removeRigidBody(physics, entities.get('lift') as number);
    const other = addEntity(world);
    for (let k = 0; k < 3; k++) physics.step();
    expect(physics.schedule.names).not.toContain('move-scene-bodies');
    removeEntity(world, other);
  });

  it('adds nothing when the engine refuses a body', () => {
    const scene = readScene({
      version: 1,
      bodies: [
        { name: 'fine', shape: { sphere: 1 } },
        { name: 'bad', shape: { sphere: 1 } },
      ],
    });
    scene.bodies[1].mass = -1;
    const world = createWorld();
    const physics = createPhysics(world);
    const before = getAllEntities(world).length;
    expect(() => addScene(physics, scene)).toThrow('addScene: body "bad": addRigidBody: mass must be > 0 [kg], got -1');
    expect(getAllEntities(world).length).toBe(before);
    expect(() => addScene(physics, 5 as unknown as typeof scene)).toThrow(
      'addScene: scene must come from readScene, got 5',
    );
  });
});
