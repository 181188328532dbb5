// Quality of cloth from positions alone, in f64; the same for every engine.

import { BALL, CAPSULE } from './scenes.mjs';

const distance = (p, a, b) => Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);

export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Longest warp or weft edge over its rest length, and that which 99 of 100 stay below [%]. */
export function stretch({ edges, points: rest }, now) {
  const all = [];
  for (let e = 0; e < edges.length; e += 2) {
    all.push(100 * (distance(now, edges[e], edges[e + 1]) / distance(rest, edges[e], edges[e + 1]) - 1));
  }
  return { most: quantile(all, 1), p99: quantile(all, 0.99) };
}

export function mean(points, axis) {
  let sum = 0;
  for (let k = axis; k < points.length; k += 3) sum += points[k];
  return (3 * sum) / points.length;
}

/** Median height of what lies on the ball's upper part over its surface, and the deepest vertex in it [m]. */
export function overBall(points) {
  const heights = [];
  let deepest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < points.length; k += 3) {
    const height = Math.hypot(points[k], points[k + 1], points[k + 2]) - BALL;
    deepest = Math.max(deepest, -height);
    if (points[k + 1] > 0.2) heights.push(height);
  }
  // Cloth that hardly stretches lies on a ball along folds: the lowest tenth of it is what touches.
  return { gap: heights.length ? quantile(heights, 0.1) : Number.NaN, deepest };
}

/** Vertices more than 5 mm inside the capsule at a pose. */
export function insideCapsule(points, { position }) {
  let count = 0;
  for (let k = 0; k < points.length; k += 3) {
    const y = Math.max(0, Math.abs(points[k + 1] - position[1]) - CAPSULE.half);
    const [x, z] = [points[k] - position[0], points[k + 2] - position[2]];
    if (CAPSULE.radius - Math.hypot(x, y, z) > 0.005) count++;
  }
  return count;
}

/** Edges that go through triangles they share no vertex with, of all sheets. */
export function crossings(sheets, positions) {
  const points = [];
  const [edges, faces] = [[], []];
  const seen = new Set();
  sheets.forEach(({ triangles }, s) => {
    const first = points.length / 3;
    for (const x of positions[s]) points.push(x);
    for (let t = 0; t < triangles.length; t += 3) {
      const face = [0, 1, 2].map((k) => first + triangles[t + k]);
      faces.push(face);
      for (let k = 0; k < 3; k++) {
        const [a, b] = [face[k], face[(k + 1) % 3]].sort((p, q) => p - q);
        const key = a * 1e6 + b;
        if (!seen.has(key)) edges.push([a, b]);
        seen.add(key);
      }
    }
  });
  const box = (nodes) => {
    const low = [0, 1, 2].map((k) => Math.min(...nodes.map((n) => points[3 * n + k])));
    return { nodes, low, high: [0, 1, 2].map((k) => Math.max(...nodes.map((n) => points[3 * n + k]))) };
  };
  const byX = (a, b) => a.low[0] - b.low[0];
  const [edgeBoxes, faceBoxes] = [edges.map(box).sort(byX), faces.map(box).sort(byX)];
  let [open, next, found] = [[], 0, 0];
  for (const edge of edgeBoxes) {
    while (next < faceBoxes.length && faceBoxes[next].low[0] <= edge.high[0]) open.push(faceBoxes[next++]);
    open = open.filter((face) => face.high[0] >= edge.low[0]);
    for (const face of open) {
      if ([0, 1, 2].some((k) => face.low[k] > edge.high[k] || edge.low[k] > face.high[k])) continue;
      if (!face.nodes.some((n) => edge.nodes.includes(n)) && pierces(points, edge.nodes, face.nodes)) found++;
    }
  }
  return found;
}

function volume(p, a, b, c, d) {
  const [u, v, w] = [a, b, c].map((n) => [0, 1, 2].map((k) => p[3 * n + k] - p[3 * d + k]));
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

function pierces(p, [d, e], [a, b, c]) {
  if (volume(p, a, b, c, d) * volume(p, a, b, c, e) >= 0) return false;
  const side = Math.sign(volume(p, d, e, a, b));
  return side !== 0 && Math.sign(volume(p, d, e, b, c)) === side && Math.sign(volume(p, d, e, c, a)) === side;
}
