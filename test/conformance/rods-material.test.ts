// What a contact between a strand and a body is made of, and what the report says of joints.
import { describe, expect, test } from 'vitest';
import { addBody, addStrands, createRodWorld, line, steps, tie } from '../validation/strand-worlds';

describe.each(['reference', 'wasm'] as const)('%s', (backend) => {
  test.each([
    [undefined, 0.4],
    ['average', 0.5],
    ['minimum', 0.2],
    ['multiply', 0.16],
    ['maximum', 0.8],
  ] as const)('friction by the rule of the body, %s: %f of 0.2 and 0.8', (combineFriction, expected) => {
    const world = createRodWorld({ elastic: { backend } });
    const rule = combineFriction ? { combineFriction } : {};
    addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.8, ...rule });
    addStrands(world, { points: line([0, 0.01, 0], [0.5, 0.01, 0], 6), radius: 0.01, friction: 0.2 });
    steps(world, 2);
    expect(world.physics.report.strands.contacts).toBeGreaterThan(0);
    expect(world.tables.nodeContacts.material[0]).toBeCloseTo(expected, 12);
  });

  test('the residual counts joints, where there is nothing else', () => {
    const world = createRodWorld({ elastic: { backend } });
    const crate = addBody(world, { shape: { box: [0.1, 0.1, 0.1] }, position: [0, -0.65, 0] });
    addStrands(world, { points: line([0, 0, 0], [0, -0.5, 0], 11), radius: 0.005, clampStart: true });
    tie(world, 0, 10, crate.slot, [0, 0.15, 0]);
    steps(world, 5);
    const { contacts, residual } = world.physics.report.strands;
    expect(contacts).toBe(0);
    expect(residual).toBeGreaterThan(0);
    expect(residual).toBeLessThan(1e-3);
  });
});

test('the residual counts contacts of strands with bodies that move, on both backends alike', () => {
  const residuals = (['reference', 'wasm'] as const).map((backend) => {
    // Cut off long before it converges.
    const world = createRodWorld({ elastic: { backend, iterations: 2, sweeps: 1 } });
    addStrands(world, { points: line([-0.5, 0, 0], [0.5, 0, 0], 21), radius: 0.01, clampStart: true, clampEnd: true });
    addBody(world, { shape: { box: [0.1, 0.05, 0.1] }, position: [0, 0.062, 0], mass: 2 });
    steps(world, 12);
    expect(world.physics.report.strands.contacts).toBeGreaterThan(0);
    return world.physics.report.strands.residual;
  });
  expect(Math.min(...residuals)).toBeGreaterThan(1e-4);
  expect(Math.max(...residuals) / Math.min(...residuals)).toBeLessThan(4);
});
