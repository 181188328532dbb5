// Rods and grooms through the calls a game makes: rows, ranges, clamps, removal, errors.

import {
  addComponent,
  addEntity,
  createWorld,
  entityExists,
  hasComponent,
  removeComponent,
  removeEntity,
} from 'bitecs';
import { describe, expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addGroom,
  addRigidBody,
  addRod,
  addRodForce,
  createPhysics,
  type Physics,
  type RodSpec,
  refreshBody,
  removeRigidBody,
  removeRod,
  rodPositions,
  rodTwists,
  setClamp,
  setKinematicTarget,
  setWind,
} from '../../src/index';
import * as L from '../../src/state/layout';

const SPAN: [number, number, number][] = [
  [0, 1, 0],
  [0.1, 1, 0],
  [0.2, 1, 0],
  [0.3, 1, 0],
  [0.4, 1, 0],
];
const ROPE = { radius: 0.005, youngModulus: 1e7, density: 1100 } as const;

function makeWorld(): Physics {
  return createPhysics(createWorld(), { gravity: [0, 0, 0] });
}

function expectWhole(physics: Physics): void {
  const { arena, tables } = physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
}

/** A straight rod along x at height y. */
function rodAt(y: number, count = 5, more: Partial<RodSpec> = {}): RodSpec {
  return { ...ROPE, points: Array.from({ length: count }, (_, i) => [0.1 * i, y, 0]), ...more };
}

describe('addRod', () => {
  test('makes a row with the given numbers and the defaults of hair', () => {
    const physics = makeWorld();
    const eid = addRod(physics, { points: SPAN, friction: 0.3, airDrag: 2 });
    expect(Array.from(rodPositions(physics, eid))).toEqual(SPAN.flat());
    const { Rod } = physics.components;
    expect([Rod.strandCount[eid], Rod.nodeCount[eid], Rod.firstNode[eid]]).toEqual([1, 5, 0]);
    const { rods, nodes } = physics.internal.engine.tables;
    const E = 4e9;
    expect(Array.from(rods.parameter.subarray(0, 8))).toEqual([3.7e-5, 1300, E, 0.3375 * E, E, 0.001, 0.3, 0]);
    expect(Array.from(rods.extra.subarray(0, 3))).toEqual([1, 2, 0]);
    let mass = 0;
    for (let i = 0; i < 5; i++) mass += nodes.mass[2 * i];
    expect(mass).toBeCloseTo(1300 * Math.PI * 3.7e-5 ** 2 * 0.4, 15);
    expectWhole(physics);
  });

  test('takes points as lists, typed arrays and flat numbers', () => {
    const physics = makeWorld();
    const flat = Float64Array.from(SPAN.flat());
    for (const points of [SPAN, SPAN.map((p) => new Float32Array(p)), flat, Array.from(flat)]) {
      const found = rodPositions(physics, addRod(physics, { ...ROPE, points }));
      found.forEach((x, k) => {
        expect(x).toBeCloseTo(flat[k], 6);
      });
    }
  });

  test('copies what it is given', () => {
    const physics = makeWorld();
    const points = Float64Array.from(SPAN.flat());
    const eid = addRod(physics, { ...ROPE, points });
    points.fill(7);
    expect(Array.from(rodPositions(physics, eid))).toEqual(SPAN.flat());
  });

  test('turns the material of the edges by the given twist, at rest or not', () => {
    const physics = makeWorld();
    const twist = [0, 0.5, 1, 1.5];
    const loaded = addRod(physics, { ...ROPE, points: SPAN, twist });
    const relaxed = addRod(physics, { ...ROPE, points: SPAN, twist, restTwist: twist });
    for (const eid of [loaded, relaxed]) {
      const found = rodTwists(physics, eid);
      [0, 0.5, 0.5, 0.5, 0].forEach((x, i) => {
        expect(found[i]).toBeCloseTo(x, 12);
      });
    }
    const { nodes } = physics.internal.engine.tables;
    const rest = (i: number) => nodes.rest[8 * i + 6];
    expect([1, 2, 3].map(rest)).toEqual([0, 0, 0]);
    expect([6, 7, 8].map(rest)).toEqual([0.5, 0.5, 0.5]);
  });

  test('refuses what cannot mean anything, by name and unit, and adds nothing', () => {
    const physics = makeWorld();
    const body = addRigidBody(physics, { shape: { sphere: 1 } });
    const other = addRigidBody(physics, { shape: { sphere: 1 }, position: [9, 0, 0] });
    const wrong: [Partial<RodSpec> & Record<string, unknown>, string][] = [
      [{ radius: -0.1 }, 'addRod: radius must be > 0 [m], got -0.1'],
      [{ radius: 0 }, 'addRod: radius must be > 0 [m], got 0'],
      [{ radius: Number.NaN }, 'addRod: radius must be a finite number [m], got NaN'],
      [{ radius: 1e9 }, 'addRod: radius must be 1e-7..100 [m], got 1000000000'],
      [{ youngModulus: 0 }, 'addRod: youngModulus must be > 0 [Pa], got 0'],
      [{ shearModulus: -1 }, 'addRod: shearModulus must be > 0 [Pa], got -1'],
      [{ stretchModulus: 0 }, 'addRod: stretchModulus must be > 0 [Pa], got 0'],
      [{ density: 0 }, 'addRod: density must be > 0 [kg/m³], got 0'],
      [{ damping: -1 }, 'addRod: damping must be >= 0 [s], got -1'],
      [{ friction: -1 }, 'addRod: friction must be >= 0, got -1'],
      [{ friction: '1' as never }, 'addRod: friction must be a finite number, got "1"'],
      [{ points: [] }, 'addRod: points must have at least 2 points, got 0'],
      [{ points: [[0, 0, 0]] }, 'addRod: points must have at least 2 points, got 1'],
      [{ points: [0, 0, 0] }, 'addRod: points must have at least 2 points, got 1'],
      [{ points: [0, 0, 0, 1] }, 'addRod: points must be 3 numbers a point [m], got 4 numbers'],
      [{ points: 'x' as never }, 'addRod: points must be a list of points [m], got "x"'],
      [
        {
          points: [
            [0, 0, 0],
            [0, Number.NaN, 0],
          ],
        },
        'addRod: points[1][1] must be a finite number [m], got NaN',
      ],
      [
        {
          points: [
            [0, 0, 0],
            [1, 0, 0],
            [1, 0, 0],
          ],
        },
        'addRod: points[2] must be at least 1e-7 [m] from the point before it, got a distance of 0',
      ],
      [
        {
          points: [
            [0, 0, 0],
            [1, 0, 0],
            [0.5, 0, 0],
          ],
        },
        'addRod: points[2] must not lead straight back along the edge before it, got a fold of 180°',
      ],
      [
        {
          points: [
            [0, 0, 0],
            [2e9, 0, 0],
          ],
        },
        'addRod: points[1] must be within ±1000000000 [m], got 2000000000',
      ],
      [
        {
          restPoints: [
            [0, 0, 0],
            [1, 0, 0],
          ],
        },
        'addRod: restPoints must be as many as points, 5, got 2',
      ],
      [{ twist: [1] }, 'addRod: twist must be 4 numbers [rad], got [1]'],
      [{ clampStart: 1 as never }, 'addRod: clampStart must be true or false, got 1'],
      [{ attachStart: 99 }, 'addRod: attachStart must be the entity of a rigid body of this world, got 99'],
      [
        { attachStart: body, clampStart: false },
        'addRod: clampStart must be true where attachStart is given, got false',
      ],
      [
        { points: SPAN.slice(0, 3), attachStart: body, attachEnd: other },
        'addRod: the rod must have at least 4 points to be clamped to two bodies, got 3',
      ],
      [{ velocity: [0, 2000, 0] }, 'addRod: velocity must be at most 1000 [m/s] along an axis, got [0, 2000, 0]'],
      [{ colour: 'red' }, 'addRod: unknown key; known are points, '],
    ];
    for (const [spec, message] of wrong) {
      expect(() => addRod(physics, { ...ROPE, points: SPAN, ...spec }), message).toThrow(message);
    }
    physics.step();
    expect(physics.strands.strandCount).toBe(0);
  });

  test('takes radii far larger than the edges, penetration, knots and two points', () => {
    const physics = makeWorld();
    addRod(physics, { points: SPAN, radius: 5, youngModulus: 1e6 });
    addRod(physics, { ...ROPE, points: SPAN });
    addRod(physics, { ...ROPE, points: SPAN.slice(0, 2) });
    addRod(physics, { ...ROPE, points: SPAN.slice(0, 2), clampStart: true, clampEnd: true });
    for (let i = 0; i < 3; i++) physics.step();
    expectWhole(physics);
    expect(physics.report.quarantined).toEqual([]);
  });

  test('refuses more nodes than a world may hold', () => {
    const physics = makeWorld();
    const positions = new Float64Array(3 * 2_000_001);
    const counts = [2_000_001];
    expect(() => addGroom(physics, { strands: { counts, positions } })).toThrow(
      'addGroom: strands.counts[0] must be a whole number >= 2, got 2000001',
    );
  });
});

describe('addGroom', () => {
  const strands = {
    counts: [3, 2, 4],
    positions: [0, 0, 0, 0, 1, 0, 0, 2, 0, 5, 0, 0, 5, 1, 0, 9, 0, 0, 9, 1, 0, 9, 2, 0, 9, 3, 0],
  };

  test('keeps many strands in one range, roots clamped', () => {
    const physics = makeWorld();
    addRod(physics, { ...ROPE, points: SPAN });
    const eid = addGroom(physics, { ...ROPE, strands });
    expect(Array.from(rodPositions(physics, eid))).toEqual(strands.positions);
    const { Groom } = physics.components;
    expect([Groom.firstStrand[eid], Groom.strandCount[eid]]).toEqual([1, 3]);
    expect([Groom.firstNode[eid], Groom.nodeCount[eid]]).toEqual([5, 9]);
    expect(Array.from(physics.strands.first.subarray(0, 4))).toEqual([0, 5, 8, 10]);
    expect(Array.from(physics.strands.counts.subarray(0, 4))).toEqual([5, 3, 2, 4]);
    const { flags } = physics.internal.engine.tables.strands;
    expect(Array.from(flags.subarray(0, 4), (f) => f & L.STRAND_CLAMP_START)).toEqual([0, 1, 1, 1]);
    expectWhole(physics);
  });

  test('names the strand that is wrong', () => {
    const physics = makeWorld();
    const positions = strands.positions.slice();
    positions[3 * 4 + 1] = 0;
    expect(() => addGroom(physics, { strands: { counts: strands.counts, positions } })).toThrow(
      'addGroom: point 1 of strand 1 must be at least 1e-7 [m] from the point before it, got a distance of 0',
    );
    expect(() => addGroom(physics, { strands: { counts: [3, 1], positions: new Float32Array(12) } })).toThrow(
      'addGroom: strands.counts[1] must be a whole number >= 2, got 1',
    );
    expect(() => addGroom(physics, { strands: { counts: [2], positions: new Float32Array(12) } })).toThrow(
      'addGroom: strands.positions must be 6 numbers, 3 a point [m], got a typed array of 48 bytes',
    );
    expect(() => addGroom(physics, { strands: null as never })).toThrow(
      'addGroom: strands.counts must be a list of at least 1 number of points, got undefined',
    );
  });
});

describe('removal', () => {
  test('moves later strands and nodes down and keeps their state', () => {
    const physics = makeWorld();
    const eids = [3, 5, 2, 4].map((count, i) => addRod(physics, rodAt(i, count, { velocity: [0, 0, i] })));
    const groom = addGroom(physics, {
      ...ROPE,
      strands: { counts: [2, 3], positions: [0, 9, 0, 1, 9, 0, 0, 8, 0, 1, 8, 0, 2, 8, 0] },
    });
    rodPositions(physics, groom);
    const { nodes } = physics.internal.engine.tables;
    for (let i = 0; i < 4 * 19; i++) nodes.dual[i] = i;
    const dualOf = (eid: number, kind: 'Rod' | 'Groom' = 'Rod') => {
      const columns = physics.components[kind];
      const first = columns.firstNode[eid];
      return Array.from(
        physics.internal.engine.tables.nodes.dual.subarray(4 * first, 4 * (first + columns.nodeCount[eid])),
      );
    };
    const before = [dualOf(eids[0]), dualOf(eids[2]), dualOf(groom, 'Groom')];
    removeRod(physics, eids[1]);
    removeRod(physics, eids[3]);
    expect(Array.from(rodPositions(physics, eids[2])).filter((_, k) => k % 3 === 1)).toEqual([2, 2]);
    expect([dualOf(eids[0]), dualOf(eids[2]), dualOf(groom, 'Groom')]).toEqual(before);
    expect(physics.strands.strandCount).toBe(4);
    expect(physics.strands.nodeCount).toBe(10);
    expectWhole(physics);
    expect(() => rodPositions(physics, eids[1])).toThrow('entity must be a rod or groom of this world');
  });

  test('drops the contacts of the strands that go and renumbers the others', () => {
    const physics = makeWorld();
    const eids = [0, 1, 2].map((i) => addRod(physics, rodAt(i, 4)));
    rodPositions(physics, eids[0]);
    const { arena, tables } = physics.internal.engine;
    const contacts = tables.nodeContacts;
    const put = (c: number, a: number, b: number) => {
      contacts.node.set([a, a + 1, b, b < 0 ? -1 : b + 1], 4 * c);
      contacts.force.set([a, b, c, 0], 4 * c);
      const other = b < 0 ? -1 : Math.floor(b / 4);
      contacts.side.set([Math.floor(a / 4), other, b < 0 ? 3 : -1, -1], 4 * c);
      const key = b < 0 ? (1 << 30) | (3 << 3) : (b << 1) | 1;
      contacts.key.set([a, key, L.PRIMITIVE_EDGE, b < 0 ? L.PRIMITIVE_BODY : L.PRIMITIVE_EDGE], 4 * c);
    };
    put(0, 0, 4);
    put(1, 0, 9);
    put(2, 5, -1);
    put(3, 8, -1);
    arena.i32[L.NODE_CONTACT_COUNT >> 2] = 4;
    removeRod(physics, eids[1]);
    rodPositions(physics, eids[0]);
    expect(arena.i32[L.NODE_CONTACT_COUNT >> 2]).toBe(2);
    expect(Array.from(contacts.node.subarray(0, 8))).toEqual([0, 1, 5, 6, 4, 5, -1, -1]);
    expect(Array.from(contacts.force.subarray(0, 8))).toEqual([0, 9, 1, 0, 8, -1, 3, 0]);
    // Strands 0 and 1; strand 1 on collider 3.
    expect(Array.from(contacts.side.subarray(0, 8))).toEqual([0, 1, -1, -1, 1, -1, 3, -1]);
    // Detection finds them again by their features: edges 0 and 5 with the impact bit, edge 4 on collider 3.
    const { PRIMITIVE_EDGE: edge, PRIMITIVE_BODY: body } = L;
    expect(Array.from(contacts.key.subarray(0, 8))).toEqual([0, 11, edge, edge, 4, (1 << 30) | (3 << 3), edge, body]);
  });

  test('may happen at any time: by entity, by component, in a step, before the rod was made', () => {
    const physics = makeWorld();
    const { world, components } = physics;
    const eids = [0, 1, 2, 3, 4].map((i) => addRod(physics, rodAt(i)));
    removeRod(physics, eids[0]);
    physics.step();
    removeEntity(world, eids[1]);
    removeComponent(world, eids[2], components.Rod);
    const stop = physics.schedule.after('find-contacts', () => {
      if (entityExists(world, eids[3])) removeRod(physics, eids[3]);
    });
    physics.step();
    stop();
    expect(physics.strands.strandCount).toBe(2);
    physics.step();
    expect(physics.strands.strandCount).toBe(1);
    expect(hasComponent(world, eids[4], components.Rod)).toBe(true);
    expect(rodPositions(physics, eids[4]).length).toBe(15);
    removeRod(physics, eids[4]);
    removeRod(physics, eids[4]);
    physics.step();
    expect(physics.strands.strandCount).toBe(0);
    expectWhole(physics);
  });

  test('gives an id that is used again a rod of its own', () => {
    const physics = makeWorld();
    const first = addRod(physics, rodAt(1));
    physics.step();
    removeRod(physics, first);
    const second = addRod(physics, rodAt(2, 3));
    expect(second).toBe(first);
    physics.step();
    expect(rodPositions(physics, second).length).toBe(9);
    expect(physics.strands.strandCount).toBe(1);
  });

  test('a rod added in a step is there after the next one', () => {
    const physics = makeWorld();
    let eid = 0;
    const stop = physics.schedule.after('find-contacts', () => {
      eid = addRod(physics, rodAt(1));
      expect(() => rodPositions(physics, eid)).toThrow('which is made after this step');
    });
    physics.step();
    stop();
    expect(rodPositions(physics, eid).length).toBe(15);
  });

  test('a Rod component that addRod did not make simulates nothing', () => {
    const physics = makeWorld();
    const eid = addEntity(physics.world);
    addComponent(physics.world, eid, physics.components.Rod);
    physics.step();
    expect(physics.strands.strandCount).toBe(0);
    expect(() => rodPositions(physics, eid)).toThrow('entity must be a rod or groom of this world');
  });
});

describe('columns', () => {
  test('a written number counts from the next step; a wrong one is refused with a note', () => {
    const physics = makeWorld();
    const eid = addRod(physics, rodAt(1));
    const { Rod } = physics.components;
    Rod.friction[eid] = 0.9;
    physics.step();
    const { parameter } = physics.internal.engine.tables.rods;
    expect(parameter[6]).toBe(0.9);
    Rod.youngModulus[eid] = -1;
    Rod.radius[eid] = 1;
    physics.step();
    expect([parameter[0], parameter[2]]).toEqual([0.005, 1e7]);
    expect([Rod.radius[eid], Rod.youngModulus[eid]]).toEqual([0.005, 1e7]);
    expect(physics.report.limits).toEqual([
      `Rod.radius of entity ${eid}: is fixed; the one before stays, got 1`,
      `Rod.youngModulus of entity ${eid}: must be > 0 [Pa]; the one before stays, got -1`,
    ]);
    physics.step();
    expect(physics.report.limits).toEqual([]);
  });

  test('packed positions lie between the last two steps, radius beside them', () => {
    const physics = makeWorld();
    const eid = addRod(physics, rodAt(1, 3));
    rodPositions(physics, eid);
    const { nodes } = physics.internal.engine.tables;
    for (let i = 0; i < 3; i++) {
      nodes.previous[4 * i + 1] = 1;
      nodes.position[4 * i + 1] = 2;
    }
    physics.interpolate(0.25);
    const { positions } = physics.strands;
    expect(Array.from(positions.subarray(0, 4))).toEqual([0, 1.25, 0, Math.fround(0.005)]);
    const before = positions;
    physics.interpolate(0.5);
    expect(physics.strands.positions).toBe(before);
    expect(positions[1]).toBe(1.5);
  });

  test('a new version tells that ranges changed', () => {
    const physics = makeWorld();
    const { version } = physics.strands;
    const eid = addRod(physics, rodAt(1, 3));
    physics.step();
    const made = physics.strands.version;
    expect(made).toBeGreaterThan(version);
    physics.step();
    expect(physics.strands.version).toBe(made);
    removeRod(physics, eid);
    physics.step();
    expect(physics.strands.version).toBeGreaterThan(made);
  });
});

describe('forces', () => {
  test('forces are on the nodes when the step begins and gone after it; the wind stays', () => {
    const physics = makeWorld();
    const eid = addRod(physics, rodAt(1, 3, { airDrag: 2 }));
    addRodForce(physics, eid, 1, [1, 2, 3], 0.5);
    addRodForce(physics, eid, 1, [1, 0, 0]);
    addRodForce(physics, eid, 'end', [4, 0, 0]);
    setWind(physics, [10, 0, 0]);
    let seen: number[] = [];
    const { arena, tables } = physics.internal.engine;
    physics.schedule.after('copy-in', () => {
      seen = Array.from(tables.nodes.force.subarray(0, 12));
    });
    physics.step();
    expect(seen).toEqual([0, 0, 0, 0, 2, 2, 3, 0.5, 4, 0, 0, 0]);
    expect(tables.nodes.force.subarray(0, 12).every((x) => x === 0)).toBe(true);
    expect(arena.f64[L.WIND >> 3]).toBe(10);
    expect(() => addRodForce(physics, eid, 3, [0, 0, 0])).toThrow(
      "addRodForce: node must be a whole number 0..2, 'start' or 'end', got 3",
    );
    expect(() => setWind(physics, [0, Number.NaN, 0])).toThrow('setWind: velocity[1] must be a finite number [m/s]');
  });
});

describe('clamps', () => {
  const clampOf = (physics: Physics, end: number) =>
    Array.from(physics.internal.engine.tables.strands.clamp.subarray(12 * end, 12 * end + 9));

  test('a clamp holds node, neighbour and director; a pose turns them about the node', () => {
    const physics = makeWorld();
    const eid = addRod(physics, rodAt(1, 4, { clampStart: true, clampEnd: true }));
    rodPositions(physics, eid);
    const [, , , , , , ...director] = clampOf(physics, 0);
    expect(director[0]).toBeCloseTo(0, 12);
    expect(Math.hypot(...director)).toBeCloseTo(1, 12);
    expect(clampOf(physics, 0).slice(0, 6)).toEqual([0, 1, 0, 0.1, 1, 0]);
    // A quarter turn about z.
    for (let k = 0; k < 3; k++) setClamp(physics, eid, 'end', { position: [1, 2, 3], rotation: [0, 0, 1, 1] });
    const placed = clampOf(physics, 1).slice(0, 6);
    [1, 2, 3, 1, 2 - 0.1, 3].forEach((x, k) => {
      expect(placed[k]).toBeCloseTo(x, 12);
    });
    setClamp(physics, eid, 'end', {});
    expect(clampOf(physics, 1).slice(0, 6)).toEqual(placed);
    setClamp(physics, eid, 'end', null);
    expect(physics.internal.engine.tables.strands.flags[0]).toBe(L.STRAND_CLAMP_START);
  });

  test('a clamp that follows a body is kept in the frame of its centre of mass', () => {
    const physics = makeWorld();
    const shape = { compound: [{ position: [1, 0, 0], rotation: [0, 0, 0, 1], shape: { sphere: 0.5 } }] } as never;
    const body = addRigidBody(physics, { type: 'kinematic', shape, position: [0, 1, 0], rotation: [0, 0, 1, 1] });
    addRod(physics, rodAt(1, 4, { attachStart: body }));
    physics.step();
    // Centre of mass: (0, 1, 0) + a quarter turn about z of (1, 0, 0) = (0, 2, 0); node (0, 1, 0) lies at −y of it.
    const clamp = clampOf(physics, 0);
    [-1, 0, 0, -1, -0.1, 0].forEach((x, k) => {
      expect(clamp[k]).toBeCloseTo(x, 12);
    });
    expect(() => setClamp(physics, 1, 'start', {})).toThrow('setClamp: entity must be a rod or groom of this world');
  });

  test('when its body goes the clamp stays in the world; when the body is made anew it goes along', () => {
    const physics = makeWorld();
    const body = addRigidBody(physics, { type: 'kinematic', shape: { box: [1, 1, 1] }, position: [0, 1, 0] });
    const eid = addRod(physics, rodAt(1, 4, { attachStart: body }));
    physics.step();
    refreshBody(physics, body);
    setKinematicTarget(physics, body, [0, 3, 0]);
    physics.step();
    const { strands } = physics.internal.engine.tables;
    expect(strands.attach[0]).toBe(physics.internal.slotOf[body]);
    removeRigidBody(physics, body);
    physics.step();
    expect(strands.attach[0]).toBe(-1);
    const clamp = clampOf(physics, 0);
    [0, 3, 0, 0.1, 3, 0].forEach((x, k) => {
      expect(clamp[k]).toBeCloseTo(x, 9);
    });
    setClamp(physics, eid, 'start', { position: [0, 4, 0] });
    expect(clampOf(physics, 0).slice(0, 6)).toEqual([0, 4, 0, expect.closeTo(0.1, 9), 4, 0]);
  });

  test('contradictions are refused', () => {
    const physics = makeWorld();
    const body = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 1 } });
    const follower = addRod(physics, rodAt(1, 4, { attachStart: body }));
    const short = addRod(physics, rodAt(2, 3, { clampStart: true, clampEnd: true }));
    const groom = addGroom(physics, { strands: { counts: [2, 2], positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] } });
    const place = { position: [0, 0, 0] };
    const wrong: [() => void, string][] = [
      [
        () => setClamp(physics, follower, 'start', place),
        'setClamp: a clamp that is placed must be held by the world (move the body instead), got one that',
      ],
      [
        () => setClamp(physics, short, 'end', place),
        'setClamp: a strand clamped at both ends must have at least 4 points to move one of them, got 3',
      ],
      [
        () => setClamp(physics, short, 'end', { follow: body }),
        'setClamp: a strand clamped at both ends must have at least 4 points to move one of them, got 3',
      ],
      [
        () => setClamp(physics, groom, 'start', place),
        'setClamp: strand must be given to place a clamp of a groom, got undefined',
      ],
      [() => setClamp(physics, groom, 'start', place, 2), 'setClamp: strand must be a whole number 0..1, got 2'],
      [() => setClamp(physics, short, 'middle' as never, place), "setClamp: end must be 'start' or 'end', got"],
      [
        () => setClamp(physics, short, 'start', { ...place, follow: body }),
        'setClamp: position and rotation must not be given with a body to follow, got both',
      ],
      [() => setClamp(physics, follower, 'end', { rotation: [0, 0, 0, 0] }), 'setClamp: rotation must not be zero'],
      [() => setClamp(physics, follower, 'end', { position: [1, 2] }), 'setClamp: position must be 3 numbers [m]'],
    ];
    for (const [call, message] of wrong) expect(call, message).toThrow(message);
    setClamp(physics, groom, 'start', { follow: body });
    setClamp(physics, groom, 'start', null);
    setClamp(physics, groom, 'start', place, 1);
  });
});
