// A patch on a slope: sticks below the friction angle, slides above it as a block does, whatever the mesh and its
// yaw; on a plane and on another sheet. And it lies where its thickness says.
import { describe, expect, test } from 'vitest';
import { bySuite } from '../setup/suite';
import { MESHES, slideOn } from './sheets';

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

// Each mesh and each ground once in `npm test`, each with each in the long suite.
const YAWS = { plane: bySuite([0, 0.3], [0, 0.3, Math.PI / 4]), sheet: bySuite([Math.PI / 4], [0, 0.3, Math.PI / 4]) };

describe.each(['plane', 'sheet'] as const)('on a %s', (on) => {
  test.each(YAWS[on])('sticks at 0.99 and slides at 1.01 of the friction, yaw %f', (yaw) => {
    const kind = MESHES[yaw === 0 ? 0 : yaw < 0.5 ? 2 : 1];
    const still = slideOn(on, 0.99, yaw, kind);
    const moving = slideOn(on, 1.01, yaw, kind);
    show(on, yaw, kind, still.way, moving.way / moving.expected, still.gap);
    expect(Math.abs(still.way)).toBeLessThan(2.5e-4);
    expect(moving.way).toBeGreaterThan(0.8 * moving.expected);
    expect(moving.way).toBeLessThan(1.2 * moving.expected);
    // Half its thickness above what it lies on; on a sheet, whose upper side is half of that one's further up.
    expect(still.gap / 0.005).toBeGreaterThan(0.98);
    expect(still.gap / 0.005).toBeLessThan(1.02);
  });
});
