// Random calls, column writes and observers that meddle, for as long as one likes: a call works or throws a UsageError,
// the world stays whole, and a restore at any point brings back every column and tag, and the run that followed.

import {
  addComponent,
  createWorld,
  entityExists,
  hasComponent,
  observe,
  onAdd,
  onRemove,
  removeComponent,
  removeEntity,
} from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { findBrokenInvariants } from '../../src/debug/validate';
import * as S from '../../src/index';
import { worldFacts } from '../systems/world-facts';
import { rounds, seed } from './rounds';

/** Calls of one world. */
const CALLS = 400;
const SHAPES: S.ShapeSpec[] = [
  { box: [0.5, 0.3, 0.4] },
  { sphere: 0.4 },
  { capsule: [0.2, 0.3] },
  { cylinder: [0.3, 0.4] },
  { cone: [0.4, 0.4] },
  {
    hull: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  },
  { compound: [{ shape: { sphere: 0.3 } }, { position: [0.5, 0, 0], shape: { box: [0.2, 0.2, 0.2] } }] },
];

interface Game {
  readonly physics: S.Physics;
  readonly random: Random;
  readonly bodies: number[];
  readonly rods: number[];
  readonly joints: number[];
  /** Whether observers and systems do something, too. */
  isMeddling: boolean;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];
const between = (random: Random, low: number, high: number) => low + (high - low) * random();
const point = (random: Random) => [between(random, -3, 3), between(random, 0, 5), between(random, -3, 3)];

function addBody(game: Game): void {
  const { random, physics } = game;
  const type = pick(random, ['dynamic', 'dynamic', 'dynamic', 'kinematic', 'static'] as const);
  const sensor = random() < 0.1;
  const modifyContacts = random() < 0.1;
  const shape = pick(random, SHAPES);
  game.bodies.push(
    S.addRigidBody(physics, { type, shape, sensor, modifyContacts, position: point(random), friction: random() }),
  );
}

function addRope(game: Game): void {
  const { random, physics, bodies } = game;
  const [x, y, z] = point(random);
  const points = Array.from({ length: 5 }, (_, i) => [x, y - 0.15 * i, z]);
  const attachStart = random() < 0.3 ? pick(random, bodies) : undefined;
  game.rods.push(
    S.addRod(physics, { points, radius: 0.02, density: 500, youngModulus: 1e6, clampStart: true, attachStart }),
  );
}

/** What a game may do between steps, and inside them where the package allows it. */
const ACTIONS: readonly ((game: Game) => void)[] = [
  addBody,
  addBody,
  addRope,
  ({ physics, random, bodies }) => S.removeRigidBody(physics, pick(random, bodies)),
  ({ physics, random, rods }) => S.removeRod(physics, pick(random, rods)),
  ({ physics, random, rods, bodies, joints }) => {
    const body = random() < 0.8 ? pick(random, bodies) : undefined;
    joints.push(
      S.attach(physics, { rod: pick(random, rods), node: pick(random, [0, 2, 4]), body, length: pick(random, [0, 1]) }),
    );
  },
  ({ physics, random, joints }) => S.detach(physics, pick(random, joints)),
  ({ physics, random, bodies }) => S.applyForce(physics, pick(random, bodies), point(random)),
  ({ physics, random, bodies }) => S.applyImpulse(physics, pick(random, bodies), point(random), point(random)),
  ({ physics, random, bodies }) => S.setVelocity(physics, pick(random, bodies), point(random)),
  ({ physics, random, bodies }) => S.teleport(physics, pick(random, bodies), point(random)),
  ({ physics, random, bodies }) => S.setKinematicTarget(physics, pick(random, bodies), point(random)),
  ({ physics, random, bodies }) => S.setSurfaceVelocity(physics, pick(random, bodies), point(random)),
  ({ physics, random, bodies }) => S.refreshBody(physics, pick(random, bodies)),
  ({ physics, random, bodies }) => S.wakeBody(physics, pick(random, bodies)),
  ({ physics, random, rods }) => S.addRodForce(physics, pick(random, rods), 'end', point(random)),
  ({ physics, random, rods }) =>
    S.setClamp(physics, pick(random, rods), 'start', random() < 0.5 ? null : { follow: null }),
  ({ physics, random }) => void S.castRay(physics, point(random), [0, -1, 0]),
  ({ physics, random }) => void S.overlapSphere(physics, point(random), 1),
  ({ physics, random, bodies }) => {
    const { Static, Kinematic, Sensor, Sleeping, RigidBody } = physics.components;
    const tag = pick(random, [Static, Kinematic, Sensor, Sleeping, RigidBody]);
    const eid = pick(random, bodies);
    if (!entityExists(physics.world, eid)) return;
    try {
      if (hasComponent(physics.world, eid, tag)) removeComponent(physics.world, eid, tag);
      else addComponent(physics.world, eid, tag);
    } catch (error) {
      // bitECS itself looks up an entity that one of its observers has removed.
      if (!(error instanceof TypeError) || entityExists(physics.world, eid)) throw error;
    }
  },
  ({ physics, random, bodies }) => {
    const { Transform, Velocity, RigidBody, Material, Collider } = physics.components;
    const { force } = RigidBody;
    const column = pick(random, [
      Transform.position.x,
      Velocity.linear.y,
      RigidBody.mass,
      RigidBody.linearDamping,
      RigidBody.gravityScale,
      force.y,
      Material.friction,
      Collider.mask,
    ]);
    column[pick(random, bodies)] =
      random() < 0.1 ? pick(random, [Number.NaN, Number.POSITIVE_INFINITY, -1]) : between(random, 0, 20);
  },
  ({ physics, random, rods }) => {
    physics.components.Rod.friction[pick(random, rods)] = random();
  },
];

function act(game: Game): void {
  try {
    pick(game.random, ACTIONS)(game);
  } catch (error) {
    if (!(error instanceof S.UsageError)) throw error;
  }
}

function makeGame(random: Random): Game {
  const physics = S.createPhysics(createWorld(), { timeStep: 1 / 60, sleepDelay: 0.2 });
  S.addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const game: Game = { physics, random, bodies: [], rods: [], joints: [], isMeddling: false };
  for (let i = 0; i < 6; i++) addBody(game);
  addRope(game);
  const meddle = () => {
    if (game.isMeddling && random() < 0.05) act(game);
  };
  const { components, world } = physics;
  for (const component of Object.values(components)) {
    for (const event of [onAdd, onRemove]) observe(world, event(component), meddle);
  }
  observe(world, onAdd(components.Contact), (eid: number) => {
    if (game.isMeddling && random() < 0.02) removeEntity(world, eid);
  });
  for (const stage of S.STAGES) physics.schedule.after(stage, meddle);
  physics.modifyContacts((contact) => {
    if (contact.points[0].position[0] > 1) contact.enabled = false;
  });
  return game;
}

/** What is there or has a value now and not before, and the other way round, by name. */
function expectSame(now: Record<string, unknown>, before: Record<string, unknown>): void {
  const differing = [...new Set([...Object.keys(now), ...Object.keys(before)])]
    .filter((name) => JSON.stringify([now[name]]) !== JSON.stringify([before[name]]))
    .map((name) => `${name}: ${JSON.stringify(now[name])}, before ${JSON.stringify(before[name])}`);
  if (differing.length > 0) throw new Error(`${differing.length} differ: ${differing.slice(0, 5).join('; ')}`);
}

function expectWhole({ physics }: Game): void {
  const { arena, tables } = physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
}

/** Steps that no one meddles with. */
function rest(game: Game, steps: number): Record<string, unknown> {
  const was = game.isMeddling;
  game.isMeddling = false;
  for (let i = 0; i < steps; i++) game.physics.step();
  game.isMeddling = was;
  return worldFacts(game.physics);
}

const WORLDS = rounds(4, 250);
test.each(Array.from({ length: WORLDS }, (_, k) => seed() + k))('random calls and restores, seed %i', (start) => {
  const random = createRandom(start);
  const game = makeGame(random);
  const { physics } = game;
  let kept: { snapshot: S.Snapshot; facts: Record<string, unknown>; later: Record<string, unknown> } | null = null;
  game.isMeddling = true;
  for (let call = 0; call < CALLS; call++) {
    act(game);
    if (random() < 0.3) {
      physics.step();
      expectWhole(game);
    }
    if (random() < 0.02) {
      const snapshot = physics.snapshot();
      const facts = worldFacts(physics);
      const later = rest(game, 3);
      physics.restore(snapshot);
      expectSame(worldFacts(physics), facts);
      kept = { snapshot, facts, later };
    }
    if (kept && random() < 0.03) {
      physics.restore(kept.snapshot);
      expectWhole(game);
      expectSame(worldFacts(physics), kept.facts);
      expectSame(rest(game, 3), kept.later);
    }
  }
});
