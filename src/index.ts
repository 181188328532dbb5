// stiction: real-time physics with exact Coulomb friction for bitECS worlds. The public face; nothing else is.

export type { Components, RodColumns, ShellColumns, SolidColumns } from '../components/components';
export { type AddedScene, addScene, sceneSettings } from '../systems/add-scene';
export type { AddSceneOptions } from '../systems/add-scene-rods';
export { type AttachEnd, type AttachSpec, attach, attachmentDistance, detach } from '../systems/attachments';
export { type BakedGroom, type BakeOptions, bakeGroom } from '../systems/bake-groom';
export { addCharacter, type CharacterSpec, enableCharacters } from '../systems/characters';
export {
  CONTACT_BEGIN,
  CONTACT_END,
  CONTACT_STAY,
  type ContactEventOptions,
  type ContactEvents,
  watchContacts,
} from '../systems/contact-events';
export { rodContactForces } from '../systems/contact-forces';
export { createPhysics } from '../systems/create-physics';
export { drawDebug } from '../systems/draw-debug';
export {
  enableGpuStrands,
  type GpuStrandsHandle,
  type GpuStrandsOptions,
  type StrandGrip,
} from '../systems/gpu-strands';
export { addGroom, type GroomSpec } from '../systems/grooms';
export { type IslandReport, listIslands } from '../systems/islands';
export type {
  AxisName,
  JointAxis,
  JointFrame,
  JointMotor,
  JointSpec,
  JointSpring,
} from '../systems/joint-spec';
export { addJoint, readJointAxis, removeJoint, setJointAxis } from '../systems/joints';
export type { ElasticFeature, Physics, Schedule, Step, System } from '../systems/physics';
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
  castRays,
  castShapes,
  createOverlapBatch,
  createRayBatch,
  type OverlapBatch,
  overlapShapes,
  type RayBatch,
} from '../systems/query-batches';
export { addRagdoll, type BoneSpec, personBones, type Ragdoll, type RagdollOptions } from '../systems/ragdolls';
export {
  readAngularVelocity,
  readContactNormal,
  readContactPoint,
  readInterpolatedPosition,
  readInterpolatedRotation,
  readPosition,
  readRotation,
  readVelocity,
} from '../systems/read-state';
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
  setSurfaceVelocity,
  setVelocity,
  teleport,
  type Vector,
  wakeBody,
} from '../systems/rigid-body';
export type { RodOptions } from '../systems/rod-spec';
export type { StrandColumns } from '../systems/rod-state';
export {
  addRod,
  addRodForce,
  type ClampPose,
  type Points,
  type RodEnd,
  type RodSpec,
  removeRod,
  rodPositions,
  rodTwists,
  rodVelocities,
  setClamp,
  setWind,
  wakeRod,
} from '../systems/rods';
export { enableSagFree, type SagFreeHandle } from '../systems/sag-free';
export { loadGame, saveGame } from '../systems/save-game';
export {
  type ClosestPoint,
  type ClosestPointOptions,
  castShape,
  castShapeAll,
  closestPoint,
  overlapShape,
  type Penetration,
  penetration,
  type ShapeCastHit,
  type ShapeCastOptions,
  type ShapePose,
} from '../systems/shape-queries';
export { createShape, removeShape } from '../systems/shapes';
export type { ShellPin, ShellSpec, Triangles } from '../systems/shell-spec';
export type { ShellView } from '../systems/shell-state';
export {
  addShell,
  addShellForce,
  type PinOptions,
  pinVertex,
  placeShell,
  removeShell,
  shellPositions,
  shellVelocities,
  unpinVertex,
  wakeShell,
} from '../systems/shells';
export type { RestoreReport, Snapshot } from '../systems/snapshot-types';
export { growOn } from '../systems/solid-fur';
export type { SolidElementKind, SolidModel, SolidSpec, Tetrahedra } from '../systems/solid-spec';
export {
  addSolid,
  addSolidForce,
  placeSolid,
  removeSolid,
  solidPositions,
  solidVelocities,
  wakeSolid,
} from '../systems/solids';
export { type ProblemAnswer, type ProblemOptions, solveProblem } from '../systems/solve-problem';
export { STAGES, type StageName } from '../systems/stage-names';
export { addVehicle, enableVehicles, type VehicleSpec, type WheelSpec } from '../systems/vehicles';
export {
  addGravityVolume,
  addWater,
  addWindVolume,
  type ExplosionOptions,
  explode,
  type GravityVolumeSpec,
  type Region,
  type WaterSpec,
  type WindVolumeSpec,
} from '../systems/volumes';
export { UsageError } from './core/errors';
export type { Profile, TraceEvent } from './core/profile';
export { createDrawList, type DrawList, type DrawOptions } from './debug/draw-list';
export { type ShapeMesh, shapeMesh } from './debug/shape-mesh';
export type { ContactModifier, ContactPointView, ContactView } from './dynamics/contact-view';
export type { StepReport } from './dynamics/report';
export type { CompoundPart, ShapeSpec } from './geometry/shapes';
export type { DrawingBuffers } from './gpu/tables/drawing-buffers';
export type { GpuStrandsReport } from './gpu/world/report';
export type { GroomStrands } from './scene/grooms/groom';
export { readGroom } from './scene/grooms/read-groom';
export { type ResampledGroom, type ResampleOptions, resampleGroom } from './scene/grooms/resample-groom';
export type { TetrahedronMesh, TriangleMesh } from './scene/meshes/mesh';
export { readTetrahedra, readTriangleMesh } from './scene/meshes/read-mesh';
export { type FrictionProblem, readProblem, writeProblem } from './scene/problem';
export { readScene, type Scene, SceneError } from './scene/read';
export type { SceneLimits } from './scene/scene-types';
export { writeScene } from './scene/write';
export type { CombineRule } from './state/combine-rules';
export { JOINT_TYPES, type JointType } from './state/joint-types';
export type { RodMaterial } from './state/rod-material';
export type { PhysicsSettings, ResolvedSettings } from './state/settings';
export type { ShellMaterial } from './state/shell-material';
export type { SolidMaterial } from './state/solid-material';
export type { StrandRest } from './state/strand-rest';
export type { SagFreeReport } from './static-equilibrium/bake-strands';
export { type FigureStrand, type SolverTrace, traceFigure } from './static-equilibrium/figure-programs';
export type { SagFreeOptions } from './static-equilibrium/sag-free-options';
