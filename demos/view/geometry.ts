// Triangle meshes of the shapes, made to be looked at: edges of boxes, cylinders and hulls are slightly rounded so that
// they catch the light. Triangle meshes come from the public face's shapeMesh.

import { vec3 } from 'gl-matrix';
import { type ShapeSpec, shapeMesh } from '../../src/index';
import type { ShapeFile } from '../scenes/demo-scene';
import { bevelled } from './bevel';

export interface Geometry {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
  /** How bright each vertex is, 0..1: bevels of boxes darken towards the edge. All are bright without it. */
  shades?: Float32Array;
  /** Part of a compound that each vertex is of. */
  parts?: Uint16Array;
  /** Where each vertex lies in a texture, two numbers. */
  uvs?: Float32Array;
}

/** Growing lists while a mesh is made. */
interface Draft {
  positions: number[];
  normals: number[];
  indices: number[];
}

const draft = (): Draft => ({ positions: [], normals: [], indices: [] });

const finish = (mesh: Draft): Geometry => ({
  positions: new Float32Array(mesh.positions),
  normals: new Float32Array(mesh.normals),
  indices: new Uint32Array(mesh.indices),
});

/** Mesh of a shape in the body's axes. `detail` 1 is for the eye, 0.5 for slow machines. */
export function geometryOf(shape: ShapeFile, detail: number): Geometry {
  if ('box' in shape) return roundedBox(shape.box[0], shape.box[1], shape.box[2], detail);
  if ('sphere' in shape) return capsule(shape.sphere, 0, detail);
  if ('capsule' in shape) return capsule(shape.capsule[0], shape.capsule[1], detail);
  if ('cylinder' in shape) return cylinder(shape.cylinder[0], shape.cylinder[1], detail);
  if ('cone' in shape) return cone(shape.cone[0], shape.cone[1], detail);
  if ('compound' in shape) return compound(shape.compound, detail);
  if ('plane' in shape) return plane(shape.plane);
  const mesh = shapeMesh(shape as ShapeSpec);
  if ('hull' in shape) return bevelled(mesh, GRIME, CREASE) ?? smooth(mesh);
  return 'heightField' in shape ? block(smooth(mesh)) : smooth(mesh);
}

/** How much darker an edge is than a face: two beside each other show a joint. */
const GRIME = 0.5;

/** A box whose 12 edges are bevelled by a quarter circle of two steps. */
function roundedBox(hx: number, hy: number, hz: number, detail: number): Geometry {
  const mesh = draft();
  const shades: number[] = [];
  const half = [hx, hy, hz];
  const radius = Math.min(0.05, 0.12 * Math.min(hx, hy, hz));
  const steps = detail < 1 ? 1 : 2;
  // Each face is a grid: the flat middle, and half of each bevel around it.
  const samples: [number, number][] = []; // (side −1 or +1, angle from the face)
  for (let i = 0; i <= steps; i++) samples.push([-1, ((steps - i) / steps) * (Math.PI / 4)]);
  for (let i = 0; i <= steps; i++) samples.push([1, (i / steps) * (Math.PI / 4)]);
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [-1, 1]) {
      const base = mesh.positions.length / 3;
      for (const [sv, av] of samples)
        for (const [su, au] of samples) {
          const normal: vec3 = [0, 0, 0];
          normal[axis] = side;
          normal[u] = su * Math.tan(au);
          normal[v] = sv * Math.tan(av);
          vec3.normalize(normal, normal);
          const corner = [0, 0, 0];
          corner[axis] = side * (half[axis] - radius);
          corner[u] = su * (half[u] - radius);
          corner[v] = sv * (half[v] - radius);
          for (let i = 0; i < 3; i++) {
            mesh.positions.push(corner[i] + radius * normal[i]);
            mesh.normals.push(normal[i]);
          }
          shades.push(1 - GRIME * (Math.max(au, av) / (Math.PI / 4)));
        }
      grid(mesh, base, samples.length, samples.length, side > 0);
    }
  }
  return { ...finish(mesh), shades: new Float32Array(shades) };
}

/** Two triangles a cell of a columns × rows grid of vertices from `base`. */
function grid(mesh: Draft, base: number, columns: number, rows: number, forward: boolean): void {
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const a = base + row * columns + column;
      const [b, c, d] = [a + 1, a + columns + 1, a + columns];
      if (forward) mesh.indices.push(a, b, c, a, c, d);
      else mesh.indices.push(a, c, b, a, d, c);
    }
}

/** A profile (radius, y, normal radius, normal y) from top to bottom, turned about y. */
function revolve(profile: readonly (readonly [number, number, number, number])[], segments: number): Geometry {
  const mesh = draft();
  for (const [radius, y, nr, ny] of profile)
    for (let i = 0; i <= segments; i++) {
      const angle = (2 * Math.PI * i) / segments;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      mesh.positions.push(radius * c, y, radius * s);
      mesh.normals.push(nr * c, ny, nr * s);
    }
  grid(mesh, 0, segments + 1, profile.length, true);
  return finish(mesh);
}

const segmentsFor = (detail: number) => (detail < 1 ? 20 : 40);

function capsule(radius: number, halfHeight: number, detail: number): Geometry {
  const profile: [number, number, number, number][] = [];
  const rings = segmentsFor(detail) / 4;
  for (let half = 0; half < 2; half++)
    for (let i = 0; i <= rings; i++) {
      const angle = ((half + i / rings) * Math.PI) / 2;
      const [s, c] = [Math.sin(angle), Math.cos(angle)];
      profile.push([radius * s, (half === 0 ? halfHeight : -halfHeight) + radius * c, s, c]);
    }
  return revolve(profile, segmentsFor(detail));
}

/** Quarter-circle bevel from normal angle a to b (0 = up) about (radius, y). */
function bevel(profile: [number, number, number, number][], r: number, y: number, size: number, a: number, b: number) {
  for (let i = 0; i <= 3; i++) {
    const angle = a + ((b - a) * i) / 3;
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    profile.push([r + size * s, y + size * c, s, c]);
  }
}

function cylinder(radius: number, halfHeight: number, detail: number): Geometry {
  const size = Math.min(0.04, 0.15 * Math.min(radius, halfHeight));
  const profile: [number, number, number, number][] = [[0, halfHeight, 0, 1]];
  bevel(profile, radius - size, halfHeight - size, size, 0, Math.PI / 2);
  bevel(profile, radius - size, size - halfHeight, size, Math.PI / 2, Math.PI);
  profile.push([0, -halfHeight, 0, -1]);
  return revolve(profile, segmentsFor(detail));
}

function cone(radius: number, halfHeight: number, detail: number): Geometry {
  const slope = Math.atan2(2 * halfHeight, radius); // of the side above the base
  const size = 0.06 * Math.min(radius, halfHeight);
  const normal = Math.PI / 2 - (Math.PI / 2 - slope); // angle of the side's normal from up
  const profile: [number, number, number, number][] = [[0, halfHeight, Math.sin(normal), Math.cos(normal)]];
  // The rounding circle touches base and side.
  const inset = size / Math.tan(slope / 2);
  bevel(profile, radius - inset, size - halfHeight, size, normal, Math.PI);
  profile.push([0, -halfHeight, 0, -1]);
  return revolve(profile, segmentsFor(detail));
}

/** A square of 24 m for planes that are not the ground. */
function plane(n: readonly number[]): Geometry {
  const normal = vec3.normalize([0, 0, 0], [n[0], n[1], n[2]]);
  const [x, y, z] = normal;
  const a: vec3 = Math.abs(y) < 0.9 ? [z, 0, -x] : [0, -z, y];
  const u = vec3.scale([0, 0, 0], a, 12 / vec3.length(a));
  const v = vec3.cross([0, 0, 0], normal, u);
  const mesh = draft();
  for (const [i, j] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]) {
    mesh.positions.push(i * u[0] + j * v[0], i * u[1] + j * v[1], i * u[2] + j * v[2]);
    mesh.normals.push(x, y, z);
  }
  mesh.indices.push(0, 1, 2, 0, 2, 3);
  return finish(mesh);
}

function compound(
  parts: readonly { position?: ArrayLike<number>; rotation?: ArrayLike<number>; shape: ShapeFile }[],
  detail: number,
): Geometry {
  const mesh = draft();
  const owners: number[] = [];
  parts.forEach((part, number) => {
    const piece = geometryOf(part.shape, detail);
    const p = part.position ?? [0, 0, 0];
    const q = part.rotation ?? [0, 0, 0, 1];
    const base = mesh.positions.length / 3;
    for (let i = 0; i < piece.positions.length; i += 3) {
      const at = turned(q, piece.positions, i);
      mesh.positions.push(at[0] + p[0], at[1] + p[1], at[2] + p[2]);
      mesh.normals.push(...turned(q, piece.normals, i));
      owners.push(number);
    }
    for (const index of piece.indices) mesh.indices.push(base + index);
  });
  return { ...finish(mesh), parts: Uint16Array.from(owners) };
}

function turned(q: ArrayLike<number>, v: ArrayLike<number>, o: number): vec3 {
  return vec3.transformQuat([0, 0, 0], [v[o], v[o + 1], v[o + 2]], [q[0], q[1], q[2], q[3]]);
}

/** How bright the cut sides of a terrain are, and how thick it is at its lowest, of its width. */
const [CUT, LEAST] = [0.7, 0.02];

/** A terrain as a block cut out of the ground: with sides down to a level below it. */
function block({ positions: p, normals, indices }: Geometry): Geometry {
  const mesh: Draft = { positions: [...p], normals: [...normals], indices: [...indices] };
  const ends = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < p.length; i += 3) [low, high] = [Math.min(low, p[i]), Math.max(high, p[i])];
    return [low, high];
  });
  const bottom = ends[1][0] - LEAST * (ends[0][1] - ends[0][0]);
  for (let t = 0; t < indices.length; t++) {
    const [a, b] = [3 * indices[t], 3 * indices[t % 3 < 2 ? t + 1 : t - 2]];
    for (const axis of [0, 2])
      for (const side of [0, 1]) {
        if (p[a + axis] !== ends[axis][side] || p[b + axis] !== ends[axis][side]) continue;
        const first = mesh.positions.length / 3;
        for (const [at, y] of [
          [a, p[a + 1]],
          [b, p[b + 1]],
          [b, bottom],
          [a, bottom],
        ]) {
          mesh.positions.push(p[at], y, p[at + 2]);
          const out = side > 0 ? 1 : -1;
          mesh.normals.push(axis === 0 ? out : 0, 0, axis === 2 ? out : 0);
        }
        // Edges run counter-clockwise seen from above, and so to the left seen from outside.
        mesh.indices.push(first, first + 2, first + 1, first, first + 3, first + 2);
      }
  }
  const shades = new Float32Array(mesh.positions.length / 3).fill(CUT).fill(1, 0, p.length / 3);
  return { ...finish(mesh), shades };
}

/** Cosine of the crease angle: faces that meet flatter than 35° are shaded as one surface. */
const CREASE = Math.cos((35 * Math.PI) / 180);

/** Normals averaged over neighbouring faces, except across creases. */
function smooth(mesh: Geometry): Geometry {
  const { positions: p, indices } = mesh;
  const count = indices.length;

  const out: Geometry = {
    positions: new Float32Array(3 * count),
    normals: new Float32Array(3 * count),
    indices: new Uint32Array(count),
  };
  const faces = new Float64Array(count); // face normals times area
  const around = new Map<string, number[]>(); // faces at a place
  const key = (i: number) => `${p[3 * i].toFixed(5)},${p[3 * i + 1].toFixed(5)},${p[3 * i + 2].toFixed(5)}`;

  for (let t = 0; t < count; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    faces.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], t);
    for (let k = 0; k < 3; k++) {
      const place = key(indices[t + k]);
      const list = around.get(place);
      if (list) list.push(t);
      else around.set(place, [t]);
    }
  }

  const length = (t: number) => Math.hypot(faces[t], faces[t + 1], faces[t + 2]) || 1;

  for (let t = 0; t < count; t += 3)
    for (let k = 0; k < 3; k++) {
      const vertex = indices[t + k];
      let [x, y, z] = [0, 0, 0];
      for (const f of around.get(key(vertex)) ?? [t]) {
        const dot = faces[f] * faces[t] + faces[f + 1] * faces[t + 1] + faces[f + 2] * faces[t + 2];
        if (dot < CREASE * length(f) * length(t)) continue;
        x += faces[f];
        y += faces[f + 1];
        z += faces[f + 2];
      }
      const size = Math.hypot(x, y, z) || 1;
      out.positions.set(p.subarray(3 * vertex, 3 * vertex + 3), 3 * (t + k));
      out.normals.set([x / size, y / size, z / size], 3 * (t + k));
      out.indices[t + k] = t + k;
    }

  return out;
}

/** Ours run counter-clockwise seen from outside; Babylon takes the other order for the front. */
export function clockwise<T extends number[] | Uint32Array>(indices: T): T {
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const second = indices[i + 1];
    indices[i + 1] = indices[i + 2];
    indices[i + 2] = second;
  }
  return indices;
}
