// From a scene to the list of bodies to add: repeats copied out, names given, materials looked up.
//
// In: a scene from readScene. Out: one entry per body in the order of the file, copies after the bodies of their
// own. Deterministic: jitter comes from the seeded generator, three draws a copy (x, y, z) in the order of names.
// Copies share their shape object, so that equal shapes can be recognised by identity.

import { createRandom, type Random } from '../core/random';
import type { CombineRule } from '../state/combine-rules';
import { createTrack, poseAt, type Track } from './motions';
import { nameBodies } from './names';
import type { BodyType, Quadruple, Scene, SceneMotion, SceneRepeat, SceneShape, Triple } from './scene-types';
import { DEFAULT_MATERIAL } from './schema';

/** What `addRigidBody` is given for one body of a scene. */
export interface SceneBodySpec {
  type: BodyType;
  shape: SceneShape;
  position: Triple;
  rotation: Quadruple;
  velocity: Triple;
  angularVelocity: Triple;
  /** [kg]; absent: density times volume. */
  mass?: number;
  inertia?: Triple;
  centerOfMass?: Triple;
  lockRotation?: [boolean, boolean, boolean];
  continuous?: boolean;
  /** [kg/m³] */
  density: number;
  friction: number;
  restitution: number;
  combineFriction?: CombineRule;
  combineRestitution?: CombineRule;
  rollingFriction?: number;
  spinningFriction?: number;
  surfaceVelocity?: Triple;
  linearDamping: number;
  angularDamping: number;
  gravityScale: number;
  layers?: number;
  mask?: number;
  sensor?: boolean;
  canSleep?: boolean;
}

/** One body to add. */
export interface PlacedBody {
  readonly name: string;
  readonly spec: SceneBodySpec;
  /** Its scripted motion, when it has one; the spec's pose is then the track's at time 0. */
  readonly track?: Track;
}

/** All bodies of `scene`, in the order in which to add them. */
export function expandScene(scene: Scene): PlacedBody[] {
  const motions = new Map<string, SceneMotion>();
  for (const motion of scene.motions) if (motion.body !== undefined) motions.set(motion.body, motion);
  const out: PlacedBody[] = [];
  let random: Random = () => 0;
  for (const { name, body, place, copy } of nameBodies(scene).values()) {
    const { name: _given, material, ...rest } = body;
    const spec: SceneBodySpec = {
      ...rest,
      ...(material === undefined ? DEFAULT_MATERIAL : scene.materials[material]),
      position: [...body.position],
      rotation: [...body.rotation],
      velocity: [...body.velocity],
      angularVelocity: [...body.angularVelocity],
    };
    if (copy >= 0) {
      const repeat = scene.repeat[place];
      if (copy === 0) random = createRandom(repeat.seed);
      placeCopy(spec.position, repeat, copy, random);
    }
    const motion = motions.get(name);
    if (!motion) {
      out.push({ name, spec });
      continue;
    }
    const track = createTrack(motion, spec.position, spec.rotation);
    const pose = new Float64Array(7);
    poseAt(pose, 0, track, 0);
    spec.position = [pose[0], pose[1], pose[2]];
    spec.rotation = [pose[3], pose[4], pose[5], pose[6]];
    out.push({ name, spec, track });
  }
  return out;
}

/** Moves `position` to the place of copy `index` of `repeat`, jitter included. */
function placeCopy(position: Triple, repeat: SceneRepeat, index: number, random: Random): void {
  const { count, spacing = [0, 0, 0], origin, jitter } = repeat;
  const steps: Triple =
    typeof count === 'number'
      ? [index, index, index]
      : [index % count[0], Math.floor(index / count[0]) % count[1], Math.floor(index / (count[0] * count[1]))];
  for (let k = 0; k < 3; k++) {
    const reach = typeof jitter === 'number' ? jitter : jitter[k];
    position[k] += origin[k] + steps[k] * spacing[k] + (2 * random() - 1) * reach;
  }
}
