import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { bySuite, longTest } from '../setup/suite';
import { add, cross, dot, scale, sub, type Vector } from './generic-scene';
import {
  createRandom,
  createStrandScene,
  randomDirection,
  type StrandContact,
  type StrandScene,
  tangledStrands,
} from './strand-scene';

const NEAR = 0.25;
const norm = (v: Vector) => Math.sqrt(dot(v, v));

/** Distance of two segments by comparing the inner solution with the four ends: no shared code with the kernel. */
function segmentDistance(a: Vector, b: Vector, c: Vector, d: Vector): { distance: number; s: number; t: number } {
  const u = sub(b, a);
  const v = sub(d, c);
  const toSegment = (p: Vector, q: Vector, e: Vector) => {
    const ee = dot(e, e);
    return ee > 0 ? Math.min(1, Math.max(0, dot(sub(p, q), e) / ee)) : 0;
  };
  const at = (s: number, t: number) => ({ s, t, distance: norm(sub(add(a, scale(u, s)), add(c, scale(v, t)))) });
  const found = [
    at(0, toSegment(a, c, v)),
    at(1, toSegment(b, c, v)),
    at(toSegment(c, a, u), 0),
    at(toSegment(d, a, u), 1),
  ];
  const n = cross(u, v);
  const nn = dot(n, n);
  if (nn > 1e-20 * dot(u, u) * dot(v, v)) {
    const w = sub(c, a);
    const s = dot(cross(w, v), n) / nn;
    const t = dot(cross(w, u), n) / nn;
    if (s > 0 && s < 1 && t > 0 && t < 1) found.push(at(s, t));
  }
  return found.reduce((p, q) => (q.distance < p.distance ? q : p));
}

function nodeOf(scene: StrandScene, node: number): Vector {
  return Array.from(scene.tables.nodes.position.slice(4 * node, 4 * node + 3)) as Vector;
}

/** Points of a contact on A and B. */
function pointsOf(scene: StrandScene, c: StrandContact): [Vector, Vector] {
  const p = c.nodes.map((n) => nodeOf(scene, n));
  const w = c.weights;
  return [add(scale(p[0], w[0]), scale(p[1], w[1])), scale(add(scale(p[2], w[2]), scale(p[3], w[3])), -1)];
}

/** Every pair of edges within the near distance, by trying all; edges sharing a node are left out. */
function bruteForce(scene: StrandScene, reach: number) {
  const strand = scene.tables.nodes.strand;
  const count = scene.arena.i32[L.NODE_COUNT >> 2];
  const edges: number[] = [];
  for (let i = 0; i + 1 < count; i++) if (strand[i] === strand[i + 1]) edges.push(i);
  const found: { a: number; b: number; gap: number; s: number; t: number }[] = [];
  for (const a of edges) {
    for (const b of edges) {
      if (b <= a || (strand[a] === strand[b] && b - a < 3)) continue;
      const [p, q, r, s] = [nodeOf(scene, a), nodeOf(scene, a + 1), nodeOf(scene, b), nodeOf(scene, b + 1)];
      const best = segmentDistance(p, q, r, s);
      if (best.distance > reach * (1 + NEAR)) continue;
      found.push({ a, b, gap: best.distance - reach, s: best.s, t: best.t });
    }
  }
  return found;
}

test('a ball of hair has the pairs, gaps, normals and weights that trying all pairs finds', () => {
  let contacts = 0;
  for (let seed = 1; seed <= bySuite(1, 3); seed++) {
    const scene = createStrandScene();
    const radius = 0.0006;
    // Edges of 4 radii, so that ends count, too; away from the origin.
    const lines = tangledStrands(25, 21, 0.004, 0.015, seed).map((line) => line.map((p) => add(p, [3, -2, 1])));
    scene.addRod(lines, { radius });
    const brute = bruteForce(scene, 2 * radius);
    const found = scene.detect();
    contacts += found.length;
    const keys = new Set(found.map((c) => `${c.nodes[0]} ${c.nodes[2]}`));
    expect(keys.size).toBe(found.length);
    for (const c of found) {
      const twin = brute.find((p) => p.a === c.nodes[0] && p.b === c.nodes[2]);
      expect(twin).toBeDefined();
      expect(c.gap).toBeCloseTo(twin!.gap, 9);
      const [pointA, pointB] = pointsOf(scene, c);
      expect(c.weights[0] + c.weights[1]).toBeCloseTo(1, 14);
      expect(c.weights[2] + c.weights[3]).toBeCloseTo(-1, 14);
      expect(norm(sub(sub(pointA, pointB), scale(c.normal, c.gap + 2 * radius)))).toBeLessThan(1e-12);
      expect(norm(c.normal)).toBeCloseTo(1, 12);
    }
    // Left out is only what lies at an end of an edge, and there a neighbour along the strand is as near or nearer.
    for (const p of brute) {
      if (keys.has(`${p.a} ${p.b}`)) continue;
      expect(Math.min(p.s, 1 - p.s, p.t, 1 - p.t)).toBeLessThan(0.03);
      const beaten = found.some(
        (c) => Math.abs(c.nodes[0] - p.a) <= 2 && Math.abs(c.nodes[2] - p.b) <= 2 && c.gap < p.gap + 1e-4,
      );
      expect(beaten).toBe(true);
    }
    // And no point is there twice.
    for (const c of found) {
      for (const d of found) {
        if (d === c || Math.abs(c.nodes[0] - d.nodes[0]) > 1 || Math.abs(c.nodes[2] - d.nodes[2]) > 1) continue;
        const [a, b] = [pointsOf(scene, c), pointsOf(scene, d)];
        if (!(Math.max(norm(sub(a[0], b[0])), norm(sub(a[1], b[1]))) > 1e-7)) expect.unreachable('a point twice');
      }
    }
  }
  expect(contacts).toBeGreaterThan(bySuite(25, 80));
});

test('hair beside ropes of 100 m and edges of every size between: no pair is missed', () => {
  const random = createRandom(11);
  const scene = createStrandScene();
  const expected = new Set<string>();
  const rods: { first: number; line: Vector[]; radius: number }[] = [];
  for (let k = 0; k < 60; k++) {
    const length = 10 ** (-3 + 5 * random());
    const radius = length * 10 ** (-3 + 1.5 * random());
    const center = scale(randomDirection(random), 0.5 * random());
    const d = randomDirection(random);
    const line = [sub(center, scale(d, random() * length)), add(center, scale(d, random() * length))] as Vector[];
    rods.push({ first: scene.addRod([line], { radius }), line, radius });
  }
  for (const p of rods) {
    for (const q of rods) {
      if (q.first <= p.first) continue;
      const { distance } = segmentDistance(p.line[0], p.line[1], q.line[0], q.line[1]);
      if (distance <= (p.radius + q.radius) * (1 + NEAR)) expected.add(`${p.first} ${q.first}`);
    }
  }
  expect(expected.size).toBeGreaterThan(50);
  expect(new Set(scene.detect().map((c) => `${c.nodes[0]} ${c.nodes[2]}`))).toEqual(expected);
});

test('crossing at 20 m/s from every direction: what changes sides has a contact on the side it came from', () => {
  const random = createRandom(5);
  const radius = 37e-6;
  const dt = 1 / 60;
  const point = (size: number): Vector => scale(randomDirection(random), size * random());
  let crossings = 0;
  for (let round = 0; round < bySuite(1, 10); round++) {
    const scene = createStrandScene();
    // Pairs a metre apart, each pair in its own place.
    const pairs = Array.from({ length: 1000 }, (_, k) => {
      const place: Vector = [k % 10, Math.floor(k / 10) % 10, Math.floor(k / 100)];
      const meeting = point(0.1);
      const time = dt * random();
      const ends = [0, 1].map(() => {
        const d = scale(randomDirection(random), 0.005);
        const start = sub(meeting, scale(d, random()));
        const v = scale(randomDirection(random), 20 * random());
        const turn = [0, 1].map(() => add(v, point(2)));
        const nodes = [start, add(start, d)].map((p, i) => add(place, sub(p, scale(turn[i], time))));
        return { nodes, turn };
      });
      return ends;
    });
    const firsts = pairs.map((ends) => {
      const first = scene.addRod(
        ends.map((e) => e.nodes),
        { radius },
      );
      scene.setVelocities(
        first,
        ends.flatMap((e) => e.turn),
      );
      return first;
    });
    // The first contact of a pair: one that is near now comes before a second one where they meet later.
    const found = new Map(
      scene
        .detect()
        .reverse()
        .map((c) => [c.nodes[0], c]),
    );
    pairs.forEach((ends, k) => {
      const at = (t: number) => ends.map((e) => e.nodes.map((p, i) => add(p, scale(e.turn[i], t * dt))));
      // Does the signed volume vanish while the segments cross? Sampled finely, then the crossing is tested there.
      const volume = (t: number) => {
        const [[a, b], [c, d]] = at(t);
        return dot(cross(sub(b, a), sub(d, c)), sub(a, c));
      };
      let crossed = -1;
      const samples = 50;
      let next = volume(0);
      for (let i = 0; i < samples && crossed < 0; i++) {
        let [from, to] = [i / samples, (i + 1) / samples];
        const sign = next;
        next = volume(to);
        if (sign * next > 0) continue;
        for (let j = 0; j < 60; j++) {
          const middle = 0.5 * (from + to);
          if (volume(middle) * sign > 0) from = middle;
          else to = middle;
        }
        const [[a, b], [c, d]] = at(to);
        if (segmentDistance(a, b, c, d).distance < radius) crossed = to;
      }
      if (crossed < 0) return;
      crossings++;
      const contact = found.get(firsts[k]);
      expect(contact).toBeDefined();
      expect(contact!.time).toBeLessThanOrEqual(crossed + 1e-6);
      if (contact!.time === 0) return;
      // At the impact the surfaces just touch along the normal, and the linear gap closes exactly then.
      const [[a, b], [c, d]] = at(contact!.time);
      const w = contact!.weights;
      const apart = add(add(scale(a, w[0]), scale(b, w[1])), add(scale(c, w[2]), scale(d, w[3])));
      expect(norm(apart) / (2 * radius)).toBeCloseTo(1, 1);
      expect(norm(sub(scale(apart, 1 / norm(apart)), contact!.normal))).toBeLessThan(1e-6);
      const [[a0, b0], [c0, d0]] = at(0);
      const start = add(add(scale(a0, w[0]), scale(b0, w[1])), add(scale(c0, w[2]), scale(d0, w[3])));
      expect(contact!.gap).toBeCloseTo(dot(start, contact!.normal) - 2 * radius, 12);
      expect(contact!.gap).toBeGreaterThan(-1e-6);
    });
  }
  expect(crossings).toBeGreaterThan(bySuite(200, 2000));
});

test('the common motion of all strands makes no contacts, however fast', () => {
  const scene = createStrandScene();
  const lines = tangledStrands(50, 16, 0.005, 0.06, 3);
  const first = scene.addRod(lines, { radius: 0.0003 });
  const still = scene.detect();
  scene.setVelocities(
    first,
    lines.flatMap((line) => line.map((): Vector => [20, -30, 10])),
  );
  expect(scene.detect().map((c) => [c.key, c.gap])).toEqual(still.map((c) => [c.key, c.gap]));
});

longTest(
  'a head of hair that flies, turns, swells and ruffles at once: whatever meets on the way has a contact',
  () => {
    const random = createRandom(23);
    const radius = 0.0005;
    const dt = 1 / 60;
    let met = 0;
    for (const ruffle of [0.2, 1, 3]) {
      const scene = createStrandScene();
      const lines = tangledStrands(16, 9, 0.004, 0.006, 31);
      scene.addRod(lines, { radius });
      const moves = lines.map((line) => {
        const own = scale(randomDirection(random), ruffle);
        return line.map(([x, y, z]): Vector => add(own, [20 - 25 * y + 5 * x, 25 * x + 5 * y, -3 + 5 * z]));
      });
      scene.setVelocities(0, moves.flat());
      const pairs = new Set(scene.detect().map((c) => `${c.nodes[0]} ${c.nodes[2]}`));
      const at = (node: number, t: number) => {
        const k = Math.floor(node / 9);
        return add(lines[k][node % 9], scale(moves[k][node % 9], t * dt));
      };
      for (let a = 0; a < 16 * 9; a++) {
        for (let b = a + 3; b < 16 * 9; b++) {
          if (a % 9 === 8 || b % 9 === 8 || Math.floor(a / 9) === Math.floor(b / 9)) continue;
          const apart = (t: number) => segmentDistance(at(a, t), at(a + 1, t), at(b, t), at(b + 1, t)).distance;
          if (apart(0) < 3 * radius) continue;
          for (let i = 1; i <= 20; i++) {
            if (apart(i / 20) > 2 * radius) continue;
            met++;
            expect(pairs.has(`${a} ${b}`)).toBe(true);
            break;
          }
        }
      }
    }
    expect(met).toBeGreaterThan(100);
  },
);

longTest('parallel strands touch edge by edge, and the point does not jump as the angle passes zero', () => {
  const line = (y: number, tilt: number, shift = 0): Vector[] =>
    Array.from({ length: 9 }, (_, i) => [0.01 * (i - 4) + shift, y + tilt * 0.01 * (i - 4), 0]);
  const scene = createStrandScene();
  scene.addRod([line(0, 0), line(0.002, 0, 0.004)], { radius: 0.001 });
  const found = scene.detect();
  // Edges that overlap by 6 and 4 mm: both.
  expect(found.filter((c) => Math.abs(c.gap) < 1e-12).length).toBe(15);
  for (const c of found) {
    expect(c.gap).toBeCloseTo(0, 12);
    expect(c.normal[1]).toBeCloseTo(-1, 12);
  }
  let last: number[] | null = null;
  for (let k = -100; k <= 100; k++) {
    const tilted = createStrandScene();
    tilted.addRod(
      [
        [
          [-0.005, 0, 0],
          [0.005, 0, 0],
        ],
        line(0.002, k * 2e-5)
          .slice(3, 6)
          .filter((_, i) => i !== 1),
      ],
      { radius: 0.001 },
    );
    const [c] = tilted.detect();
    if (last) expect(Math.max(Math.abs(c.weights[1] - last[0]), Math.abs(c.weights[3] - last[1]))).toBeLessThan(0.1);
    last = [c.weights[1], c.weights[3]];
  }
});

test('degenerate edges give finite contacts: no length, the same place, crossing axes, end to end, bad numbers', () => {
  const origin: Vector = [0, 0, 0];
  const cases: [Vector[], Vector[]][] = [
    [
      [origin, origin],
      [origin, origin],
    ],
    [
      [origin, origin],
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
    ],
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
    ],
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [
        [1, 0, 0],
        [-1, 0, 0],
      ],
    ],
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [
        [0, -1, 0],
        [0, 1, 0],
      ],
    ],
    [
      [[-1, 0, 0], origin],
      [origin, [1, 0, 0]],
    ],
    [
      [[-1, 0, 0], origin],
      [origin, [0, 1, 0]],
    ],
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [
        [0, 0, 0],
        [5e-324, 0, 0],
      ],
    ],
  ];
  for (const [a, b] of cases) {
    for (const speed of [0, 1, 1e6]) {
      const scene = createStrandScene();
      scene.addRod([a], { radius: 0.01 });
      const second = scene.addRod([b], { radius: 0.01 });
      scene.setVelocities(second, [
        [0, speed, 0],
        [speed, 0, 0],
      ]);
      const found = scene.detect();
      expect(found.length).toBeGreaterThan(0);
      for (const c of found) {
        expect([...c.weights, ...c.normal, c.gap, c.time].every(Number.isFinite)).toBe(true);
        expect(norm(c.normal)).toBeCloseTo(1, 12);
      }
    }
  }
  const scene = createStrandScene();
  const first = scene.addRod(
    [
      [
        [0, 0, 0],
        [1, 0, 0],
        [2, 0, 0],
      ],
      [
        [0.5, 0.001, -1],
        [0.5, 0.001, 1],
      ],
    ],
    { radius: 0.001 },
  );
  scene.setPositions(first + 2, [[Number.NaN, 0, 0]]);
  scene.setVelocities(first + 2, [[Number.POSITIVE_INFINITY, 0, 0]]);
  expect(scene.detect().map((c) => c.nodes)).toEqual([[0, 1, 3, 4]]);
});

test('a rod thicker than its edges are long does not touch itself along its axis, but a loop does', () => {
  const scene = createStrandScene();
  scene.addRod([Array.from({ length: 200 }, (_, i): Vector => [0.001 * i, 0, 0])], { radius: 0.02 });
  expect(scene.detect()).toEqual([]);
  // Round a bend as tight as its own radius.
  const bend = createStrandScene();
  bend.addRod(
    [Array.from({ length: 40 }, (_, i): Vector => [0.0201 * Math.cos(i / 20), 0.0201 * Math.sin(i / 20), 0])],
    { radius: 0.02 },
  );
  expect(bend.detect()).toEqual([]);
  // A full turn of a helix touches the turn before.
  const helix = createStrandScene();
  helix.addRod(
    [
      Array.from(
        { length: 400 },
        (_, i): Vector => [0.1 * Math.cos(i / 20), (0.0401 * i) / 20 / (2 * Math.PI), 0.1 * Math.sin(i / 20)],
      ),
    ],
    { radius: 0.02 },
  );
  expect(helix.detect().length).toBeGreaterThan(100);
});

test('self contact, layers and quarantine decide who may touch', () => {
  const crossing: Vector[][] = [
    [
      [-1, 0, 0],
      [1, 0, 0],
    ],
    [
      [0, 0.01, -1],
      [0, 0.01, 1],
    ],
  ];
  const count = (prepare: (scene: StrandScene) => void) => {
    const scene = createStrandScene();
    prepare(scene);
    return scene.find();
  };
  expect(count((s) => s.addRod(crossing, { radius: 0.01 }))).toBe(1);
  expect(count((s) => s.addRod(crossing, { radius: 0.01, selfContact: false }))).toBe(0);
  const apart = (layersA: number, layersB: number) =>
    count((s) => {
      s.addRod([crossing[0]], { radius: 0.01, selfContact: false, layers: layersA });
      s.addRod([crossing[1]], { radius: 0.01, selfContact: false, layers: layersB });
    });
  expect(apart(0x0003_0001, 0x0001_0002)).toBe(1);
  expect(apart(0x0001_0001, 0x0001_0002)).toBe(0);
  expect(
    count((s) => {
      s.addRod(crossing, { radius: 0.01 });
      s.tables.strands.flags[1] = L.STRAND_QUARANTINED;
    }),
  ).toBe(0);
});

test('material: geometric mean of friction and cohesion, mean of compliances', () => {
  const scene = createStrandScene();
  scene.addRod(
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
    ],
    { radius: 0.01, friction: 0.2, cohesion: 3, compliance: 0.1 },
  );
  scene.addRod(
    [
      [
        [0, 0.02, -1],
        [0, 0.02, 1],
      ],
    ],
    { radius: 0.01, friction: 0.8, cohesion: 12, compliance: 0.3 },
  );
  const [c] = scene.detect();
  expect(c.friction).toBeCloseTo(0.4, 14);
  expect(c.cohesion).toBeCloseTo(6, 14);
  expect(c.compliance).toBeCloseTo(0.2, 14);
  expect([c.collider, c.body]).toEqual([-1, -1]);
  expect(c.normal[1]).toBeCloseTo(-1, 14);
});

test('edges that were driven through each other keep the side of the last step', () => {
  const scene = createStrandScene();
  scene.addRod(
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
    ],
    { radius: 0.01 },
  );
  const second = scene.addRod(
    [
      [
        [0, 0.019, -1],
        [0, 0.019, 1],
      ],
    ],
    { radius: 0.01 },
  );
  expect(scene.detect()[0].normal[1]).toBeCloseTo(-1, 12);
  for (const y of [1e-6, 0, -1e-6, -0.015]) {
    scene.setPositions(second, [
      [0, y, -1],
      [0, y, 1],
    ]);
    const [c] = scene.detect();
    expect(c.normal[1]).toBeCloseTo(-1, 12);
    expect(c.gap).toBeCloseTo(y - 0.02, 12);
  }
});
