// Rollback: everything that a game may change in the window between a snapshot and its restore
// comes back, and no observer is told.

import {
  addComponent,
  addEntity,
  createWorld,
  entityExists,
  getEntityComponents,
  hasComponent,
  observe,
  onAdd,
  onRemove,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs';
import { describe, expect, test } from 'vitest';
import type { ColumnTree } from '../../components/columns';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addGroom,
  addRigidBody,
  addRod,
  attach,
  createPhysics,
  createShape,
  detach,
  type Physics,
  refreshBody,
  removeRigidBody,
  removeRod,
  setKinematicTarget,
} from '../../src/index';
import { bySuite } from '../setup/suite';
import { worldFacts } from './world-facts';

const GROUND = { type: 'static', shape: { plane: [0, 1, 0] } } as const;
const BOX = { shape: { box: [0.5, 0.5, 0.5] } } as const;

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}

/** A stack, a pile that sleeps, a driven body, a rope on a crate and another on the world. */
function make(): { physics: Physics; bodies: number[]; rods: number[]; joints: number[] } {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, GROUND);
  const bodies: number[] = [];
  for (let i = 0; i < 6; i++) bodies.push(addRigidBody(physics, { ...BOX, position: [0.3 * i, 0.6 + 1.1 * i, 0] }));
  bodies.push(addRigidBody(physics, { ...BOX, position: [10, 0.5, 0] }));
  bodies.push(addRigidBody(physics, { ...BOX, type: 'kinematic', position: [-5, 0.5, 0] }));
  bodies.push(addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 3, 6], mass: 0.5 }));
  const line = (x: number, z: number) => Array.from({ length: 9 }, (_, i) => [x, 4 - 0.1 * i, z]);
  const rope = { radius: 0.01, density: 1000, youngModulus: 1e6 };
  const rods = [
    addRod(physics, { ...rope, points: line(0, 6), clampStart: true }),
    addRod(physics, { ...rope, points: line(3, 6), clampStart: true }),
  ];
  const joints = [attach(physics, { rod: rods[0], node: 8, body: bodies[8] })];
  steps(physics, 45);
  return { physics, bodies, rods, joints };
}

/** Counts everything that observers of our components are told. */
function watch(physics: Physics): { told: number } {
  const seen = { told: 0 };
  for (const component of Object.values(physics.components)) {
    for (const event of [onAdd, onRemove]) observe(physics.world, event(component), () => void seen.told++);
  }
  return seen;
}

function expectWhole({ internal: { engine } }: Physics): void {
  expect(findBrokenInvariants(engine.arena, engine.tables)).toEqual([]);
}

type World = ReturnType<typeof make>;

/** What a game may do in the window. */
const MEDDLE: Record<string, (world: World) => void> = {
  nothing: () => {},
  mass: ({ physics, bodies }) => {
    physics.components.RigidBody.mass[bodies[2]] *= 3;
  },
  linearDamping: ({ physics, bodies }) => {
    physics.components.RigidBody.linearDamping[bodies[2]] = 2;
  },
  angularDamping: ({ physics, bodies }) => {
    physics.components.RigidBody.angularDamping[bodies[2]] = 2;
  },
  gravityScale: ({ physics, bodies }) => {
    physics.components.RigidBody.gravityScale[bodies[2]] = -1;
  },
  force: ({ physics, bodies }) => {
    physics.components.RigidBody.force.y[bodies[2]] = 1e5;
  },
  'force on a sleeper': ({ physics, bodies }) => {
    physics.components.RigidBody.force.y[bodies[6]] = 1e5;
  },
  canSleep: ({ physics, bodies }) => {
    physics.components.RigidBody.canSleep[bodies[6]] = 0;
  },
  surfaceVelocity: ({ physics, bodies }) => {
    physics.components.RigidBody.surfaceVelocity.x[bodies[0]] = 2;
  },
  friction: ({ physics, bodies }) => {
    physics.components.Material.friction[bodies[1]] = 0;
    refreshBody(physics, bodies[1]);
  },
  shape: ({ physics, bodies }) => {
    physics.components.Collider.shape[bodies[1]] = createShape(physics, { sphere: 0.7 });
    refreshBody(physics, bodies[1]);
  },
  layers: ({ physics, bodies }) => {
    physics.components.Collider.mask[bodies[1]] = 0;
    refreshBody(physics, bodies[1]);
  },
  pose: ({ physics, bodies }) => {
    physics.components.Transform.position.x[bodies[3]] += 1;
  },
  velocity: ({ physics, bodies }) => {
    physics.components.Velocity.linear.x[bodies[3]] = 9;
  },
  'tag Kinematic': ({ physics, bodies }) => addComponent(physics.world, bodies[3], physics.components.Kinematic),
  'tag Static off and on': ({ physics, bodies }) => {
    addComponent(physics.world, bodies[3], physics.components.Static);
    removeComponent(physics.world, bodies[7], physics.components.Kinematic);
  },
  'tag Sensor': ({ physics, bodies }) => addComponent(physics.world, bodies[0], physics.components.Sensor),
  target: ({ physics, bodies }) => setKinematicTarget(physics, bodies[7], [-4, 1, 0]),
  'a body removed': ({ physics, bodies }) => removeRigidBody(physics, bodies[0]),
  'a body that loses its component': ({ physics, bodies }) =>
    removeComponent(physics.world, bodies[0], physics.components.RigidBody),
  'a body removed and its number given to another': ({ physics, bodies }) => {
    removeRigidBody(physics, bodies[0]);
    expect(addRigidBody(physics, { shape: { sphere: 3 }, position: [0, 9, 0] })).toBe(bodies[0]);
  },
  'bodies added': ({ physics }) => {
    for (let i = 0; i < 3; i++) addRigidBody(physics, { ...BOX, position: [0, 8 + 2 * i, 0] });
  },
  'the crate of a rope removed': ({ physics, bodies }) => removeRigidBody(physics, bodies[8]),
  'a rope removed': ({ physics, rods }) => removeRod(physics, rods[0]),
  'a rope and a groom added': ({ physics, bodies }) => {
    addRod(physics, {
      points: [
        [0, 2, 9],
        [0, 1, 9],
      ],
      clampStart: true,
    });
    addGroom(physics, {
      strands: { counts: [2, 2], positions: [0, 2, 8, 0, 1, 8, 1, 2, 8, 1, 1, 8] },
      attach: bodies[6],
    });
  },
  detached: ({ physics, joints }) => detach(physics, joints[0]),
  attached: ({ physics, rods, bodies }) => void attach(physics, { rod: rods[1], node: 8, body: bodies[5] }),
  'material of a rope': ({ physics, rods }) => {
    physics.components.Rod.friction[rods[0]] = 1.5;
  },
  everything: (world) => {
    for (const [name, meddle] of Object.entries(MEDDLE))
      if (!/everything|number|loses/.test(name))
        try {
          meddle(world);
        } catch {
          /* gone */
        }
  },
};

describe('a rollback of ten steps is exact, and no observer is told', () => {
  // One of each way that a write waits: columns of each kind, tags, targets, entities that come and go; and all.
  const few = ['mass', 'force on a sleeper', 'shape', 'velocity', 'tag Kinematic', 'target', 'detached', 'everything'];
  const comeAndGo = ['a body removed and its number given to another', 'a rope and a groom added'];
  // What else takes its own way back.
  const apart = ['nothing', 'tag Sensor', 'a body that loses its component', 'the crate of a rope removed', 'attached'];
  test.each(bySuite([...apart, ...few, ...comeAndGo], Object.keys(MEDDLE)))('%s', (name) => {
    const world = make();
    const { physics } = world;
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    steps(physics, 10);
    const after = worldFacts(physics);
    physics.restore(snapshot);
    for (const wait of [false, true]) {
      MEDDLE[name](world);
      if (!wait) steps(physics, 10);
      const seen = watch(physics);
      physics.restore(snapshot);
      expect(seen.told).toBe(0);
      expect(worldFacts(physics)).toEqual(before);
      expectWhole(physics);
      steps(physics, 10);
      expect(worldFacts(physics)).toEqual(after);
      physics.restore(snapshot);
    }
  });

  const waiting = bySuite([...few, ...comeAndGo], Object.keys(MEDDLE));
  test.each(waiting)('what waits at the snapshot still waits: %s', (name) => {
    const world = make();
    const { physics } = world;
    MEDDLE[name](world);
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    steps(physics, 10);
    const after = worldFacts(physics);
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(before);
    steps(physics, 10);
    expect(worldFacts(physics)).toEqual(after);
    expectWhole(physics);
  });
});

/** Writes `value` to every column of ours, for every entity. */
function overwriteColumns(physics: Physics, value: number): void {
  const overwrite = (tree: ColumnTree): void => {
    for (const leaf of Object.values(tree)) {
      if (ArrayBuffer.isView(leaf)) (leaf as Float64Array).fill(value);
      else overwrite(leaf as ColumnTree);
    }
  };
  for (const component of Object.values(physics.components)) overwrite(component as unknown as ColumnTree);
}

test('a restore writes every column: none is left as it was', () => {
  const { physics } = make();
  const snapshot = physics.snapshot();
  const facts = worldFacts(physics);
  expect(Math.max(...physics.components.Contact.approachSpeed)).toBeGreaterThan(0);
  for (const value of [Number.NaN, 7]) {
    overwriteColumns(physics, value);
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(facts);
  }
});

test('what has come to rest is drawn where it was drawn, to the bit', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, GROUND);
  for (let i = 0; i < 12; i++) {
    const rotation = [0.1 * i, 0.3, 0.2, 1];
    addRigidBody(physics, { ...BOX, position: [3 * i, 1, 0], rotation });
    addRigidBody(physics, { ...BOX, type: 'static', position: [3 * i, 1, 9], rotation });
  }
  steps(physics, 240);
  const facts = worldFacts(physics);
  physics.restore(physics.snapshot());
  expect(worldFacts(physics)).toEqual(facts);
});

describe('entities across a restore', () => {
  test('what was made since goes, with its number; what the game has put something on stays without its body', () => {
    const { physics } = make();
    const { world, components } = physics;
    const Mesh = {};
    const snapshot = physics.snapshot();
    const plain = addRigidBody(physics, BOX);
    const drawn = addRigidBody(physics, BOX);
    addComponent(world, drawn, Mesh);
    physics.step();
    expect([...physics.restore(snapshot).removed].sort((a, b) => a - b)).toEqual([plain, drawn]);
    expect([entityExists(world, plain), entityExists(world, drawn)]).toEqual([false, true]);
    expect([hasComponent(world, drawn, components.RigidBody), hasComponent(world, drawn, Mesh)]).toEqual([false, true]);
    // The same number again, as on a machine that was not rolled back.
    expect(addRigidBody(physics, BOX)).toBe(plain);
  });

  test('a number that the game has taken for an entity of its own stays with it', () => {
    const { physics, bodies, joints, rods } = make();
    const { world, components } = physics;
    const { Attachment, Contact } = components;
    const snapshot = physics.snapshot();
    const { hash } = { hash: physics.hash() };
    removeRigidBody(physics, bodies[8]);
    removeRigidBody(physics, bodies[0]);
    const strangers = [addEntity(world), addEntity(world)];
    expect(strangers).toEqual([bodies[0], bodies[8]]);
    physics.step();
    const { renumbered } = physics.restore(snapshot);
    expect([...renumbered.keys()].sort((a, b) => a - b)).toEqual([bodies[0], bodies[8]]);
    for (const eid of strangers) expect(getEntityComponents(world, eid)).toEqual([]);
    expect(physics.hash()).toBe(hash);
    expect(Attachment.body[joints[0]]).toBe(renumbered.get(bodies[8]));
    expect(Attachment.rod[joints[0]]).toBe(rods[0]);
    for (const eid of query(world, [Contact])) {
      for (const side of [Contact.entityA[eid], Contact.entityB[eid]]) {
        expect(hasComponent(world, side, components.RigidBody)).toBe(true);
      }
    }
    expectWhole(physics);
  });

  test('one that observers of removals would follow is not told of, and nothing is left half restored', () => {
    const { physics } = make();
    const { world, components } = physics;
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    const car = addRigidBody(physics, { ...BOX, position: [30, 1, 0] });
    const wheel = addRigidBody(physics, { ...BOX, position: [32, 1, 0] });
    observe(world, onRemove(components.RigidBody), (eid: number) => {
      if (eid === car && entityExists(world, wheel)) removeEntity(world, wheel);
    });
    physics.step();
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(before);
    expectWhole(physics);
  });

  test.each(['RigidBody', 'Rod', 'Attachment', 'Contact'] as const)('is refused inside an observer of %s', (name) => {
    const { physics, bodies, rods, joints } = make();
    const { world, components } = physics;
    const snapshot = physics.snapshot();
    const contact = query(world, [components.Contact])[0];
    const eid = { RigidBody: bodies[0], Rod: rods[0], Attachment: joints[0], Contact: contact }[name];
    let asked = 0;
    const ask = () => {
      asked++;
      expect(() => physics.restore(snapshot)).toThrow('must be called between changes');
    };
    const stops = [observe(world, onRemove(components[name]), ask), observe(world, onAdd(components[name]), ask)];
    removeEntity(world, eid);
    expect(asked).toBe(1);
    if (name === 'RigidBody') addRigidBody(physics, BOX);
    if (name === 'Rod')
      addRod(physics, {
        points: [
          [0, 9, 0],
          [1, 9, 0],
        ],
      });
    if (name === 'Attachment') attach(physics, { rod: rods[1], node: 3 });
    for (const stop of stops) stop();
    expect(asked).toBe(name === 'Contact' ? 1 : 2);
    physics.restore(snapshot);
    expectWhole(physics);
    steps(physics, 3);
    for (const other of query(world, [components.Contact])) {
      expect(entityExists(world, components.Contact.entityA[other])).toBe(true);
    }
  });

  test('an entity that is two of our kinds comes back as both', () => {
    const { physics, rods, joints } = make();
    const { world, components } = physics;
    const contact = query(world, [components.Contact])[0];
    for (const eid of [rods[0], joints[0], contact]) addComponent(world, eid, components.RigidBody);
    physics.step();
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    for (const eid of [rods[0], joints[0], contact]) removeEntity(world, eid);
    steps(physics, 2);
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(before);
    for (const [eid, kind] of [
      [rods[0], 'Rod'],
      [joints[0], 'Attachment'],
      [contact, 'Contact'],
    ] as const) {
      expect(hasComponent(world, eid, components[kind])).toBe(true);
      expect(hasComponent(world, eid, components.RigidBody)).toBe(true);
    }
    for (const eid of [rods[0], joints[0]]) removeComponent(world, eid, components.RigidBody);
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(before);
  });

  test('numbers of the game’s own entities that have gone are not given to touches before those they had', () => {
    const { physics } = make();
    const { world, components } = physics;
    const own = addEntity(world);
    const ball = addRigidBody(physics, { ...BOX, position: [40, 0.52, 0] });
    const snapshot = physics.snapshot();
    steps(physics, 30);
    const later = worldFacts(physics);
    expect(query(world, [components.Contact]).some((eid) => components.Contact.entityA[eid] === ball)).toBe(true);
    removeEntity(world, own);
    physics.restore(snapshot);
    steps(physics, 30);
    expect(worldFacts(physics)).toEqual(later);
  });

  test('what is left of an entity made since, without its body, goes', () => {
    const { physics } = make();
    const { world, components } = physics;
    const snapshot = physics.snapshot();
    const made = addRigidBody(physics, { ...BOX, position: [40, 5, 0] });
    physics.step();
    removeComponent(world, made, components.RigidBody);
    const { removed } = physics.restore(snapshot);
    expect(removed).toContain(made);
    expect(entityExists(world, made)).toBe(false);
  });

  test('brings back what observers changed while bodies were made for the snapshot', () => {
    const physics = createPhysics(createWorld());
    const { world, components } = physics;
    addRigidBody(physics, GROUND);
    const lift = addRigidBody(physics, { ...BOX, type: 'kinematic', position: [3, 1, 0], velocity: [0, 1, 0] });
    physics.step();
    observe(world, onAdd(components.Material), () => addComponent(world, lift, components.Static));
    // Without Material: it is added as the body is made.
    const eid = addEntity(world);
    addComponent(world, eid, components.RigidBody);
    addComponent(world, eid, components.Transform);
    components.Collider.shape[eid] = createShape(physics, { sphere: 0.5 });
    addComponent(world, eid, components.Collider);
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    steps(physics, 3);
    physics.restore(snapshot);
    expect(hasComponent(world, lift, components.Static)).toBe(true);
    expect(worldFacts(physics)).toEqual(before);
  });

  test('is possible after an observer has undone what it was told of', () => {
    const { physics, bodies } = make();
    const { world, components } = physics;
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    const stop = observe(world, onRemove(components.RigidBody), (eid: number) =>
      addComponent(world, eid, components.RigidBody),
    );
    removeComponent(world, bodies[0], components.RigidBody);
    stop();
    physics.step();
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(before);
  });

  test('a pose that was written inside the step is drawn neither before nor after a restore', () => {
    const { physics } = make();
    const { Transform, Interpolated } = physics.components;
    const wall = addRigidBody(physics, { ...BOX, type: 'static', position: [40, 5, 0] });
    physics.schedule.after('solve-contacts', () => {
      Transform.position.x[wall] = 50;
    });
    physics.step();
    expect(Interpolated.position.x[wall]).toBe(40);
    const snapshot = physics.snapshot();
    const before = worldFacts(physics);
    physics.restore(snapshot);
    expect(worldFacts(physics)).toEqual(before);
  });

  test('a mass that was written to a body at rest and not yet looked at is looked at again', () => {
    const { physics, bodies } = make();
    const { RigidBody } = physics.components;
    const driven = bodies[7];
    RigidBody.mass[driven] = -1;
    const snapshot = physics.snapshot();
    physics.step();
    const after = RigidBody.mass[driven];
    expect(after).not.toBe(-1);
    physics.restore(snapshot);
    physics.step();
    expect(RigidBody.mass[driven]).toBe(after);
  });
});

test('a snapshot has nothing that an observer of what goes with it removes, and restores to its hash', () => {
  const physics = createPhysics(createWorld());
  const crate = addRigidBody(physics, { ...BOX, position: [0, 2, 0] });
  const line = (x: number) => Array.from({ length: 5 }, (_, i) => [x, 4 - 0.1 * i, 0]);
  const rope = { radius: 0.01, density: 1000, youngModulus: 1e6, clampStart: true };
  const rods = [0, 2].map((x) => addRod(physics, { ...rope, points: line(x) }));
  attach(physics, { rod: rods[0], node: 4, body: crate });
  steps(physics, 3);
  const stop = observe(physics.world, onRemove(physics.components.Attachment), () => removeRod(physics, rods[1]));
  removeRod(physics, rods[0]);
  const snapshot = physics.snapshot();
  const hash = physics.hash();
  stop();
  physics.restore(snapshot);
  expect(physics.hash()).toBe(hash);
  expect(rods.map((rod) => entityExists(physics.world, rod))).toEqual([false, false]);
});

test('what a restore has brought back goes with a restore to before it was made', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, GROUND);
  steps(physics, 1);
  const before = physics.snapshot();
  const facts = worldFacts(physics);
  const crate = addRigidBody(physics, BOX);
  steps(physics, 1);
  const after = physics.snapshot();
  removeRigidBody(physics, crate);
  steps(physics, 1);
  // With the restore the youngest entity of all goes.
  addRigidBody(physics, BOX);
  steps(physics, 1);
  expect(physics.restore(after).returned).toEqual([crate]);
  expect(physics.restore(before).removed).toEqual([crate]);
  expect(entityExists(physics.world, crate)).toBe(false);
  expect(worldFacts(physics)).toEqual(facts);
  // The number is free, so that all go on with the same ones.
  expect(addRigidBody(physics, BOX)).toBe(crate);
});

test("a peer's snapshot brings and takes nothing where both have the same entities, however each has counted", () => {
  const make = (extra: number) => {
    const physics = createPhysics(createWorld());
    addRigidBody(physics, GROUND);
    // What a peer has guessed and taken back counts on.
    for (let k = 0; k < extra; k++) {
      const before = physics.snapshot();
      addRigidBody(physics, BOX);
      physics.step();
      physics.restore(before);
    }
    const bodies = [0, 1].map((k) => addRigidBody(physics, { ...BOX, position: [2 * k, 0.5, 0] }));
    steps(physics, 3);
    return { physics, bodies };
  };
  const [one, two] = [make(0), make(5)];
  for (const [{ physics: from }, { physics: to, bodies }] of [
    [one, two],
    [two, one],
  ]) {
    const own = to.snapshot();
    const { returned, removed, renumbered } = to.restore(from.snapshot());
    expect([returned, removed, renumbered.size]).toEqual([[], [], 0]);
    expect(to.hash()).toBe(from.hash());
    const back = to.restore(own);
    expect([back.returned, back.removed]).toEqual([[], []]);
    const before = to.snapshot();
    const crate = addRigidBody(to, { ...BOX, position: [9, 0.5, 0] });
    steps(to, 1);
    expect(to.restore(before).removed).toEqual([crate]);
    expect(bodies.map((eid) => entityExists(to.world, eid))).toEqual([true, true]);
    expect(addRigidBody(to, BOX)).toBe(crate);
    to.restore(before);
  }
});
