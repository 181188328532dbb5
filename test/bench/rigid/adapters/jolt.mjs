// Jolt, three builds:
//   jolt       the default npm entry: one thread, no SIMD
//   jolt-simd  the multithreaded build (the only npm build with SIMD) with no worker
//   jolt-mt    that build with one worker beside the main thread
// The multithreaded glue of 1.1.0 never resolves in Node: its last statement lacks parentheses, so that a worker does
// not know it is one. A copy with that one expression put right is written next to it.
// Convex radius: the engine's 0.05 m, less for thin boxes.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { addBodies } from './bodies.mjs';

const STILL = 0;
const MOVING = 1;

function repairedThreads() {
  const name = 'jolt-physics.multithread.wasm-compat';
  const folder = createRequire(import.meta.url)
    .resolve('jolt-physics/package.json')
    .replace('package.json', 'dist/');
  const copy = `${folder}${name}.node-fix.js`;
  if (!fs.existsSync(copy)) {
    const text = fs
      .readFileSync(`${folder}${name}.js`, 'utf8')
      .replace('await import("node:worker_threads").workerData', '(await import("node:worker_threads")).workerData')
      .replaceAll(`${name}.js`, `${name}.node-fix.js`);
    fs.writeFileSync(copy, text);
  }
  return pathToFileURL(copy).href;
}

function makeWorld(J, scene, workers) {
  const settings = new J.JoltSettings();
  if (workers !== undefined) settings.mMaxWorkerThreads = workers;
  // The default of 65536 aborts with many bodies: the temporary allocator of 10 MiB cannot be set from JavaScript.
  if (scene.bodies.length > 3000) settings.mMaxContactConstraints = 20000;
  const pairs = new J.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STILL, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const broadphase = new J.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [STILL, MOVING]) {
    const handle = new J.BroadPhaseLayer(layer);
    broadphase.MapObjectToBroadPhaseLayer(layer, handle);
    J.destroy(handle);
  }
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broadphase;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broadphase, 2, pairs, 2);
  const world = new J.JoltInterface(settings);
  J.destroy(settings);
  const gravity = new J.Vec3(...scene.gravity);
  world.GetPhysicsSystem().SetGravity(gravity);
  J.destroy(gravity);
  return world;
}

function addBody(J, bodies, shape, { dynamic, mass, friction, position, rotation, velocity }, sleep) {
  const place = new J.RVec3(...position);
  const turn = new J.Quat(...rotation);
  const motion = dynamic ? J.EMotionType_Dynamic : J.EMotionType_Static;
  const settings = new J.BodyCreationSettings(shape, place, turn, motion, dynamic ? MOVING : STILL);
  settings.mFriction = friction;
  settings.mRestitution = 0;
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  settings.mAllowSleeping = sleep;
  if (dynamic) {
    settings.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
    settings.mMassPropertiesOverride.mMass = mass;
  }
  if (velocity) {
    const v = new J.Vec3(...velocity);
    settings.mLinearVelocity = v;
    J.destroy(v);
  }
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), J.EActivation_Activate);
  for (const object of [settings, place, turn]) J.destroy(object);
  return body;
}

function makeBox(J, half) {
  const extent = new J.Vec3(...half);
  const shape = new J.BoxShape(extent, Math.min(0.05, 0.4 * Math.min(...half)));
  J.destroy(extent);
  return shape;
}

function makeHull(J, points) {
  const settings = new J.ConvexHullShapeSettings();
  for (const point of points) {
    const p = new J.Vec3(...point);
    settings.mPoints.push_back(p);
    J.destroy(p);
  }
  return settings.Create().Get();
}

/** Gives every body a group of its own; returns the table that tells which two do not touch. */
function separateGroups(J, all) {
  const filter = new J.GroupFilterTable(all.length);
  all.forEach((body, i) => {
    const group = body.GetCollisionGroup();
    group.SetGroupFilter(filter);
    group.SetGroupID(0);
    group.SetSubGroupID(i);
  });
  return filter;
}

function addJoint(J, system, filter, all, { type, limits, ends: [own, other] }) {
  const settings = type === 'hinge' ? new J.HingeConstraintSettings() : new J.PointConstraintSettings();
  settings.mSpace = J.EConstraintSpace_LocalToBodyCOM;
  const write = (point, [x, y, z]) => point.Set(x, y, z);
  write(settings.mPoint1, other.anchor);
  write(settings.mPoint2, own.anchor);
  if (type === 'hinge') {
    const square = ([x, y, z]) => (Math.abs(x) > 0.5 ? [0, 1, 0] : Math.abs(z) > 0.5 ? [1, 0, 0] : [x, z, -y]);
    for (const [end, k] of [
      [other, 1],
      [own, 2],
    ]) {
      write(settings[`mHingeAxis${k}`], end.axis);
      write(settings[`mNormalAxis${k}`], square(end.axis));
    }
    if (limits) [settings.mLimitsMin, settings.mLimitsMax] = limits;
  }
  const base = other.index < 0 ? J.Body.prototype.sFixedToWorld : all[other.index];
  system.AddConstraint(settings.Create(base, all[own.index]));
  J.destroy(settings);
  if (other.index >= 0) filter.DisableCollision(own.index, other.index);
}

function makeJolt(entry, workers) {
  let J;
  return {
    async init() {
      const { default: start } = await import(entry ?? repairedThreads());
      J = await start();
      return '';
    },
    load(scene, { sleep }) {
      const world = makeWorld(J, scene, workers);
      const bodies = world.GetPhysicsSystem().GetBodyInterface();
      const moving = [];
      const all = [];
      let filter; // of bodies that are joined
      const add = (shape, spec) => {
        const body = addBody(J, bodies, shape, spec, sleep);
        all.push(body);
        if (spec.dynamic) moving.push(body);
      };
      addBodies(scene, {
        box: (body) => add(makeBox(J, body.shape.box), body),
        sphere: (body) => add(new J.SphereShape(body.shape.sphere), body),
        capsule: (body) => add(new J.CapsuleShape(body.shape.capsule[1], body.shape.capsule[0]), body),
        joint: (joint) => {
          filter ??= separateGroups(J, all);
          addJoint(J, world.GetPhysicsSystem(), filter, all, joint);
        },
        hull: (body) => add(makeHull(J, body.shape.hull), body),
      });
      return {
        step: () => world.Step(scene.timeStep, 1),
        readPoses(out) {
          let k = 0;
          for (const body of moving) {
            const p = body.GetPosition();
            out[k++] = p.GetX();
            out[k++] = p.GetY();
            out[k++] = p.GetZ();
            const q = body.GetRotation();
            out[k++] = q.GetX();
            out[k++] = q.GetY();
            out[k++] = q.GetZ();
            out[k++] = q.GetW();
          }
        },
        dispose: () => J.destroy(world),
      };
    },
  };
}

export const jolt = makeJolt('jolt-physics/wasm-compat');
export const joltSimd = makeJolt(undefined, 0);
export const joltThreads = makeJolt(undefined, 1);
