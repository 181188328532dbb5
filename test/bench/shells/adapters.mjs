// Cloth in ours and in the engines that have any in JavaScript. Each is an async function that resolves to
// `create(scene)` → { step(), pose(pose), read(sheet, out), close() }.
//
// What is equal: vertices, triangles, mass of every vertex, half thickness 5 mm, friction 0.5, 1/60 s, one step a
// frame, own iterations where the name says no others, no damping, no sleep. What cannot be: the material. Ours is
// cotton with moduli (membrane 5 kN/m); MuJoCo has 1 kN/m; Rapier springs of 30 Hz a particle, Jolt 1e-5 m/N, Bullet
// stiffness 1, as in their own examples. Jolt's soft bodies have no contact with themselves or each other.

import { createRequire } from 'node:module';
import { CAPSULE, FRICTION, RADIUS, STEP } from './scenes.mjs';

const vertexCount = ({ points }) => points.length / 3;
const yawOf = ({ yaw }) => [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
const vector = ([x, y, z]) => ({ x, y, z });

/** Where the pinned vertices of a sheet are at a pose. */
function pinnedAt({ points, pins }, { position, yaw }) {
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return pins.map((i) => {
    const [x, y, z] = points.subarray(3 * i, 3 * i + 3);
    return [position[0] + c * x + s * z, position[1] + y, position[2] - s * x + c * z];
  });
}

const stiction = async (library) => {
  const { createWorld } = await import('bitecs');
  const { addRigidBody, addShell, createPhysics, setKinematicTarget, shellPositions } = await import(library);
  return ({ gravity, statics, sheets, poses, isFlat }) => {
    const physics = createPhysics(createWorld(), { timeStep: STEP, sleeping: false, userTiming: false, gravity });
    for (const { ball, box, position } of statics) {
      addRigidBody(physics, { type: 'static', shape: ball ? { sphere: ball } : { box }, position, friction: FRICTION });
    }
    const shape = { capsule: [CAPSULE.radius, CAPSULE.half] };
    const body = poses ? addRigidBody(physics, { type: 'kinematic', shape, friction: FRICTION }) : 0;
    const thickness = 2 * RADIUS;
    const shells = sheets.map(({ points, triangles, pins, mass, area }) =>
      addShell(physics, {
        vertices: points,
        triangles,
        thickness,
        density: mass / (area * thickness),
        stretchModulus: 5000 / thickness,
        bendingModulus: (12 * 0.91 * 1e-5) / thickness ** 3,
        poissonRatio: 0.3,
        damping: 0.002,
        friction: FRICTION,
        airDrag: 0,
        selfContact: !isFlat,
        pins: pins.map((vertex) => (body ? { vertex, body } : vertex)),
      }),
    );
    return {
      pose: (pose) => setKinematicTarget(physics, body, pose.position, yawOf(pose)),
      step: () => physics.step(),
      read: (s, out) => shellPositions(physics, shells[s], out),
      close: () => physics.dispose(),
    };
  };
};

const rapier = async () => {
  const { default: R } = await import('@dimforge/rapier3d-compat');
  await R.init();
  return ({ gravity, statics, sheets, poses, isFlat }) => {
    const world = new R.World(vector(gravity));
    world.timestep = STEP;
    for (const { ball, box, position } of statics) {
      const shape = ball ? R.ColliderDesc.ball(ball) : R.ColliderDesc.cuboid(...box);
      const body = world.createRigidBody(R.RigidBodyDesc.fixed().setTranslation(...position));
      world.createCollider(shape.setFriction(FRICTION), body);
    }
    const mover = poses && world.createRigidBody(R.RigidBodyDesc.kinematicPositionBased());
    if (mover) world.createCollider(R.ColliderDesc.capsule(CAPSULE.half, CAPSULE.radius).setFriction(FRICTION), mover);
    const softs = sheets.map(({ points, triangles, edges, diagonals, bends, mass, pins }) => {
      const spec = new R.SoftBodyDesc(Float32Array.from(points));
      spec.setMass(mass).setSurface(Uint32Array.from(triangles)).setParticleRadius(RADIUS).setCanSleep(false);
      spec.setSurfaceCollider(R.ColliderDesc.ball(RADIUS).setFriction(FRICTION)).setSelfContacts(!isFlat);
      spec.setEdges(Uint32Array.from([...edges, ...diagonals])).setBendEdges(Uint32Array.from(bends));
      spec.setMaterial(new R.SoftBodyMaterial());
      if (pins.length > 0) spec.setPinnedParticles(Uint32Array.from(pins));
      return world.createSoftBody(spec);
    });
    return {
      pose(pose) {
        const [x, y, z, w] = yawOf(pose);
        mover.setNextKinematicTranslation(vector(pose.position));
        mover.setNextKinematicRotation({ x, y, z, w });
        pinnedAt(sheets[0], pose).forEach((to, k) => {
          softs[0].setParticleKinematicTarget(sheets[0].pins[k], vector(to));
        });
      },
      step: () => world.step(),
      read: (s, out) => out.set(softs[s].particlePositions()),
      close: () => world.free(),
    };
  };
};

function joltSettings(J) {
  const settings = new J.JoltSettings();
  const pairs = new J.ObjectLayerPairFilterTable(2);
  const phases = new J.BroadPhaseLayerInterfaceTable(2, 2);
  pairs.EnableCollision(0, 1);
  pairs.EnableCollision(1, 1);
  for (const layer of [0, 1]) phases.MapObjectToBroadPhaseLayer(layer, new J.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(phases, 2, pairs, 2);
  return settings;
}

/** A sheet of Jolt; its constraints are those of its own examples. */
function joltSheet(J, { points, triangles, mass, pins }) {
  const shared = new J.SoftBodySharedSettings();
  const vertex = new J.SoftBodySharedSettingsVertex();
  const count = points.length / 3;
  for (let i = 0; i < count; i++) {
    vertex.mPosition = new J.Float3(...points.subarray(3 * i, 3 * i + 3));
    vertex.mInvMass = pins.includes(i) ? 0 : count / mass;
    shared.mVertices.push_back(vertex);
  }
  for (let t = 0; t < triangles.length; t += 3) {
    const face = new J.SoftBodySharedSettingsFace(triangles[t], triangles[t + 1], triangles[t + 2], 0);
    shared.AddFace(face);
    J.destroy(face);
  }
  const attributes = new J.SoftBodySharedSettingsVertexAttributes();
  attributes.mCompliance = attributes.mShearCompliance = 1e-5;
  attributes.mBendCompliance = 1e-3;
  shared.CreateConstraints(attributes, 1, J.SoftBodySharedSettings_EBendType_Distance);
  shared.Optimize();
  return shared;
}

const jolt = (iterations) => async () => {
  const J = await (await import('jolt-physics')).default();
  return ({ gravity, statics, sheets, poses }) => {
    const world = new J.JoltInterface(joltSettings(J));
    const bodies = world.GetPhysicsSystem().GetBodyInterface();
    world.GetPhysicsSystem().SetGravity(new J.Vec3(...gravity));
    const add = (shape, position, type) => {
      const place = new J.RVec3(...position);
      const settings = new J.BodyCreationSettings(shape, place, new J.Quat(0, 0, 0, 1), type, 0);
      settings.mFriction = FRICTION;
      const body = bodies.CreateBody(settings);
      bodies.AddBody(body.GetID(), J.EActivation_Activate);
      return body;
    };
    for (const { ball, box, position } of statics) {
      add(ball ? new J.SphereShape(ball) : new J.BoxShape(new J.Vec3(...box)), position, J.EMotionType_Static);
    }
    const shape = poses && new J.CapsuleShape(CAPSULE.half, CAPSULE.radius);
    const mover = poses && add(shape, [0, 0, 0], J.EMotionType_Kinematic);
    const softs = sheets.map((sheet) => {
      const origin = new J.RVec3(0, 0, 0);
      const settings = new J.SoftBodyCreationSettings(joltSheet(J, sheet), origin, new J.Quat(0, 0, 0, 1), 1);
      settings.mVertexRadius = RADIUS;
      settings.mFriction = FRICTION;
      settings.mRestitution = settings.mLinearDamping = 0;
      settings.mAllowSleeping = settings.mUpdatePosition = settings.mMakeRotationIdentity = false;
      if (iterations) settings.mNumIterations = iterations;
      const body = bodies.CreateSoftBody(settings);
      bodies.AddBody(body.GetID(), J.EActivation_Activate);
      return { body, motion: J.castObject(body.GetMotionProperties(), J.SoftBodyMotionProperties) };
    });
    return {
      pose(pose) {
        const to = new J.RVec3(...pose.position);
        bodies.MoveKinematic(mover.GetID(), to, new J.Quat(...yawOf(pose)), STEP);
        pinnedAt(sheets[0], pose).forEach((target, k) => {
          // A pinned vertex goes by the velocity that it is given.
          const vertex = softs[0].motion.GetVertex(sheets[0].pins[k]);
          const at = vertex.mPosition;
          const way = [target[0] - at.GetX(), target[1] - at.GetY(), target[2] - at.GetZ()];
          vertex.mVelocity = new J.Vec3(...way.map((x) => x / STEP));
        });
      },
      step: () => world.Step(STEP, 1),
      read(s, out) {
        const { body, motion } = softs[s];
        const origin = body.GetPosition();
        const [x, y, z] = [origin.GetX(), origin.GetY(), origin.GetZ()];
        for (let k = 0; k < out.length; k += 3) {
          const at = motion.GetVertex(k / 3).mPosition;
          out[k] = x + at.GetX();
          out[k + 1] = y + at.GetY();
          out[k + 2] = z + at.GetZ();
        }
      },
      close() {
        for (const { body } of softs) {
          bodies.RemoveBody(body.GetID());
          bodies.DestroyBody(body.GetID());
        }
        J.destroy(world);
      },
    };
  };
};

const bullet = (iterations) => async () => {
  const A = await createRequire(import.meta.url)('ammojs3/dist/ammo.wasm.js')();
  const at = (p) => new A.btVector3(...p);
  return ({ gravity, statics, sheets, poses }) => {
    const configuration = new A.btSoftBodyRigidBodyCollisionConfiguration();
    const world = new A.btSoftRigidDynamicsWorld(
      new A.btCollisionDispatcher(configuration),
      new A.btDbvtBroadphase(),
      new A.btSequentialImpulseConstraintSolver(),
      configuration,
      new A.btDefaultSoftBodySolver(),
    );
    world.setGravity(at(gravity));
    const info = world.getWorldInfo();
    info.set_m_gravity(at(gravity));
    const frame = (position, [x, y, z, w] = [0, 0, 0, 1]) => {
      const transform = new A.btTransform();
      transform.setIdentity();
      transform.setOrigin(at(position));
      transform.setRotation(new A.btQuaternion(x, y, z, w));
      return transform;
    };
    const add = (shape, position) => {
      const state = new A.btDefaultMotionState(frame(position));
      const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(0, state, shape, at([0, 0, 0])));
      // Its friction is multiplied with that of the soft body.
      body.setFriction(1);
      world.addRigidBody(body);
      return body;
    };
    for (const { ball, box, position } of statics) {
      add(ball ? new A.btSphereShape(ball) : new A.btBoxShape(at(box)), position);
    }
    const mover = poses && add(new A.btCapsuleShape(CAPSULE.radius, 2 * CAPSULE.half), [0, 0, 0]);
    if (mover) {
      mover.setCollisionFlags(mover.getCollisionFlags() | 2);
      mover.setActivationState(4);
    }
    const softs = sheets.map((sheet) => {
      const { points, triangles, edges, diagonals, bends, mass, pins } = sheet;
      const each = mass / vertexCount(sheet);
      const soft = new A.btSoftBody(info, 1, at(points.subarray(0, 3)), [each]);
      for (let i = 3; i < points.length; i += 3) soft.appendNode(at(points.subarray(i, i + 3)), each);
      const [stiff, loose] = [soft.get_m_materials().at(0), soft.appendMaterial()];
      stiff.set_m_kLST(1);
      loose.set_m_kLST(0.02);
      const link = (ends, material) => {
        for (let e = 0; e < ends.length; e += 2) soft.appendLink(ends[e], ends[e + 1], material, false);
      };
      link([...edges, ...diagonals], stiff);
      link(bends, loose);
      for (let t = 0; t < triangles.length; t += 3) soft.appendFace(...triangles.slice(t, t + 3), stiff);
      soft.setMass(0, each);
      for (const i of pins) soft.setMass(i, 0);
      const settings = soft.get_m_cfg();
      settings.set_collisions(0x11);
      settings.set_kDF(FRICTION);
      settings.set_kKHR(1);
      settings.set_kDP(0);
      settings.set_piterations(iterations);
      A.castObject(soft, A.btCollisionObject).getCollisionShape().setMargin(RADIUS);
      world.addSoftBody(soft, 1, -1);
      soft.setActivationState(4);
      return soft.get_m_nodes();
    });
    return {
      pose(pose) {
        const transform = frame(pose.position, yawOf(pose));
        mover.getMotionState().setWorldTransform(transform);
        mover.setWorldTransform(transform);
        pinnedAt(sheets[0], pose).forEach((to, k) => {
          const node = softs[0].at(sheets[0].pins[k]);
          node.set_m_x(at(to));
          node.set_m_v(at([0, 0, 0]));
        });
      },
      step: () => world.stepSimulation(STEP, 0),
      read(s, out) {
        for (let k = 0; k < out.length; k += 3) {
          const place = softs[s].at(k / 3).get_m_x();
          out.set([place.x(), place.y(), place.z()], k);
        }
      },
      close: () => A.destroy(world),
    };
  };
};

const mujoco = async () => {
  const M = await (await import('@mujoco/mujoco')).default();
  const list = (numbers) => Array.from(numbers, (x) => Number(x.toFixed(7))).join(' ');
  const friction = `condim="3" friction="${FRICTION} 0.005 0.0001"`;
  return ({ gravity, statics, sheets, poses, isFlat }) => {
    const geoms = statics.map(({ ball, box, position }) => {
      const size = ball ? `type="sphere" size="${ball}"` : `type="box" size="${box.join(' ')}"`;
      return `<geom ${size} pos="${position.join(' ')}" ${friction}/>`;
    });
    const flexes = sheets.map(({ points, triangles, mass, pins }, s) => {
      const pin = pins.length > 0 && !poses ? `<pin id="${pins.join(' ')}"/>` : '';
      return `<flexcomp name="f${s}" type="direct" dim="2" radius="${RADIUS}" mass="${mass}" point="${list(points)}"
        element="${triangles.join(' ')}"><elasticity young="1e6" poisson="0.2" thickness="0.001" elastic2d="both"
        damping="0.001"/><contact ${friction} selfcollide="${isFlat ? 'none' : 'auto'}"
        internal="false"/>${pin}</flexcomp>`;
    });
    const { radius, half } = CAPSULE;
    const capsule = `<geom type="capsule" size="${radius}" fromto="0 ${-half} 0 0 ${half} 0" ${friction}/>`;
    const mover = poses ? `<body name="mover" mocap="true">${capsule}</body>` : '';
    const connect = (k) => {
      const i = sheets[0].pins[k];
      return `<connect body1="mover" body2="f0_${i}" anchor="${list(sheets[0].points.subarray(3 * i, 3 * i + 3))}"/>`;
    };
    const equality = poses ? `<equality>${sheets[0].pins.map((_, k) => connect(k)).join('')}</equality>` : '';
    const model = M.MjModel.from_xml_string(`<mujoco><option timestep="${STEP}" gravity="${gravity.join(' ')}"
      cone="elliptic" integrator="discrete" solver="CG"/><size memory="1500M"/>
      <worldbody>${geoms.join('')}${flexes.join('')}${mover}</worldbody>${equality}</mujoco>`);
    const data = new M.MjData(model);
    M.mj_forward(model, data);
    return {
      pose(pose) {
        const [x, y, z, w] = yawOf(pose);
        data.mocap_pos.set(pose.position);
        data.mocap_quat.set([w, x, y, z]);
      },
      step: () => M.mj_step(model, data),
      read(s, out) {
        const first = 3 * model.flex_vertadr[s];
        out.set(data.flexvert_xpos.subarray(first, first + out.length));
      },
      close() {
        data.delete();
        model.delete();
      },
    };
  };
};

export const ENGINES = {
  stiction,
  rapier,
  jolt: jolt(0),
  'jolt-40': jolt(40),
  mujoco,
  bullet: bullet(10),
};
