// Rows of `stiction bench solids` that closed forms judge: how far soft blocks sag under what is much heavier, and
// whether balls that begin flat or as a point have their shape again.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { addRigidBody } from '../../systems/rigid-body';
import type { SolidModel } from '../../systems/solid-spec';
import { addBox, boxMesh, GRAVITY, type SolidWorld } from './solids-worlds';

const RADIUS = 0.005; // [m]

/** Blocks under a crate, and the sag of each over what statics says, from its lowest and highest layer. */
export interface LoadedBlocks extends SolidWorld {
  sags(): number[];
}

/**
 * Blocks of 0.5 by 0.2 by 0.5 m and 5 kg on each other, under a crate of `ratio` times the mass of one, which alone
 * makes each 4 % lower; without lateral strain, so that a bar's closed form holds.
 */
export function createLoadedBlocks(blocks: number, ratio: number): LoadedBlocks {
  const [side, height, density] = [0.5, 0.2, 100];
  const mass = density * side * side * height;
  const youngModulus = (ratio * mass * GRAVITY) / (side * side) / 0.04;
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const apart = height + 2 * RADIUS;
  const solids = Array.from({ length: blocks }, (_, i) => {
    const mesh = boxMesh([side, height, side], [1, 1, 1], [0, RADIUS + height / 2 + i * apart, 0], 0);
    return addBox(physics, { ...mesh, youngModulus, damping: 0.05 }, { poissonRatio: 0, density });
  });
  addRigidBody(physics, {
    shape: { box: [0.3, 0.2, 0.3] },
    position: [0, blocks * apart + 0.2, 0],
    mass: ratio * mass,
  });
  const sags = () =>
    solids.map((solid, i) => {
      const heights = solid
        .positions()
        .filter((_, k) => k % 3 === 1)
        .sort();
      const mean = (from: number) => heights.subarray(from, from + 4).reduce((a, b) => a + b) / 4;
      // A bar: u = (F + m g / 2) h / (E A), under all that is above.
      const load = (ratio + blocks - 1 - i + 0.5) * mass * GRAVITY;
      return (height - (mean(4) - mean(0))) / ((load * height) / (youngModulus * side * side));
    });
  return { physics, solids, sags };
}

/** Where a ball begins: flat, or with all its vertices in one point. */
export type BallStart = 'flat' | 'a point';

/** A ball without weight that begins crushed, and how far it is from its shape, over its diameter. */
export interface CrushedBall extends SolidWorld {
  distortion(): number;
}

/** A ball of 0.2 m, of cells of a cube drawn out to a sphere. */
export function createCrushedBall(model: SolidModel, poissonRatio: number, start: BallStart): CrushedBall {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0], sleeping: false, userTiming: false });
  const { vertices: cube, tetrahedra } = boxMesh([2, 2, 2], [4, 4, 4], [0, 0, 0], 0);
  const rest = new Float64Array(cube.length);
  for (let k = 0; k < cube.length; k += 3) {
    const p = cube.subarray(k, k + 3);
    const far = Math.max(...p.map(Math.abs));
    const length = Math.hypot(...p);
    for (let a = 0; a < 3; a++) rest[k + a] = length > 0 ? (0.1 * far * p[a]) / length : 0;
  }
  const vertices = rest.map((x, k) => (start === 'a point' || k % 3 === 1 ? 0 : x));
  const spec = { vertices, restVertices: rest, tetrahedra, youngModulus: 5e4, damping: 0.02 };
  const solid = addBox(physics, spec, { model, poissonRatio });
  const far = (x: ArrayLike<number>, i: number, j: number) =>
    Math.hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]);
  const distortion = () => {
    const x = solid.positions();
    let worst = 0;
    for (let i = 0; i < rest.length / 3; i++) {
      for (let j = 0; j < i; j++) worst = Math.max(worst, Math.abs(far(x, i, j) - far(rest, i, j)));
    }
    return worst / 0.2;
  };
  return { physics, solids: [solid], distortion };
}
