// A small world for the detection of contacts of surfaces: shells, rods, bodies, and the contacts read back.

import { createShell, type ShellDefinition } from '../../src/dynamics/elastic/mesh-rows';
import type { Engine } from '../../src/dynamics/engine';
import * as L from '../../src/state/layout';
import { type Mesh, shellDefinition } from '../mechanics/shell/shell-world';
import { cross, dot, scale, sub, unit, type Vector } from './generic-scene';
import { createStrandScene, type StrandContact, type StrandScene } from './strand-scene';

export interface SurfaceContact extends StrandContact {
  /** Kinds of the primitives of side A and B: their numbers of nodes, 0 a body. */
  kinds: [number, number];
  objects: [number, number];
}

export type SurfaceScene = ReturnType<typeof createSurfaceScene>;

export function createSurfaceScene() {
  const scene = createStrandScene();
  const { arena, tables } = scene;

  /** One shell; returns its first node. */
  const addSurface = (mesh: Mesh, half = 0.001, over: Partial<ShellDefinition> = {}): number => {
    const first = arena.i32[L.NODE_COUNT >> 2];
    const parameter = [half, 400, 1e6, 0, 1e6, 0, 0.3, 0];
    createShell({ arena, tables } as Engine, shellDefinition(mesh, { selfContact: true, parameter, ...over }));
    return first;
  };
  const readSurface = (): SurfaceContact[] => {
    const { key, side } = tables.nodeContacts;
    return scene
      .readContacts()
      .map((c, i) => ({
        ...c,
        kinds: [key[4 * i + 2], key[4 * i + 3]] as [number, number],
        objects: [side[4 * i], side[4 * i + 1]] as [number, number],
      }))
      .filter((c) => c.key[0] < 0);
  };
  /** Finds and reads what surfaces take part in. */
  const detectSurface = (options?: Parameters<StrandScene['find']>[0]): SurfaceContact[] => {
    scene.find(options);
    return readSurface();
  };
  const place = (node: number): Vector => Array.from(tables.nodes.position.subarray(4 * node, 4 * node + 3)) as Vector;
  /** Where the contact's side A (sign 1) or B (−1) is. */
  const pointOf = (contact: SurfaceContact, sign: 1 | -1): Vector => {
    const sum: Vector = [0, 0, 0];
    contact.nodes.forEach((node, k) => {
      const weight = sign * contact.weights[k];
      if (node >= 0 && weight > 0) for (let d = 0; d < 3; d++) sum[d] += weight * place(node)[d];
    });
    return sum;
  };
  return { ...scene, addSurface, readSurface, detectSurface, place, pointOf };
}

/** Turns a mesh by a rotation matrix of three columns and moves it. */
export function placeMesh(mesh: Mesh, [x, y, z]: [Vector, Vector, Vector], move: Vector): Mesh {
  const points: number[] = [];
  for (let i = 0; i < mesh.points.length; i += 3) {
    for (let d = 0; d < 3; d++) {
      points.push(mesh.points[i] * x[d] + mesh.points[i + 1] * y[d] + mesh.points[i + 2] * z[d] + move[d]);
    }
  }
  return { points, triangles: mesh.triangles };
}

/** Three unit vectors at right angles, from a stream of random numbers. */
export function randomFrame(random: () => number): [Vector, Vector, Vector] {
  const x = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
  const y = unit(cross(x, [random() - 0.5, random() - 0.5, random() - 0.5]));
  return [x, y, cross(x, y)];
}

/** Closest point of a triangle to a point, by the foot on its plane and on its sides. */
export function closestOnTriangle(p: Vector, corners: Vector[]): Vector {
  const [a, b, c] = corners;
  const n = cross(sub(b, a), sub(c, a));
  const foot = sub(p, scale(n, dot(sub(p, a), n) / dot(n, n)));
  const inside = [0, 1, 2].every((k) => {
    const from = corners[k];
    return dot(cross(sub(corners[(k + 1) % 3], from), sub(foot, from)), n) >= 0;
  });
  if (inside) return foot;
  const candidates = [0, 1, 2].map((k) => closestOnSegment(p, corners[k], corners[(k + 1) % 3]));
  return candidates.reduce((best, q) => (distance(p, q) < distance(p, best) ? q : best));
}

export function closestOnSegment(p: Vector, a: Vector, b: Vector): Vector {
  const e = sub(b, a);
  const t = Math.min(1, Math.max(0, dot(sub(p, a), e) / dot(e, e)));
  return [a[0] + t * e[0], a[1] + t * e[1], a[2] + t * e[2]];
}

export function distance(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
