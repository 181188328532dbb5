// Worlds of scenes by all of the engine: bodies, joints, strands, sheets, solids, characters, cars.

import { createWorld, hasComponent, removeEntity } from 'bitecs';
import { quat } from 'gl-matrix';
import {
  addCharacter,
  addScene,
  addVehicle,
  attach,
  createPhysics,
  enableSagFree,
  type Physics,
  type PhysicsSettings,
  type RigidBodySpec,
  readScene,
  rodPositions,
  type Scene,
  sceneSettings,
  setKinematicTarget,
  setWind,
  shellPositions,
  solidPositions,
  wakeSolid,
} from '../../src/index';
import { type DemoScene, type Files, type Tuner, usualValues } from '../scenes/demo-scene';
import type { Rig } from '../scenes/rig';
import { heldKeys } from './held-keys';
import {
  CHECK_INTERVAL,
  driveScene,
  judge,
  poseOf,
  type Session,
  type ShellPart,
  type SolidPart,
  settingsOf,
  startsOf,
  type Worlds,
} from './session';

/** How a character is drawn, within the capsule that it is [m]: legs, trunk, head. */
function figureOf(height: number, radius: number): NonNullable<RigidBodySpec['shape']> {
  const pill = (from: number, to: number, thick: number) => ({
    shape: { capsule: [thick, (to - from) / 2 - thick] as [number, number] },
    position: [0, (from + to) / 2, 0],
  });
  const head = 0.6 * radius;
  return {
    compound: [
      pill(0, 0.55 * height, 0.66 * radius),
      pill(0.4 * height, height - 1.7 * head, 0.9 * radius),
      { shape: { sphere: head }, position: [0, height - head, 0] },
    ],
  };
}

/** What makes characters and cars of a scene. */
function createRig(physics: Physics, entities: Map<string, number>, specs: Map<string, RigidBodySpec>): Rig {
  return {
    walker(name, spec) {
      entities.set(name, addCharacter(physics, spec));
      specs.set(name, { type: 'kinematic', shape: figureOf(spec.height, spec.radius) });
    },
    car(chassis, wheels, shown, more) {
      const body = need(entities, chassis);
      const made = addVehicle(physics, { chassis: body, wheels, ...more });
      const bodies = shown.map((name) => need(entities, name));
      const { Wheel, Transform, Velocity } = physics.components;
      const { timeStep } = physics.settings;
      physics.schedule.before('predict-motion', () => {
        const q = (key: 'x' | 'y' | 'z' | 'w') => Transform.rotation[key][body];
        made.forEach((wheel, i) => {
          const at = (['x', 'y', 'z'] as const).map(
            (k) => Wheel.center[k][wheel] + timeStep * Velocity.linear[k][body],
          );
          // The axle of a cylinder is its y: turned to the side, then rolled about it and steered about the car's y.
          const turn = quat.fromValues(q('x'), q('y'), q('z'), q('w'));
          quat.rotateY(turn, turn, Wheel.steering[wheel]);
          quat.rotateZ(turn, turn, Math.PI / 2);
          quat.rotateY(turn, turn, -Wheel.angle[wheel]);
          if (physics.stepCount > 0) setKinematicTarget(physics, bodies[i], at, turn);
        });
      });
    },
  };
}

/** Reads a scene (text, parsed JSON or a scene already read); throws SceneError. */
export function loadScene(source: unknown): Scene {
  return readScene(source);
}

/**
 * Builds the world of a scene. `overrides` win over what the scene asks for; `files` are those of its grooms, `join`
 * ties what a gallery scene ties beyond its file.
 */
export function openSession(
  scene: Scene,
  overrides: PhysicsSettings = {},
  files: Files = new Map(),
  join?: DemoScene['join'],
): Session {
  const world = createWorld();
  const physics = createPhysics(world, { ...sceneSettings(scene), ...overrides });

  const readFile = (name: string) => {
    // Dropped files have lost their folders.
    const bytes = files.get(name) ?? files.get(name.slice(name.lastIndexOf('/') + 1));
    if (!bytes) throw new Error(`The scene has a groom in the file ${name}: drop both on the page together.`);
    return bytes;
  };
  enableSagFree(physics);

  const {
    entities,
    specs,
    rods,
    shells: shellEntities,
    solids: solidEntities,
  } = addScene(physics, scene, { readFile });

  join?.(
    (rod, node, body) => {
      attach(physics, { rod: need(rods, rod), node, body: need(entities, body) });
    },
    createRig(physics, entities as Map<string, number>, specs as Map<string, RigidBodySpec>),
  );
  const { starts, fixed } = startsOf(physics, entities, specs);
  const rodStarts = new Map<string, Float64Array>();
  for (const [name, eid] of rods) rodStarts.set(name, rodPositions(physics, eid));
  const shells = shellsOf(scene, physics, shellEntities);
  const solids = solidsOf(scene, physics, solidEntities);

  const session: Session = {
    scene,
    physics,
    entities,
    rods,
    rodStarts,
    shells,
    solids,
    specs,
    materials: materialsOf(scene),
    starts,
    fixed,
    gpu: null,
    isStarting: false,
    points(name, out) {
      const [solid, shell] = [solids.get(name), shells.get(name)];
      if (solid) return solidPositions(physics, solid.entity, out);
      return shell ? shellPositions(physics, shell.entity, out) : rodPositions(physics, need(rods, name), out);
    },
    tuner: () => createTuner(session),
    close() {
      physics.dispose();
      for (const map of [entities, rods, shellEntities, solidEntities])
        for (const eid of map.values()) removeEntity(world, eid);
    },
  };

  return session;
}

function shellsOf(scene: Scene, physics: Physics, entities: ReadonlyMap<string, number>): Map<string, ShellPart> {
  const found = new Map<string, ShellPart>();
  scene.shells.forEach((shell, i) => {
    const name = shell.name ?? `shell-${i}`;
    const entity = need(entities, name);
    const vertices = shellPositions(physics, entity);
    const { firstTriangle, triangleCount } = physics.components.Shell;
    const first = 3 * firstTriangle[entity];
    const rest = shell.restVertices ? Float64Array.from(shell.restVertices.flat()) : vertices;
    found.set(name, {
      entity,
      vertices,
      rest,
      triangles: Int32Array.from(physics.shells.triangles.subarray(first, first + 3 * triangleCount[entity])),
      thickness: physics.components.Shell.thickness[entity],
      pinned: new Set(shell.pins.map((pin) => (typeof pin === 'number' ? pin : pin.vertex))),
    });
  });
  return found;
}

function solidsOf(scene: Scene, physics: Physics, entities: ReadonlyMap<string, number>): Map<string, SolidPart> {
  const found = new Map<string, SolidPart>();
  scene.solids.forEach((solid, i) => {
    const name = solid.name ?? `solid-${i}`;
    const entity = need(entities, name);
    const vertices = solidPositions(physics, entity);
    const { firstTriangle, triangleCount } = physics.components.Solid;
    const first = 3 * firstTriangle[entity];
    const faces = (solid.tetrahedra ?? []).flatMap(([a, b, c, d]) => [a, b, c, b, c, d, c, d, a, d, a, b]);
    found.set(name, {
      entity,
      vertices,
      rest: Float64Array.from((solid.restVertices ?? solid.vertices ?? []).flat()),
      triangles: Int32Array.from(faces),
      drawn: Int32Array.from(physics.solids.triangles.subarray(first, first + 3 * triangleCount[entity])),
      pinned: new Set(solid.pins.map((pin) => (typeof pin === 'number' ? pin : pin.vertex))),
    });
  });
  return found;
}

function need(entities: ReadonlyMap<string, number>, name: string): number {
  const eid = entities.get(name);
  if (eid === undefined) throw new Error(`scene: nothing is called ${name}`);
  return eid;
}

function createTuner({ physics, rods, solids, entities }: Session): Tuner {
  const { Rod, Groom, Solid } = physics.components;
  return {
    setSolids(numbers) {
      for (const { entity } of solids.values()) {
        for (const key of Object.keys(numbers) as (keyof typeof numbers)[]) Solid[key][entity] = numbers[key] as number;
        wakeSolid(physics, entity);
      }
    },
    setRod(name, numbers) {
      const eid = rods.get(name);
      if (eid === undefined) throw new Error(`scene: no rod is called ${name}`);
      const columns = hasComponent(physics.world, eid, Groom) ? Groom : Rod;
      for (const key of Object.keys(numbers) as (keyof typeof numbers)[]) columns[key][eid] = numbers[key] as number;
    },
    setWind: (velocity) => setWind(physics, velocity),
    pose: (name) => poseOf(physics, need(entities, name)),
    walk(name, { x, z, jump = 0, crouch = false }) {
      const eid = need(entities, name);
      const { Character } = physics.components;
      Character.move.x[eid] = x;
      Character.move.z[eid] = z;
      Character.jump[eid] = jump;
      Character.crouch[eid] = crouch ? 1 : 0;
    },
    steer(name, order) {
      const eid = need(entities, name);
      for (const key of ['throttle', 'steer', 'brake', 'handbrake'] as const) {
        physics.components.Vehicle[key][eid] = order[key];
      }
    },
    keys: heldKeys,
  };
}

/**
 * Runs a gallery scene headless as a visitor finds it, from the time of its first check to `until` [s]; returns what
 * its check says where it first fails.
 */
export function runDemo(demo: DemoScene, until = demo.seconds): string | null {
  const values = usualValues(demo);
  const amount = demo.amount?.usual;
  const session = openSession(
    loadScene(demo.build(amount, values)),
    settingsOf(demo),
    demo.files?.(amount, values),
    demo.join,
  );
  driveScene(session, demo, () => values);
  const { physics } = session;
  let failure: string | null = null;
  let due = demo.seconds;
  while (failure === null && due <= Math.max(until, demo.seconds) + 1e-6) {
    while (physics.time < due - 1e-6) physics.step();
    failure = judge(demo, session);
    if (failure) failure = `at ${physics.time.toFixed(1)} s: ${failure}`;
    due += CHECK_INTERVAL;
  }
  session.close();
  return failure;
}

function materialsOf(scene: Scene): Map<string, string> {
  const materials = new Map<string, string>();
  scene.bodies?.forEach((body, i) => {
    if (body.material) materials.set(body.name ?? `body-${i}`, body.material);
  });
  // Copies are called <name>-0, <name>-1, …
  scene.repeat?.forEach((repeat, i) => {
    const { count, body } = repeat;
    const copies = typeof count === 'number' ? count : count[0] * count[1] * count[2];
    for (let copy = 0; body.material && copy < copies; copy++)
      materials.set(`${body.name ?? `repeat-${i}`}-${copy}`, body.material);
  });
  return materials;
}

export const worlds: Worlds = { load: loadScene, settings: sceneSettings, open: openSession };
