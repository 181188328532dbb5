// Bad input at the doors of rods: a call works or throws a UsageError with where, expected
// and got; the world goes on whole.

import { createWorld } from 'bitecs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import * as stiction from '../../src/index';
import { UsageError } from '../../src/index';
import { bySuite, longTest } from '../setup/suite';

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0,
    1e308,
    5e-324,
    '',
    'start',
    true,
    {},
    [],
  ),
  fc.array(fc.double(), { maxLength: 4 }),
  fc.array(fc.array(fc.double(), { maxLength: 4 }), { maxLength: 4 }),
);
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
const place = fc.tuple(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 2, noNaN: true }),
  fc.integer({ min: -1, max: 1 }),
);
/** Points that go on along x, so that most of them make a rod. */
const line = (least: number, most: number) =>
  fc
    .array(place, { minLength: least, maxLength: most, size: 'max' })
    .map((jitters) => jitters.map(([x, y, z], i) => [1.5 * i + 0.5 * x, y, z]));
const options = fc.record(
  {
    radius: mostly(fc.constantFrom(1e-5, 0.01, 1, 100)),
    density: mostly(fc.constantFrom(1e-3, 1000, 1e6)),
    youngModulus: mostly(fc.constantFrom(1e-3, 1e7, 1e14)),
    stretchModulus: mostly(fc.constantFrom(1e3, 1e14)),
    damping: mostly(fc.constantFrom(0, 0.01, 1000)),
    friction: mostly(fc.constantFrom(0, 0.5, 1e6)),
    cohesion: mostly(fc.constantFrom(0, 1)),
    airDrag: mostly(fc.constantFrom(0, 1e6)),
    selfContact: mostly(fc.boolean()),
    clampStart: mostly(fc.boolean()),
    clampEnd: mostly(fc.boolean()),
    attachStart: mostly(fc.constantFrom(1, 2)),
    mask: mostly(fc.constantFrom(0, 1, 0xffff)),
    velocity: mostly(place),
  },
  { requiredKeys: [] },
);
const rod = fc.tuple(options, mostly(line(2, 5))).map(([rest, points]) => ({ ...rest, points }));
const groom = fc
  .tuple(options, mostly(fc.constantFrom([2, 2], [4], [2, 2], [3, 1])), mostly(line(4, 4)))
  .map(([rest, counts, points]) => ({
    ...rest,
    strands: { counts, positions: Array.isArray(points) ? points.flat() : points },
  }));
const pose = fc.record(
  { position: mostly(place), rotation: odd, follow: mostly(fc.constantFrom(1, 2)) },
  { requiredKeys: [] },
);

function attempt(name: string, call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof UsageError)) throw new Error(`${name} threw ${String(error)}`, { cause: error });
    expect(error.message).toMatch(/^[\w.]+: .*, got /s);
    expect(error.message.length).toBeLessThan(2000);
    return undefined;
  }
}

const KEYS = ['radius', 'density', 'youngModulus', 'stretchModulus', 'damping', 'friction', 'cohesion', 'airDrag'];
const NUMBERS = ['points', 'velocity', 'clampStart', 'attachStart', 'mask', ...KEYS];

test('every number of a rod and a groom is looked at, at each door', () => {
  const physics = stiction.createPhysics(createWorld());
  const points = [0, 1, 2].map((x) => [x, 1, 0]);
  const strands = { counts: [3], positions: points.flat() };
  const taken: string[] = [];
  for (const key of NUMBERS) {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, 'start', {}, [Number.NaN, 0, 0]]) {
      for (const [name, call] of [
        ['addRod', () => stiction.addRod(physics, { points, [key]: value } as never)],
        ['addGroom', () => stiction.addGroom(physics, { strands, [key]: value } as never)],
      ] as const) {
        if (attempt(name, call) !== undefined) taken.push(`${name} ${key}: ${JSON.stringify(value)}`);
      }
    }
  }
  expect(taken).toEqual([]);
});

longTest('any sequence of calls with any values leaves a world whose numbers are finite', () => {
  const who = mostly(fc.integer({ min: 1, max: 8 })) as fc.Arbitrary<number>;
  const node = mostly(fc.constantFrom<unknown>(0, 1, 'start', 'end')) as fc.Arbitrary<number>;
  const end = mostly(fc.constantFrom('start', 'end')) as fc.Arbitrary<'start'>;
  const clamp = fc.tuple(who, end, fc.oneof(pose, fc.constant(null)), fc.constantFrom(undefined, 0, 1, -1));
  const push = fc.tuple(who, node, mostly(place));
  const length = mostly(fc.constantFrom(0, 0.5));
  const joint = fc.record(
    { rod: who, node, body: who, point: mostly(place), length },
    { requiredKeys: ['rod', 'node'] },
  );
  type Call = [string, (physics: stiction.Physics) => unknown];
  const make = <T>(values: fc.Arbitrary<T>, name: string, run: (p: stiction.Physics, value: T) => unknown) =>
    values.map((value): Call => [name, (p) => run(p, value)]);
  const call: fc.Arbitrary<Call> = fc.oneof(
    { weight: 4, arbitrary: make(rod, 'addRod', (p, s) => stiction.addRod(p, s as never)) },
    { weight: 2, arbitrary: make(groom, 'addGroom', (p, s) => stiction.addGroom(p, s as never)) },
    { weight: 1, arbitrary: make(who, 'removeRod', (p, e) => stiction.removeRod(p, e)) },
    { weight: 1, arbitrary: make(who, 'removeRigidBody', (p, e) => stiction.removeRigidBody(p, e)) },
    { weight: 1, arbitrary: make(who, 'detach', (p, e) => stiction.detach(p, e)) },
    {
      weight: 3,
      arbitrary: make(clamp, 'setClamp', (p, [e, side, to, strand]) =>
        stiction.setClamp(p, e, side, to as never, strand),
      ),
    },
    { weight: 1, arbitrary: make(push, 'addRodForce', (p, [e, n, f]) => stiction.addRodForce(p, e, n, f as never)) },
    { weight: 3, arbitrary: make(joint, 'attach', (p, s) => stiction.attach(p, s as never)) },
    { weight: 1, arbitrary: make(mostly(place), 'setWind', (p, v) => stiction.setWind(p, v as never)) },
    { weight: 3, arbitrary: make(fc.constant(0), 'step', (p) => p.step()) },
  );
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 12, size: 'max' }), (calls) => {
      const physics = stiction.createPhysics(createWorld(), { elastic: { iterations: 3, sweeps: 1 } });
      stiction.addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      stiction.addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.5 }, position: [0, 3, 0] });
      for (const y of [1, 1.001])
        stiction.addRod(physics, {
          points: [
            [0, y, 0],
            [0.1, y, 0],
            [0.2, y, 0.1],
          ],
          radius: 0.01,
        });
      const { arena, tables } = physics.internal.engine;
      for (const [name, run] of [...calls, ['step', () => physics.step()] as const]) {
        attempt(name, () => run(physics));
        const broken = findBrokenInvariants(arena, tables);
        if (broken.length > 0) throw new Error(`after ${name}: ${broken.join('\n')}`);
      }
      physics.interpolate(0.5);
      const { positions, nodeCount } = physics.strands;
      expect(positions.subarray(0, 4 * nodeCount).every(Number.isFinite)).toBe(true);
      physics.dispose();
    }),
    { numRuns: bySuite(40, 150) },
  );
});
