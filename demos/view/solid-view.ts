// The elastic solids of a session on the stage, from the packed columns of physics: what light goes into, and some of
// it through.

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { Color3 } from '@babylonjs/core/Maths/math.color';
import { Vector3 } from '@babylonjs/core/Maths/math.vector';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import type { Session } from '../app/session';
import type { DemoScene, SolidLook } from '../scenes/demo-scene';
import { PALETTE } from '../scenes/palette';
import { clockwise } from './geometry';
import { linear } from './looks';
import type { Stage } from './stage';

export interface SolidView {
  /** Makes the meshes follow what moved. */
  update(): void;
  dispose(): void;
}

const PLAIN: readonly string[] = [PALETTE.terracotta, PALETTE.mint, PALETTE.saffron, PALETTE.plum];

interface Drawn {
  mesh: Mesh;
  entity: number;
  positions: Float32Array;
  normals: Float32Array;
}

export function createSolidView(stage: Stage, session: Session, demo: DemoScene | null): SolidView {
  const { physics, solids } = session;
  let made: Drawn[] = [];
  let last = { version: -1, step: -1, alpha: -1 };

  // What can be seen through casts a shadow, too.
  stage.shadows.transparencyShadow = solids.size > 0;
  const clear = () => {
    for (const { mesh } of made) {
      stage.shadows.removeShadowCaster(mesh);
      mesh.dispose(false, true);
    }
    made = [];
  };
  const build = () => {
    clear();
    let order = 0;
    for (const [name, { entity, drawn }] of solids) {
      const look = demo?.solids?.(name) ?? { color: PLAIN[order % PLAIN.length], opacity: 0.85 };
      order++;
      const count = 3 * physics.components.Solid.vertexCount[entity];
      const [positions, normals] = [new Float32Array(count), new Float32Array(count)];
      const mesh = new Mesh(`solid ${name}`, stage.scene);
      const data = new VertexData();
      data.positions = positions;
      data.normals = normals;
      data.indices = clockwise(Uint32Array.from(drawn));
      data.applyToMesh(mesh, true);
      mesh.material = createJelly(stage, name, look);
      mesh.receiveShadows = true;
      mesh.isPickable = false;
      mesh.alwaysSelectAsActiveMesh = true;
      stage.castSolid(mesh);
      made.push({ mesh, entity, positions, normals });
    }
  };

  return {
    update() {
      if (solids.size === 0) return;
      const { version, positions, normals } = physics.solids;
      const { stepCount, alpha } = physics;
      if (version === last.version && stepCount === last.step && alpha === last.alpha) return;
      if (version !== last.version) build();
      last = { version, step: stepCount, alpha };
      for (const one of made) {
        const first = 3 * physics.components.Solid.firstVertex[one.entity];
        one.positions.set(positions.subarray(first, first + one.positions.length));
        one.normals.set(normals.subarray(first, first + one.normals.length));
        one.mesh.updateVerticesData(VertexBuffer.PositionKind, one.positions, false, false);
        one.mesh.updateVerticesData(VertexBuffer.NormalKind, one.normals, false, false);
        bound(one);
      }
    },
    dispose: clear,
  };
}

/** What can be seen through is drawn the farthest first: by the middle of its bounds. */
function bound({ mesh, positions }: Drawn): void {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k++) {
    low[k % 3] = Math.min(low[k % 3], positions[k]);
    high[k % 3] = Math.max(high[k % 3], positions[k]);
  }
  mesh.buildBoundingInfo(new Vector3(...low), new Vector3(...high));
}

function createJelly({ scene }: Stage, name: string, look: SolidLook): PBRMaterial {
  const material = new PBRMaterial(`jelly ${name}`, scene);
  const color = new Color3(...linear(look.color));
  material.albedoColor = color;
  material.metallic = 0;
  material.roughness = 0.16;
  // What light is in it comes out again everywhere.
  material.emissiveColor = color.scale(0.12);
  material.alpha = look.opacity;
  // Where the light only grazes it, jelly mirrors and hides what is behind.
  material.useRadianceOverAlpha = true;
  material.useSpecularOverAlpha = true;
  // The far side shines through the near one, once.
  material.backFaceCulling = true;
  material.needDepthPrePass = true;
  const { subSurface } = material;
  subSurface.isTranslucencyEnabled = true;
  subSurface.translucencyIntensity = 0.65;
  subSurface.translucencyColor = color;
  subSurface.minimumThickness = subSurface.maximumThickness = 0.4;
  return material;
}
