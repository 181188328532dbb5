// Ropes and threads of a scene: its joints of the types rope and distance, each a thin straight cord between its two
// places. (A rope that is slack is drawn straight, too.)

import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { Color3 } from '@babylonjs/core/Maths/math.color';
import { CreateCylinder } from '@babylonjs/core/Meshes/Builders/cylinderBuilder';
import type { Mesh } from '@babylonjs/core/Meshes/mesh';
import '@babylonjs/core/Meshes/thinInstanceMesh';
import { quat, vec3 } from 'gl-matrix';
import type { Session } from '../app/session';
import type { Stage } from './stage';

/** Of a cord [m]. */
const THICKNESS = 0.012;

export interface CordView {
  /** Brings the cords to where their bodies are, `interpolated` between steps. */
  move(interpolated: boolean): void;
  dispose(): void;
}

/** A place on a body, in its axes, or in the world where the entity is 0. */
interface Place {
  entity: number;
  at: vec3;
}

function placesOf({ scene, entities, specs }: Session): [Place, Place][] {
  const found: [Place, Place][] = [];
  for (const { type, ends, anchor, anchors } of scene.joints) {
    if ((type !== 'rope' && type !== 'distance') || !(anchors ?? anchor)) continue;
    const places = ends.map(({ body }, k): Place => {
      const at = vec3.clone((anchors?.[k] ?? anchor) as vec3);
      const entity = body === undefined ? 0 : (entities.get(body) ?? 0);
      const { position, rotation } = specs.get(body ?? '') ?? {};
      if (entity === 0) return { entity, at };
      if (position) vec3.subtract(at, at, position as vec3);
      if (rotation) vec3.transformQuat(at, at, quat.conjugate(quat.create(), rotation as quat));
      return { entity, at };
    });
    found.push([places[0], places[1]]);
  }
  return found;
}

export function createCordView(stage: Stage, session: Session): CordView {
  const cords = placesOf(session);
  let mesh: Mesh | null = null;
  const matrices = new Float32Array(16 * cords.length);
  const [from, to, spin] = [vec3.create(), vec3.create(), quat.create()];

  if (cords.length > 0) {
    mesh = CreateCylinder('cords', { height: 1, diameter: THICKNESS, tessellation: 8 }, stage.scene);
    const material = new PBRMaterial('cords', stage.scene);
    material.albedoColor = new Color3(0.05, 0.045, 0.04);
    material.metallic = 0;
    material.roughness = 0.7;
    mesh.material = material;
    mesh.isPickable = false;
    mesh.alwaysSelectAsActiveMesh = true;
    mesh.thinInstanceSetBuffer('matrix', matrices, 16, false);
    stage.shadows.addShadowCaster(mesh, false);
  }

  const put = (out: vec3, { entity, at }: Place, interpolated: boolean) => {
    vec3.copy(out, at);
    if (entity === 0) return;
    const { components } = session.physics;
    const { position: p, rotation: q } = interpolated ? components.Interpolated : components.Transform;
    quat.set(spin, q.x[entity], q.y[entity], q.z[entity], q.w[entity]);
    vec3.transformQuat(out, out, spin);
    vec3.add(out, out, [p.x[entity], p.y[entity], p.z[entity]]);
  };

  return {
    move(interpolated) {
      if (!mesh) return;
      cords.forEach(([a, b], i) => {
        put(from, a, interpolated);
        put(to, b, interpolated);
        const way = vec3.subtract(vec3.create(), to, from);
        const length = Math.max(vec3.length(way), 1e-6);
        const y = vec3.scale(vec3.create(), way, 1 / length);
        // Any direction across will do.
        const x = vec3.cross(vec3.create(), y, Math.abs(y[0]) < 0.8 ? [1, 0, 0] : [0, 0, 1]);
        vec3.normalize(x, x);
        const z = vec3.cross(vec3.create(), x, y);
        const middle = vec3.lerp(vec3.create(), from, to, 0.5);
        matrices.set([...x, 0, ...way, 0, ...z, 0, ...middle, 1], 16 * i);
      });
      mesh.thinInstanceBufferUpdated('matrix');
    },
    dispose() {
      if (!mesh) return;
      stage.shadows.removeShadowCaster(mesh);
      mesh.dispose(false, true);
      mesh = null;
    },
  };
}
