// Characters, vehicles, ragdolls, volumes, explosions, watches and joints of nodes in the scene file: read, written,
// added, run, refused.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { makeResult } from '../../src/cli/result';
import { addScene, createPhysics, readScene, sceneSettings, writeScene } from '../../src/index';

const wheel = (x: number, z: number) => ({ mount: [x, -0.2, z], driveForce: 1500, maxSteer: z > 0 ? 0.5 : 0 });

const scene = {
  version: 1,
  bodies: [
    { name: 'ground', type: 'static', shape: { plane: [0, 1, 0] } },
    { name: 'car', position: [20, 0.9, 0], mass: 1000, shape: { box: [0.8, 0.3, 1.8] } },
    { name: 'raft', position: [-20, 0.6, 0], mass: 300, shape: { box: [1, 0.3, 1] } },
    { name: 'balloon', position: [0, 5, -30], mass: 2, shape: { sphere: 0.5 } },
    { name: 'crate', position: [40, 0.2, 0], mass: 10, shape: { box: [0.2, 0.2, 0.2] } },
  ],
  characters: [{ name: 'walker', position: [0, 0, 0], move: [0, 0, 2] }],
  vehicles: [
    { body: 'car', throttle: 1, wheels: [wheel(-0.8, 1.3), wheel(0.8, 1.3), wheel(-0.8, -1.3), wheel(0.8, -1.3)] },
  ],
  ragdolls: [{ name: 'doll', person: { feet: [0, 1, 10] } }],
  volumes: [
    { type: 'water', min: [-25, -1, -5], max: [-15, 1, 5] },
    { type: 'gravity', center: [0, 5, -30], radius: 4, gravity: [0, 0, 0] },
    { type: 'wind', min: [-5, 0, -35], max: [5, 10, -25], velocity: [3, 0, 0] },
  ],
  explosions: [{ time: 0.5, center: [40, 0, -1], radius: 4, impulse: 100 }],
  watches: [{ name: 'knocks', minImpulse: 5 }, { body: 'doll-head' }],
};

const step = (physics: ReturnType<typeof createPhysics>, steps: number) => {
  for (let k = 0; k < steps; k++) physics.step();
};

describe('actors of a scene', () => {
  it('come back from a written file, act, and tell in the result what became of them', () => {
    const read = readScene(scene);
    expect(readScene(writeScene(read))).toEqual(read);
    const physics = createPhysics(createWorld(), { ...sceneSettings(read), sleeping: false });
    const added = addScene(physics, read);
    step(physics, 29);
    const { Transform, Velocity, Character, Vehicle } = physics.components;
    const of = (name: string) => added.entities.get(name) ?? 0;
    expect(Velocity.linear.z[of('crate')]).toBeCloseTo(0, 9);
    step(physics, 31);
    expect(Velocity.linear.z[of('crate')]).toBeGreaterThan(1);
    step(physics, 60);
    expect(Transform.position.z[of('walker')]).toBeCloseTo(4, 1);
    expect(Character.status[of('walker')]).toBe(1);
    expect(Vehicle.speed[of('car')]).toBeGreaterThan(3);
    expect(Transform.position.y[of('balloon')]).toBeCloseTo(5, 6);
    expect(Transform.position.x[of('balloon')]).toBeGreaterThan(0.2);
    // Bobs about 7.5 cm deep (300 kg on 4 m² of water), its middle 0.225 m above the surface.
    step(physics, 240);
    expect(Math.abs(Transform.position.y[of('raft')] - 1.225)).toBeLessThan(0.15);

    const result = makeResult(read, physics, added, { quarantined: [], limits: [] } as never);
    expect(result.characters?.walker.ground).toBe('ground');
    expect(result.vehicles?.car.wheels).toHaveLength(4);
    const load = result.vehicles?.car.wheels.reduce((sum, { load }) => sum + (load ?? 0), 0);
    expect(load).toBeGreaterThan(0.9 * 1000 * 9.81);
    const [first] = result.events?.['watch-1'] ?? [];
    expect(first.kind).toBe('begin');
    expect(first.bodies).toContain('doll-head');
    expect(result.events?.knocks.every(({ kind, impulse }) => kind === 'end' || (impulse ?? 0) >= 5)).toBe(true);
    expect(Object.keys(result.bodies)).toContain('doll-left shin');
  });

  it('hang bodies on the nodes of rods and the vertices of sheets, and sew these together', () => {
    const square = (x: number) => [0, 1].flatMap((i) => [0, 1].map((k) => [x + 0.2 * i, 2, 0.2 * k]));
    const triangles = [
      [0, 1, 2],
      [2, 1, 3],
    ];
    const read = readScene({
      version: 1,
      bodies: [{ name: 'lamp', position: [0, 1, 0], mass: 0.1, shape: { sphere: 0.05 } }],
      rods: [
        {
          ...{ name: 'cord', radius: 0.005, density: 1000, youngModulus: 1e7, shearModulus: 3e6, clampStart: true },
          points: [0, 1, 2, 3, 4].map((i) => [0, 2 - 0.2 * i, 0]),
        },
      ],
      shells: [1, 1.2].map((x, i) => ({
        ...{ name: `sheet-${i}`, vertices: square(x), triangles, thickness: 0.001, stretchModulus: 1e5 },
        ...(i === 0 && { pins: [0, 1, 2, 3] }),
      })),
      joints: [
        { name: 'knot', type: 'ball', ends: [{ body: 'lamp' }, { rod: 'cord', node: 'end' }], anchor: [0, 1.2, 0] },
        {
          name: 'seam',
          type: 'ball',
          ends: [
            { shell: 'sheet-1', vertex: 0 },
            { shell: 'sheet-0', vertex: 2 },
          ],
        },
        {
          ...{ name: 'leash', type: 'rope', length: 0.1 },
          ends: [{ shell: 'sheet-1', vertex: 1 }, { world: true }],
          anchors: [
            [1.2, 2, 0.2],
            [1.2, 2.1, 0.2],
          ],
        },
      ],
    });
    expect(readScene(writeScene(read))).toEqual(read);
    const physics = createPhysics(createWorld(), { sleeping: false });
    const added = addScene(physics, read);
    expect([...added.attachments.keys()]).toEqual(['knot', 'seam', 'leash']);
    step(physics, 60);
    const result = makeResult(read, physics, added, { quarantined: [], limits: [] } as never);
    expect(result.attachments?.knot.distance).toBeLessThan(2e-3);
    expect(result.attachments?.seam.distance).toBeLessThan(2e-3);
    expect(result.attachments?.leash.distance).toBeLessThan(0.102);
    expect(physics.components.Transform.position.y[added.entities.get('lamp') ?? 0]).toBeGreaterThan(0.9);
  });

  it.each<[string, object]>([
    ['characters[0].name: must be unique, got "car", which a body has already', { characters: [{ name: 'car' }] }],
    ['vehicles[0].body: no such body, got "bus"', { vehicles: [{ ...scene.vehicles[0], body: 'bus' }] }],
    ['vehicles[0].body: must be dynamic, got "static"', { vehicles: [{ ...scene.vehicles[0], body: 'ground' }] }],
    ['vehicles[0].wheels', { vehicles: [{ body: 'car', wheels: [] }] }],
    ['ragdolls[0]: must have either bones or person', { ragdolls: [{}] }],
    ['volumes[0]: must have min and max', { volumes: [{ type: 'water', center: [0, 0, 0], radius: 1 }] }],
    ['volumes[0]: must have either min and max, or center and radius', { volumes: [{ type: 'wind' }] }],
    ['explosions[0].time: must be >= 0 [s], got -1', { explosions: [{ ...scene.explosions[0], time: -1 }] }],
    ['watches[0].body: no such body, got "nobody"', { watches: [{ body: 'nobody' }] }],
    ['joints[0].ends[0].rod: no such rod, got "r"', joint({ rod: 'r', node: 0 })],
    ['joints[0].ends[0].node: missing', joint({ rod: 'r' })],
    ['joints[0].ends[0].vertex: is not for this end', joint({ body: 'car', vertex: 1 })],
    [
      'joints[0].type: must be "ball" or "rope"',
      { joints: [{ ...joint({ shell: 's', vertex: 0 }).joints[0], type: 'hinge' }] },
    ],
  ])('say %s', (text, wrong) => {
    expect(() => readScene({ ...scene, ...wrong })).toThrow(text);
  });

  it('leave nothing behind when a call refuses one', () => {
    const physics = createPhysics(createWorld());
    const read = readScene({ ...scene, characters: [{ height: 0.1, radius: 0.3 }] });
    expect(() => addScene(physics, read)).toThrow('addScene: character "character-0": addCharacter: height');
    physics.step();
    expect(physics.report.bodies).toBe(0);
  });
});

function joint(end: object) {
  return { joints: [{ type: 'ball', ends: [end, { world: true }] }] };
}
