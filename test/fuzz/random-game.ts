// A world in which there is one of each kind, and what a game may do to it: for tests that do so at random.

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
import type { Random } from '../../src/core/random';
import * as S from '../../src/index';

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

export interface Game {
  readonly physics: S.Physics;
  random: Random;
  bodies: number[];
  rods: number[];
  shells: number[];
  solids: number[];
  /** Made by attach. */
  ties: number[];
  joints: number[];
  walkers: number[];
  chassis: number[];
  /** What ends lists of contacts. */
  readonly ends: (() => void)[];
  /** Whether observers and systems do something, too. */
  isMeddling: boolean;
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];
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

/** A sheet of 3 × 3 vertices, level, 0.2 m between them. */
const sheetAt = ([x, y, z]: number[]) =>
  Array.from({ length: 9 }, (_, k) => [x + 0.2 * (k % 3), y, z + 0.2 * Math.floor(k / 3)]);
const SHEET = [0, 1, 3, 4].flatMap((k) => [
  [k, k + 3, k + 1],
  [k + 1, k + 3, k + 4],
]);
/** A cube of 0.3 m; its corners are 4x + 2y + z, six tetrahedra about the diagonal. */
const cubeAt = ([x, y, z]: number[]) =>
  Array.from({ length: 8 }, (_, k) => [x + 0.3 * (k >> 2), y + 0.3 * ((k >> 1) & 1), z + 0.3 * (k & 1)]);
const CUBE = [4, 6, 2, 3, 1, 5].map((k, i, around) => [0, k, around[(i + 1) % 6], 7]);

function addSheet({ random, physics, bodies, shells }: Game): void {
  const pins = random() < 0.4 ? [0, { vertex: 2, body: random() < 0.5 ? pick(random, bodies) : undefined }] : [];
  const airDrag = pick(random, [0, 1]);
  const vertices = sheetAt(point(random));
  shells.push(S.addShell(physics, { vertices, triangles: SHEET, thickness: 0.02, density: 50, airDrag, pins }));
}

function addJelly({ random, physics, bodies, solids }: Game): void {
  const model = pick(random, ['corotated', 'fixed-corotated', 'neo-hookean'] as const);
  const pins = random() < 0.3 ? [{ vertex: 0, body: random() < 0.7 ? pick(random, bodies) : undefined }] : [];
  solids.push(
    S.addSolid(physics, { vertices: cubeAt(point(random)), tetrahedra: CUBE, youngModulus: 5e4, model, pins }),
  );
}

function addLink({ random, physics, bodies, joints }: Game): void {
  const type = pick(random, S.JOINT_TYPES);
  const b = random() < 0.7 ? pick(random, bodies) : undefined;
  const soft = random() < 0.3 ? { spring: { frequency: 3 } } : {};
  const strong = random() < 0.5 ? {} : { breakForce: 2000 };
  const limited = type === 'hinge' || type === 'slider' ? { limits: [-0.5, 0.5] as const } : {};
  joints.push(S.addJoint(physics, { type, a: pick(random, bodies), b, ...soft, ...strong, ...limited }));
}

function addWalker({ random, physics, bodies, walkers }: Game): void {
  const eid = S.addCharacter(physics, { position: point(random), height: between(random, 0.8, 2) });
  walkers.push(eid);
  bodies.push(eid);
}

function addCar({ random, physics, bodies, chassis, joints }: Game): void {
  const [x, y, z] = point(random);
  const body = S.addRigidBody(physics, { shape: { box: [0.5, 0.2, 1] }, position: [x, y + 0.5, z], mass: 300 });
  bodies.push(body);
  chassis.push(body);
  const mounts = [-1, 1].flatMap((side) => [-1, 1].map((end) => [0.5 * side, 0, 0.8 * end]));
  const wheels = mounts.map((mount) => ({ mount, maxSteer: 0.4, driveForce: 500, axle: mount[2] > 0 ? 1 : 0 }));
  joints.push(...S.addVehicle(physics, { chassis: body, wheels, antiRoll: 1e3, shapeCast: random() < 0.3 }));
}

/** They are no part of snapshots: a world has them from the start or not at all. */
function addVolumes({ random, physics }: Game): void {
  const [x, y, z] = point(random);
  const region = { min: [x - 2, y - 3, z - 2], max: [x + 2, y, z + 2] };
  if (random() < 0.3) S.addWater(physics, { region, flow: [random(), 0, 0] });
  if (random() < 0.3) S.addWindVolume(physics, { region, velocity: point(random) });
  if (random() < 0.3) S.addGravityVolume(physics, { region: { center: [x, y, z], radius: 2 }, towards: [x, y, z] });
}

/** Lists of contacts are the game's own, and no part of snapshots. */
export function watch({ physics, random, ends, bodies }: Game): void {
  if (ends.length > 4) pick(random, ends)();
  else if (random() < 0.5) {
    const events = S.watchContacts(physics, random() < 0.5 ? {} : { entity: pick(random, bodies), minImpulse: 1 });
    ends.push(() => events.stop());
  }
}

/** A change by bitECS alone, which itself looks up an entity that one of its observers has removed. */
function changeBare(physics: S.Physics, eid: number, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof TypeError) || entityExists(physics.world, eid)) throw error;
  }
}

/** What a game may do between steps, and inside them where the package allows it. */
export const ACTIONS: readonly ((game: Game) => void)[] = [
  addBody,
  addBody,
  addRope,
  ({ physics, random, bodies }) => S.removeRigidBody(physics, pick(random, bodies)),
  ({ physics, random, rods }) => S.removeRod(physics, pick(random, rods)),
  ({ physics, random, rods, bodies, ties }) => {
    const body = random() < 0.8 ? pick(random, bodies) : undefined;
    ties.push(
      S.attach(physics, { rod: pick(random, rods), node: pick(random, [0, 2, 4]), body, length: pick(random, [0, 1]) }),
    );
  },
  ({ physics, random, ties }) => S.detach(physics, pick(random, ties)),
  addSheet,
  addJelly,
  addLink,
  addLink,
  ({ physics, random, shells }) => S.removeShell(physics, pick(random, shells)),
  ({ physics, random, solids }) => S.removeSolid(physics, pick(random, solids)),
  ({ physics, random, joints }) => S.removeJoint(physics, pick(random, joints)),
  ({ physics, random, shells, bodies, ties }) => {
    const vertex = Math.floor(9 * random());
    const body = random() < 0.7 ? pick(random, bodies) : undefined;
    ties.push(S.attach(physics, { shell: pick(random, shells), vertex, body, length: pick(random, [0, 1]) }));
  },
  ({ physics, random, solids, bodies, ties }) => {
    ties.push(
      S.attach(physics, { solid: pick(random, solids), vertex: pick(random, [0, 7]), body: pick(random, bodies) }),
    );
  },
  ({ physics, random, shells, solids, bodies }) => {
    const [eid, vertices] = random() < 0.5 ? [pick(random, shells), 9] : [pick(random, solids), 8];
    const at = random() < 0.5 ? { body: pick(random, bodies) } : { point: point(random) };
    S.pinVertex(physics, eid, Math.floor(vertices * random()), random() < 0.3 ? {} : at);
  },
  ({ physics, random, shells, solids }) =>
    S.unpinVertex(physics, pick(random, random() < 0.5 ? shells : solids), Math.floor(8 * random())),
  ({ physics, random, shells }) => S.addShellForce(physics, pick(random, shells), 4, point(random)),
  ({ physics, random, solids }) => S.addSolidForce(physics, pick(random, solids), 7, point(random)),
  ({ physics, random, shells }) => S.placeShell(physics, pick(random, shells), sheetAt(point(random))),
  ({ physics, random, solids }) => S.placeSolid(physics, pick(random, solids), cubeAt(point(random))),
  ({ physics, random, shells }) => S.wakeShell(physics, pick(random, shells)),
  ({ physics, random, solids }) => S.wakeSolid(physics, pick(random, solids)),
  ({ physics, random }) => S.setWind(physics, point(random)),
  ({ physics, random, joints }) => {
    const limits = pick(random, ['locked', 'free', [-0.5, 0.5]] as const);
    const motor = random() < 0.5 ? { target: random(), maxForce: 50 } : undefined;
    S.setJointAxis(physics, pick(random, joints), pick(random, ['x', 'rx', 'rz'] as const), { limits, motor });
  },
  ({ physics, random, joints, shells, solids }) => {
    const { Joint, Shell, Solid } = physics.components;
    const [column, eids] = pick(random, [
      [Joint.limitLow, joints],
      [Joint.limitHigh, joints],
      [Joint.motorVelocity, joints],
      [Joint.motorTarget, joints],
      [Joint.springFrequency, joints],
      [Joint.breakForce, joints],
      [Shell.friction, shells],
      [Shell.stretchModulus, shells],
      [Shell.thickness, shells],
      [Solid.youngModulus, solids],
      [Solid.poissonRatio, solids],
    ] as const);
    column[pick(random, eids)] =
      random() < 0.2 ? pick(random, [Number.NaN, Number.POSITIVE_INFINITY, -1]) : between(random, 0, 20);
  },
  ({ physics, random }) => void S.castShape(physics, pick(random, SHAPES), point(random), [0, -1, 0]),
  ({ physics, random }) => void S.penetration(physics, pick(random, SHAPES), { position: point(random) }),
  ({ physics, random }) => void S.closestPoint(physics, point(random)),
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
    changeBare(physics, eid, () => {
      if (hasComponent(physics.world, eid, tag)) removeComponent(physics.world, eid, tag);
      else addComponent(physics.world, eid, tag);
    });
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
  addWalker,
  addCar,
  ({ physics, random, walkers }) => {
    const { Character } = physics.components;
    const eid = pick(random, walkers);
    const { move, push, jump, crouch } = Character;
    const column = pick(random, [move.x, move.z, push.x, push.y, jump, crouch, Character.mass, Character.stepHeight]);
    column[eid] = random() < 0.1 ? pick(random, [Number.NaN, Number.POSITIVE_INFINITY, -1]) : between(random, 0, 5);
  },
  ({ physics, random, chassis, joints }) => {
    const { Vehicle, Wheel } = physics.components;
    const { throttle, steer, brake, handbrake } = Vehicle;
    const value = random() < 0.1 ? pick(random, [Number.NaN, Number.POSITIVE_INFINITY, -1]) : random();
    if (random() < 0.8) pick(random, [throttle, steer, brake, handbrake])[pick(random, chassis)] = value;
    else pick(random, [Wheel.radius, Wheel.friction, Wheel.travel])[pick(random, joints)] = value;
  },
  ({ physics, random, walkers, chassis }) => {
    const { Character, Vehicle } = physics.components;
    const [eid, component] = random() < 0.5 ? [pick(random, walkers), Character] : [pick(random, chassis), Vehicle];
    if (entityExists(physics.world, eid))
      changeBare(physics, eid, () => removeComponent(physics.world, eid, component));
  },
  ({ physics, random }) => void S.explode(physics, point(random), { radius: 3, impulse: 100 * random() }),
  watch,
  ({ physics, random, bodies }) => {
    const bones = S.personBones(point(random));
    for (const eid of S.addRagdoll(physics, bones.slice(0, 4)).bodies.values()) bodies.push(eid);
  },
  ({ physics, random, rods, shells, solids }) => {
    const to = random() < 0.5 ? { shell: pick(random, shells), vertex: 4 } : { solid: pick(random, solids), vertex: 3 };
    S.attach(physics, { rod: pick(random, rods), node: 4, to });
  },
  ({ physics, random, rods }) => {
    physics.components.Rod.friction[pick(random, rods)] = random();
  },
];

/** Does one of these; what is refused is so every time. */
export function act(game: Game, actions = ACTIONS): void {
  try {
    pick(game.random, actions)(game);
  } catch (error) {
    if (!(error instanceof S.UsageError)) throw error;
  }
}

export function makeGame(random: Random): Game {
  const physics = S.createPhysics(createWorld(), { timeStep: 1 / 60, sleepDelay: 0.2 });
  S.addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const game: Game = {
    ...{ physics, random, bodies: [], rods: [], shells: [], solids: [], ties: [], joints: [] },
    ...{ walkers: [], chassis: [], ends: [] },
    isMeddling: false,
  };
  for (let i = 0; i < 6; i++) addBody(game);
  addRope(game);
  addSheet(game);
  addJelly(game);
  addWalker(game);
  addCar(game);
  addVolumes(game);
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
