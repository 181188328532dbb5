import { describe, expect, it } from 'vitest';
import { readTetrahedra, readTriangleMesh } from '../../../src/index';

const bytes = (text: string) => new TextEncoder().encode(text);
const list = (values: ArrayLike<number>) => Array.from(values);
/** Corners of the unit tetrahedron, and its four faces seen from outside. */
const CORNERS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const FACES = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

/** A binary .stl of the unit tetrahedron. */
function binaryStl(): Uint8Array {
  const view = new DataView(new ArrayBuffer(84 + 4 * 50));
  view.setUint32(80, 4, true);
  FACES.forEach((vertex, k) => {
    for (let c = 0; c < 3; c++) {
      view.setFloat32(84 + 50 * Math.floor(k / 3) + 12 + 12 * (k % 3) + 4 * c, CORNERS[3 * vertex + c], true);
    }
  });
  return new Uint8Array(view.buffer);
}

/** A .glb of the unit tetrahedron, moved by one along x by a node. */
function glb(change: (root: Record<string, unknown>) => void = () => {}): Uint8Array {
  const data = new ArrayBuffer(48 + 24);
  new Float32Array(data, 0, 12).set(CORNERS);
  new Uint16Array(data, 48).set(FACES);
  const root = {
    ...{ scene: 0, scenes: [{ nodes: [0] }] },
    nodes: [{ children: [1], translation: [1, 0, 0] }, { mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: 4 },
      { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 12 },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 24 },
    ],
  };
  change(root);
  const json = bytes(JSON.stringify(root));
  const padded = Math.ceil(json.length / 4) * 4;
  const view = new DataView(new ArrayBuffer(12 + 8 + padded + 8 + data.byteLength));
  const out = new Uint8Array(view.buffer).fill(0x20);
  [0x46546c67, 2, view.byteLength, padded, 0x4e4f534a].forEach((word, k) => {
    view.setUint32(4 * k, word, true);
  });
  out.set(json, 20);
  view.setUint32(20 + padded, data.byteLength, true);
  view.setUint32(24 + padded, 0x004e4942, true);
  out.set(new Uint8Array(data), 28 + padded);
  return out;
}

const OBJ =
  '# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1 3/2 2/3\nf 1 2 4\nf -3 -2 -1\nf 1//2 4//2 3//2\n';
const PLY = `ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty uchar red
property float y
property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header
0 9 0 0\n1 9 0 0\n0 9 1 0\n0 9 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n`;
const STL = `solid t\n${[0, 1, 2, 3]
  .map((f) => {
    const corners = [0, 1, 2].map((k) => CORNERS.slice(3 * FACES[3 * f + k], 3 * FACES[3 * f + k] + 3).join(' '));
    return `facet normal 0 0 0\n outer loop\n${corners.map((c) => `  vertex ${c}\n`).join('')} endloop\nendfacet`;
  })
  .join('\n')}\nendsolid t\n`;

describe('readTriangleMesh', () => {
  it('reads the same surface from .obj, .ply, .stl of text and bytes, and .glb with its nodes', () => {
    for (const [name, file, from] of [
      ['a.obj', bytes(OBJ), 0],
      ['a.PLY', bytes(PLY), 0],
      ['a.stl', bytes(STL), 0],
      ['b.stl', binaryStl(), 0],
      ['a.glb', glb(), 1],
    ] as const) {
      const { vertices, triangles } = readTriangleMesh(file, name);
      const places = list(triangles).map(
        (i) => `${vertices[3 * i] - from},${vertices[3 * i + 1]},${vertices[3 * i + 2]}`,
      );
      const expected = FACES.map((i) => CORNERS.slice(3 * i, 3 * i + 3).join(','));
      expect([name, vertices.length, ...places]).toEqual([name, 12, ...expected]);
    }
  });

  it('turns, scales and moves by the nodes of a .glb and by their parents, in full precision', () => {
    const nodes = [
      { children: [1], translation: [0.1, 0.2, 0.3], rotation: [0.5, 0.5, 0.5, 0.5], scale: [2, 3, 4] },
      { mesh: 0, translation: [0.7, 0, 0], rotation: [0, 0, 1, 0] },
    ];
    const file = glb((root) => Object.assign(root, { nodes }));
    const { vertices } = readTriangleMesh(file, 'a.glb');
    // Half a turn about z, then x to y, y to z, z to x.
    const places = [0, 1, 2, 3].map((k) => {
      const [x, y, z] = CORNERS.slice(3 * k, 3 * k + 3);
      return [4 * z + 0.1, 2 * (0.7 - x) + 0.2, 0.3 - 3 * y];
    });
    // Corners come in the order of the triangles.
    const order = [0, 3, 6, 9].map((at) => Array.from(vertices.subarray(at, at + 3)));
    for (const place of places)
      expect(order.filter((found) => found.every((c, k) => Math.abs(c - place[k]) < 1e-15))).toHaveLength(1);
  });

  it('cuts polygons into fans', () => {
    const square = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n';
    expect(list(readTriangleMesh(bytes(square), 'a.obj').triangles)).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it.each([
    ['a.obj', bytes('v 0 0 x\n'), '.obj file, line 1: coordinate 3 of a vertex must be a finite number, got "x"'],
    [
      'a.obj',
      bytes('v 0 0 0\nf 1 2 3\n'),
      '.obj file, line 2: vertex 2 of a face must be a whole number -1..1, got "2"',
    ],
    ['a.obj', bytes('v 0 0 0\n'), '.obj file: must hold triangles, got none'],
    ['a.ply', bytes(PLY.replace('3 1 2 3', '3 1 2 9')), '.ply file: vertices of triangle 2 must be 0..3, got 9'],
    ['a.ply', bytes(PLY.replace('0 9 0 1\n', '0 9 0\n')), '.ply file: face 0 must have at least 3 vertices, got 0'],
    ['a.ply', bytes(PLY.slice(0, -8)), '.ply file, line 7: the file ends where face 3 should be'],
    [
      'a.ply',
      bytes(PLY.replace('vertex 4', 'vertex 4000000')),
      '.ply file, line 4: count of vertex must be a whole number',
    ],
    ['a.stl', binaryStl().subarray(0, 200), '.stl file: must hold 4 triangles (284 bytes), got 200 bytes'],
    ['a.stl', bytes(STL.replace('vertex 1 0 0', 'vertex 1 0')), '.stl file, line 6: coordinate 3 of a vertex must be'],
    ['a.glb', glb((root) => Object.assign(root, { extensionsRequired: ['X'] })), '.glb file: must need no extensions'],
    ['a.glb', glb((root) => Object.assign(root, { nodes: [{ children: [0] }] })), '.glb file: nodes must form a tree'],
    ['a.glb', glb().subarray(0, -10), '.glb file: must hold a chunk of'],
    ['a.fbx', bytes(''), 'readTriangleMesh: name must end in .obj, .ply, .stl, .glb, got "a.fbx"'],
  ])('refuses %s: what is wrong is named (%#)', (name, file, message) => {
    expect(() => readTriangleMesh(file, name)).toThrow(message);
  });
});

const NODES = ['9 9 9', '0 0 0', '1 0 0', '0 1 0', '0 0 1'];
const MSH2 = `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 "all"\n$EndPhysicalNames\n$Nodes\n5
${NODES.map((place, i) => `${10 * (i + 1)} ${place}`).join('\n')}\n$EndNodes\n$Elements
2\n1 2 2 0 1 20 30 40\n2 4 2 0 1 20 30 40 50
$EndElements\n`;
const MSH4 = `$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n${NODES.join('\n')}
$EndNodes
$Elements\n1 1 1 1\n3 1 4 1\n1 2 3 4 5\n$EndElements\n`;
const VTK = `# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n${NODES.join(' ')}
CELLS 2 9\n3 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n5 10\n`;
const VTK5 = VTK.replace(
  'CELLS 2 9\n3 1 2 3\n4 1 2 3 4',
  'CELLS 3 7\nOFFSETS vtktypeint64\n0 3 7\nCONNECTIVITY vtktypeint64\n1 2 3 1 2 3 4',
);
const NODE = `5 3 0 0\n${NODES.map((place, i) => `${i + 1} ${place}`).join('\n')}\n# end\n`;
const ELE = '1 4 0\n1 2 3 4 5\n';

describe('readTetrahedra', () => {
  it('reads the same tetrahedron from .msh 2.2 and 4.1, both .vtk, .node with .ele, without unused vertices', () => {
    for (const [name, file, elements] of [
      ['a.msh', MSH2],
      ['a.msh', MSH4],
      ['a.vtk', VTK],
      ['a.vtk', VTK5],
      ['a.node', NODE, ELE],
    ]) {
      const mesh = readTetrahedra(bytes(file), name, elements === undefined ? undefined : bytes(elements));
      expect([name, ...mesh.vertices]).toEqual([name, ...CORNERS]);
      expect(list(mesh.tetrahedra)).toEqual([0, 1, 2, 3]);
    }
  });

  it.each([
    [
      'a.msh',
      MSH2.replace('2.2 0 8', '2.2 1 8'),
      '.msh file, line 2: must be text (Mesh.Binary = 0), got a binary file',
    ],
    ['a.msh', MSH2.replace('2.2 0', '3 0'), '.msh file, line 2: the version must be 2 to 2.9 or 4.1, got 3'],
    [
      'a.msh',
      MSH2.replace('40 50\n', '40 60\n'),
      '.msh file, line 19: a tetrahedron must have nodes that there are, got 60',
    ],
    ['a.msh', MSH2.replace('$Nodes\n5', '$Nodes\n500000000'), 'the number of nodes must be a whole number 0..'],
    ['a.msh', MSH2.replace('2 4 2 0', '2 2 2 0'), '.msh file: must hold tetrahedra, got none'],
    ['a.vtk', VTK.replace('ASCII', 'BINARY'), '.vtk file, line 3: must be of text (ASCII), got BINARY'],
    ['a.vtk', VTK.replace('4 1 2 3 4', '4 1 2 3 5'), '.vtk file: points of cell 1 must be 0..4, got 5'],
    ['a.vtk', VTK.replace('9 9 9', '9 9 nine'), '.vtk file, line 6: a coordinate must be a finite number, got "nine"'],
    ['a.vtk', VTK.slice(0, 130), '.vtk file'],
    ['a.node', NODE, 'a .node file must come with the bytes of its .ele file'],
    ['a.obj', OBJ, 'readTetrahedra: name must end in .msh, .vtk, .node, got "a.obj"'],
  ])('refuses %s: what is wrong is named (%#)', (name, file, message) => {
    expect(() => readTetrahedra(bytes(file), name)).toThrow(message);
  });

  it('refuses .node and .ele that do not belong together', () => {
    const read = (nodes: string, elements: string) => () => readTetrahedra(bytes(nodes), 'a.node', bytes(elements));
    expect(read(NODE, ELE.replace('5\n', '6\n'))).toThrow(
      '.ele file, line 2: corner 4 must be a whole number 1..5, got "6"',
    );
    expect(read(NODE.replace('\n3 ', '\n7 '), ELE)).toThrow(".node file, line 4: the point's number must be 3, got 7");
  });
});
