import { describe, expect, test } from 'vitest';
import { buildHull, type Hull } from '../../src/geometry/hull-build';
import * as L from '../../src/state/layout';
import { bySuite } from '../setup/suite';
import {
  add,
  boxHull,
  cross,
  dot,
  type Quaternion,
  rotate,
  type Shape,
  scale,
  sub,
  turn,
  unit,
  type Vector,
} from './generic-scene';
import { createRandom, createStrandScene, putBody, randomDirection, type StrandScene } from './strand-scene';

const NEAR = 0.25;

/** Grid of triangles over the plane y = height(x, z), side 1, n × n squares, normals up. */
function grid(n: number, height: (x: number, z: number) => number, side = 2): Shape {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const x = (i / n - 0.5) * side;
      const z = (j / n - 0.5) * side;
      vertices.push(x, height(x, z), z);
    }
  }
  const at = (i: number, j: number) => i * (n + 1) + j;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      triangles.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
    }
  }
  return { kind: 'mesh', vertices, triangles };
}

/** Moves a body as a teleport would. */
function moveBody(scene: StrandScene, collider: number, position: Vector, rotation?: Quaternion): void {
  scene.place(collider, position, rotation);
  scene.tables.colliders.flags[collider] |= L.COLLIDER_MOVED;
  scene.kernels.findPairs();
}

// Distances by definition, sampled or closed, sharing no code with the kernel.
const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));
const boxDistance = (p: Vector, h: Vector) => {
  const d = p.map((x, k) => Math.abs(x) - h[k]);
  return Math.hypot(...d.map((x) => Math.max(x, 0))) + Math.min(0, Math.max(...d));
};
/** Signed distance to a convex profile (r, y) turned about y, by its half-planes and corners. */
const turnedDistance = (p: Vector, corners: [number, number][]) => {
  const q: [number, number] = [Math.hypot(p[0], p[2]), p[1]];
  let inside = -Infinity;
  let outside = Infinity;
  for (let i = 0; i + 1 < corners.length; i++) {
    const [a, b] = [corners[i], corners[i + 1]];
    const e = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(...e);
    const height = ((q[0] - a[0]) * e[1] - (q[1] - a[1]) * e[0]) / length;
    inside = Math.max(inside, height);
    const t = clamp(((q[0] - a[0]) * e[0] + (q[1] - a[1]) * e[1]) / length ** 2, 0, 1);
    outside = Math.min(outside, Math.hypot(q[0] - a[0] - t * e[0], q[1] - a[1] - t * e[1]));
  }
  return inside <= 0 ? inside : outside;
};

const half: Vector = [0.3, 0.2, 0.25];
const SHAPES: [name: string, shape: Shape, distance: (p: Vector) => number][] = [
  ['sphere', { kind: 'sphere', size: [0.3] }, (p) => Math.hypot(...p) - 0.3],
  [
    'capsule',
    { kind: 'capsule', size: [0.2, 0.3] },
    (p) => Math.hypot(p[0], p[1] - clamp(p[1], -0.3, 0.3), p[2]) - 0.2,
  ],
  ['box', { kind: 'box', size: half }, (p) => boxDistance(p, half)],
  ['hull', boxHull(...half), (p) => boxDistance(p, half)],
  [
    'cylinder',
    { kind: 'cylinder', size: [0.3, 0.2] },
    (p) =>
      turnedDistance(p, [
        [0, -0.2],
        [0.3, -0.2],
        [0.3, 0.2],
        [0, 0.2],
      ]),
  ],
  [
    'cone',
    { kind: 'cone', size: [0.3, 0.3] },
    (p) =>
      turnedDistance(p, [
        [0, -0.3],
        [0.3, -0.3],
        [0, 0.3],
      ]),
  ],
  ['plane', { kind: 'plane', size: [0, 1, 0] }, (p) => p[1]],
];

/** Signed distance to a hull: height over its highest plane inside, least distance from faces and edges outside. */
function hullDistance({ vertices, faces, planes, edges }: Hull, p: Vector): { distance: number; isOnFace: boolean } {
  const heights = planes.map(([x, y, z, d]) => dot(p, [x, y, z]) - d);
  const highest = Math.max(...heights);
  if (highest <= 0) return { distance: highest, isOnFace: true };
  const corner = (v: number) => vertices[v] as Vector;
  const least = Math.min(
    ...edges.map(([a, b]) => {
      const e = sub(corner(b), corner(a));
      const t = clamp(dot(sub(p, corner(a)), e) / dot(e, e), 0, 1);
      return Math.hypot(...sub(p, add(corner(a), scale(e, t))));
    }),
  );
  const over = heights.filter((h, f) => {
    const n = planes[f].slice(0, 3) as Vector;
    const isLeft = (v: number, i: number) => {
      const next = corner(faces[f][(i + 1) % faces[f].length]);
      return dot(cross(n, sub(next, corner(v))), sub(p, corner(v))) >= 0;
    };
    return h > 0 && h < least && faces[f].every(isLeft);
  });
  return over.length > 0 ? { distance: over[0], isOnFace: true } : { distance: least, isOnFace: false };
}

describe('an edge near a shape', () => {
  for (const [name, shape, distance] of SHAPES) {
    test(`${name}: its nodes and its lowest point, with the gaps that sampling finds`, () => {
      const random = createRandom(17);
      const radius = 0.01;
      let between = 0;
      let touching = 0;
      const scene = createStrandScene();
      const collider = putBody(scene, shape);
      scene.addRod(
        [
          [
            [0, 0, 0],
            [1, 0, 0],
          ],
        ],
        { radius, friction: 0.5 },
      );
      for (let k = 0; k < bySuite(60, 150); k++) {
        const rotation = turn(unit(randomDirection(random)), 3 * random());
        const inverse: Quaternion = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
        const place = scale(randomDirection(random), 2);
        const start = scale(randomDirection(random), 0.5 * random());
        const local = [start, add(start, scale(randomDirection(random), 0.4 * random()))] as Vector[];
        moveBody(scene, collider, place, rotation);
        scene.setPositions(
          0,
          local.map((p) => add(place, rotate(rotation, p))),
        );
        const found = scene.detect();
        // The lowest of 2000 places of the edge.
        let lowest = Infinity;
        for (let i = 0; i <= 2000; i++) {
          lowest = Math.min(lowest, distance(add(local[0], scale(sub(local[1], local[0]), i / 2000))));
        }
        const limit = radius * (1 + 2 * NEAR);
        if (Math.abs(lowest - limit) > 1e-4) expect(found.length > 0).toBe(lowest < limit);
        const ends = local.map(distance);
        const endsFound = found.filter((c) => c.weights[1] === 0 || c.weights[1] === 1);
        expect(endsFound.length).toBe(ends.filter((d) => d <= limit).length);
        if (found.length > 0) {
          touching++;
          const least = Math.min(...found.map((c) => c.gap));
          expect(least).toBeGreaterThan(lowest - radius - 2e-4);
          expect(least).toBeLessThan(lowest - radius + 0.12 * radius);
        }
        for (const c of found) {
          const p = add(scale(local[0], c.weights[0]), scale(local[1], c.weights[1]));
          if (c.weights[1] > 0 && c.weights[1] < 1) between++;
          expect(c.gap).toBeCloseTo(distance(p) - radius, 9);
          expect(c.nodes).toEqual([0, 1, -1, -1]);
          expect(c.weights.slice(2)).toEqual([0, 0]);
          expect([c.collider, c.body]).toEqual([collider, -1]);
          // The point on the body lies on its surface, straight below along the normal.
          const onBody = rotate(inverse, c.arm);
          expect(distance(onBody)).toBeCloseTo(0, 9);
          const n = rotate(inverse, c.normal);
          expect(dot(n, n)).toBeCloseTo(1, 12);
          for (let a = 0; a < 3; a++) expect(p[a] - (c.gap + radius) * n[a]).toBeCloseTo(onBody[a], 9);
          expect(c.drift).toEqual([-0, -0, -0]);
          expect(c.friction).toBeCloseTo(0.5, 14);
        }
      }
      expect(touching).toBeGreaterThan(bySuite(8, 20));
      if (name !== 'plane') expect(between).toBeGreaterThan(bySuite(1, 5));
    });
  }

  test('hulls of many corners, round, flat, long and worn: each contact has the gap by definition', () => {
    const random = createRandom(29);
    const [radius, limit] = [0.01, 0.01 * (1 + 2 * NEAR)];
    let [between, onEdges] = [0, 0];
    const ellipsoid = (size: Vector) =>
      Array.from({ length: 70 }, () => unit(randomDirection(random)).map((x, k) => x * size[k]));
    const around = (corner: Vector) =>
      Array.from({ length: 8 }, () => add(corner, scale(randomDirection(random), 0.003)));
    // A box whose corners are worn: what is nearest is far smaller than its distance.
    const worn = [-1, 1].flatMap((x) =>
      [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => around([0.2 * x, 0.1 * y, 0.3 * z]))),
    );
    for (const points of [
      ellipsoid([0.3, 0.2, 0.25]),
      ellipsoid([0.4, 0.02, 0.3]),
      ellipsoid([0.05, 0.4, 0.05]),
      worn,
    ]) {
      const hull = buildHull(points);
      const [vertices, faces] = [hull.vertices as Vector[], hull.faces as number[][]];
      const scene = createStrandScene();
      putBody(scene, { kind: 'hull', vertices, faces });
      scene.addRod([[vertices[0], vertices[1]]], { radius });
      for (let k = 0; k < bySuite(10, 60); k++) {
        // From beside a corner, of which the faces see it more or less aslant.
        const start = add(vertices[Math.floor(vertices.length * random())], scale(randomDirection(random), 0.012));
        const ends = [start, add(start, scale(randomDirection(random), 0.2 * random()))];
        scene.setPositions(0, ends);
        const at = (s: number) => hullDistance(hull, add(ends[0], scale(sub(ends[1], ends[0]), s)));
        // It is a convex function of the place.
        let [from, to] = [0, 1];
        for (let i = 0; i < 60; i++) {
          const [p, q] = [from + (to - from) / 3, to - (to - from) / 3];
          if (at(p).distance < at(q).distance) to = q;
          else from = p;
        }
        const lowest = at(from).distance;
        const found = scene.detect();
        if (Math.abs(lowest - limit) > 1e-4) expect(found.length > 0).toBe(lowest < limit);
        for (const c of found) {
          const { distance, isOnFace } = at(c.weights[1]);
          expect(c.gap).toBeCloseTo(distance - radius, 9);
          if (!isOnFace) onEdges++;
          if (c.weights[1] > 0 && c.weights[1] < 1) between++;
        }
      }
    }
    expect(between).toBeGreaterThan(bySuite(1, 10));
    expect(onEdges).toBeGreaterThan(bySuite(3, 20));
  });

  test('mesh: over a hill the nodes have the gaps of the surface, from inside they are pushed up', () => {
    const hill = (x: number, z: number) => 0.1 - 0.1 * (x * x + z * z);
    const scene = createStrandScene();
    putBody(scene, grid(20, hill));
    const line = Array.from({ length: 41 }, (_, i): Vector => {
      const x = 0.02 * (i - 20) + 0.003;
      return [x, hill(x, 0.017) + 0.001 + (i % 3 === 0 ? -0.003 : 0), 0.017];
    });
    scene.addRod([line], { radius: 0.001 });
    const found = scene.detect();
    const nodes = found.filter((c) => c.weights[1] === 0);
    expect(nodes.length).toBe(40);
    for (const c of nodes) {
      const lowered = c.nodes[0] % 3 === 0;
      // The chords of the grid lie up to 0.25 mm below the hill.
      expect(c.gap).toBeGreaterThan(lowered ? -0.0031 : -1e-4);
      expect(c.gap).toBeLessThan(lowered ? -0.0025 : 4e-4);
      expect(c.normal[1]).toBeGreaterThan(0.9);
    }
  });

  test('mesh: a taut edge over a ridge touches it between its nodes', () => {
    const scene = createStrandScene();
    const roof: Shape = {
      kind: 'mesh',
      vertices: [-1, 0, -1, -1, 0, 1, 0, 1, -1, 0, 1, 1, 1, 0, -1, 1, 0, 1],
      triangles: [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5],
    };
    putBody(scene, roof);
    scene.addRod(
      [
        [
          [-0.5, 1.004, 0.2],
          [0.5, 1.006, 0.1],
        ],
      ],
      { radius: 0.005 },
    );
    const found = scene.detect();
    expect(found.length).toBe(1);
    expect(found[0].weights[1]).toBeCloseTo(0.5, 2);
    expect(found[0].gap).toBeCloseTo(0, 6);
    expect(found[0].normal[1]).toBeCloseTo(1, 4);
  });

  test('mesh: in a corner a node touches both walls', () => {
    const scene = createStrandScene();
    const corner: Shape = {
      kind: 'mesh',
      vertices: [0, 0, -1, 0, 0, 1, 1, 0, -1, 1, 0, 1, 0, 1, -1, 0, 1, 1],
      triangles: [0, 1, 2, 2, 1, 3, 0, 4, 1, 1, 4, 5],
    };
    putBody(scene, corner);
    scene.addRod(
      [
        [
          [0.011, 0.009, 0.1],
          [0.5, 0.5, 0.2],
        ],
      ],
      { radius: 0.01 },
    );
    const gaps = scene.detect().map((c) => c.gap);
    expect(gaps.length).toBe(2);
    expect(gaps[0]).toBeCloseTo(-0.001, 9);
    expect(gaps[1]).toBeCloseTo(0.001, 9);
  });
});

describe('thin strands thrown at a body at 80 to 120 m/s', () => {
  const radius = 37e-6;
  const targets: [string, Shape][] = [
    ...SHAPES.map(([name, shape]): [string, Shape] => [name, shape]),
    ['mesh', grid(8, (x, z) => 0.05 * Math.sin(4 * x) * Math.cos(3 * z))],
  ];
  for (const [name, shape] of targets) {
    test(`${name}: none gets in within the step, none that flies past is stopped`, () => {
      const random = createRandom(29);
      const distance = SHAPES.find(([other]) => other === name)?.[2];
      let stopped = 0;
      let passed = 0;
      const scene = createStrandScene();
      const collider = putBody(scene, shape);
      scene.addRod(
        [
          [
            [0, 0, 0],
            [1, 0, 0],
          ],
        ],
        { radius },
      );
      for (let k = 0; k < 80; k++) {
        const aim = add(scale(randomDirection(random), 0.3 * random()), [0, 0.1, 0]);
        const from: Vector =
          name === 'mesh' || name === 'plane'
            ? unit(add(randomDirection(random), [0, 1.2, 0]))
            : randomDirection(random);
        const d = scale(randomDirection(random), 0.005);
        const start = add(aim, scale(from, 1.1));
        const speed = 80 + 40 * random();
        const line = [start, add(start, d)] as Vector[];
        const v = scale(from, -speed);
        scene.setPositions(0, line);
        scene.setVelocities(0, [v, v]);
        const found = scene.detect();
        if (distance) {
          let least = Infinity;
          for (let i = 0; i <= 800; i++) {
            for (let j = 0; j <= 4; j++) {
              const p = add(add(line[0], scale(d, j / 4)), scale(v, i / 800 / 60));
              least = Math.min(least, distance(p));
            }
          }
          if (least < 0) {
            expect(found.length).toBeGreaterThan(0);
            stopped++;
          } else if (least > 0.005) {
            expect(found).toEqual([]);
            passed++;
          }
        } else if (found.length > 0) stopped++;
        for (const c of found) {
          // At the impact the strand touches the surface, and the gap closes exactly then.
          expect(c.collider).toBe(collider);
          expect(c.time).toBeGreaterThan(0);
          const p = add(add(scale(line[0], c.weights[0]), scale(line[1], c.weights[1])), scale(v, c.time / 60));
          if (distance) expect(distance(p)).toBeCloseTo(radius, 5);
          expect(c.gap + dot(v, c.normal) * (c.time / 60)).toBeLessThan(0.05 * radius);
          expect(c.gap + dot(v, c.normal) * (c.time / 60)).toBeGreaterThan(-1e-9);
          expect(dot(v, c.normal)).toBeLessThan(0);
        }
      }
      expect(stopped).toBeGreaterThan(20);
      if (distance && name !== 'plane') expect(passed).toBeGreaterThan(0);
    });
  }

  test('a body that flies or turns past a resting strand meets it as well', () => {
    const scene = createStrandScene();
    const blade = putBody(scene, { kind: 'box', size: [1, 0.01, 0.01] }, [0, 0, 0], undefined, L.BODY_KINEMATIC);
    scene.tables.bodies.angularVelocity.set([0, 0, 30], 4 * blade);
    scene.tables.bodies.motion.set([0, 0, 30], 8 * blade + 4);
    scene.tables.bodies.awakeList[0] = blade;
    scene.arena.i32[L.AWAKE_COUNT >> 2] = 1;
    scene.kernels.findPairs();
    // 0.5 rad a step: the blade's tip passes 0.2 rad after 0.4 of the step.
    const at: Vector = [0.9 * Math.cos(0.2), 0.9 * Math.sin(0.2), 0];
    scene.addRod([[[...at.slice(0, 2), -0.1] as unknown as Vector, [...at.slice(0, 2), 0.1] as unknown as Vector]], {
      radius,
    });
    const found = scene.detect();
    expect(found.length).toBeGreaterThan(0);
    const [c] = found;
    expect(c.time).toBeGreaterThan(0.3);
    expect(c.time).toBeLessThan(0.45);
    expect(c.normal[1]).toBeGreaterThan(0.8);
    // The blade's surface moves at about ω r against the strand (the way in the body's
    // frame is a chord of the circle).
    expect(c.drift[1] / -27).toBeGreaterThan(0.95);
    expect(c.drift[1] / -27).toBeLessThan(1);
  });
});

test('sensors, layers and bodies gone bad are passed by; dynamic bodies are named and have no drift', () => {
  const touch = (prepare: (scene: StrandScene, collider: number) => void) => {
    const scene = createStrandScene();
    const collider = putBody(scene, { kind: 'sphere', size: [0.5] }, [0, 0, 0], undefined, L.BODY_DYNAMIC);
    scene.addRod(
      [
        [
          [0, 0.505, 0],
          [1, 0.505, 0],
        ],
      ],
      { radius: 0.01 },
    );
    scene.tables.bodies.linearVelocity.set([1, 0, 0], 4 * collider);
    prepare(scene, collider);
    return scene.detect();
  };
  const plain = touch(() => {});
  expect(plain.length).toBe(1);
  expect(plain[0].body).toBe(0);
  expect(plain[0].drift).toEqual([-0, -0, -0]);
  expect(
    touch((s, c) => {
      s.tables.colliders.flags[c] |= L.COLLIDER_SENSOR;
    }),
  ).toEqual([]);
  expect(
    touch((s, c) => {
      s.tables.colliders.layers[c] = 0xfffe0002 | 0;
    }),
  ).toEqual([]);
  expect(
    touch((s, c) => {
      s.tables.bodies.flags[c] |= L.BODY_QUARANTINED;
    }),
  ).toEqual([]);
  expect(
    touch((s) => {
      s.tables.strands.flags[0] |= L.STRAND_QUARANTINED;
    }),
  ).toEqual([]);
});

test('what a clamp holds is not pushed by the body that holds it', () => {
  const scene = createStrandScene();
  putBody(scene, { kind: 'sphere', size: [0.5] });
  scene.addRod(
    [
      [
        [0, 0.49, 0],
        [0, 0.499, 0],
        [0, 0.509, 0],
        [0.1, 0.509, 0],
      ],
    ],
    { radius: 0.01 },
  );
  expect(scene.detect().map((c) => c.nodes[0])).toEqual([0, 1, 2]);
  scene.tables.strands.flags[0] = L.STRAND_CLAMP_START;
  scene.tables.strands.attach[0] = 0;
  // With two nodes buried in that body, said as one more: what the clamp holds is left out, no more.
  scene.tables.strands.clamp[9] = 3;
  expect(scene.detect().map((c) => c.nodes[0])).toEqual([2]);
});

test('from the root on nodes in the body that the clamp follows do not touch it, up to the first outside', () => {
  const scene = createStrandScene();
  putBody(scene, { kind: 'sphere', size: [0.5] });
  const heights = [0.3, 0.4, 0.49, 0.53, 0.49, 0.4];
  scene.addRod([heights.map((y, i) => [0.01 * i, y, 0])], { radius: 0.01, selfContact: false });
  scene.tables.strands.flags[0] = L.STRAND_CLAMP_START;
  scene.tables.strands.attach[0] = 0;
  // Edge 3 begins outside; node 5 belongs to the last edge.
  expect([...new Set(scene.detect().map((c) => c.nodes[0]))]).toEqual([4]);
  expect(scene.tables.strands.clamp[9]).toBe(1 + 3);
  // Counted once: a node that the body reaches later touches it.
  scene.tables.nodes.position[4 * 3 + 1] = 0.495;
  expect(scene.detect().map((c) => c.nodes[0])).toContain(3);
  // For the end the count runs from the last node.
  scene.tables.strands.flags[0] = L.STRAND_CLAMP_END;
  scene.tables.strands.attach.set([-1, 0]);
  scene.tables.nodes.position[4 * 3 + 1] = 0.53;
  scene.detect();
  expect(scene.tables.strands.clamp[12 + 9]).toBe(1 + 2);
});

test('a contact deeper than the diameter gives way, a shallow one does not', () => {
  const scene = createStrandScene();
  putBody(scene, { kind: 'plane', size: [0, 1, 0] });
  for (const [z, y] of [0.005, -0.005, -0.05].entries()) {
    const first = scene.addRod(
      [
        [
          [0, y, z],
          [0.2, y, z],
        ],
      ],
      { radius: 0.01 },
    );
    scene.tables.nodes.mass.set([0.1, 0, 0.3, 0], 2 * first);
  }
  const found = scene.detect();
  expect(found.map((c) => c.nodes[0])).toEqual([0, 0, 2, 2, 4, 4]);
  expect(found.slice(0, 4).map((c) => c.compliance)).toEqual([0, 0, 0, 0]);
  // 0.05 of what stops the mean mass of a node in a step.
  const dt = 1 / 60;
  for (const c of found.slice(4)) expect(c.compliance).toBeCloseTo((0.05 * dt * dt) / 0.2, 12);
});

test('a conveyor shows its surface speed along the contact', () => {
  const scene = createStrandScene();
  const belt = putBody(scene, { kind: 'box', size: [1, 0.1, 1] });
  scene.tables.bodies.flags[belt] |= L.BODY_SURFACE;
  scene.tables.bodies.surfaceVelocity.set([2, 5, 0], 4 * belt);
  scene.addRod(
    [
      [
        [0, 0.11, 0],
        [0.3, 0.11, 0],
      ],
    ],
    { radius: 0.01 },
  );
  const found = scene.detect();
  expect(found.length).toBe(2);
  for (const c of found) {
    for (const [k, x] of [-2, 0, 0].entries()) expect(c.drift[k]).toBeCloseTo(x, 12);
  }
});
