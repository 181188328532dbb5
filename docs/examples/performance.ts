import { createWorld } from 'bitecs';
import { addRigidBody, castRays, createOverlapBatch, createPhysics, createRayBatch, overlapShapes } from 'stiction';

const physics = createPhysics(createWorld(), { initialBodies: 512 });
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
for (let i = 0; i < 20; i++) addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] });

// #region report
export function line(): string {
  const { contacts, islands, solvers, limits } = physics.report;
  return (
    `${contacts} contacts in ${islands} islands, ${solvers.approximate} approximate; ` +
    `${limits.join('; ') || 'no limit met'}`
  );
}
// #endregion report

// #region batches
const rays = new Float64Array(7 * 360); // origin, direction, greatest distance of each
const seen = createRayBatch(360);
const places = new Float64Array(7 * 50); // position, rotation of each
const standing = createOverlapBatch(50);

export function look(): number {
  for (let i = 0; i < 360; i++) {
    rays.set([0, 1, 0, Math.cos((i * Math.PI) / 180), 0, Math.sin((i * Math.PI) / 180), 30], 7 * i);
  }
  const hits = castRays(physics, rays, seen); // seen.entity, .distance, .point, .normal by ray; 0: nothing
  for (let i = 0; i < 50; i++) places.set([i, 1, 0, 0, 0, 0, 1], 7 * i);
  overlapShapes(physics, { capsule: [0.3, 0.6] }, places, standing, { mask: 1 });
  // Those at place i are standing.entity from standing.start[i] up to standing.start[i + 1].
  return hits;
}
// #endregion batches
export { physics };
