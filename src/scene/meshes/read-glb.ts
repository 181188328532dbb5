// Reader of .glb (glTF 2.0 in one file): the triangles of all meshes of its scene, placed as its nodes say.
//
// Positions as floats and any kind of index; what glTF adds by extensions (compressed buffers, quantised positions) and
// sparse accessors are refused by name. Vertices that were split for normals or textures become one again. Of gl-matrix
// are the two functions that place nodes: sums and products alone, the same in every browser.

import { mat4, type ReadonlyMat4 } from 'gl-matrix';
import { MOST_ELEMENTS, mergeVertices, refuseMesh, type TriangleMesh } from './mesh';

/** A JSON value of unknown form, read with care. */
type Loose = Readonly<Record<string, unknown>>;

const KIND = '.glb';
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

interface Reader {
  readonly root: Loose;
  readonly binary: DataView;
  readonly vertices: number[];
  readonly triangles: number[];
}

/** Reads a .glb file. Throws UsageError. */
export function readGlb(bytes: Uint8Array): TriangleMesh {
  const reader = openGlb(bytes);
  const nodes = listOf(reader.root, 'nodes');
  const scene = listOf(reader.root, 'scenes')[numberOf(reader.root, 'scene', 0)];
  // Without a scene: all nodes that are no one's child.
  const children = new Set(nodes.flatMap((node) => numbersOf(node, 'children')));
  const roots = scene ? numbersOf(scene, 'nodes') : nodes.map((_, i) => i).filter((i) => !children.has(i));
  for (const root of roots) addNode(reader, nodes, root, IDENTITY, 0);
  return mergeVertices({
    vertices: Float64Array.from(reader.vertices),
    triangles: Int32Array.from(reader.triangles),
  });
}

function openGlb(bytes: Uint8Array): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== 2)
    refuseMesh(KIND, 'must begin with the header of glTF 2', `${bytes.length} bytes of another kind`);
  let text: string | null = null;
  let binary: DataView = new DataView(new ArrayBuffer(0));
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + length > bytes.length)
      refuseMesh(KIND, `must hold a chunk of ${length} bytes`, `${bytes.length} bytes`);
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (type === JSON_CHUNK) text = new TextDecoder().decode(chunk);
    else if (type === BINARY_CHUNK) binary = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    at += 8 + length + ((4 - (length % 4)) % 4);
  }
  if (text === null) return refuseMesh(KIND, 'must have a JSON chunk', 'none');
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    refuseMesh(KIND, 'its JSON chunk must be JSON', text);
  }
  const required = (root as { extensionsRequired?: unknown } | null)?.extensionsRequired;
  if (Array.isArray(required) && required.length > 0) refuseMesh(KIND, 'must need no extensions', required);
  return { root: asObject(root), binary, vertices: [], triangles: [] };
}

const asObject = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});

function listOf(object: Loose, key: string): Loose[] {
  const list = object[key];
  return Array.isArray(list) ? list.map(asObject) : [];
}

function numbersOf(object: Loose, key: string): number[] {
  const list = object[key];
  if (list === undefined) return [];
  if (!Array.isArray(list) || !list.every((value) => typeof value === 'number' && Number.isFinite(value)))
    return refuseMesh(KIND, `${key} must be a list of numbers`, list);
  return list;
}

function numberOf(object: Loose, key: string, otherwise: number): number {
  const value = object[key] ?? otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value))
    return refuseMesh(KIND, `${key} must be a whole number`, value);
  return value;
}

function addNode(reader: Reader, nodes: readonly Loose[], index: number, parent: ReadonlyMat4, depth: number): void {
  const node = nodes[index];
  if (node === undefined) refuseMesh(KIND, `nodes must be 0..${nodes.length - 1}`, index);
  if (depth > nodes.length) refuseMesh(KIND, 'nodes must form a tree', `a loop at node ${index}`);
  // Plain arrays: gl-matrix's own are of f32.
  const matrix = mat4.multiply([...IDENTITY], parent, localMatrix(node));
  if (node.mesh !== undefined) {
    const meshes = listOf(reader.root, 'meshes');
    const mesh = meshes[numberOf(node, 'mesh', -1)];
    if (mesh === undefined) refuseMesh(KIND, `mesh of node ${index} must be 0..${meshes.length - 1}`, node.mesh);
    for (const primitive of listOf(mesh, 'primitives')) addPrimitive(reader, primitive, matrix);
  }
  for (const child of numbersOf(node, 'children')) addNode(reader, nodes, child, matrix, depth + 1);
}

/** Column-major, as glTF has them. */
function localMatrix(node: Loose): ReadonlyMat4 {
  const matrix = numbersOf(node, 'matrix');
  if (matrix.length === 16) return matrix;
  const [tx = 0, ty = 0, tz = 0] = numbersOf(node, 'translation');
  const [x = 0, y = 0, z = 0, w = 1] = numbersOf(node, 'rotation');
  const [sx = 1, sy = 1, sz = 1] = numbersOf(node, 'scale');
  return mat4.fromRotationTranslationScale([...IDENTITY], [x, y, z, w], [tx, ty, tz], [sx, sy, sz]);
}

function addPrimitive(reader: Reader, primitive: Loose, m: ReadonlyMat4): void {
  const mode = numberOf(primitive, 'mode', 4);
  if (mode < 4) return;
  if (mode !== 4) refuseMesh(KIND, 'primitives must be lists of triangles (mode 4)', mode);
  const { vertices, triangles } = reader;
  const from = vertices.length / 3;
  const positions = readAccessor(reader, numberOf(asObject(primitive.attributes), 'POSITION', -1), 3);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]];
    for (let r = 0; r < 3; r++) vertices.push(m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);
  }
  const count = positions.length / 3;
  const indices =
    primitive.indices === undefined
      ? Array.from({ length: count - (count % 3) }, (_, i) => i)
      : readAccessor(reader, numberOf(primitive, 'indices', -1), 1);
  if (indices.length % 3 !== 0) refuseMesh(KIND, 'indices must come in threes', indices.length);
  for (const index of indices) {
    if (!(index < count)) refuseMesh(KIND, `indices must be 0..${count - 1}`, index);
    triangles.push(from + index);
  }
}

/** Values of an accessor of floats (three each) or of whole numbers (one each). */
function readAccessor(reader: Reader, index: number, width: 1 | 3): number[] {
  const accessors = listOf(reader.root, 'accessors');
  const accessor = accessors[index];
  if (accessor === undefined) return refuseMesh(KIND, `accessors must be 0..${accessors.length - 1}`, index);
  const where = `accessor ${index}`;
  if (accessor.sparse !== undefined) refuseMesh(KIND, `${where} must not be sparse`, accessor.sparse);
  const type = numberOf(accessor, 'componentType', -1);
  const size = ({ 5121: 1, 5123: 2, 5125: 4, 5126: 4 } as Record<number, number>)[type];
  if (size === undefined || (width === 3) !== (type === 5126) || accessor.type !== (width === 3 ? 'VEC3' : 'SCALAR'))
    refuseMesh(KIND, `${where} must hold ${width === 3 ? 'VEC3 of floats' : 'unsigned SCALAR'}`, accessor.type);
  const views = listOf(reader.root, 'bufferViews');
  const view = views[numberOf(accessor, 'bufferView', -1)];
  if (view === undefined) return refuseMesh(KIND, `${where} must have a bufferView`, accessor.bufferView);
  if (numberOf(view, 'buffer', 0) !== 0) refuseMesh(KIND, 'all data must be in its own binary chunk', view.buffer);
  const stride = numberOf(view, 'byteStride', width * size);
  const start = numberOf(view, 'byteOffset', 0) + numberOf(accessor, 'byteOffset', 0);
  const count = numberOf(accessor, 'count', 0);
  const end = start + stride * (count - 1) + width * size;
  if (count < 1 || count > MOST_ELEMENTS || start < 0 || stride < 0 || end > reader.binary.byteLength)
    refuseMesh(KIND, `${where} must lie within the ${reader.binary.byteLength} bytes of the binary chunk`, end);
  const out: number[] = [];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < width; k++) {
      const at = start + stride * i + size * k;
      const value =
        type === 5126
          ? reader.binary.getFloat32(at, true)
          : size === 1
            ? reader.binary.getUint8(at)
            : size === 2
              ? reader.binary.getUint16(at, true)
              : reader.binary.getUint32(at, true);
      if (!Number.isFinite(value)) refuseMesh(KIND, `value ${i} of ${where} must be a finite number`, value);
      out.push(value);
    }
  }
  return out;
}
