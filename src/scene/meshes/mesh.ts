// What mesh files are read into, and how their readers refuse one: by format and, in text, by line.

import { show, UsageError } from '../../core/errors';

/** A surface: three numbers a vertex in the file's units, three vertices a triangle. */
export interface TriangleMesh {
  readonly vertices: Float64Array;
  readonly triangles: Int32Array;
}

/** A solid: three numbers a vertex in the file's units, four vertices a tetrahedron. */
export interface TetrahedronMesh {
  readonly vertices: Float64Array;
  readonly tetrahedra: Int32Array;
}

/** Most vertices, triangles or tetrahedra of one file. */
export const MOST_ELEMENTS = 4_000_000;

/** Refuses a file: `.stl file: must hold 12 triangles (684 bytes), got 600 bytes`. */
export function refuseMesh(kind: string, expectation: string, got: unknown): never {
  throw new UsageError(`${kind} file: ${expectation}, got ${brief(got)}`);
}

/** What came, words as they are. */
function brief(got: unknown): string {
  if (typeof got !== 'string') return show(got);
  return got.length > 60 ? `${got.slice(0, 57)}...` : got;
}

/** The words of a text file, line by line. */
export interface Lines {
  /** Words of the next line that has any before its comment; null at the end. */
  next(): string[] | null;
  /** Words of the next line, which must be there: `a vertex`. */
  need(what: string): string[];
  /** Refuses the line read last. */
  refuse(expectation: string, got: unknown): never;
  /** A finite number of the line read last. */
  finite(word: string | undefined, what: string): number;
  /** A whole number from `least` to `most` of the line read last. */
  whole(word: string | undefined, what: string, least: number, most: number): number;
}

const LEAST_LINE = 2;

/** Lines of a text file of a kind (`.obj`); what follows `comment` in a line is passed over. */
export function readLines(kind: string, bytes: Uint8Array, comment = '#'): Lines {
  const text = new TextDecoder().decode(bytes);
  let at = 0;
  let line = 0;
  const fail = (expectation: string, got: unknown): never => {
    throw new UsageError(`${kind} file, line ${line}: ${expectation}, got ${brief(got)}`);
  };

  const next = (): string[] | null => {
    while (at < text.length) {
      let end = text.indexOf('\n', at);
      if (end < 0) end = text.length;
      let row = text.slice(at, end);
      at = end + 1;
      line++;
      const note = comment === '' ? -1 : row.indexOf(comment);
      if (note >= 0) row = row.slice(0, note);
      row = row.trim();
      if (row !== '') return row.split(/\s+/);
    }
    return null;
  };

  return {
    next,
    need(what) {
      const words = next();
      if (words === null) throw new UsageError(`${kind} file, line ${line}: the file ends where ${what} should be`);
      return words;
    },
    refuse: fail,
    finite(word, what) {
      const value = word === undefined ? Number.NaN : Number(word);
      if (!Number.isFinite(value)) fail(`${what} must be a finite number`, show(word));
      return value;
    },
    whole(word, what, least, most) {
      const value = word === undefined || !/^[+-]?\d+$/.test(word) ? Number.NaN : Number(word);
      if (!(value >= least && value <= most)) fail(`${what} must be a whole number ${least}..${most}`, show(word));
      return value;
    },
  };
}

/** Most lines that a file of so many bytes can hold: no count of a header may ask for more. */
export function mostLines(bytes: Uint8Array): number {
  return Math.min(MOST_ELEMENTS, Math.ceil(bytes.length / LEAST_LINE));
}

/** The same surface with vertices at the very same place made one, and triangles that have two of them left out. */
export function mergeVertices({ vertices, triangles }: TriangleMesh): TriangleMesh {
  const known = new Map<string, number>();
  const image = new Int32Array(vertices.length / 3);
  const kept: number[] = [];
  for (let i = 0; i < image.length; i++) {
    // −0 and 0 are the same place.
    const [x, y, z] = [vertices[3 * i] + 0, vertices[3 * i + 1] + 0, vertices[3 * i + 2] + 0];
    const key = `${x},${y},${z}`;
    let place = known.get(key);
    if (place === undefined) {
      place = known.size;
      known.set(key, place);
      kept.push(x, y, z);
    }
    image[i] = place;
  }
  const left: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [image[triangles[t]], image[triangles[t + 1]], image[triangles[t + 2]]];
    if (a !== b && b !== c && c !== a) left.push(a, b, c);
  }
  return { vertices: Float64Array.from(kept), triangles: Int32Array.from(left) };
}

/** Tetrahedra with the vertices that they use, in the order of the file. */
export function keepUsed(vertices: ArrayLike<number>, tetrahedra: ArrayLike<number>): TetrahedronMesh {
  const count = vertices.length / 3;
  const image = new Int32Array(count).fill(-1);
  for (let k = 0; k < tetrahedra.length; k++) image[tetrahedra[k]] = 0;
  const kept: number[] = [];
  for (let i = 0; i < count; i++) {
    if (image[i] < 0) continue;
    image[i] = kept.length / 3;
    kept.push(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  }
  return { vertices: Float64Array.from(kept), tetrahedra: Int32Array.from(tetrahedra, (i) => image[i]) };
}
