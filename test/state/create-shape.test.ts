import { expect, test } from 'vitest';
import { allocate, copyArena, createArena, restoreArena } from '../../src/core/arena';
import { UsageError } from '../../src/core/errors';
import * as R from '../../src/geometry/records';
import { checkShape, type ShapeSpec } from '../../src/geometry/shapes';
import { createShape, freeShapeRows } from '../../src/state/create-shape';
import * as L from '../../src/state/layout';
import { ARENA_LAYOUT, createTables } from '../../src/state/tables';

function world() {
  const arena = createArena(ARENA_LAYOUT);
  const tables = createTables(arena);
  return { arena, tables, make: (spec: ShapeSpec) => createShape(arena, tables, spec) };
}

const tetrahedron = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

test('each kind writes its kind, parameters and bounds', () => {
  const { tables, make } = world();
  const cases: [ShapeSpec, number, number[], number[]][] = [
    [{ box: [1, 2, 3] }, L.SHAPE_BOX_KIND, [1, 2, 3, 0], [1, 2, 3]],
    [{ sphere: 0.5 }, L.SHAPE_SPHERE, [0.5, 0, 0, 0], [0.5, 0.5, 0.5]],
    [{ capsule: [0.5, 1] }, L.SHAPE_CAPSULE, [0.5, 1, 0, 0], [0.5, 1.5, 0.5]],
    [{ cylinder: [0.5, 1] }, L.SHAPE_CYLINDER, [0.5, 1, 0, 0], [0.5, 1, 0.5]],
    [{ cone: [0.5, 1] }, L.SHAPE_CONE, [0.5, 1, 0, 0], [0.5, 1, 0.5]],
  ];
  for (const [spec, kind, parameter, half] of cases) {
    const { parts, staticOnly } = make(spec);
    const [{ shape, position, rotation }] = parts;
    expect(parts).toHaveLength(1);
    expect([position, rotation]).toEqual([
      [0, 0, 0],
      [0, 0, 0, 1],
    ]);
    expect(staticOnly).toBe(false);
    expect(tables.shapes.kind[shape]).toBe(kind);
    expect(Array.from(tables.shapes.parameter.slice(shape * 4, shape * 4 + 4))).toEqual(parameter);
    expect(Array.from(tables.shapes.box.slice(shape * 6, shape * 6 + 6))).toEqual([...half.map((x) => -x), ...half]);
  }
  const plane = make({ plane: [0, 3, 4] });
  expect(plane.staticOnly).toBe(true);
  expect(plane.mass.volume).toBe(0);
  const row = plane.parts[0].shape;
  expect(tables.shapes.kind[row]).toBe(L.SHAPE_PLANE);
  const normal = Array.from(tables.shapes.parameter.slice(row * 4, row * 4 + 3));
  [0, 0.6, 0.8].forEach((x, k) => {
    expect(normal[k]).toBeCloseTo(x, 15);
  });
});

test('equal shapes share a row, different ones do not, also when many rows make the table grow', () => {
  const { arena, tables, make } = world();
  const row = (spec: ShapeSpec) => make(spec).parts[0].shape;
  expect(row({ box: [1, 2, 3] })).toBe(row({ box: [1, 2, 3] }));
  expect(row({ cylinder: [1, 2] })).not.toBe(row({ cone: [1, 2] }));
  expect(row({ hull: tetrahedron })).toBe(row({ hull: [...tetrahedron, [0.1, 0.1, 0.1]] }));
  const first = Array.from({ length: 100 }, (_, k) => row({ sphere: 1 + k }));
  expect(new Set(first).size).toBe(100);
  expect(Array.from({ length: 100 }, (_, k) => row({ sphere: 1 + k }))).toEqual(first);
  expect(arena.i32[L.SHAPE_COUNT >> 2]).toBe(104);
  expect(tables.shapes.capacity).toBeGreaterThanOrEqual(104);
  expect(tables.shapes.parameter[4 * first[99]]).toBe(100);
});

test('after a restored snapshot the same calls give the same rows', () => {
  const { arena, make } = world();
  const row = (spec: ShapeSpec) => make(spec).parts[0].shape;
  row({ box: [1, 1, 1] });
  const snapshot = copyArena(arena);
  const later = [row({ sphere: 2 }), row({ hull: tetrahedron }), row({ sphere: 3 })];
  restoreArena(arena, snapshot);
  expect(arena.i32[L.SHAPE_COUNT >> 2]).toBe(1);
  expect([row({ sphere: 2 }), row({ hull: tetrahedron }), row({ sphere: 3 })]).toEqual(later);
});

test('a hull is stored about its centre of mass, which is where the part sits', () => {
  const { arena, tables, make } = world();
  const { parts, mass } = make({ hull: tetrahedron.map((p) => p.map((x) => x + 7)) });
  expect(parts[0].position).toEqual(Array.from(mass.center));
  for (const c of mass.center) expect(c).toBeCloseTo(7.25, 13);
  const record = tables.shapes.data[parts[0].shape];
  const vertices = (record + arena.i32[(record + R.HULL_VERTICES) >> 2]) >> 3;
  expect(arena.i32[(record + R.HULL_VERTEX_COUNT) >> 2]).toBe(4);
  const sum = [0, 0, 0];
  for (let i = 0; i < 12; i++) sum[i % 3] += arena.f64[vertices + i];
  for (const s of sum) expect(Math.abs(s)).toBeLessThan(1e-14);
  const bounds = Array.from(tables.shapes.box.slice(parts[0].shape * 6, parts[0].shape * 6 + 6));
  [-0.25, -0.25, -0.25, 0.75, 0.75, 0.75].forEach((x, k) => {
    expect(bounds[k]).toBeCloseTo(x, 13);
  });
});

test('a compound gives its parts in place, nested poses composed, and the common mass', () => {
  const { make } = world();
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const { parts, mass, staticOnly } = make({
    compound: [
      { shape: { box: [1, 1, 1] }, position: [2, 0, 0] },
      {
        position: [-2, 0, 0],
        rotation: quarter.map((x) => 5 * x),
        shape: { compound: [{ position: [0, 1, 0], shape: { box: [1, 1, 1] } }] },
      },
    ],
  });
  expect(staticOnly).toBe(false);
  expect(parts).toHaveLength(2);
  expect(parts[0].shape).toBe(parts[1].shape);
  // A quarter turn about z takes y to −x.
  [-3, 0, 0].forEach((x, k) => {
    expect(parts[1].position[k]).toBeCloseTo(x, 14);
  });
  expect(Math.hypot(...parts[1].rotation)).toBeCloseTo(1, 15);
  expect(mass.volume).toBeCloseTo(16, 13);
  expect(mass.center[0]).toBeCloseTo(-0.5, 14);
  // Each cube 16/3 about itself, plus 8 · 2.5².
  expect(mass.inertia[1]).toBeCloseTo(2 * (16 / 3 + 8 * 6.25), 12);
  expect(make({ compound: [{ shape: { plane: [0, 1, 0] } }] }).staticOnly).toBe(true);
});

test('wrong shapes are refused with the path, what was expected and what came', () => {
  const { make } = world();
  const cases: [unknown, RegExp][] = [
    [{ box: [1, -1, 1] }, /^createShape: shape\.box\[1\] must be > 0 \[m\], got -1$/],
    [{ box: [1, 1] }, /shape\.box must be 3 numbers \[m\], got \[1, 1\]/],
    [{ sphere: '1' }, /shape\.sphere must be > 0 \[m\], got "1"/],
    [{ sphere: Number.POSITIVE_INFINITY }, /shape\.sphere must be > 0 \[m\], got Infinity/],
    [{ capsule: [0.1, -1] }, /shape\.capsule\[1\] must be >= 0 \[m\], got -1/],
    [{ cylinder: [0, 1] }, /shape\.cylinder\[0\] must be > 0 \[m\], got 0/],
    [{ plane: [0, 0, 0] }, /shape\.plane must not be zero, got \[0, 0, 0\]/],
    [{ hull: tetrahedron.slice(1) }, /shape\.hull must have at least 4, got 3/],
    [{ hull: tetrahedron.map(([x, y]) => [x, y, 1]) }, /shape\.hull must enclose volume/],
    [
      { mesh: { vertices: tetrahedron, triangles: [[0, 1, 4]] } },
      /triangles\[0\]\[2\] must be the number of a vertex, 0\.\.3, got 4/,
    ],
    [{ mesh: { vertices: tetrahedron } }, /shape\.mesh\.triangles must be a list, got undefined/],
    [{ compound: [] }, /shape\.compound must have at least 1, got 0/],
    [
      { compound: [{ shape: { compound: [{ shape: { sphere: -2 } }] } }] },
      /shape\.compound\[0\]\.shape\.compound\[0\]\.shape\.sphere must be > 0/,
    ],
    [{ compound: [{ shape: { sphere: 1 }, rotation: [0, 0, 0, 0] }] }, /compound\[0\]\.rotation must not be zero/],
    [{ box: [1, 1, 1], sphere: 1 }, /shape must have exactly one kind/],
    [{}, /shape must have exactly one kind/],
    [{ cube: 1 }, /shape must be one of box, .*, got "cube"/],
    [null, /shape must be an object with one of box, .*, got null/],
    [[1, 2, 3], /shape must be an object/],
  ];
  for (const [spec, message] of cases) {
    expect(() => make(spec as ShapeSpec)).toThrow(message);
    expect(() => make(spec as ShapeSpec)).toThrow(UsageError);
  }
  const endless: { compound: unknown[] } = { compound: [] };
  endless.compound.push({ shape: endless });
  expect(() => checkShape('addRigidBody', 'shape', endless)).toThrow(/nested less than 16 deep/);
});

test('points and triangles may be flat arrays, plain or typed: the same shapes', () => {
  const { tables, make } = world();
  const row = (spec: ShapeSpec) => make(spec).parts[0].shape;
  const flat = tetrahedron.flat();
  for (const points of [flat, Float32Array.from(flat), Float64Array.from(flat)]) {
    expect(row({ hull: points })).toBe(row({ hull: tetrahedron }));
  }
  const triangles = [0, 2, 1, 0, 1, 3];
  const listed = row({ mesh: { vertices: tetrahedron, triangles: [triangles.slice(0, 3), triangles.slice(3)] } });
  const typed = row({ mesh: { vertices: Float32Array.from(flat), triangles: Uint16Array.from(triangles) } });
  expect(Array.from(tables.shapes.box.slice(6 * typed, 6 * typed + 6))).toEqual(
    Array.from(tables.shapes.box.slice(6 * listed, 6 * listed + 6)),
  );
  const refused: [unknown, string][] = [
    [{ hull: flat.slice(0, 11) }, 'shape.hull must be three numbers each, got 11'],
    [{ hull: new Float32Array(9) }, 'shape.hull must have at least 4, got 3'],
    [{ hull: new DataView(new ArrayBuffer(96)) }, 'shape.hull must be a list'],
    [{ hull: Float64Array.from(flat, (x, i) => (i === 5 ? Number.NaN : x)) }, 'shape.hull[5] must be a finite number'],
    [
      { mesh: { vertices: flat, triangles: [0, 1, 4] } },
      'shape.mesh.triangles[2] must be the number of a vertex, 0..3',
    ],
    [{ mesh: { vertices: flat, triangles: [[0, 1, 7]] } }, 'shape.mesh.triangles[0][2] must be the number of a vertex'],
    [{ mesh: { vertices: flat, triangles: [0, 1] } }, 'shape.mesh.triangles must be three numbers each'],
  ];
  for (const [spec, message] of refused) expect(() => make(spec as ShapeSpec)).toThrow(message);
});

test('a shape for which there is no memory takes no row', () => {
  const { arena, tables, make } = world();
  const hull = (size: number): ShapeSpec => ({ hull: tetrahedron.map((corner) => corner.map((x) => size * x)) });
  const rowOf = (spec: ShapeSpec) => make(spec).parts[0].shape;
  expect([1, 2, 3].map((size) => rowOf(hull(size)))).toEqual([0, 1, 2]);
  freeShapeRows(arena, tables, new Set([0, 2]));
  const { memory } = arena;
  const grow = memory.grow.bind(memory);
  memory.grow = () => {
    throw new RangeError('no more');
  };
  // All that is left, in blocks from 64 kB down to a line.
  for (let bytes = 65536; bytes >= 64; bytes /= 2) {
    expect(() => {
      for (;;) allocate(arena, bytes, true);
    }).toThrow(UsageError);
  }
  const mesh = { mesh: { vertices: tetrahedron, triangles: [[0, 1, 2]] } };
  for (const spec of [hull(4), hull(5), mesh]) expect(() => make(spec)).toThrow(UsageError);
  memory.grow = grow;
  expect([4, 5, 6].map((size) => rowOf(hull(size)))).toEqual([1, 3, 4]);
});
