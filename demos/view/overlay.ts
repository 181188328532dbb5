// What the engine sees, drawn over the scene: the line and point lists of drawDebug as thin sticks and beads of
// constant width on the screen.

import { Constants } from '@babylonjs/core/Engines/constants';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial';
import { Color3 } from '@babylonjs/core/Maths/math.color';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import '@babylonjs/core/Meshes/thinInstanceMesh';
import type { Scene } from '@babylonjs/core/scene';
import { query } from 'bitecs';
import { createDrawList, type DrawOptions, drawDebug, type Physics } from '../../src/index';
import type { Grab } from '../app/grab';
import { clockwise } from './geometry';

/** Width of a line and diameter of a point, as a share of the distance to the camera. */
const [LINE, POINT] = [0.0021, 0.0075];

export interface Overlay {
  update(physics: Physics, options: DrawOptions, grab: Grab, eye: readonly number[]): void;
}

interface Swarm {
  /** What is in sight, and, fainter, what lies within bodies or behind them. */
  meshes: readonly Mesh[];
  matrices: Float32Array;
  colors: Float32Array;
  count: number;
  /** The array that the mesh knows. */
  attached: Float32Array | null;
}

export function createOverlay(scene: Scene): Overlay {
  // Contacts lie between bodies: what these hide is drawn, too, so that it is seen to lie behind.
  scene.setRenderingAutoClearDepthStencil(1, false);
  const materials = [createMaterial(scene, 'overlay', Constants.LEQUAL), createMaterial(scene, 'hidden overlay', null)];
  const sticks = createSwarm(scene, 'overlay lines', prism(5), materials);
  const beads = createSwarm(scene, 'overlay points', octahedron(), materials);
  const list = createDrawList();

  return {
    update(physics, options, grab, eye) {
      begin(sticks);
      begin(beads);
      if (Object.values(options).some((value) => value === true)) {
        const { tension, ...rest } = options;
        drawDebug(physics, list, rest);
        const { lines, lineColors, points, pointColors } = list;
        for (let i = 0; i < list.lineCount; i++) stick(sticks, lines, 6 * i, lineColors, 4 * i, eye);
        for (let i = 0; i < list.pointCount; i++) bead(beads, points, 3 * i, pointColors, 4 * i, eye, POINT);
        // Around the ropes, which would hide what is drawn within them.
        if (tension) {
          drawDebug(physics, list, { tension });
          const around = 2.3 * thickest(physics);
          for (let i = 0; i < list.lineCount; i++)
            stick(sticks, list.lines, 6 * i, list.lineColors, 4 * i, eye, around);
        }
      }
      if (grab.active) {
        const line = [...grab.anchor, ...grab.target];
        stick(sticks, line, 0, GRAB_COLOR, 0, eye);
        bead(beads, line, 0, GRAB_COLOR, 0, eye, 1.5 * POINT);
        bead(beads, line, 3, GRAB_COLOR, 0, eye, 1.5 * POINT);
      }
      end(sticks);
      end(beads);
    },
  };
}

/** Largest radius of the world's rods [m]. */
function thickest({ world, components: { Rod } }: Physics): number {
  let most = 0;
  for (const eid of query(world, [Rod])) most = Math.max(most, Rod.radius[eid]);
  return most;
}

const GRAB_COLOR = [1, 1, 1, 1];

/** How much is seen of what lies behind bodies. */
const HIDDEN = 0.4;

/** `seen`: what depth must be for it to be drawn; null: what that one leaves out, and faint. */
function createMaterial(scene: Scene, name: string, seen: number | null): StandardMaterial {
  const material = new StandardMaterial(name, scene);
  material.disableLighting = true;
  material.emissiveColor = Color3.White();
  material.depthFunction = seen ?? Constants.GREATER;
  material.disableDepthWrite = seen === null;
  if (seen === null) material.alpha = HIDDEN;
  return material;
}

function createSwarm(scene: Scene, name: string, data: VertexData, materials: readonly StandardMaterial[]): Swarm {
  const meshes = materials.map((material) => {
    const mesh = new Mesh(name, scene);
    data.applyToMesh(mesh);
    mesh.material = material;
    mesh.renderingGroupId = 1;
    mesh.isPickable = false;
    mesh.alwaysSelectAsActiveMesh = true;
    mesh.setEnabled(false);
    return mesh;
  });
  const [matrices, colors] = [new Float32Array(16 * 256), new Float32Array(4 * 256)];
  const swarm: Swarm = { meshes, matrices, colors, count: 0, attached: null };
  attach(swarm);
  return swarm;
}

function attach(swarm: Swarm): void {
  swarm.attached = swarm.matrices;
  for (const mesh of swarm.meshes) {
    mesh.thinInstanceSetBuffer('matrix', swarm.matrices, 16, false);
    mesh.thinInstanceSetBuffer('color', swarm.colors, 4, false);
  }
}

function begin(swarm: Swarm): void {
  swarm.count = 0;
}

function end(swarm: Swarm): void {
  for (const mesh of swarm.meshes) mesh.setEnabled(swarm.count > 0);
  if (swarm.count === 0) return;
  // Grown arrays are handed over only here, when they are complete.
  if (swarm.attached !== swarm.matrices) attach(swarm);
  for (const mesh of swarm.meshes) {
    mesh.thinInstanceCount = swarm.count;
    mesh.thinInstanceBufferUpdated('matrix');
    mesh.thinInstanceBufferUpdated('color');
  }
}

/** Room for one more; returns its index. */
function next(swarm: Swarm): number {
  if (16 * (swarm.count + 1) > swarm.matrices.length) {
    const [matrices, colors] = [swarm.matrices, swarm.colors];
    swarm.matrices = new Float32Array(2 * matrices.length);
    swarm.matrices.set(matrices);
    swarm.colors = new Float32Array(2 * colors.length);
    swarm.colors.set(colors);
  }
  return swarm.count++;
}

function paint(swarm: Swarm, index: number, colors: ArrayLike<number>, at: number): void {
  // Alpha goes into brightness: the overlay is opaque.
  const a = 0.35 + 0.65 * colors[at + 3];
  for (let i = 0; i < 3; i++) swarm.colors[4 * index + i] = colors[at + i] * a;
  swarm.colors[4 * index + 3] = 1;
}

/** A prism along a segment: its y axis runs from start to end; at least `least` thick [m]. */
function stick(
  swarm: Swarm,
  lines: ArrayLike<number>,
  at: number,
  colors: ArrayLike<number>,
  color: number,
  eye: readonly number[],
  least = 0,
): void {
  const index = next(swarm);
  const o = 16 * index;
  const m = swarm.matrices;
  const [x, y, z] = [lines[at], lines[at + 1], lines[at + 2]];
  const [dx, dy, dz] = [lines[at + 3] - x, lines[at + 4] - y, lines[at + 5] - z];
  const length = Math.hypot(dx, dy, dz) || 1e-9;
  const afar = LINE * Math.hypot(x + dx / 2 - eye[0], y + dy / 2 - eye[1], z + dz / 2 - eye[2]);
  const width = Math.max(afar, least);
  // Any two directions across will do.
  const [ux, uy, uz] = Math.abs(dy) < 0.9 * length ? [dz, 0, -dx] : [0, -dz, dy];
  const u = width / Math.hypot(ux, uy, uz);
  const v = u / length;
  m[o] = ux * u;
  m[o + 1] = uy * u;
  m[o + 2] = uz * u;
  m[o + 3] = 0;
  m[o + 4] = dx;
  m[o + 5] = dy;
  m[o + 6] = dz;
  m[o + 7] = 0;
  m[o + 8] = (uy * dz - uz * dy) * v;
  m[o + 9] = (uz * dx - ux * dz) * v;
  m[o + 10] = (ux * dy - uy * dx) * v;
  m[o + 11] = 0;
  m[o + 12] = x;
  m[o + 13] = y;
  m[o + 14] = z;
  m[o + 15] = 1;
  paint(swarm, index, colors, color);
}

function bead(
  swarm: Swarm,
  points: ArrayLike<number>,
  at: number,
  colors: ArrayLike<number>,
  color: number,
  eye: readonly number[],
  size: number,
): void {
  const index = next(swarm);
  const o = 16 * index;
  const m = swarm.matrices;
  const [x, y, z] = [points[at], points[at + 1], points[at + 2]];
  const radius = (size / 2) * Math.hypot(x - eye[0], y - eye[1], z - eye[2]);
  m.fill(0, o, o + 16);
  m[o] = m[o + 5] = m[o + 10] = radius;
  m[o + 12] = x;
  m[o + 13] = y;
  m[o + 14] = z;
  m[o + 15] = 1;
  paint(swarm, index, colors, color);
}

/** An open prism of unit length along y, half a unit thick. */
function prism(sides: number): VertexData {
  const data = new VertexData();
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= sides; i++) {
    const angle = (2 * Math.PI * i) / sides;
    positions.push(Math.cos(angle) / 2, 0, Math.sin(angle) / 2, Math.cos(angle) / 2, 1, Math.sin(angle) / 2);
    if (i < sides) indices.push(2 * i, 2 * i + 1, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 2);
  }
  data.positions = positions;
  data.normals = positions.map(() => 0.577);
  data.indices = clockwise(indices);
  return data;
}

function octahedron(): VertexData {
  const data = new VertexData();
  const ring = 8;
  const positions: number[] = [0, 1, 0, 0, -1, 0];
  const indices: number[] = [];
  for (const y of [0.7, -0.7])
    for (let i = 0; i < ring; i++) {
      const angle = (2 * Math.PI * i) / ring;
      const flat = Math.sqrt(1 - y * y);
      positions.push(flat * Math.cos(angle), y, flat * Math.sin(angle));
    }
  for (let i = 0; i < ring; i++) {
    const [a, b] = [2 + i, 2 + ((i + 1) % ring)];
    indices.push(0, b, a, a, b, b + ring, a, b + ring, a + ring, 1, a + ring, b + ring);
  }
  data.positions = positions;
  data.normals = positions;
  data.indices = clockwise(indices);
  return data;
}
