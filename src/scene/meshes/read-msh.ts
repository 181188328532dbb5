// Reader of .msh (Gmsh), text, versions 2 and 4.1: the tetrahedra (of quadratic ones the corners) and the nodes they
// use.

import { keepUsed, type Lines, mostLines, readLines, refuseMesh, type TetrahedronMesh } from './mesh';

/** Numbers of Gmsh for elements of four and of ten nodes. */
const LINEAR = 4;
const QUADRATIC = 11;

interface Content {
  readonly vertices: number[];
  readonly tetrahedra: number[];
  /** Row of a node by its number in the file. */
  readonly row: Map<number, number>;
  readonly most: number;
}

/** Reads a .msh file. Throws UsageError with the line. */
export function readMsh(bytes: Uint8Array): TetrahedronMesh {
  const lines = readLines('.msh', bytes, '');
  const content: Content = { vertices: [], tetrahedra: [], row: new Map(), most: mostLines(bytes) };
  let version = 0;
  for (let words = lines.next(); words !== null; words = lines.next()) {
    const section = words[0];
    if (section === '$MeshFormat') {
      const [number, binary] = lines.need('the version');
      version = lines.finite(number, 'the version');
      if (!(version >= 2 && version < 3) && version !== 4.1)
        lines.refuse('the version must be 2 to 2.9 or 4.1', number);
      if (binary !== '0') lines.refuse('must be text (Mesh.Binary = 0)', 'a binary file');
    } else if (section === '$Nodes' || section === '$Elements') {
      if (version === 0) lines.refuse('$MeshFormat must come first', section);
      const read = section === '$Nodes' ? [readNodes2, readNodes4] : [readElements2, readElements4];
      read[version < 3 ? 0 : 1](lines, content);
    } else if (!section.startsWith('$')) lines.refuse('a section must begin', section);
    skipTo(lines, `$End${section.slice(1)}`);
  }
  if (content.tetrahedra.length === 0) refuseMesh('.msh', 'must hold tetrahedra', 'none');
  return keepUsed(content.vertices, content.tetrahedra);
}

function skipTo(lines: Lines, end: string): void {
  for (let words = lines.need(end); words[0] !== end; words = lines.need(end));
}

function addNode(lines: Lines, { vertices, row, most }: Content, tag: number, words: readonly string[]): void {
  if (row.has(tag)) lines.refuse('a node must have a number of its own', tag);
  if (row.size >= most) lines.refuse(`must hold at most ${most} nodes`, 'more');
  row.set(tag, row.size);
  for (let k = 0; k < 3; k++) vertices.push(lines.finite(words[k], `coordinate ${k + 1} of node ${tag}`));
}

function addElement(lines: Lines, { tetrahedra, row }: Content, type: number, nodes: readonly string[]): void {
  if (type !== LINEAR && type !== QUADRATIC) return;
  const width = type === LINEAR ? 4 : 10;
  if (nodes.length < width) lines.refuse(`a tetrahedron of this type must have ${width} nodes`, nodes.length);
  for (let k = 0; k < 4; k++) {
    const found = row.get(Number(nodes[k]));
    if (found === undefined) lines.refuse('a tetrahedron must have nodes that there are', nodes[k]);
    tetrahedra.push(found!);
  }
}

function readNodes2(lines: Lines, content: Content): void {
  const count = lines.whole(lines.need('the number of nodes')[0], 'the number of nodes', 0, content.most);
  for (let i = 0; i < count; i++) {
    const words = lines.need('a node');
    const tag = lines.whole(words[0], 'the number of a node', 0, Number.MAX_SAFE_INTEGER);
    addNode(lines, content, tag, words.slice(1));
  }
}

function readElements2(lines: Lines, content: Content): void {
  const count = lines.whole(lines.need('the number of elements')[0], 'the number of elements', 0, content.most);
  for (let i = 0; i < count; i++) {
    const words = lines.need('an element');
    const tags = lines.whole(words[2], 'the number of tags', 0, words.length);
    addElement(lines, content, Number(words[1]), words.slice(3 + tags));
  }
}

function readNodes4(lines: Lines, content: Content): void {
  const blocks = lines.whole(lines.need('the number of blocks')[0], 'the number of blocks', 0, content.most);
  for (let b = 0; b < blocks; b++) {
    const words = lines.need('a block of nodes');
    const count = lines.whole(words[3], 'the nodes of a block', 0, content.most);
    const tags: number[] = [];
    for (let i = 0; i < count; i++) {
      const tag = lines.need('the number of a node')[0];
      tags.push(lines.whole(tag, 'the number of a node', 0, Number.MAX_SAFE_INTEGER));
    }
    for (const tag of tags) addNode(lines, content, tag, lines.need('a node'));
  }
}

function readElements4(lines: Lines, content: Content): void {
  const blocks = lines.whole(lines.need('the number of blocks')[0], 'the number of blocks', 0, content.most);
  for (let b = 0; b < blocks; b++) {
    const words = lines.need('a block of elements');
    const count = lines.whole(words[3], 'the elements of a block', 0, content.most);
    for (let i = 0; i < count; i++) addElement(lines, content, Number(words[2]), lines.need('an element').slice(1));
  }
}
