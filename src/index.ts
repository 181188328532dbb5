// stiction: real-time physics with exact Coulomb friction for bitECS worlds. The public face; nothing else is.

export type { Components } from '../components/components';
export { type AddedScene, addScene, sceneSettings } from '../systems/add-scene';
export { createPhysics } from '../systems/create-physics';
export { drawDebug } from '../systems/draw-debug';
export { type IslandReport, listIslands } from '../systems/islands';
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
export type { Profile, TraceEvent } from './core/profile';
export { createDrawList, type DrawList, type DrawOptions } from './debug/draw-list';
export { type ShapeMesh, shapeMesh } from './debug/shape-mesh';
export type { StepReport } from './dynamics/report';
export type { CompoundPart, ShapeSpec } from './geometry/shapes';
export { readScene, type Scene, SceneError } from './scene/read';
export type { SceneLimits } from './scene/scene-types';
export { writeScene } from './scene/write';
export type { PhysicsSettings, ResolvedSettings } from './state/settings';
