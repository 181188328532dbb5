import { createWorld } from 'bitecs';
import {
  addRigidBody,
  castRay,
  castRayAll,
  castShape,
  closestPoint,
  createPhysics,
  overlapShape,
  overlapSphere,
} from 'stiction';

const physics = createPhysics(createWorld());
const [WORLD, ITEM] = [1, 2];
const crate = { shape: { box: [0.5, 0.5, 0.5] } } as const;
addRigidBody(physics, { type: 'static', ...crate, position: [0, 0.5, -5], layers: WORLD });
const hero = addRigidBody(physics, { shape: { capsule: [0.3, 0.6] }, position: [0, 0.9, 0] });

// #region ray
// From the eyes straight ahead, up to 20 m, at what stands and at what can be picked up, but not at oneself.
const seen = castRay(physics, [0, 1.6, 0], [0, 0, -1], 20, { mask: WORLD | ITEM, ignore: hero });
if (seen) console.log(seen.entity, seen.distance, seen.point, seen.normal);

// All that a bullet goes through, the nearest first.
const struck = castRayAll(physics, [0, 0.5, 0], [0, 0, -1], 100, { ignore: hero });
// #endregion ray

// #region overlap
const items = overlapSphere(physics, [0, 1, 0], 2, { mask: ITEM }); // entities within 2 m
// Is there room to spawn something?
const isFree = overlapShape(physics, { box: [0.5, 1, 0.5] }, { position: [4, 1, 0] }).length === 0;
// #endregion overlap

// #region shape
// A camera that does not go through walls: a ball of 20 cm on its way back from the head.
const wall = castShape(physics, { sphere: 0.2 }, [0, 1.6, 0], [0, 0.3, 1], 4, { mask: WORLD, ignore: hero });
const back = wall ? wall.distance : 4; // [m]

// What is nearest to a blast, and how far away.
const nearest = closestPoint(physics, [2, 0, -4], { maxDistance: 10, ignore: hero });
// #endregion shape

console.log(struck.length, items.length, isFree, back, nearest?.distance);
