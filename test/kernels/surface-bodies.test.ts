import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { gridMesh, type Mesh } from '../mechanics/shell/shell-world';
import { boxHull, type Shape, type Vector } from './generic-scene';
import { createRandom, putBody } from './strand-scene';
import {
  closestOnTriangle,
  createSurfaceScene,
  distance,
  placeMesh,
  randomFrame,
  type SurfaceContact,
  type SurfaceScene,
} from './surface-scene';

const HALF = 0.004;
const NEAR = 0.25;
const MARGIN = 2 * NEAR * HALF;

/** Signed distance to a box with half extents. */
function toBox(p: Vector, size: number[]): number {
  const d = p.map((x, k) => Math.abs(x) - size[k]);
  const out = Math.hypot(...d.map((x) => Math.max(x, 0)));
  return out > 0 ? out : Math.max(...d);
}

/** Signed distance to a convex polygon in the plane, counter-clockwise. */
function toPolygon(x: number, y: number, corners: number[][]): number {
  let inside = Number.NEGATIVE_INFINITY;
  let out = Number.POSITIVE_INFINITY;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    const length = Math.hypot(bx - ax, by - ay);
    inside = Math.max(inside, ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length);
    const t = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length ** 2));
    out = Math.min(out, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
  });
  return inside <= 0 ? inside : out;
}

/** Profile of a turned shape: points (distance from the axis, height) and their mirror images. */
function toTurned(p: Vector, profile: number[][]): number {
  return toPolygon(Math.hypot(p[0], p[2]), p[1], profile);
}

const BODIES: Record<string, { shape: Shape; distance: (p: Vector) => number }> = {
  sphere: { shape: { kind: 'sphere', size: [0.1] }, distance: (p) => Math.hypot(...p) - 0.1 },
  capsule: {
    shape: { kind: 'capsule', size: [0.05, 0.08] },
    distance: ([x, y, z]) => Math.hypot(x, Math.max(0, Math.abs(y) - 0.08), z) - 0.05,
  },
  box: { shape: { kind: 'box', size: [0.08, 0.06, 0.1] }, distance: (p) => toBox(p, [0.08, 0.06, 0.1]) },
  hull: { shape: boxHull(0.08, 0.06, 0.1), distance: (p) => toBox(p, [0.08, 0.06, 0.1]) },
  cylinder: {
    shape: { kind: 'cylinder', size: [0.08, 0.06] },
    distance: (p) =>
      toTurned(p, [
        [-0.08, -0.06],
        [0.08, -0.06],
        [0.08, 0.06],
        [-0.08, 0.06],
      ]),
  },
  cone: {
    shape: { kind: 'cone', size: [0.08, 0.08] },
    distance: (p) =>
      toTurned(p, [
        [-0.08, -0.08],
        [0.08, -0.08],
        [0, 0.08],
      ]),
  },
  plane: { shape: { kind: 'plane', size: [0, 1, 0] }, distance: (p) => p[1] },
};

/** Least distance of a triangle, by sampling. */
function sample(corners: Vector[], toShape: (p: Vector) => number, steps: number): number {
  const [a, b, c] = corners;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= steps; i++) {
    for (let j = 0; i + j <= steps; j++) {
      const [u, v] = [i / steps, j / steps];
      least = Math.min(least, toShape(a.map((x, k) => x + u * (b[k] - x) + v * (c[k] - x)) as Vector));
    }
  }
  return least;
}

function leastOf({ points, triangles }: Mesh, toShape: (p: Vector) => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.slice(t, t + 3).map((v) => points.slice(3 * v, 3 * v + 3) as Vector);
    least = Math.min(least, sample(corners, toShape, 6));
  }
  return least;
}

/** Every triangle of the scene with its least distance. */
function sampleTriangles(scene: SurfaceScene, toShape: (p: Vector) => number): { row: number; least: number }[] {
  const { triangles } = scene.tables;
  return Array.from({ length: scene.arena.i32[L.TRIANGLE_COUNT >> 2] }, (_, row) => {
    const corners = [0, 1, 2].map((k) => scene.place(triangles.node[4 * row + k]));
    return { row, least: sample(corners, toShape, 10) };
  });
}

/** Whether the contact's nodes are all of the triangle. */
function isOf(scene: SurfaceScene, { nodes }: SurfaceContact, row: number): boolean {
  const own = Array.from(scene.tables.triangles.node.subarray(4 * row, 4 * row + 3));
  return nodes.every((node) => node < 0 || own.includes(node));
}

for (const [name, { shape, distance: toShape }] of Object.entries(BODIES)) {
  test(`contacts with a ${name} lie as deep as they say, and no triangle comes nearer than its contacts`, () => {
    const random = createRandom(7);
    let seen = 0;
    for (let trial = 0; trial < 6; trial++) {
      const scene = createSurfaceScene();
      const frame = randomFrame(random);
      const corner: Vector = [-0.1 + 0.02 * random(), 0, -0.1 + 0.02 * random()];
      const grid = placeMesh(
        gridMesh(5, 4, 0.2, 0.2),
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        corner,
      );
      // Outwards until it as good as touches.
      const wanted = HALF * (0.3 + 1.2 * random());
      let [from, to] = [0, 0.4];
      for (let i = 0; i < 14; i++) {
        const middle = (from + to) / 2;
        const mesh = placeMesh(grid, frame, frame[1].map((x) => x * middle) as Vector);
        if (leastOf(mesh, toShape) < wanted) from = middle;
        else to = middle;
      }
      const move = frame[1].map((x) => x * to) as Vector;
      scene.addSurface(placeMesh(grid, frame, move), HALF);
      putBody(scene, shape);
      const contacts = scene.detectSurface();
      for (const c of contacts) {
        expect(c.kinds[1]).toBe(L.PRIMITIVE_BODY);
        expect(c.collider).toBe(0);
        expect(c.weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
        // The distance at a contact; from a triangle along its normal to the shape's corner, the lowest or not.
        const distance = toShape(scene.pointOf(c, 1));
        if (c.kinds[0] === L.PRIMITIVE_TRIANGLE) {
          const foot = scene.pointOf(c, 1).map((x, k) => x - (c.gap + HALF) * c.normal[k]) as Vector;
          expect(Math.abs(toShape(foot))).toBeLessThan(c.gap > -HALF ? 2e-5 : 1e-9);
          if (c.gap > -HALF) expect(distance).toBeLessThan(c.gap + HALF + 1e-9);
        } else if (c.gap > -HALF) expect(distance).toBeCloseTo(c.gap + HALF, 6);
        expect(Math.hypot(...c.normal)).toBeCloseTo(1, 12);
      }
      expect(new Set(contacts.map((c) => c.key.join())).size).toBe(contacts.length);
      for (const { row, least } of sampleTriangles(scene, toShape)) {
        const own = contacts.filter((c) => isOf(scene, c, row));
        if (least < HALF + 0.9 * MARGIN) {
          seen++;
          expect(own.length).toBeGreaterThan(0);
          expect(Math.min(...own.map((c) => c.gap))).toBeLessThan(least - HALF + 0.021 * HALF);
        }
        if (least > HALF + 1.3 * MARGIN) expect(own.filter((c) => c.kinds[0] > 1)).toEqual([]);
      }
    }
    expect(seen).toBeGreaterThan(8);
  });
}

test('a flat patch on a plane and on a box has contacts at its vertices alone', () => {
  for (const shape of [BODIES.plane.shape, { kind: 'box', size: [1, 1, 1] } as Shape]) {
    const scene = createSurfaceScene();
    const height = shape.kind === 'box' ? 1 : 0;
    scene.addSurface(
      placeMesh(
        gridMesh(6, 6, 0.3, 0.3),
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        [0, height + HALF, 0],
      ),
      HALF,
    );
    putBody(scene, shape);
    const contacts = scene.detectSurface();
    expect(contacts.map((c) => c.kinds[0])).toEqual(Array(49).fill(1));
    for (const c of contacts) {
      expect(c.gap).toBeCloseTo(0, 12);
      expect(c.normal[1]).toBeCloseTo(1, 12);
    }
  }
});

test('a ball under a large triangle carries its inside', () => {
  const scene = createSurfaceScene();
  const mesh = { points: [-1, 0, -1, 1, 0, -1, -1, 0, 1, 1, 0, 1], triangles: [0, 2, 1, 1, 2, 3] };
  scene.addSurface(mesh, HALF);
  putBody(scene, { kind: 'sphere', size: [0.02] }, [-0.4, -0.02 - HALF, -0.4]);
  const contacts = scene.detectSurface();
  expect(contacts.map((c) => c.kinds)).toEqual([[3, 0]]);
  expect(contacts[0].gap).toBeCloseTo(0, 10);
  expect(contacts[0].normal[1]).toBeCloseTo(1, 12);
});

test('what moves past within a step is met on its way, seen from a body that moves and turns', () => {
  for (const [name, { shape }] of Object.entries(BODIES)) {
    const scene = createSurfaceScene();
    const first = scene.addSurface(
      placeMesh(
        gridMesh(4, 4, 0.4, 0.4),
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        [-0.21, 0.3, -0.19],
      ),
      HALF,
    );
    const count = scene.arena.i32[L.NODE_COUNT >> 2] - first;
    // 30 m/s down: half a metre in a step.
    scene.setVelocities(first, Array(count).fill([0, -30, 0]));
    putBody(scene, shape);
    const contacts = scene.detectSurface({ timeStep: 1 / 60 });
    expect(contacts.length, name).toBeGreaterThan(0);
    for (const c of contacts) {
      expect(c.time).toBeGreaterThan(0);
      expect(c.time).toBeLessThan(1);
      // Where it is at that time, it touches.
      const p = scene.pointOf(c, 1);
      const at: Vector = [p[0], p[1] - 0.5 * c.time, p[2]];
      expect(BODIES[name].distance(at), name).toBeCloseTo(HALF, 3);
      expect(c.normal[1]).toBeGreaterThan(0);
    }
    // The lowest part of what falls on a flat top meets it at the same time everywhere; nothing is missed.
    const still = createSurfaceScene();
    still.addSurface(
      placeMesh(
        gridMesh(4, 4, 0.4, 0.4),
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        [-0.21, 0.3, -0.19],
      ),
      HALF,
    );
    putBody(still, shape, [0, 0, 0], undefined, L.BODY_KINEMATIC);
    still.tables.bodies.linearVelocity.set([0, 30, 0, 0], 0);
    still.tables.bodies.awakeIndex[0] = 0;
    still.tables.colliders.flags[0] |= L.COLLIDER_MOVED;
    still.tables.bodies.flags[0] |= L.BODY_MOVED;
    still.arena.f64[L.TIME_STEP >> 3] = 1 / 60;
    still.kernels.findPairs();
    const seen = still.detectSurface({ timeStep: 1 / 60 });
    expect(seen.map((c) => [c.key, c.gap.toFixed(6)])).toEqual(contacts.map((c) => [c.key, c.gap.toFixed(6)]));
  }
});

test('a mesh is met at vertices, over ridges and over tips', () => {
  const scene = createSurfaceScene();
  // A pyramid on a wide floor.
  const vertices = [-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2, 0.1, 0.2, 0.1];
  const triangles = [0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0];
  putBody(scene, { kind: 'mesh', vertices, triangles });
  const mesh = { points: [-1, 0, -1, 1, 0, -1, -1, 0, 1, 1, 0, 1], triangles: [0, 2, 1, 1, 2, 3] };
  scene.addSurface(
    placeMesh(
      mesh,
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [0.2, 0.2 + HALF, 0.4],
    ),
    HALF,
  );
  const contacts = scene.detectSurface();
  expect(contacts.map((c) => c.kinds)).toEqual([[3, 0]]);
  expect(contacts[0].gap).toBeCloseTo(0, 9);
  const corners = [0, 1, 2, 3].map((k) => scene.place(k));
  expect(
    distance(scene.pointOf(contacts[0], 1), closestOnTriangle([0.1, 0.2, 0.1], [corners[0], corners[2], corners[1]])),
  ).toBeLessThan(1e-9);
});

test('nodes that a body holds do not touch that body, nor do their edges and triangles; others do', () => {
  const scene = createSurfaceScene();
  scene.addSurface(
    placeMesh(
      gridMesh(3, 3, 0.3, 0.3),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [-0.15, 1 + HALF, -0.15],
    ),
    HALF,
  );
  putBody(scene, { kind: 'box', size: [1, 1, 1] });
  expect(scene.detectSurface()).toHaveLength(16);
  const { attachments } = scene.tables;
  scene.arena.i32[L.ATTACHMENT_COUNT >> 2] = 1;
  attachments.flags[0] = L.ATTACHMENT_ALIVE | L.ATTACHMENT_PIN;
  attachments.rod[0] = 0;
  attachments.node[0] = 5;
  attachments.body[0] = 0;
  const nodes = scene.detectSurface().map((c) => c.nodes[0]);
  expect(nodes).toHaveLength(15);
  expect(nodes).not.toContain(5);
});

test('forces follow the features, and a further look keeps rows and adds only what is new', () => {
  const scene = createSurfaceScene();
  const first = scene.addSurface(
    placeMesh(
      gridMesh(3, 3, 0.3, 0.3),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [-0.15, 0.5 + HALF, -0.15],
    ),
    HALF,
  );
  putBody(scene, { kind: 'box', size: [0.5, 0.5, 0.5] });
  const before = scene.detectSurface();
  const { force } = scene.tables.nodeContacts;
  before.forEach((_, i) => {
    force.set([i, 1, 2, 3], 4 * i);
  });
  scene.setPositions(first, [[-0.149, 0.5 + HALF, -0.15]]);
  const after = scene.detectSurface();
  expect(after.map((c) => c.force[0])).toEqual(before.map((_, i) => i));
  // Away, and in a further look down again.
  const up = createSurfaceScene();
  const node = up.addSurface(
    placeMesh(
      gridMesh(3, 3, 0.3, 0.3),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [-0.15, 0.6, -0.15],
    ),
    HALF,
  );
  putBody(up, { kind: 'box', size: [0.5, 0.5, 0.5] });
  expect(up.detectSurface({ timeStep: 1 / 60 })).toEqual([]);
  up.setVelocities(node, Array(16).fill([0, -12, 0]));
  const met = up.detectSurface({ timeStep: 1 / 60, append: true });
  expect(met.filter((c) => c.kinds[0] === 1)).toHaveLength(16);
  const again = up.detectSurface({ timeStep: 1 / 60, append: true });
  expect(again).toEqual(met);
});

test('a further look passes over what moves as it did, and sees what adds up', () => {
  const scene = createSurfaceScene();
  const first = scene.addSurface(
    placeMesh(
      gridMesh(3, 3, 0.3, 0.3),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [-0.15, 0.52, -0.15],
    ),
    HALF,
  );
  putBody(scene, { kind: 'box', size: [0.5, 0.5, 0.5] });
  const options = { timeStep: 1 / 60, append: true, harmless: 0.2 };
  expect(scene.detectSurface({ timeStep: 1 / 60, harmless: 0.2 })).toEqual([]);
  // Down to within a radius, by steps each of which is less than a fifth of it.
  let found = 0;
  let looks = 0;
  for (let way = 0; way < 0.016 + 0.5 * HALF && found === 0; way += 0.19 * HALF, looks++) {
    scene.setVelocities(first, Array(16).fill([0, -60 * way, 0]));
    found = scene.detectSurface(options).length;
  }
  expect(found).toBe(16);
  expect(looks).toBeGreaterThan(20);
});
