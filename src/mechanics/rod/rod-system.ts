// The elastic equations of rods in double precision: banded matrices of all strands in one array each, A as it is
// assembled, its factor, and the factor of A + W.

import { inverseDiagonal } from '../../math/banded-inverse';
import { factorBanded, multiplyBanded, solveBanded } from '../../math/banded-ldl';
import type { Tables } from '../../state/tables';
import type { ElasticStep, ObjectSystem } from '../elastic-kind';
import { assembleStrand, STRAND_HALF_BANDWIDTH, STRAND_UNKNOWNS } from './assemble-strand';

const WIDTH = STRAND_HALF_BANDWIDTH + 1;
/** Numbers of a matrix a node. */
const NODE_NUMBERS = STRAND_UNKNOWNS * WIDTH;

interface Matrices {
  A: Float64Array;
  factor: Float64Array;
  weighted: Float64Array;
  /** Diagonal of A⁻¹ of one strand. */
  inverse: Float64Array;
}

/** An empty system; one a world. */
export function createRodSystem(): ObjectSystem {
  const none = new Float64Array(0);
  const m: Matrices = { A: none, factor: none, weighted: none, inverse: none };
  return {
    resize: (nodes) => resize(m, nodes),
    assemble: (tables, strand, step, guess, f) => assemble(m, tables, strand, step, guess, f),
    rightHandSide: (out, tables, strand, step) => {
      const first = tables.strands.first[strand];
      assembleStrand(
        { A: m.weighted, a: NODE_NUMBERS * first, f: out, b: STRAND_UNKNOWNS * first },
        tables,
        strand,
        step,
        null,
      );
    },
    solve: (x, tables, strand, isWeighted) => {
      const first = tables.strands.first[strand];
      const size = STRAND_UNKNOWNS * tables.strands.nodes[strand];
      const bands = isWeighted ? m.weighted : m.factor;
      solveBanded(bands, NODE_NUMBERS * first, size, STRAND_HALF_BANDWIDTH, x, STRAND_UNKNOWNS * first);
    },
    multiply: (out, x, tables, strand) => {
      const first = tables.strands.first[strand];
      const size = STRAND_UNKNOWNS * tables.strands.nodes[strand];
      multiplyBanded(out, m.A, size, STRAND_HALF_BANDWIDTH, x, NODE_NUMBERS * first, STRAND_UNKNOWNS * first);
    },
    give: (out, tables, strand) => measureGive(m, out, tables, strand),
    block: (out, _tables, _strand, node) => {
      for (let i = 0; i < 3; i++) {
        const row = NODE_NUMBERS * node + WIDTH * i;
        for (let k = 0; k <= i; k++) out[3 * i + i - k] = out[3 * (i - k) + i] = m.A[row + k];
      }
    },
    weigh: (weight, tables, strand) => weigh(m, weight, tables, strand),
  };
}

function resize(m: Matrices, nodes: number): void {
  if (m.A.length >= NODE_NUMBERS * nodes) return;
  const room = Math.ceil(1.5 * NODE_NUMBERS * nodes);
  m.A = new Float64Array(room);
  m.factor = new Float64Array(room);
  m.weighted = new Float64Array(room);
}

function assemble(
  m: Matrices,
  tables: Tables,
  strand: number,
  step: ElasticStep,
  guess: Float64Array | null,
  f: Float64Array,
): boolean {
  const first = tables.strands.first[strand];
  const size = STRAND_UNKNOWNS * tables.strands.nodes[strand];
  const from = NODE_NUMBERS * first;
  assembleStrand({ A: m.A, a: from, f, b: STRAND_UNKNOWNS * first }, tables, strand, step, guess);
  for (let k = from; k < from + WIDTH * size; k++) m.factor[k] = m.A[k];
  return factorBanded(m.factor, from, size, STRAND_HALF_BANDWIDTH) < 0;
}

function measureGive(m: Matrices, out: Float64Array, tables: Tables, strand: number): void {
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  const size = STRAND_UNKNOWNS * n;
  if (m.inverse.length < size) m.inverse = new Float64Array(2 * size);
  inverseDiagonal(m.inverse, m.factor, NODE_NUMBERS * first, size, STRAND_HALF_BANDWIDTH);
  for (let i = 0; i < n; i++) {
    const at = STRAND_UNKNOWNS * i;
    out[first + i] = (m.inverse[at] + m.inverse[at + 1] + m.inverse[at + 2]) / 3;
  }
}

function weigh(m: Matrices, weight: Float64Array, tables: Tables, strand: number): void {
  const start = STRAND_UNKNOWNS * tables.strands.first[strand];
  const size = STRAND_UNKNOWNS * tables.strands.nodes[strand];
  const from = WIDTH * start;
  for (let k = from; k < from + WIDTH * size; k++) m.weighted[k] = m.A[k];
  for (let i = 0; i < size; i++) m.weighted[from + WIDTH * i] += weight[start + i];
  // A is positive definite (`assemble` has seen to that), so A + W is.
  factorBanded(m.weighted, from, size, STRAND_HALF_BANDWIDTH);
}
