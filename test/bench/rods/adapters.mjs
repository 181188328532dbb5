// One rope in each engine: `create(scene, effort)` gives { step(), points(), close() }. `effort` is the engine's own
// dial of iterations; 0 leaves its default.

import { DENSITY, DRUM, FRICTION, GRAVITY, pointMass, RADIUS } from './scenes.mjs';

const DRUM_HALF = 0.2;
const STEP = 1 / 60;
// Turns an axis along y to z.
const TO_Z = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

async function stiction(library) {
  const { addRigidBody, addRod, attach, createPhysics, rodPositions } = await import(library);
  const { createWorld } = await import('bitecs');
  return (scene, effort) => {
    const elastic = effort > 0 ? { iterations: effort } : {};
    const physics = createPhysics(createWorld(), { gravity: [0, GRAVITY, 0], sleeping: false, elastic });
    if (scene.drum) {
      const shape = { cylinder: [DRUM, DRUM_HALF] };
      addRigidBody(physics, { type: 'static', shape, position: [0, 0, 0], rotation: TO_Z, friction: FRICTION });
    }
    const points = scene.points;
    const rod = addRod(physics, {
      points,
      restPoints: points.map((_, i) => [i * Math.hypot(...points[1].map((x, k) => x - points[0][k])), 0, 0]),
      radius: RADIUS,
      density: DENSITY,
      youngModulus: 1e5,
      stretchModulus: 1e8,
      damping: 0.002,
      friction: FRICTION,
      clampStart: scene.pinned,
    });
    scene.masses.forEach((mass, end) => {
      if (mass === 0) return;
      const position = end === 0 ? points[0] : points[points.length - 1];
      const body = addRigidBody(physics, { shape: { sphere: 0.02 }, mass, position, layers: 2, mask: 0 });
      attach(physics, { rod, node: end === 0 ? 'start' : 'end', body, point: [0, 0, 0] });
    });
    return {
      step: () => physics.step(),
      close() {},
      points() {
        const flat = rodPositions(physics, rod);
        return points.map((_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
      },
    };
  };
}

const vector = ([x, y, z]) => ({ x, y, z });

async function rapier() {
  const { default: R } = await import('@dimforge/rapier3d-compat');
  await R.init();
  return R;
}

function rapierWorld(R, scene, effort) {
  const world = new R.World({ x: 0, y: GRAVITY, z: 0 });
  world.timestep = STEP;
  if (effort > 0) world.integrationParameters.numSolverIterations = effort;
  if (scene.drum) {
    const [x, y, z, w] = TO_Z;
    const shape = R.ColliderDesc.cylinder(DRUM_HALF, DRUM).setRotation({ x, y, z, w }).setFriction(FRICTION);
    world.createCollider(shape, world.createRigidBody(R.RigidBodyDesc.fixed()));
  }
  return world;
}

/** Particles joined by edges, colliding as a wire with the thickness of the rope. `hertz` 0: the engine's softness. */
async function rapierSoft(hertz) {
  const R = await rapier();
  return (scene, effort) => {
    const world = rapierWorld(R, scene, effort);
    const { points, masses } = scene;
    const count = points.length;
    const own = pointMass(points);
    const pairs = (gap) => Array.from({ length: count - gap }, (_, i) => [i, i + gap]).flat();
    const desc = new R.SoftBodyDesc(points.flat())
      .setEdges(pairs(1))
      .setWire(pairs(1))
      .setMasses(points.map((_, i) => own + (i === 0 ? masses[0] : i === count - 1 ? masses[1] : 0)))
      .setParticleRadius(RADIUS)
      .setSurfaceCollider(R.ColliderDesc.ball(RADIUS).setFriction(FRICTION))
      .setCanSleep(false);
    if (scene.pinned) desc.setPinnedParticles([0]);
    if (hertz > 0) desc.setSoftness(hertz, 1);
    const body = world.createSoftBody(desc);
    return {
      step: () => world.step(),
      close: () => world.free(),
      points() {
        const flat = body.particlePositions();
        return points.map((_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
      },
    };
  };
}

/** A capsule an edge, ball joints between them; neighbours do not collide. */
async function rapierChain() {
  const R = await rapier();
  return (scene, effort) => {
    const world = rapierWorld(R, scene, effort);
    const { points, masses } = scene;
    const links = [];
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1], points[i]];
      const length = Math.hypot(...b.map((x, k) => x - a[k]));
      const centre = a.map((x, k) => 0.5 * (x + b[k]));
      // From y to the edge's direction, which lies in the plane z = 0.
      const half = Math.atan2(-(b[0] - a[0]), b[1] - a[1]) / 2;
      const body = world.createRigidBody(
        R.RigidBodyDesc.dynamic()
          .setTranslation(...centre)
          .setRotation({ x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) })
          .setCanSleep(false),
      );
      const weight = i === 1 ? masses[0] : i === points.length - 1 ? masses[1] : 0;
      const shape = R.ColliderDesc.capsule(length / 2, RADIUS)
        .setFriction(FRICTION)
        .setMass(pointMass(points) + weight);
      // Links only collide with the drum.
      world.createCollider(shape.setCollisionGroups(0x0002_0001), body);
      const foot = { x: 0, y: -length / 2, z: 0 };
      const head = { x: 0, y: length / 2, z: 0 };
      if (links.length > 0) {
        world.createImpulseJoint(R.JointData.spherical(links.at(-1).head, foot), links.at(-1).body, body, true);
      } else if (scene.pinned) {
        const hook = world.createRigidBody(R.RigidBodyDesc.fixed().setTranslation(...a));
        world.createImpulseJoint(R.JointData.spherical(vector([0, 0, 0]), foot), hook, body, true);
      }
      links.push({ body, foot, head });
    }
    for (const collider of world.colliders.getAll()) {
      if (collider.parent()?.isFixed()) collider.setCollisionGroups(0x0001_0002);
    }
    const place = ({ body }, local) => {
      const p = body.translation();
      const q = body.rotation();
      const t = [
        2 * (q.y * local.z - q.z * local.y),
        2 * (q.z * local.x - q.x * local.z),
        2 * (q.x * local.y - q.y * local.x),
      ];
      return [
        p.x + local.x + q.w * t[0] + q.y * t[2] - q.z * t[1],
        p.y + local.y + q.w * t[1] + q.z * t[0] - q.x * t[2],
        p.z + local.z + q.w * t[2] + q.x * t[1] - q.y * t[0],
      ];
    };
    return {
      step: () => world.step(),
      close: () => world.free(),
      // Where a joint is open, the point of the later link counts: the gap shows as stretch.
      points: () => [place(links[0], links[0].foot), ...links.map((link) => place(link, link.head))],
    };
  };
}

/**
 * Vertices with Cosserat rods between them (stretch, shear, bend, twist). Soft bodies collide with their vertices only.
 */
async function jolt() {
  const { default: init } = await import('jolt-physics');
  const J = await init();
  return (scene, effort) => {
    const settings = new J.JoltSettings();
    const pairs = new J.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(0, 1);
    const broadphase = new J.BroadPhaseLayerInterfaceTable(2, 2);
    for (const layer of [0, 1]) broadphase.MapObjectToBroadPhaseLayer(layer, new J.BroadPhaseLayer(layer));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = broadphase;
    settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broadphase, 2, pairs, 2);
    const world = new J.JoltInterface(settings);
    world.GetPhysicsSystem().SetGravity(new J.Vec3(0, GRAVITY, 0));
    const bodies = world.GetPhysicsSystem().GetBodyInterface();
    if (scene.drum) {
      const shape = new J.CylinderShape(DRUM_HALF, DRUM, 0.01);
      const turn = new J.Quat(...TO_Z);
      const made = new J.BodyCreationSettings(shape, new J.RVec3(0, 0, 0), turn, J.EMotionType_Static, 0);
      made.mFriction = FRICTION;
      bodies.AddBody(bodies.CreateBody(made).GetID(), J.EActivation_DontActivate);
    }
    const { points, masses } = scene;
    const own = pointMass(points);
    const shared = new J.SoftBodySharedSettings();
    points.forEach((point, i) => {
      const vertex = new J.SoftBodySharedSettingsVertex();
      vertex.mPosition = new J.Float3(...point);
      const mass = own + (i === 0 ? masses[0] : i === points.length - 1 ? masses[1] : 0);
      vertex.mInvMass = scene.pinned && i === 0 ? 0 : 1 / mass;
      shared.mVertices.push_back(vertex);
    });
    for (let i = 0; i + 1 < points.length; i++) {
      shared.mRodStretchShearConstraints.push_back(new J.SoftBodySharedSettingsRodStretchShear(i, i + 1, 0));
      if (i > 0) {
        // As soft as our rope: it hardly bends by itself.
        shared.mRodBendTwistConstraints.push_back(new J.SoftBodySharedSettingsRodBendTwist(i - 1, i, 1));
      }
    }
    shared.CalculateRodProperties();
    shared.Optimize();
    const made = new J.SoftBodyCreationSettings(shared, new J.RVec3(0, 0, 0), new J.Quat(0, 0, 0, 1), 1);
    made.mVertexRadius = RADIUS;
    made.mFriction = FRICTION;
    made.mLinearDamping = 0;
    made.mAllowSleeping = false;
    made.mUpdatePosition = false;
    made.mMakeRotationIdentity = false;
    if (effort > 0) made.mNumIterations = effort;
    const body = bodies.CreateSoftBody(made);
    bodies.AddBody(body.GetID(), J.EActivation_Activate);
    const motion = J.castObject(body.GetMotionProperties(), J.SoftBodyMotionProperties);
    const centre = body.GetPosition();
    const origin = [centre.GetX(), centre.GetY(), centre.GetZ()];
    return {
      step: () => world.Step(STEP, 1),
      close: () => J.destroy(world),
      points: () =>
        points.map((_, i) => {
          const p = motion.GetVertex(i).mPosition;
          return [p.GetX() + origin[0], p.GetY() + origin[1], p.GetZ() + origin[2]];
        }),
    };
  };
}

/** Engines by name: what makes them, the default of their dial, and what it is called. */
export const ENGINES = {
  stiction: { load: stiction, effort: 25, dial: 'ADMM iterations', package: null },
  'rapier soft': {
    load: () => rapierSoft(0),
    effort: 4,
    dial: 'solver iterations',
    package: '@dimforge/rapier3d-compat',
  },
  'rapier soft, stiff': {
    load: () => rapierSoft(200),
    effort: 4,
    dial: 'solver iterations',
    package: '@dimforge/rapier3d-compat',
  },
  'rapier chain': { load: rapierChain, effort: 4, dial: 'solver iterations', package: '@dimforge/rapier3d-compat' },
  'jolt rods': { load: jolt, effort: 5, dial: 'iterations', package: 'jolt-physics' },
};
