// Havok. In Node its glue cannot fetch the .wasm itself, so the bytes are handed over. Poses are read from its body
// buffer, one 4×4 matrix (columns first) a body: the fast way.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { addBodies } from './bodies.mjs';

let H;

/** Result of a call, or an error. */
function expectOk(answer, what) {
  const code = Array.isArray(answer) ? answer[0] : answer;
  if (code !== H.Result.RESULT_OK) throw new Error(`havok: ${what} failed: ${JSON.stringify(code?.value ?? code)}`);
  return Array.isArray(answer) ? answer[1] : undefined;
}

function addBody(world, shape, { dynamic, mass, friction, position, rotation, velocity }, sleep) {
  const { GEOMETRIC_MEAN, MAXIMUM } = H.MaterialCombine;
  expectOk(H.HP_Shape_SetMaterial(shape, [friction, friction, 0, GEOMETRIC_MEAN, MAXIMUM]), 'material');
  const body = expectOk(H.HP_Body_Create(), 'body');
  expectOk(H.HP_Body_SetShape(body, shape), 'shape');
  expectOk(H.HP_Body_SetMotionType(body, dynamic ? H.MotionType.DYNAMIC : H.MotionType.STATIC), 'motion type');
  if (dynamic) {
    const properties = expectOk(H.HP_Shape_BuildMassProperties(shape), 'mass properties');
    properties[1] = mass; // the inertia beside it is stored for a mass of 1
    expectOk(H.HP_Body_SetMassProperties(body, properties), 'mass');
    expectOk(H.HP_Body_SetLinearDamping(body, 0), 'linear damping');
    expectOk(H.HP_Body_SetAngularDamping(body, 0), 'angular damping');
  }
  expectOk(H.HP_Body_SetQTransform(body, [position, rotation]), 'transform');
  expectOk(H.HP_World_AddBody(world, body, false), 'adding');
  if (dynamic && !sleep)
    expectOk(H.HP_Body_SetActivationControl(body, H.ActivationControl.ALWAYS_ACTIVE), 'activation');
  if (velocity) expectOk(H.HP_Body_SetLinearVelocity(body, velocity), 'velocity');
  return body;
}

function makeHull(points) {
  const pointer = H._malloc(points.length * 12);
  new Float32Array(H.HEAPU8.buffer, pointer, points.length * 3).set(points.flat());
  const shape = expectOk(H.HP_Shape_CreateConvexHull(pointer, points.length), 'hull');
  H._free(pointer);
  return shape;
}

/** Quaternion of the rotation in a matrix with columns at m, m + 4, m + 8; largest pivot first. */
function readRotation(out, k, f, m) {
  const [xx, yx, zx] = [f[m], f[m + 1], f[m + 2]];
  const [xy, yy, zy] = [f[m + 4], f[m + 5], f[m + 6]];
  const [xz, yz, zz] = [f[m + 8], f[m + 9], f[m + 10]];
  let q;
  if (xx + yy + zz > 0) {
    const s = Math.sqrt(xx + yy + zz + 1) * 2;
    q = [(zy - yz) / s, (xz - zx) / s, (yx - xy) / s, s / 4];
  } else if (xx > yy && xx > zz) {
    const s = Math.sqrt(1 + xx - yy - zz) * 2;
    q = [s / 4, (xy + yx) / s, (xz + zx) / s, (zy - yz) / s];
  } else if (yy > zz) {
    const s = Math.sqrt(1 + yy - xx - zz) * 2;
    q = [(xy + yx) / s, s / 4, (yz + zy) / s, (xz - zx) / s];
  } else {
    const s = Math.sqrt(1 + zz - xx - yy) * 2;
    q = [(xz + zx) / s, (yz + zy) / s, s / 4, (yx - xy) / s];
  }
  out.set(q, k);
}

export const havok = {
  async init() {
    const { default: start } = await import('@babylonjs/havok');
    const path = createRequire(import.meta.url).resolve('@babylonjs/havok/lib/esm/HavokPhysics.wasm');
    H = await start({ wasmBinary: fs.readFileSync(path) });
    return '';
  },
  load(scene, { sleep }) {
    const world = expectOk(H.HP_World_Create(), 'world');
    expectOk(H.HP_World_SetGravity(world, scene.gravity), 'gravity');
    expectOk(H.HP_World_SetIdealStepTime(world, scene.timeStep), 'step time');
    const moving = [];
    const add = (shape, spec) => {
      const body = addBody(world, shape, spec, sleep);
      if (spec.dynamic) moving.push(body);
    };
    const origin = [0, 0, 0];
    addBodies(scene, {
      box(body) {
        const sides = body.shape.box.map((x) => 2 * x);
        add(expectOk(H.HP_Shape_CreateBox(origin, [0, 0, 0, 1], sides), 'box'), body);
      },
      sphere: (body) => add(expectOk(H.HP_Shape_CreateSphere(origin, body.shape.sphere), 'sphere'), body),
      capsule(body) {
        const [radius, half] = body.shape.capsule;
        add(expectOk(H.HP_Shape_CreateCapsule([0, -half, 0], [0, half, 0], radius), 'capsule'), body);
      },
      hull: (body) => add(makeHull(body.shape.hull), body),
    });
    let offsets;
    return {
      step: () => expectOk(H.HP_World_Step(world, scene.timeStep), 'step'),
      readPoses(out) {
        const base = expectOk(H.HP_World_GetBodyBuffer(world), 'body buffer');
        offsets ??= moving.map((body) => expectOk(H.HP_Body_GetWorldTransformOffset(body), 'offset'));
        const f = new Float32Array(H.HEAPU8.buffer);
        offsets.forEach((offset, i) => {
          const m = (base + offset) >> 2;
          for (let axis = 0; axis < 3; axis++) out[7 * i + axis] = f[m + 12 + axis];
          readRotation(out, 7 * i + 3, f, m);
        });
      },
      dispose() {
        for (const body of moving) {
          H.HP_World_RemoveBody(world, body);
          H.HP_Body_Release(body);
        }
        H.HP_World_Release(world);
      },
    };
  },
};
