// stiction: real-time physics with exact Coulomb friction for bitECS worlds. The public face; nothing else is.

export type { Components } from '../components/components';
export { addScene, sceneSettings } from '../systems/add-scene';
export { createPhysics } from '../systems/create-physics';
export { drawDebug } from '../systems/draw-debug';
export type { Physics, Schedule, Snapshot, Step, System } from '../systems/physics';
export {
  castRay,
  castRayAll,
  overlapBox,
  overlapPoint,
  overlapSphere,
  type QueryOptions,
  type RayHit,
} from '../systems/queries';
export {
  addRigidBody,
  applyAngularImpulse,
  applyForce,
  applyImpulse,
  applyTorque,
  islandOf,
  type RigidBodySpec,
  refreshBody,
  removeRigidBody,
  setKinematicTarget,
  setVelocity,
  teleport,
  type Vector,
  wakeBody,
} from '../systems/rigid-body';
export { STAGES, type StageName } from '../systems/schedule';
export { createShape } from '../systems/shapes';
export { UsageError } from './core/errors';
export type { Profile } from './core/profile';
export { createDrawList, type DrawList, type DrawOptions } from './debug/draw-list';
export { shapeMesh } from './debug/shape-mesh';
export type { StepReport } from './dynamics/report';
export type { ShapeSpec } from './geometry/shapes';
export { readScene, type Scene, SceneError } from './scene/read';
export { writeScene } from './scene/write';
export type { PhysicsSettings } from './state/settings';
