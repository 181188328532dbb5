// Reader of .vtk (legacy files of text, unstructured grids): the tetrahedra (of quadratic ones the corners) and their
// points.

import { keepUsed, type Lines, MOST_ELEMENTS, readLines, refuseMesh, type TetrahedronMesh } from './mesh';

/** Numbers of VTK for cells of four and of ten points. */
const LINEAR = 10;
const QUADRATIC = 24;

/** Reads a .vtk file. Throws UsageError with the line. */
export function readVtk(bytes: Uint8Array): TetrahedronMesh {
  const lines = readLines('.vtk', bytes, '');
  const [mark, name] = lines.next() ?? [];
  if (mark !== '#' || name !== 'vtk') refuseMesh('.vtk', 'must begin with "# vtk DataFile"', mark ?? 'nothing');
  // The title is any text, an empty line too: what follows says whether it was one.
  let words = lines.need('the format');
  if (words[0] !== 'ASCII' && words[0] !== 'BINARY') words = lines.need('the format');
  if (words[0] !== 'ASCII') lines.refuse('must be of text (ASCII)', words[0]);
  words = lines.need('DATASET');
  if (words[0] !== 'DATASET' || words[1] !== 'UNSTRUCTURED_GRID')
    lines.refuse('must hold a DATASET UNSTRUCTURED_GRID', words.join(' '));

  const most = Math.min(MOST_ELEMENTS, bytes.length);
  const stream = createStream(lines);
  let vertices: number[] = [];
  let cells: number[][] = [];
  let types: number[] | null = null;
  for (let section = lines.next(); section !== null && types === null; section = lines.next()) {
    if (section[0] === 'POINTS') {
      const count = lines.whole(section[1], 'the number of points', 0, most);
      vertices = stream.take(3 * count, 'a coordinate');
    } else if (section[0] === 'CELLS') cells = readCells(lines, stream, section, most);
    else if (section[0] === 'CELL_TYPES') {
      types = stream.take(lines.whole(section[1], 'the number of cell types', 0, most), 'a cell type');
    }
  }
  if (types === null) return refuseMesh('.vtk', 'must have POINTS, CELLS and CELL_TYPES', 'not all of them');
  if (types.length !== cells.length) refuseMesh('.vtk', `must have ${cells.length} cell types`, types.length);
  return keepUsed(vertices, chooseTetrahedra(cells, types, vertices.length / 3));
}

/** Numbers that run on over lines. */
interface Stream {
  take(count: number, what: string): number[];
}

function createStream(lines: Lines): Stream {
  return {
    take(count, what) {
      const out: number[] = [];
      while (out.length < count) {
        for (const word of lines.need(what)) {
          if (out.length === count) lines.refuse(`must end after ${count} numbers`, word);
          out.push(lines.finite(word, what));
        }
      }
      return out;
    },
  };
}

/** Points of every cell: counts before them, or (from version 5 on) offsets and points apart. */
function readCells(lines: Lines, stream: Stream, section: readonly string[], most: number): number[][] {
  const first = lines.whole(section[1], 'the number of cells', 0, most);
  const second = lines.whole(section[2], 'the size of the cells', 0, 12 * most);
  const cells: number[][] = [];
  let words = lines.need('the cells');
  if (words[0] === 'OFFSETS') {
    const offsets = stream.take(first, 'an offset');
    words = lines.need('CONNECTIVITY');
    if (words[0] !== 'CONNECTIVITY') lines.refuse('CONNECTIVITY must follow', words[0]);
    const points = stream.take(second, 'a point of a cell');
    for (let c = 0; c + 1 < offsets.length; c++) cells.push(points.slice(offsets[c], offsets[c + 1]));
    return cells;
  }
  const numbers = words.map((word) => lines.finite(word, 'a cell'));
  for (const number of stream.take(Math.max(0, second - numbers.length), 'a point of a cell')) numbers.push(number);
  for (let at = 0; at < second; ) {
    const count = numbers[at];
    if (!(count >= 1 && at + count < second))
      return refuseMesh('.vtk', `cell ${cells.length} must fit the size of the cells`, count);
    cells.push(numbers.slice(at + 1, at + 1 + count));
    at += count + 1;
  }
  if (cells.length !== first) refuseMesh('.vtk', `must have ${first} cells`, cells.length);
  return cells;
}

function chooseTetrahedra(cells: readonly number[][], types: readonly number[], points: number): number[] {
  const tetrahedra: number[] = [];
  cells.forEach((cell, c) => {
    if (types[c] !== LINEAR && types[c] !== QUADRATIC) return;
    if (cell.length !== (types[c] === LINEAR ? 4 : 10))
      refuseMesh('.vtk', `cell ${c} of type ${types[c]} must have ${types[c] === LINEAR ? 4 : 10} points`, cell.length);
    for (let k = 0; k < 4; k++) {
      if (!(Number.isInteger(cell[k]) && cell[k] >= 0 && cell[k] < points))
        refuseMesh('.vtk', `points of cell ${c} must be 0..${points - 1}`, cell[k]);
      tetrahedra.push(cell[k]);
    }
  });
  if (tetrahedra.length === 0) refuseMesh('.vtk', 'must hold tetrahedra', 'none');
  return tetrahedra;
}
