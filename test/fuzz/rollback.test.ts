// Rollback of ten steps in which bodies, ropes, joints and attachments come and go, as a networked game has it: the
// same inputs give the same hash after other inputs were tried, and no observer is told of a restore.

import { createWorld, entityExists, hasComponent, observe, onAdd, onRemove } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { findBrokenInvariants } from '../../src/debug/validate';
import * as S from '../../src/index';
import { differingContacts } from '../../systems/emit-events';
import { bySuite } from '../setup/suite';
import { isRareTold } from './rare-told';
import { rounds, seed } from './rounds';

const WINDOW = 10;

/** Entities that inputs name: those of a rolled back window must be forgotten with it. */
interface Game {
  readonly physics: S.Physics;
  bodies: number[];
  rods: number[];
  joints: number[];
  ties: number[];
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];

function addBody(game: Game, random: Random): void {
  const shape = pick<S.ShapeSpec>(random, [
    { box: [0.4, 0.3, 0.3] },
    { sphere: 0.3 },
    { capsule: [0.2, 0.3] },
    { cylinder: [0.3, 0.3] },
  ]);
  const position = [4 * random() - 2, 0.5 + 3 * random(), 4 * random() - 2];
  game.bodies.push(S.addRigidBody(game.physics, { shape, position, restitution: random() < 0.2 ? 0.5 : 0 }));
}

function addRope(game: Game, random: Random): void {
  const [x, z] = [4 * random() - 2, 4 * random() - 2];
  const points = Array.from({ length: 7 }, (_, i) => [x, 3.5 - 0.15 * i, z]);
  game.rods.push(S.addRod(game.physics, { points, radius: 0.015, clampStart: random() < 0.5 }));
}

/** What players do. What has gone is refused, which is the same every time. */
const INPUTS: readonly ((game: Game, random: Random) => void)[] = [
  addBody,
  addBody,
  addRope,
  ({ physics, bodies }, random) => S.removeRigidBody(physics, pick(random, bodies)),
  ({ physics, rods }, random) => S.removeRod(physics, pick(random, rods)),
  ({ physics, bodies, joints }, random) => {
    const [a, b] = [pick(random, bodies), pick(random, bodies)];
    if (a !== b)
      joints.push(S.addJoint(physics, { type: 'ball', a, b, anchor: S.readPosition(physics, a, [0, 0, 0]) }));
  },
  ({ physics, joints }, random) => S.removeJoint(physics, pick(random, joints)),
  ({ physics, rods, bodies, ties }, random) => {
    ties.push(S.attach(physics, { rod: pick(random, rods), node: 6, body: pick(random, bodies) }));
  },
  ({ physics, ties }, random) => S.detach(physics, pick(random, ties)),
  ({ physics, bodies }, random) => S.applyImpulse(physics, pick(random, bodies), [200 * random() - 100, 300, 0]),
  ({ physics, bodies }, random) => S.setVelocity(physics, pick(random, bodies), [5 * random(), 0, 0]),
  ({ physics, bodies }, random) => {
    physics.components.RigidBody.force.y[pick(random, bodies)] = 3000 * random();
  },
];

function play(game: Game, start: number, steps: number): void {
  const random = createRandom(start);
  for (let k = 0; k < steps; k++) {
    for (let n = Math.floor(3 * random()); n > 0; n--) {
      try {
        pick(random, INPUTS)(game, random);
      } catch (error) {
        if (!(error instanceof S.UsageError)) throw error;
      }
    }
    // What a snapshot does not look at is as it says: here, where bodies have come and gone, and after a step.
    expect(game.physics.snapshot().contacts.entities).toEqual(differingContacts(game.physics, true));
    game.physics.step();
    expect(isRareTold(game.physics)).toBe(true);
    expect(differingContacts(game.physics)).toEqual(differingContacts(game.physics, true));
  }
}

/** Whether the world of this seed is large and its snapshot packed. */
const isLarge = (start: number): boolean => (start - seed()) % 20 === 0;

function makeGame(start: number): Game {
  const physics = S.createPhysics(createWorld(), { sleepDelay: 0.2 });
  S.addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const game: Game = { physics, bodies: [], rods: [], joints: [], ties: [] };
  const random = createRandom(start);
  // From 128 bodies on the snapshots share masses and materials.
  for (let i = isLarge(start) ? 140 : 8; i > 0; i--) addBody(game, random);
  for (let i = 0; i < 2; i++) addRope(game, random);
  play(game, start + 1, 20 + Math.floor(40 * random()));
  return game;
}

const ROUNDS = rounds(bySuite(4, 12), 150);

test.each(Array.from({ length: ROUNDS }, (_, k) => seed() + 10 * k))('ten steps back and forth, seed %i', (start) => {
  const game = makeGame(start);
  const { physics } = game;
  const { world, components } = physics;
  const lists = () => [game.bodies, game.rods, game.joints, game.ties].map((list) => list.slice());
  const names = lists();
  const snapshot = physics.snapshot();
  // At once, or when others share masses and materials.
  const isPackedLater = (start - seed()) % 40 !== 0;
  if (isLarge(start) && !isPackedLater) physics.packSnapshot(snapshot);
  const before = physics.hash();
  let told = 0;
  let isRestoring = false;
  for (const component of Object.values(components)) {
    for (const event of [onAdd, onRemove]) {
      observe(world, event(component), () => {
        if (isRestoring) told++;
      });
    }
  }
  const back = () => {
    isRestoring = true;
    physics.restore(snapshot);
    isRestoring = false;
    [game.bodies, game.rods, game.joints, game.ties] = names.map((list) => list.slice());
    expect(physics.hash()).toBe(before);
    expect(findBrokenInvariants(physics.internal.engine.arena, physics.internal.engine.tables)).toEqual([]);
  };
  play(game, start + 2, WINDOW);
  const [after, then] = [physics.hash(), lists()];
  // By each list's own component.
  const { RigidBody, Rod, Joint, Attachment } = components;
  const kinds = [RigidBody, Rod, Joint, Attachment];
  const livingOf = (all: number[][]) =>
    all.map((list, k) => list.map((eid) => entityExists(world, eid) && hasComponent(world, eid, kinds[k])));
  const alive = livingOf(then);
  for (const other of [start + 3, start + 4]) {
    back();
    play(game, other, WINDOW);
    if (isLarge(start) && isPackedLater) physics.packSnapshot(snapshot);
    back();
    play(game, start + 2, WINDOW);
    expect(physics.hash()).toBe(after);
    expect(lists()).toEqual(then);
    expect(livingOf(then)).toEqual(alive);
  }
  expect(told).toBe(0);
});
