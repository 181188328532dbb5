import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import { addScene, createPhysics, readScene, sceneSettings, solidPositions, writeScene } from '../../src/index';

const UNIT = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const one = { vertices: UNIT, tetrahedra: [[0, 1, 2, 3]] };
const MSH = `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes
4\n${UNIT.map((p, i) => `${i + 1} ${p.join(' ')}`).join('\n')}
$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n`;

describe('solids in scene files', () => {
  it('are placed, turned and named, from lists and from files', () => {
    const scene = readScene({
      version: 1,
      gravity: [0, 0, 0],
      bodies: [{ name: 'hook', type: 'static', shape: { sphere: 0.1 }, position: [0, 5, 0] }],
      solids: [
        { ...one, name: 'a', position: [0, 2, 0], rotation: [0, 0, 2, 2], youngModulus: 2e4, pins: [0] },
        { file: 'b.msh', model: 'neo-hookean', pins: [{ vertex: 1, body: 'hook' }] },
      ],
    });
    const physics = createPhysics(createWorld(), sceneSettings(scene));
    const { solids } = addScene(physics, scene, { readFile: () => new TextEncoder().encode(MSH) });
    expect([...solids.keys()]).toEqual(['a', 'solid-1']);
    // A quarter turn about z: x goes to y.
    const positions = solidPositions(physics, solids.get('a')!);
    [0, 2, 0, 0, 3, 0, -1, 2, 0, 0, 2, 1].forEach((x, k) => {
      expect(positions[k]).toBeCloseTo(x, 12);
    });
    expect(physics.components.Solid.youngModulus[solids.get('a')!]).toBe(2e4);
    for (let k = 0; k < 10; k++) physics.step();
    expect(solidPositions(physics, solids.get('solid-1')!)[3]).toBeCloseTo(1, 12);
    const { arena, tables } = physics.internal.engine;
    expect(findBrokenInvariants(arena, tables)).toEqual([]);
  });

  it('are written as they were read', () => {
    const scene = readScene({
      version: 1,
      solids: [{ ...one, poissonRatio: 0.4, surface: { vertices: UNIT, triangles: [[0, 2, 1]] } }],
    });
    const text = writeScene(scene);
    expect(readScene(text)).toEqual(scene);
    expect(text).not.toContain('density');
  });

  it.each([
    [{ ...one, tetrahedra: [[0, 1, 2, 4]] }, 'solids[0].tetrahedra[0][3]: must be the index of a vertex, 0..3, got 4'],
    [{ ...one, file: 'x.msh' }, 'solids[0].vertices: must not be given with file, got 4'],
    [{ file: 'x.obj' }, 'solids[0].file: must end in .msh, .vtk or .node, got "x.obj"'],
    [{ file: '/x.msh' }, 'solids[0].file: must be a path relative to the scene'],
    [{ ...one, poissonRatio: 0.5 }, 'solids[0].poissonRatio: must be -0.9..0.49, got 0.5'],
    [
      { ...one, poissonRatio: -0.2, model: 'fixed-corotated' },
      'solids[0].poissonRatio: must be >= 0 with model fixed-corotated, got -0.2',
    ],
    [{ ...one, pins: [4] }, 'solids[0].pins[0]: must be the index of a vertex, 0..3, got 4'],
    [{ ...one, pins: [{ vertex: 0, body: 'x' }] }, 'solids[0].pins[0].body: no such body, got "x"'],
    [{ ...one, restVertices: [...UNIT, [1, 1, 1]] }, 'solids[0].restVertices: must be as many as vertices, 4, got 5'],
  ])('are refused with the path of what is wrong: %#', (solid, message) => {
    expect(() => readScene({ version: 1, solids: [solid] })).toThrow(message);
  });

  it('that cannot be simulated leave nothing behind', () => {
    const scene = readScene({ version: 1, solids: [one, { ...one, name: 'bad', tetrahedra: [[0, 2, 1, 3]] }] });
    const physics = createPhysics(createWorld());
    expect(() => addScene(physics, scene)).toThrow(
      /^addScene: solid "bad": addSolid: tetrahedra\[0\]: volume must be > 0 \[m³\], got -0.1/,
    );
    physics.step();
    expect(physics.report.strands.strands).toBe(0);
  });
});
