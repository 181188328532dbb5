// What is written at bodies, by the scene or, where a visitor asks, their friction and mass: a plate on the side that
// faces the eye, hidden by what stands before it.

import { Material } from '@babylonjs/core/Materials/material';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture';
import { Color3 } from '@babylonjs/core/Maths/math.color';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import type { Scene } from '@babylonjs/core/scene';
import { quat, vec3 } from 'gl-matrix';
import type { RigidBodySpec } from '../../src/index';
import type { Session } from '../app/session';
import type { DemoScene } from '../scenes/demo-scene';

/** Bodies labelled: the first so many. */
const MOST = 64;
/** Texts on the sheet of all texts, below each other [pixels]. */
const [SHEET, ROW] = [256, 64];
const ROWS = 32;
/** Height of a plate as a share of the distance to the eye; it is at most four times as wide. */
const HEIGHT = 0.016;
/** Of one above a body, at most, and at most as a share of the body's longest side. */
const [TALL, BESIDE] = [0.03, 0.7];

export interface Labels {
  /** Shows those of the scene, or all with friction and mass, turned to an eye that looks along `forward`. */
  update(areAll: boolean, eye: readonly number[], forward: readonly number[]): void;
  dispose(): void;
}

/** What is written at a body: μ 0.6 · 10 kg. */
export function labelOf(friction: number, mass: number): string {
  const [amount, unit] = mass >= 1000 ? [mass / 1000, 't'] : mass >= 0.1 ? [mass, 'kg'] : [1000 * mass, 'g'];
  return `μ ${+friction.toPrecision(3)} · ${+amount.toPrecision(3)} ${unit}`;
}

/** Half extents of a shape [m]. */
function extentOf(shape: RigidBodySpec['shape']): vec3 {
  const of = shape as unknown as Record<string, number[] | number>;
  if (Array.isArray(of.box)) return vec3.clone(of.box as unknown as vec3);
  if (typeof of.sphere === 'number') return vec3.fromValues(of.sphere, of.sphere, of.sphere);
  const round = (of.capsule ?? of.cylinder ?? of.cone) as number[] | undefined;
  if (round) return vec3.fromValues(round[0], round[1] + (of.capsule ? round[0] : 0), round[0]);
  const points = of.hull as unknown as number[][] | undefined;
  const most = (k: number) => Math.max(...(points ?? [[0.1, 0.1, 0.1]]).map((point) => Math.abs(point[k])));
  return vec3.fromValues(most(0), most(1), most(2));
}

export function createLabels(scene: Scene, session: Session, demo: DemoScene | null): Labels {
  const { entities, specs, fixed, physics } = session;
  const all = [...entities]
    .filter(([name, eid]) => !fixed.has(eid) && specs.get(name)?.shape !== undefined)
    .map(([name, eid]) => ({
      ...{ eid, text: demo?.label?.(name) },
      extent: extentOf((specs.get(name) as RigidBodySpec).shape),
    }));
  const told = all.filter(({ text }) => text !== undefined).slice(0, MOST);
  const plates = createPlates(scene, session, told, true, ({ text = '' }) => text);
  const { RigidBody, Material: Surface } = physics.components;
  const everywhere = createPlates(scene, session, all.slice(0, MOST), false, ({ eid }) =>
    labelOf(Surface.friction[eid], RigidBody.mass[eid]),
  );
  return {
    update(areAll, eye, forward) {
      plates.update(!areAll, eye, forward);
      everywhere.update(areAll, eye, forward);
    },
    dispose() {
      plates.dispose();
      everywhere.dispose();
    },
  };
}

interface Labelled {
  eid: number;
  text: string | undefined;
  extent: vec3;
}

/** Plates before bodies, or above them, with what `tell` says of each. */
function createPlates(
  scene: Scene,
  { physics }: Session,
  bodies: readonly Labelled[],
  areAbove: boolean,
  tell: (body: Labelled) => string,
): Labels {
  let mesh: Mesh | null = null;
  const positions = new Float32Array(12 * bodies.length);

  const build = () => {
    const texts = bodies.map(tell);
    const known = [...new Set(texts)].slice(0, ROWS);
    const made = new Mesh('labels', scene);
    const data = new VertexData();
    data.positions = positions;
    data.uvs = texts.flatMap((text) => {
      const [top, bottom] = [0, 1].map((end) => (Math.max(known.indexOf(text), 0) + end) / ROWS);
      return [0, bottom, 1, bottom, 1, top, 0, top];
    });
    data.indices = bodies.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner));
    data.applyToMesh(made, true);
    const material = new StandardMaterial('labels', scene);
    const sheet = write(scene, known);
    material.emissiveTexture = material.opacityTexture = sheet;
    // Added to what the texture says.
    material.emissiveColor = Color3.Black();
    material.disableLighting = true;
    material.backFaceCulling = false;
    material.transparencyMode = Material.MATERIAL_ALPHABLEND;
    made.material = material;
    made.renderingGroupId = 1;
    made.isPickable = false;
    made.alwaysSelectAsActiveMesh = true;
    return made;
  };

  const [toEye, away, right, up, spin] = [vec3.create(), vec3.create(), vec3.create(), vec3.create(), quat.create()];
  const place = (i: number, eye: vec3) => {
    const { position: p, rotation: q } = physics.components.Interpolated;
    const { eid, extent } = bodies[i];
    const centre: vec3 = [p.x[eid], p.y[eid], p.z[eid]];
    const distance = vec3.distance(eye, centre);
    vec3.scale(toEye, vec3.subtract(toEye, eye, centre), 1 / Math.max(distance, 1e-6));
    // Where the way to the eye leaves the box about the body, and a little beyond.
    quat.conjugate(spin, quat.set(spin, q.x[eid], q.y[eid], q.z[eid], q.w[eid]));
    vec3.transformQuat(away, toEye, spin);
    const reach = Math.min(...[0, 1, 2].map((k) => extent[k] / Math.max(Math.abs(away[k]), 1e-6)));
    let height = HEIGHT * (distance - reach);
    if (areAbove) {
      height = Math.min(TALL * (distance - reach), 2 * BESIDE * Math.max(extent[0], extent[1], extent[2]));
      vec3.scaleAndAdd(centre, centre, toEye, reach + 0.01 * distance);
      vec3.transformQuat(away, [0, 1, 0], spin);
      centre[1] += [0, 1, 2].reduce((sum, k) => sum + extent[k] * Math.abs(away[k]), 0) + 0.5 * height;
    } else vec3.scaleAndAdd(centre, centre, toEye, 1.02 * reach + 0.002 * distance);
    const corners = [
      [-2, -0.5],
      [2, -0.5],
      [2, 0.5],
      [-2, 0.5],
    ];
    corners.forEach(([x, y], k) => {
      for (let c = 0; c < 3; c++) positions[12 * i + 3 * k + c] = centre[c] + height * (x * right[c] + y * up[c]);
    });
  };

  return {
    update(isShown, eye, forward) {
      if (!isShown || bodies.length === 0) {
        mesh?.setEnabled(false);
        return;
      }
      // Masses are known once a step has been taken.
      if (!mesh && physics.stepCount === 0) return;
      mesh ??= build();
      mesh.setEnabled(true);
      vec3.normalize(right, vec3.cross(right, forward as unknown as vec3, [0, 1, 0]));
      vec3.cross(up, right, forward as unknown as vec3);
      for (let i = 0; i < bodies.length; i++) place(i, eye as unknown as vec3);
      mesh.updateVerticesData('position', positions, false, false);
    },
    dispose() {
      mesh?.dispose(false, true);
      mesh = null;
    },
  };
}

/** A texture with the texts below each other, each on a dark plate. */
function write(scene: Scene, texts: readonly string[]): RawTexture {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: SHEET, height: ROW * ROWS });
  const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  pen.font = '600 34px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  texts.forEach((text, row) => {
    pen.fillStyle = '#14161ae0';
    pen.beginPath();
    const width = Math.min(pen.measureText(text).width + 28, SHEET - 4);
    pen.roundRect((SHEET - width) / 2, ROW * row + 6, width, ROW - 12, 14);
    pen.fill();
    pen.fillStyle = '#ffffff';
    pen.fillText(text, SHEET / 2, ROW * (row + 0.5), SHEET - 16);
  });
  const { data } = pen.getImageData(0, 0, SHEET, ROW * ROWS);
  const texture = RawTexture.CreateRGBATexture(new Uint8Array(data.buffer), SHEET, ROW * ROWS, scene, false, false);
  texture.hasAlpha = true;
  return texture;
}
