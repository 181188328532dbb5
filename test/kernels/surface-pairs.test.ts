import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { longTest } from '../setup/suite';
import { dot, sub, unit, type Vector } from './generic-scene';
import { createRandom, randomDirection } from './strand-scene';
import {
  closestOnSegment,
  closestOnTriangle,
  createSurfaceScene,
  distance,
  placeMesh,
  randomFrame,
  type SurfaceContact,
  type SurfaceScene,
} from './surface-scene';

const HALF = 0.004;
const REACH = 2 * HALF;
const NEAR = 0.25;
const STILL: [Vector, Vector, Vector] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Least distance between two segments, by nested search: the distance is convex in both places. */
function betweenSegments(a: Vector, b: Vector, c: Vector, d: Vector): number {
  let [from, to] = [0, 1];
  const at = (s: number) => {
    const p = a.map((x, k) => x + s * (b[k] - x)) as Vector;
    return distance(p, closestOnSegment(p, c, d));
  };
  for (let i = 0; i < 40; i++) {
    const [s, t] = [from + (to - from) / 3, to - (to - from) / 3];
    if (at(s) < at(t)) to = t;
    else from = s;
  }
  return at((from + to) / 2);
}

interface Primitives {
  triangles: { row: number; nodes: number[] }[];
  edges: { row: number; nodes: number[] }[];
}

function primitivesOf({ tables, arena }: SurfaceScene): Primitives {
  const { triangles, meshEdges } = tables;
  return {
    triangles: Array.from({ length: arena.i32[L.TRIANGLE_COUNT >> 2] }, (_, row) => ({
      row,
      nodes: Array.from(triangles.node.subarray(4 * row, 4 * row + 3)),
    })),
    edges: Array.from({ length: arena.i32[L.MESH_EDGE_COUNT >> 2] }, (_, row) => ({
      row,
      nodes: Array.from(meshEdges.node.subarray(4 * row, 4 * row + 2)),
    })),
  };
}

function middleOf(scene: SurfaceScene, nodes: number[]): Vector {
  const [a, b, c] = nodes.map(scene.place);
  return a.map((x, k) => (x + b[k] + c[k]) / 3) as Vector;
}

/** Least distance of two triangles: of points to triangles and of edges to edges. */
function betweenTriangles(scene: SurfaceScene, a: number[], b: number[]): number {
  const p = a.map(scene.place);
  const q = b.map(scene.place);
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    least = Math.min(least, distance(p[k], closestOnTriangle(p[k], q)), distance(q[k], closestOnTriangle(q[k], p)));
    for (let j = 0; j < 3; j++) {
      least = Math.min(least, betweenSegments(p[k], p[(k + 1) % 3], q[j], q[(j + 1) % 3]));
    }
  }
  return least;
}

/** A contact says what its nodes say: distance along the normal, coefficients, reach. */
function checkGeometry(scene: SurfaceScene, c: SurfaceContact, reach = REACH): void {
  const apart = sub(scene.pointOf(c, 1), scene.pointOf(c, -1));
  expect(dot(apart, c.normal)).toBeCloseTo(c.gap + reach, 9);
  expect(Math.hypot(...c.normal)).toBeCloseTo(1, 9);
  const a = c.kinds[0];
  expect(c.weights.slice(0, a).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 9);
  expect(c.weights.slice(a).reduce((sum, w) => sum + w, 0)).toBeCloseTo(-1, 9);
  expect(c.kinds[0] + c.kinds[1]).toBe(4);
}

/** Bumpy sheets over each other, all turned alike: none goes through another. */
function crumpled(seed: number, sheets: number, cells: number, side: number): SurfaceScene {
  const random = createRandom(seed);
  const scene = createSurfaceScene();
  const frame = randomFrame(random);
  for (let s = 0; s < sheets; s++) {
    const grid = gridMesh(cells, cells, side, side, 'crossed');
    const bump = 0.36 * (side / cells);
    const turn = 0.6 * s;
    const own: [Vector, Vector, Vector] = [
      [Math.cos(turn), 0, Math.sin(turn)],
      [0, 1, 0],
      [-Math.sin(turn), 0, Math.cos(turn)],
    ];
    const points = grid.points.map((x, i) => (i % 3 === 1 ? bump * (random() + 1.03 * s) : x - side / 2));
    const sheet = placeMesh({ points, triangles: grid.triangles }, own, [0.02 * random(), 0, 0.02 * random()]);
    scene.addSurface(placeMesh(sheet, frame, [0, 0, 0]), HALF);
  }
  return scene;
}

longTest('no two triangles of different sheets come nearer than the contacts of their points and edges', () => {
  let near = 0;
  for (let seed = 1; seed <= 1; seed++) {
    const scene = crumpled(seed, 3, 5, 0.25);
    const contacts = scene.detectSurface();
    for (const c of contacts) checkGeometry(scene, c);
    expect(new Set(contacts.map((c) => c.key.join())).size).toBe(contacts.length);
    const { triangles } = primitivesOf(scene);
    const objectOf = scene.tables.nodes.strand;
    for (let i = 0; i < triangles.length; i++) {
      for (let j = i + 1; j < triangles.length; j++) {
        const [a, b] = [triangles[i].nodes, triangles[j].nodes];
        if (objectOf[a[0]] === objectOf[b[0]]) continue;
        if (distance(middleOf(scene, a), middleOf(scene, b)) > 0.07) continue;
        const least = betweenTriangles(scene, a, b);
        if (least > 0.99 * (1 + NEAR) * REACH) continue;
        near++;
        // In a neighbourhood of the pair there is a contact as near.
        const around = contacts.filter((c) => {
          const [p, q] = [scene.pointOf(c, 1), scene.pointOf(c, -1)];
          const isNear = (x: Vector, nodes: number[]) =>
            distance(x, closestOnTriangle(x, nodes.map(scene.place))) < 0.06;
          return (isNear(p, a) && isNear(q, b)) || (isNear(p, b) && isNear(q, a));
        });
        expect(around.length).toBeGreaterThan(0);
        expect(Math.min(...around.map((c) => Math.abs(c.gap + REACH)))).toBeLessThan(least + 0.03 * REACH);
      }
    }
  }
  expect(near).toBeGreaterThan(25);
});

test('every kind of pair is found where one stands alone, and once', () => {
  const triangle = (points: number[]) => ({ points, triangles: [0, 1, 2] });
  const floor = triangle([-0.1, 0, -0.1, -0.1, 0, 0.2, 0.2, 0, -0.1]);
  const cases: [string, number[], [number, number][]][] = [
    // A tip down over the inside of a triangle.
    ['point over a triangle', [0, 0.009, 0, 0.05, 0.2, 0, -0.05, 0.2, 0.02], [[1, 3]]],
    // A tip down beside the border.
    ['point beside an edge', [-0.109, 0, 0.05, -0.2, 0.1, 0, -0.2, 0.1, 0.1], [[1, 3]]],
    ['point beside a corner', [-0.106, 0, -0.106, -0.2, 0.1, -0.2, -0.2, 0.1, -0.1], [[1, 3]]],
    // An edge across the border, its ends far.
    ['edge over an edge', [-0.2, 0.092, 0.05, 0, -0.108, 0.05, -0.2, -0.2, 0.06], [[2, 2]]],
  ];
  for (const [name, points, kinds] of cases) {
    const scene = createSurfaceScene();
    scene.addSurface(floor, HALF);
    scene.addSurface(triangle(points), HALF);
    const contacts = scene.detectSurface();
    expect(
      contacts.map((c) => c.kinds),
      name,
    ).toEqual(kinds);
    for (const c of contacts) checkGeometry(scene, c);
  }
});

test('layers that lie flat on each other touch at points alone, one for each', () => {
  for (const [shift, seed] of [
    [0, 1],
    [0.013, 2],
  ]) {
    const scene = createSurfaceScene();
    scene.addSurface(gridMesh(6, 6, 0.3, 0.3), HALF);
    scene.addSurface(placeMesh(gridMesh(6, 6, 0.3, 0.3), STILL, [shift, 1.001 * REACH, shift * 0.7]), HALF);
    const contacts = scene.detectSurface();
    // Where corners stick out edges cross whose ends lie beside the other sheet.
    expect(contacts.filter((c) => c.kinds[0] === 2).length, `${seed}`).toBeLessThanOrEqual(seed === 1 ? 0 : 6);
    for (const c of contacts) {
      expect(c.gap).toBeCloseTo(0.001 * REACH, 9);
      expect(Math.abs(c.normal[1])).toBeCloseTo(1, 9);
    }
    // Points over each other touch once; else all over the other sheet.
    if (shift === 0) expect(contacts).toHaveLength(49);
    else expect(contacts.length).toBeGreaterThan(60);
  }
});

test('a sheet does not touch itself where its rest shape is near, and does where it is folded', () => {
  const scene = createSurfaceScene();
  // Cells of half the thickness.
  scene.addSurface(gridMesh(12, 12, 0.048, 0.048), HALF);
  expect(scene.detectSurface()).toEqual([]);
  const folded = createSurfaceScene();
  const grid = gridMesh(10, 4, 0.4, 0.16);
  // Over the middle, back on itself at the thickness.
  for (let i = 0; i < grid.points.length; i += 3) {
    const x = grid.points[i];
    if (x > 0.2 + 1e-9) {
      grid.points[i] = 0.4 - x + 0.04;
      grid.points[i + 1] = REACH;
    }
  }
  folded.addSurface(grid, HALF);
  const contacts = folded.detectSurface();
  expect(contacts.length).toBeGreaterThan(10);
  for (const c of contacts) expect(c.objects).toEqual([0, 0]);
  // Without self-contact nothing.
  const open = createSurfaceScene();
  open.addSurface(grid, HALF, { selfContact: false });
  expect(open.detectSurface()).toEqual([]);
});

test('layers and masks, and rods over a sheet', () => {
  const scene = createSurfaceScene();
  scene.addSurface(gridMesh(4, 4, 0.2, 0.2), HALF, { layers: 2, mask: 4 });
  scene.addSurface(placeMesh(gridMesh(4, 4, 0.2, 0.2), STILL, [0, REACH, 0]), HALF, { layers: 1, mask: 0xffff });
  expect(scene.detectSurface()).toEqual([]);

  const strands = createSurfaceScene();
  strands.addSurface(gridMesh(4, 4, 0.2, 0.2), HALF);
  const rod = strands.addRod([[0.02, 0.06, 0.1, 0.14].map((x): Vector => [x, HALF + 0.001, 0.11])], { radius: 0.001 });
  const contacts = strands.detectSurface();
  // Flat on the sheet: its nodes alone.
  expect(contacts.map((c) => c.nodes[0]).sort()).toEqual([rod, rod + 1, rod + 2, rod + 3]);
  for (const c of contacts) checkGeometry(strands, c, HALF + 0.001);
  // Over the border, its nodes far: edges.
  const over = createSurfaceScene();
  over.addSurface(gridMesh(1, 1, 0.2, 0.2), HALF);
  over.addRod(
    [
      [
        [-0.105, 0.1, 0.1],
        [0.095, -0.1 + 0.008, 0.1],
      ],
    ],
    { radius: 0.001 },
  );
  const edges = over.detectSurface();
  expect(edges.map((c) => c.kinds)).toEqual([[2, 2]]);
  expect(edges[0].key[1] & L.SURFACE_ROD).not.toBe(0);
  for (const c of edges) checkGeometry(over, c, HALF + 0.001);
});

test('what will pass through within the step is met, whatever moves all of it', () => {
  const random = createRandom(5);
  for (let trial = 0; trial < 30; trial++) {
    const scene = createSurfaceScene();
    const frame = randomFrame(random);
    const common = randomDirection(random).map((x) => 40 * x) as Vector;
    scene.addSurface(placeMesh(gridMesh(3, 3, 0.2, 0.2), frame, [0, 0, 0]), HALF);
    const other = placeMesh(gridMesh(3, 3, 0.2, 0.2, 'even'), frame, frame[1].map((x) => 0.1 * x) as Vector);
    const first = scene.addSurface(other, HALF);
    scene.setVelocities(0, Array(16).fill(common));
    // At 15 m/s through the first: a quarter of a metre in the step.
    const fall = frame[1].map((x, k) => common[k] - 15 * x + 0.3 * frame[0][k]) as Vector;
    scene.setVelocities(first, Array(16).fill(fall));
    const contacts = scene.detectSurface({ timeStep: 1 / 60 });
    expect(contacts.length).toBeGreaterThan(16);
    for (const c of contacts) {
      checkGeometry(scene, c);
      expect(c.time).toBeCloseTo((0.1 - REACH) / 0.25, 2);
    }
    // Every node of either that has something over or under it.
    const points = contacts.filter((c) => c.kinds[0] === 1);
    expect(points.length).toBeGreaterThan(20);
  }
});

test('forces and rows are the same wherever the memory lies, and forces slide on with a point', () => {
  const scene = crumpled(3, 3, 5, 0.25);
  const contacts = scene.detectSurface();
  const keys = contacts.map((c) => c.key);
  for (let i = 1; i < keys.length; i++) {
    expect(keys[i][0] > keys[i - 1][0] || (keys[i][0] === keys[i - 1][0] && keys[i][1] > keys[i - 1][1])).toBe(true);
  }
  const moved = crumpled(3, 3, 5, 0.25);
  moved.tables.control.nodeContacts.ensure(5000);
  moved.tables.control.nodes.ensure(9000);
  expect(moved.detectSurface()).toEqual(contacts);
  expect(moved.detectSurface()).toEqual(contacts);

  // A tip that slides from one triangle to the next.
  const slide = createSurfaceScene();
  slide.addSurface(gridMesh(4, 4, 0.4, 0.4, 'even'), HALF, { selfContact: false });
  const tip = { points: [0.12, 0.0081, 0.13, 0.2, 0.3, 0.1, 0.1, 0.3, 0.2], triangles: [0, 1, 2] };
  const first = slide.addSurface(tip, HALF);
  const [before] = slide.detectSurface();
  slide.tables.nodeContacts.force.set([1, 2, 3, 0.5], 0);
  slide.setPositions(first, [[0.13, 0.0081, 0.12]]);
  const [after] = slide.detectSurface();
  expect(after.key).not.toEqual(before.key);
  expect(after.force).toEqual([1, 2, 3, 0.5]);
});

test('what was on one side stays on it', () => {
  const scene = createSurfaceScene();
  scene.addSurface({ points: [-1, 0, -1, -1, 0, 2, 2, 0, -1], triangles: [0, 1, 2] }, HALF);
  const first = scene.addSurface({ points: [0, 0.001, 0, 0.1, 0.5, 0, 0, 0.5, 0.1], triangles: [0, 1, 2] }, HALF);
  const [above] = scene.detectSurface();
  expect(above.normal[1]).toBeCloseTo(1, 9);
  // Through to the other side all the same: the way home.
  scene.setPositions(first, [[0, -0.002, 0]]);
  const [through] = scene.detectSurface().filter((c) => c.key.join() === above.key.join());
  expect(through.normal[1]).toBeCloseTo(1, 9);
  expect(through.gap).toBeCloseTo(-0.002 - REACH, 9);
  // In the plane itself: where it came from.
  scene.setPositions(first, [[0, 0, 0]]);
  scene.arena.i32[L.NODE_CONTACT_COUNT >> 2] = 0;
  scene.tables.nodes.previous.set([0, -0.1, 0, 0], 4 * first);
  const [level] = scene.detectSurface();
  expect(level.normal[1]).toBeCloseTo(-1, 9);
  expect(unit(level.normal)[1]).toBeCloseTo(-1, 9);
});

test('a fold about one corner is kept open by the edges that cross it', () => {
  const scene = createSurfaceScene();
  // A fan of three triangles about vertex 0; the last edge, 0–4, lies over the first triangle and reaches beyond it.
  const height = 0.2 * REACH;
  const points = [...[0, 0, 0, 0.1, 0, 0.05, 0.1, 0, -0.05], ...[0.02, 0.09, -0.06, 0.103, height, 0.004]];
  const first = scene.addSurface({ points, triangles: [0, 1, 2, 0, 2, 3, 0, 3, 4] }, HALF);
  const found = scene.detectSurface({ near: NEAR });
  const across = found.filter(({ kinds, nodes }) => {
    const at = nodes.map((node) => node - first).sort((a, b) => a - b);
    return kinds[0] === L.PRIMITIVE_EDGE && kinds[1] === L.PRIMITIVE_EDGE && `${at}` === '0,1,2,4';
  });
  expect(across.length).toBe(1);
  expect(across[0].gap).toBeLessThan(-0.7 * REACH);
});
