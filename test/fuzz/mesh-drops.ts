// Bodies of every shape are dropped on flat and hilly meshes: none may fall through (mesh-drops.test.ts).
//
// A drop is lost when the centre of the body lies under the surface by more than half its thickness, at any time,
// while the body is over the mesh, or when it hangs in the surface: it does not move on with its velocity for HELD
// steps of the last second, because nothing but the rule that centres stay in front holds it (keep-outside). Bodies of
// one world touch the mesh only, so every body is a drop of its own.

import { createWorld } from 'bitecs';
import type { Random } from '../../src/core/random';
import { addRigidBody, createPhysics, type ShapeSpec } from '../../src/index';

const DROPS_OF_A_WORLD = 40;
const STEPS = 180;
const HELD = 20;
/** Squares along a side of the mesh. */
const SQUARES = 24;

type Point = [number, number, number];

interface Ground {
  shape: ShapeSpec;
  /** Half the side of the mesh [m]. */
  reach: number;
  /** Height of the surface over (x, z) [m]. */
  heightAt(x: number, z: number): number;
}

/** A square mesh with triangles of side `side` [m], whose corners lie at random heights within ± `hills` [m]. */
function makeGround(random: Random, side: number, hills: number): Ground {
  const reach = (SQUARES * side) / 2;
  const row = SQUARES + 1;
  const vertices: Point[] = [];
  for (let i = 0; i < row; i++) {
    for (let j = 0; j < row; j++) vertices.push([i * side - reach, hills * (2 * random() - 1), j * side - reach]);
  }
  const triangles: Point[] = [];
  for (let i = 0; i < SQUARES; i++) {
    for (let j = 0; j < SQUARES; j++) {
      const a = i * row + j;
      triangles.push([a, a + 1, a + row], [a + row, a + 1, a + row + 1]);
    }
  }
  const heightAt = (x: number, z: number) => {
    const u = (x + reach) / side;
    const v = (z + reach) / side;
    const i = Math.min(SQUARES - 1, Math.max(0, Math.floor(u)));
    const j = Math.min(SQUARES - 1, Math.max(0, Math.floor(v)));
    const [p, q] = [u - i, v - j];
    const h = (di: number, dj: number) => vertices[(i + di) * row + j + dj][1];
    if (p + q <= 1) return h(0, 0) + p * (h(1, 0) - h(0, 0)) + q * (h(0, 1) - h(0, 0));
    return h(1, 1) + (1 - p) * (h(0, 1) - h(1, 1)) + (1 - q) * (h(1, 0) - h(1, 1));
  };
  return { shape: { mesh: { vertices, triangles } }, reach, heightAt };
}

interface Body {
  name: string;
  shape: ShapeSpec;
  /** Radius of a ball round the body, and half its thickness [m]. */
  radius: number;
  thickness: number;
}

/** Shapes of about radius `r` [m]: thick, flat and long ones of each kind. */
const KINDS: ((random: Random, r: number) => Body)[] = [
  (_, r) => ({ name: 'ball', shape: { sphere: r }, radius: r, thickness: r }),
  (_, r) => ({ name: 'cube', shape: { box: [r, r, r] }, radius: 1.8 * r, thickness: r }),
  (_, r) => ({ name: 'plank', shape: { box: [r, r / 30, r / 3] }, radius: 1.1 * r, thickness: r / 30 }),
  (_, r) => ({ name: 'sheet', shape: { box: [r, r / 100, r] }, radius: 1.5 * r, thickness: r / 100 }),
  (_, r) => ({ name: 'capsule', shape: { capsule: [r / 3, r] }, radius: 1.4 * r, thickness: r / 3 }),
  (_, r) => ({ name: 'stick', shape: { capsule: [r / 50, r] }, radius: 1.1 * r, thickness: r / 50 }),
  (_, r) => ({ name: 'cylinder', shape: { cylinder: [r, r] }, radius: 1.5 * r, thickness: r }),
  (_, r) => ({ name: 'coin', shape: { cylinder: [r, r / 20] }, radius: 1.1 * r, thickness: r / 20 }),
  (_, r) => ({ name: 'rod', shape: { cylinder: [r / 20, r] }, radius: 1.1 * r, thickness: r / 20 }),
  (_, r) => ({ name: 'cone', shape: { cone: [r, r] }, radius: 1.5 * r, thickness: r / 2 }),
  (_, r) => ({ name: 'hat', shape: { cone: [r, r / 10] }, radius: 1.1 * r, thickness: r / 20 }),
  (_, r) => ({ name: 'needle', shape: { cone: [r / 10, r] }, radius: 1.1 * r, thickness: r / 20 }),
  (random, r) => {
    const hull = Array.from(
      { length: 30 },
      (): Point => [r * (random() - 0.5), r * (random() - 0.5), r * (random() - 0.5)],
    );
    return { name: 'rock', shape: { hull }, radius: r, thickness: r / 4 };
  },
  (_, r) => ({ name: 'prism', shape: { hull: prism(60, r, r / 10) }, radius: 1.1 * r, thickness: r / 10 }),
  (_, r) => ({ name: 'plate', shape: { hull: prism(4, r, r / 100) }, radius: 1.1 * r, thickness: r / 100 }),
  (_, r) => ({
    name: 'dumb-bell',
    shape: {
      compound: [
        { shape: { cylinder: [r / 20, r] } },
        { shape: { sphere: r / 4 }, position: [0, r, 0] },
        { shape: { box: [r / 4, r / 10, r / 4] }, position: [0, -r, 0] },
      ],
    },
    radius: 1.4 * r,
    thickness: r / 20,
  }),
];

function prism(n: number, r: number, half: number): Point[] {
  return [half, -half].flatMap((y) =>
    Array.from({ length: n }, (_, i): Point => {
      const turn = (2 * Math.PI * i) / n;
      return [r * Math.cos(turn), y, r * Math.sin(turn)];
    }),
  );
}

/**
 * Whether a body has moved far otherwise than its velocity says; only for bodies whose origin is their centre of mass.
 */
function isHeld(body: Body, place: number[], last: number[], velocity: number[]): boolean {
  if ('cone' in body.shape || 'compound' in body.shape || body.name === 'rock') return false;
  const way = Math.hypot(...velocity) / 60;
  return way > 0.005 && Math.hypot(...place.map((x, k) => x - last[k] - velocity[k] / 60)) > 0.5 * way;
}

/** Drops bodies on one mesh; returns the lost ones, described. */
export function drop(random: Random): string[] {
  const side = 0.2 * 200 ** random();
  const steepness = random() < 0.3 ? 0 : 0.5 * random();
  const ground = makeGround(random, side, steepness * side);
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: ground.shape, layers: 2, mask: 1 });
  const drops = Array.from({ length: DROPS_OF_A_WORLD }, () => {
    const body = KINDS[Math.floor(random() * KINDS.length)](random, 0.005 * 600 ** random());
    const [x, z] = [0.6 * ground.reach * (2 * random() - 1), 0.6 * ground.reach * (2 * random() - 1)];
    // Upright in one of three drops; at rest, or thrown and spinning.
    const q = random() < 0.33 ? [0, 0, 0, 1] : [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...q);
    const thrown = random() < 0.5 ? 0 : 1;
    const spin = () => thrown * 8 * (random() - 0.5);
    const fall = steepness * side * 2 + body.radius + 4 * random();
    const entity = addRigidBody(physics, {
      shape: body.shape,
      position: [x, fall, z],
      rotation: q.map((v) => v / length) as [number, number, number, number],
      velocity: [spin(), thrown * -10 * random(), spin()],
      angularVelocity: [spin(), spin(), spin()],
      layers: 1,
      mask: 2,
    });
    return { entity, body, lost: '', held: 0, last: [0, 0, 0] };
  });
  const { position, rotation } = physics.components.Transform;
  const { linear } = physics.components.Velocity;
  for (let step = 0; step < STEPS; step++) {
    physics.step();
    for (const d of drops) {
      const v = [linear.x[d.entity], linear.y[d.entity], linear.z[d.entity]];
      const [x, y, z] = [position.x[d.entity], position.y[d.entity], position.z[d.entity]];
      d.held += isHeld(d.body, [x, y, z], d.last, v) && step > STEPS - 60 ? 1 : 0;
      d.last = [x, y, z];
      const isOver = Math.max(Math.abs(x), Math.abs(z)) < ground.reach - side;
      const depth = d.held > HELD ? Number.POSITIVE_INFINITY : ground.heightAt(x, z) - y;
      if (!isOver || d.lost !== '' || !(depth > 0.5 * d.body.thickness + 1e-3)) continue;
      const turned = [rotation.x[d.entity], rotation.y[d.entity], rotation.z[d.entity], rotation.w[d.entity]];
      d.lost = `${d.body.name} ${JSON.stringify(d.body.shape).slice(0, 60)} on triangles of ${side.toFixed(2)} m, hills
 ${steepness.toFixed(2)}: step ${step}, ${depth.toFixed(4)} m under ${x.toFixed(3)} ${z.toFixed(3)}, at
 ${v[1].toFixed(2)} m/s, turned ${turned.map((v) => v.toFixed(2))}`.replaceAll('\n', '');
    }
  }
  return drops.filter((d) => d.lost !== '').map((d) => d.lost);
}
