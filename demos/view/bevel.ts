// Convex hulls as they are looked at: each face with a rim that darkens and turns towards its neighbours, so that
// stones that fit exactly show their joints. No point is moved: what touches in the world touches in the picture.

import { vec3 } from 'gl-matrix';
import type { ShapeMesh } from '../../src/index';

/** Width of the rim: of the shortest side of the hull's box, and at most [m]; at most this share of a face's own. */
const [RIM, WIDEST, OF_FACE] = [0.07, 0.05, 0.3];
/** Faces whose normals differ by less are one. */
const FLAT = 1 - 1e-6;

interface Face {
  normal: vec3;
  /** Numbers of its corners, counter-clockwise seen from outside. */
  loop: number[];
}

/** `grime`: how much darker an edge is than a face. Null for what is round: faces turn by less than a `crease` has. */
export function bevelled(
  mesh: ShapeMesh,
  grime: number,
  crease: number,
): (ShapeMesh & { shades: Float32Array }) | null {
  const corners = cornersOf(mesh);
  const faces = facesOf(mesh, corners);
  if (!faces.every((face, i) => faces.every((other, j) => j >= i || meetSharply(face, other, crease)))) return null;
  const around = corners.map((_, corner) =>
    faces.reduce<vec3>((sum, { normal, loop }) => (loop.includes(corner) ? add(sum, normal, 1) : sum), [0, 0, 0]),
  );
  const sides = [0, 1, 2].map((i) => Math.max(...corners.map((c) => c[i])) - Math.min(...corners.map((c) => c[i])));
  const widest = Math.min(WIDEST, RIM * Math.min(...sides));
  const out = { positions: [] as number[], normals: [] as number[], indices: [] as number[], shades: [] as number[] };
  for (const { normal, loop } of faces) {
    const first = out.shades.length;
    const count = loop.length;
    const inner = inset(
      loop.map((corner) => corners[corner]),
      normal,
      widest,
    );
    for (const [i, corner] of loop.entries()) {
      out.positions.push(...inner[i], ...corners[corner]);
      out.normals.push(...normal, ...vec3.normalize([0, 0, 0], around[corner]));
      out.shades.push(1, 1 - grime);
      const [a, b] = [first + 2 * i, first + 2 * ((i + 1) % count)];
      out.indices.push(a, a + 1, b + 1, a, b + 1, b);
      if (i > 1) out.indices.push(first, first + 2 * (i - 1), a);
    }
  }
  return {
    positions: Float32Array.from(out.positions),
    normals: Float32Array.from(out.normals),
    indices: Uint32Array.from(out.indices),
    shades: Float32Array.from(out.shades),
  };
}

/** Whether two faces have no edge in common, or one at which they turn by more than the angle of this cosine. */
function meetSharply(a: Face, b: Face, crease: number): boolean {
  return vec3.dot(a.normal, b.normal) < crease || a.loop.filter((corner) => b.loop.includes(corner)).length < 2;
}

const add = (a: vec3, b: vec3, share: number): vec3 => vec3.scaleAndAdd([0, 0, 0], a, b, share) as vec3;

/** Corners of a face moved into it, all sides by the same way. */
function inset(loop: readonly vec3[], normal: vec3, widest: number): vec3[] {
  const count = loop.length;
  const inward = loop.map((corner, i) => {
    const along = vec3.subtract([0, 0, 0], loop[(i + 1) % count], corner);
    return vec3.normalize([0, 0, 0], vec3.cross([0, 0, 0], normal, along)) as vec3;
  });
  const middle = vec3.scale(
    [0, 0, 0],
    loop.reduce<vec3>((sum, corner) => add(sum, corner, 1), [0, 0, 0]),
    1 / count,
  );
  const room = loop.map((corner, i) => vec3.dot(inward[i], vec3.subtract([0, 0, 0], middle, corner)));
  const width = Math.min(widest, OF_FACE * Math.min(...room));
  return loop.map((corner, i) => {
    const [before, after] = [inward[(i + count - 1) % count], inward[i]];
    const way = add(before, after, 1);
    return add(corner, way, width / (1 + vec3.dot(before, after)));
  });
}

/** Points of a mesh, each once. */
function cornersOf({ positions: p }: ShapeMesh): vec3[] {
  const known = new Map<string, vec3>();
  for (let i = 0; i < p.length; i += 3) known.set(placeOf(p, i), [p[i], p[i + 1], p[i + 2]]);
  return [...known.values()];
}

const placeOf = (p: Float32Array, i: number) => `${p[i].toFixed(6)} ${p[i + 1].toFixed(6)} ${p[i + 2].toFixed(6)}`;

/** The flat faces of a convex mesh. */
function facesOf({ positions: p, indices }: ShapeMesh, corners: readonly vec3[]): Face[] {
  const numbers = new Map(corners.map((corner, i) => [placeOf(Float32Array.from(corner), 0), i]));
  const found: { normal: vec3; members: Set<number> }[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const members = [0, 1, 2].map((i) => numbers.get(placeOf(p, 3 * indices[t + i])) as number);
    const [a, b, c] = members.map((corner) => corners[corner]);
    const [ab, ac] = [vec3.subtract([0, 0, 0], b, a), vec3.subtract([0, 0, 0], c, a)];
    const normal = vec3.normalize([0, 0, 0], vec3.cross([0, 0, 0], ab, ac)) as vec3;
    if (!(vec3.length(normal) > 0)) continue;
    const face = found.find((each) => vec3.dot(each.normal, normal) > FLAT);
    if (face) for (const member of members) face.members.add(member);
    else found.push({ normal, members: new Set(members) });
  }
  return found.map(({ normal, members }) => ({ normal, loop: inTurn([...members], corners, normal) }));
}

/** Corners of a convex face in the order in which they stand about its middle. */
function inTurn(members: number[], corners: readonly vec3[], normal: vec3): number[] {
  const middle = members.reduce<vec3>((sum, corner) => add(sum, corners[corner], 1 / members.length), [0, 0, 0]);
  const u = vec3.normalize([0, 0, 0], vec3.subtract([0, 0, 0], corners[members[0]], middle));
  const v = vec3.cross([0, 0, 0], normal, u);
  const angle = (corner: number) => {
    const arm = vec3.subtract([0, 0, 0], corners[corner], middle);
    return Math.atan2(vec3.dot(arm, v), vec3.dot(arm, u));
  };
  return members.sort((a, b) => angle(a) - angle(b));
}
