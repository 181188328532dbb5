// PhysX by its WebIDL bindings: the default solver (PGS, 4 position and 1 velocity iterations) and TGS.
// The npm build refuses to run in Node, so Node hides while the factory runs.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { addBodies } from './bodies.mjs';

let P;
let physics;
let scale;
let dispatcher;

async function boot() {
  if (P) return;
  const { default: start } = await import('physx-js-webidl');
  const { versions } = process;
  Object.defineProperty(process, 'versions', { value: { ...versions, node: undefined }, configurable: true });
  globalThis.window ??= globalThis;
  globalThis.document ??= { currentScript: null };
  const path = createRequire(import.meta.url)
    .resolve('physx-js-webidl')
    .replace(/\.mjs$/, '.wasm');
  P = await start({ wasmBinary: fs.readFileSync(path), locateFile: () => path });
  Object.defineProperty(process, 'versions', { value: versions, configurable: true });
  const foundation = P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
  scale = new P.PxTolerancesScale();
  physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, scale);
  dispatcher = P.DefaultCpuDispatcherCreate(0);
}

function makeScene(gravity, tgs) {
  const g = new P.PxVec3(...gravity);
  const description = new P.PxSceneDesc(scale);
  description.set_gravity(g);
  description.set_cpuDispatcher(dispatcher);
  description.set_filterShader(P.DefaultFilterShader());
  if (tgs) description.solverType = P.PxSolverTypeEnum.eTGS;
  const scene = physics.createScene(description);
  P.destroy(description);
  P.destroy(g);
  return scene;
}

function makeTransform(position, rotation) {
  const p = new P.PxVec3(...position);
  const q = new P.PxQuat(...rotation);
  const transform = new P.PxTransform(p, q);
  P.destroy(p);
  P.destroy(q);
  return transform;
}

function makeHull(points) {
  const array = new P.PxArray_PxVec3(points.length);
  points.forEach((point, i) => {
    const p = new P.PxVec3(...point);
    array.set(i, p);
    P.destroy(p);
  });
  const description = new P.PxConvexMeshDesc();
  description.flags = new P.PxConvexFlags(P.PxConvexFlagEnum.eCOMPUTE_CONVEX);
  description.points.count = points.length;
  description.points.stride = 12;
  description.points.data = array.begin();
  return new P.PxConvexMeshGeometry(P.CreateConvexMesh(new P.PxCookingParams(scale), description));
}

function makeActor(shape, { dynamic, mass, position, rotation }, sleep) {
  const pose = makeTransform(position, rotation);
  const actor = dynamic ? physics.createRigidDynamic(pose) : physics.createRigidStatic(pose);
  P.destroy(pose);
  actor.attachShape(shape);
  if (dynamic) {
    P.PxRigidBodyExt.prototype.setMassAndUpdateInertia(actor, mass);
    actor.setLinearDamping(0);
    actor.setAngularDamping(0);
    if (!sleep) actor.setSleepThreshold(0);
  }
  return actor;
}

function makePhysx(tgs) {
  return {
    async init() {
      await boot();
      const v = P.PHYSICS_VERSION;
      return `PhysX ${[(v >> 24) & 255, (v >> 16) & 255, (v >> 8) & 255].join('.')}`;
    },
    load(file, { sleep }) {
      const scene = makeScene(file.gravity, tgs);
      const { eSCENE_QUERY_SHAPE, eSIMULATION_SHAPE } = P.PxShapeFlagEnum;
      const flags = new P.PxShapeFlags(eSCENE_QUERY_SHAPE | eSIMULATION_SHAPE);
      const filter = new P.PxFilterData(1, 1, 0, 0);
      const materials = new Map();
      const moving = [];
      const add = (geometry, body, turn) => {
        const { friction } = body;
        if (!materials.has(friction)) materials.set(friction, physics.createMaterial(friction, friction, 0));
        const shape = physics.createShape(geometry, materials.get(friction), true, flags);
        shape.setSimulationFilterData(filter);
        if (turn) {
          const local = makeTransform([0, 0, 0], turn);
          shape.setLocalPose(local);
          P.destroy(local);
        }
        const actor = makeActor(shape, body, sleep);
        scene.addActor(actor);
        if (body.velocity) {
          const v = new P.PxVec3(...body.velocity);
          actor.setLinearVelocity(v);
          P.destroy(v);
        }
        if (body.dynamic) moving.push(actor);
        P.destroy(geometry);
      };
      addBodies(file, {
        box: (body) => add(new P.PxBoxGeometry(...body.shape.box), body),
        sphere: (body) => add(new P.PxSphereGeometry(body.shape.sphere), body),
        // Its capsules lie along x.
        capsule: (body) =>
          add(new P.PxCapsuleGeometry(...body.shape.capsule), body, [0, 0, Math.SQRT1_2, Math.SQRT1_2]),
        hull: (body) => add(makeHull(body.shape.hull), body),
      });
      return {
        step() {
          scene.simulate(file.timeStep);
          scene.fetchResults(true);
        },
        readPoses(out) {
          let k = 0;
          for (const actor of moving) {
            const { p, q } = actor.getGlobalPose();
            out[k++] = p.x;
            out[k++] = p.y;
            out[k++] = p.z;
            out[k++] = q.x;
            out[k++] = q.y;
            out[k++] = q.z;
            out[k++] = q.w;
          }
        },
        dispose() {
          for (const actor of moving) actor.release();
          scene.release();
        },
      };
    },
  };
}

export const physx = makePhysx(false);
export const physxTgs = makePhysx(true);
