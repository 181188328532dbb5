// Reader of .ply, text and binary of either byte order: vertices and faces; polygons become fans of triangles.

import { mostLines, readLines, refuseMesh, type TriangleMesh } from './mesh';

const SIZES: Readonly<Record<string, number>> = {
  char: 1,
  int8: 1,
  uchar: 1,
  uint8: 1,
  short: 2,
  int16: 2,
  ushort: 2,
  uint16: 2,
  int: 4,
  int32: 4,
  uint: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
};

interface Property {
  readonly name: string;
  readonly type: string;
  /** Type of the count of a list; null: a single value. */
  readonly counted: string | null;
}

interface Element {
  readonly name: string;
  readonly count: number;
  readonly properties: Property[];
}

interface Header {
  readonly format: string;
  readonly elements: readonly Element[];
  /** Where the values begin [B]. */
  readonly end: number;
}

/** Values of a file one after the other. */
interface Values {
  next(type: string, what: string): number;
}

/** Reads a .ply file. Throws UsageError. */
export function readPly(bytes: Uint8Array): TriangleMesh {
  const header = readHeader(bytes);
  const values = header.format === 'ascii' ? textValues(bytes, header.end) : binaryValues(bytes, header);
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const element of header.elements) {
    for (let row = 0; row < element.count; row++) {
      const where = `${element.name} ${row}`;
      for (const { name, type, counted } of element.properties) {
        if (counted === null) {
          const value = values.next(type, where);
          const axis = element.name === 'vertex' ? ['x', 'y', 'z'].indexOf(name) : -1;
          if (axis < 0) continue;
          if (!Number.isFinite(value)) refuseMesh('.ply', `${name} of vertex ${row} must be a finite number`, value);
          vertices[3 * row + axis] = value;
          continue;
        }
        const isFace = element.name === 'face' && /^vert(ex|ices)_ind(ex|ices)$|^vertex_indices$/.test(name);
        readList(values, where, { counted, type }, isFace ? triangles : null);
      }
    }
  }
  const count = vertices.length / 3;
  triangles.forEach((index, k) => {
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      refuseMesh('.ply', `vertices of triangle ${Math.floor(k / 3)} must be 0..${count - 1}`, index);
    }
  });
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles) };
}

function readHeader(bytes: Uint8Array): Header {
  const marker = 'end_header';
  const limit = Math.min(bytes.length, 65536);
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, limit));
  const at = text.indexOf(`\n${marker}`);
  if (!text.startsWith('ply') || at < 0)
    refuseMesh('.ply', `must begin with "ply" and a header up to ${marker}`, text.slice(0, 20));
  let end = at + 1 + marker.length;
  if (text[end] === '\r') end++;
  end++;
  const lines = readLines('.ply', bytes.subarray(0, at), '');
  const elements: Element[] = [];
  let format = '';
  const typeOf = (word: string | undefined) => {
    if (word === undefined || !(word in SIZES)) lines.refuse('a property must have a type of numbers', word);
    return word!;
  };

  for (let words = lines.next(); words !== null; words = lines.next()) {
    if (words[0] === 'format') {
      format = words[1];
      if (!['ascii', 'binary_little_endian', 'binary_big_endian'].includes(format))
        lines.refuse('format must be ascii, binary_little_endian or binary_big_endian', format);
    } else if (words[0] === 'element') {
      const most = format === 'ascii' ? mostLines(bytes) : bytes.length;
      elements.push({ name: words[1], count: lines.whole(words[2], `count of ${words[1]}`, 0, most), properties: [] });
    } else if (words[0] === 'property') {
      const element = elements.at(-1);
      if (element === undefined) return lines.refuse('a property must follow an element', words.join(' '));
      if (words[1] === 'list') {
        element.properties.push({ name: words[4], type: typeOf(words[3]), counted: typeOf(words[2]) });
      } else element.properties.push({ name: words[2], type: typeOf(words[1]), counted: null });
    }
  }

  if (format === '') refuseMesh('.ply', 'must say its format', 'none');
  const vertex = elements.find(({ name }) => name === 'vertex');
  for (const axis of ['x', 'y', 'z']) {
    if (!vertex?.properties.some(({ name, counted }) => name === axis && counted === null))
      refuseMesh('.ply', `vertices must have a property ${axis}`, 'none');
  }
  return { format, elements, end };
}

/** A list; of a face its fan of triangles goes to `out`. */
function readList(
  values: Values,
  where: string,
  { counted, type }: { counted: string; type: string },
  out: number[] | null,
): void {
  const length = values.next(counted, where);
  if (!Number.isInteger(length) || length < 0 || (out !== null && length < 3))
    refuseMesh('.ply', `${where} must have at least 3 vertices`, length);
  let first = 0;
  let last = 0;
  for (let k = 0; k < length; k++) {
    const value = values.next(type, where);
    if (out === null) continue;
    if (k === 0) first = value;
    else if (k > 1) out.push(first, last, value);
    last = value;
  }
}

function textValues(bytes: Uint8Array, end: number): Values {
  const lines = readLines('.ply', bytes.subarray(end), '');
  let words: string[] = [];
  let at = 0;
  return {
    next(_type, what) {
      if (at === words.length) {
        words = lines.need(what);
        at = 0;
      }
      return lines.finite(words[at++], `a value of ${what}`);
    },
  };
}

function binaryValues(bytes: Uint8Array, header: Header): Values {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = header.format === 'binary_little_endian';
  let at = header.end;
  return {
    next(type, what) {
      const size = SIZES[type];
      if (at + size > bytes.length) refuseMesh('.ply', `must go on to the end of ${what}`, `${bytes.length} bytes`);
      const place = at;
      at += size;
      if (type === 'double' || type === 'float64') return view.getFloat64(place, little);
      if (type === 'float' || type === 'float32') return view.getFloat32(place, little);
      const signed = !type.startsWith('u');
      if (size === 1) return signed ? view.getInt8(place) : view.getUint8(place);
      if (size === 2) return signed ? view.getInt16(place, little) : view.getUint16(place, little);
      return signed ? view.getInt32(place, little) : view.getUint32(place, little);
    },
  };
}
