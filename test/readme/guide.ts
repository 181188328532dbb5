// The README's guide to what a game needs first; readme.test.ts compares the two and runs this one.

import { createWorld, observe, onAdd } from 'bitecs';
import {
  addRigidBody,
  applyForce,
  applyImpulse,
  castRay,
  createDrawList,
  createPhysics,
  createShape,
  drawDebug,
  overlapSphere,
  type RayHit,
  setKinematicTarget,
  setVelocity,
  shapeMesh,
} from '../../src/index';

export const physics = createPhysics(createWorld());
export const heard: string[] = [];
export const drawn: number[] = [];
const ring = () => heard.push('bell');
const play = (speed: number) => heard.push(`hit at ${speed.toFixed(0)} m/s`);
const addMesh = (_positions: Float32Array, _normals: Float32Array, indices: Uint32Array) => drawn.push(indices.length);
const drawLines = (lines: Float32Array, count: number) => drawn.push(lines.length, count);
const [vertices, triangles] = [
  new Float32Array([-9, 0, -9, -9, 0, 9, 9, 0, 9, 9, 0, -9]),
  new Uint16Array([0, 1, 2, 0, 2, 3]),
];

export function makeBodies(): { hero: number; crate: number; bolt: number; WORLD: number; ITEM: number } {
  const [WORLD, PLAYER, ITEM] = [1, 2, 4]; // layers are bits, up to 16; two bodies touch if each is in the other's mask
  addRigidBody(physics, { type: 'static', shape: { mesh: { vertices, triangles } }, layers: WORLD });
  const hero = addRigidBody(physics, {
    shape: { capsule: [0.3, 0.6] },
    position: [0, 0.9, 0],
    mass: 70, // [kg]; else density (1000 kg/m³) × volume
    lockRotation: [true, true, true], // stays upright
    layers: PLAYER,
  });
  const pebble = createShape(physics, { sphere: 0.1 }); // an id, for bodies that share a shape
  // It passes the hero.
  const bolt = addRigidBody(physics, { shape: pebble, position: [3, 2, 0], layers: ITEM, mask: WORLD });
  const crate = addRigidBody(physics, {
    shape: { compound: [{ shape: { box: [0.4, 0.1, 0.4] } }, { shape: { cone: [0.3, 0.3] }, position: [0, 0.4, 0] }] },
    position: [0, 0.1, -2],
  });
  return { hero, crate, bolt, WORLD, ITEM };
}

export function push(hero: number, crate: number): void {
  applyImpulse(physics, crate, [0, 0, -300]); // [N·s], at once; a point [m] after it also turns the body
  applyForce(physics, crate, [0, 200, 0]); // [N], for the next step: call it before each
  setVelocity(physics, hero, [0, 4, 0]); // a jump [m/s]
}

export function addLift(): number {
  const lift = addRigidBody(physics, { type: 'kinematic', shape: { box: [1, 0.1, 1] }, position: [5, 1, 0] });
  physics.schedule.before('predict-motion', ({ time, timeStep }) => {
    // Where it shall be when the step ends: it gets there, and takes along what stands on it.
    setKinematicTarget(physics, lift, [5, 1 + Math.sin(time + timeStep), 0]);
  });
  return lift;
}

interface Seen {
  isStanding: boolean;
  near: number[];
  seen: RayHit | null;
}

export function look(hero: number, WORLD: number, ITEM: number): Seen {
  const feet = castRay(physics, [0, 0.9, 0], [0, -1, 0], 1, { mask: WORLD, ignore: hero }); // a hit, or null
  const isStanding = feet !== null && feet.normal[1] > 0.7;
  const near = overlapSphere(physics, [0, 1, 0], 5, { mask: ITEM }); // entities
  // With rods, grooms, cloth and solids; of these `feature` tells the nodes that were met, with weights.
  const seen = castRay(physics, [0, 0.9, 0], [0, -1, 0], 1, { elastic: true });
  return { isStanding, near, seen };
}

export function listen(): number {
  const door = addRigidBody(physics, {
    type: 'static',
    shape: { box: [1, 1, 0.1] },
    position: [3, 1, 0],
    sensor: true,
  });
  const { Contact } = physics.components;
  observe(physics.world, onAdd(Contact), (contact) => {
    if (Contact.entityA[contact] === door || Contact.entityB[contact] === door) ring();
    else if (Contact.approachSpeed[contact] > 1) play(Contact.approachSpeed[contact]); // [m/s]
  });
  return door;
}

export function draw(): void {
  const { positions, normals, indices } = shapeMesh({ cylinder: [0.5, 1] }); // for your renderer
  addMesh(positions, normals, indices);
  const list = createDrawList();
  drawDebug(physics, list, { contacts: true, impulses: true, boxes: true }); // every frame: lines and points as arrays
  drawLines(list.lines, list.lineCount);
}
