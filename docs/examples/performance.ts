import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics } from 'stiction';

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
export { physics };
