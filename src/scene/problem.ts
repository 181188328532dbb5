// The door for friction problem files (*.problem.json, version 1): text or data of unknown origin in, checked
// matrices out, and back to text.
//
// No input crashes it: whatever is wrong becomes a SceneError with the path to the value, what was expected and
// what came. Order: text to data, plain copy, counts against the limits, each value, then what needs several:
// W symmetric, its 3×3 diagonal blocks positive semidefinite. Whether A is positive definite shows when it is
// factored, by the caller.

import { collectProblems, describe, type Path, type Problems, SceneError } from './errors';
import { parseJson } from './json-text';
import { copyPlain } from './plain-data';
import { checkOperator } from './problem-operator';
import type { FrictionProblem, FullProblem, MatrixEntries, ProblemLimits, ReducedProblem } from './problem-types';

export type { FrictionProblem, FullProblem, MatrixEntries, ProblemLimits, ReducedProblem } from './problem-types';

const DEFAULT_PROBLEM_LIMITS: Readonly<Required<ProblemLimits>> = { contacts: 100_000, entries: 10_000_000 };

const HEAD_KEYS = ['version', 'title', 'description', 'contacts', 'mu', 'bilateral'];
const REDUCED_KEYS = ['W', 'b'];
const FULL_KEYS = ['A', 'f', 'H', 'w'];

type Loose = Record<string, unknown>;

/**
 * Reads a friction problem: JSON text, or data of that form (lists may be typed arrays).
 *
 * `bilateral` lists rows (from 0) kept at u = 0; they come in whole contacts, 3c, 3c + 1 and 3c + 2. A joint of fewer
 * rows is filled up with rows of zeros.
 *
 * @throws SceneError with a line per problem, such as `mu[3]: must be >= 0, got -1`.
 */
export function readProblem(source: unknown, limits: ProblemLimits = {}): FrictionProblem {
  const most = { ...DEFAULT_PROBLEM_LIMITS, ...limits };
  const data = copyPlain(typeof source === 'string' ? parseJson(source) : source);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new SceneError([`problem: must be an object with version, contacts, mu and matrices, got ${describe(data)}`]);
  }
  const loose = data as Loose;
  const problems = collectProblems();
  const isFull = FULL_KEYS.some((key) => key in loose) && !REDUCED_KEYS.some((key) => key in loose);
  checkKeys(loose, problems);
  const contacts = wholeAt(loose, ['contacts'], 1, most.contacts, problems);
  // Sizes of everything else hang on this one.
  problems.throwIfAny();

  const side = 3 * contacts;
  const mu = numbersAt(loose, 'mu', contacts, problems, 0);
  const bilateral = bilateralAt(loose, contacts, problems);
  const head = { version: 1 as const, contacts, mu, bilateral };
  if (!isFull) {
    const W = matrixAt(loose, 'W', side, side, most.entries, problems);
    const b = numbersAt(loose, 'b', side, problems);
    problems.throwIfAny();
    checkOperator(W, problems);
    problems.throwIfAny();
    return { ...head, form: 'reduced', W, b };
  }
  const A = matrixAt(loose, 'A', null, null, most.entries, problems);
  if (A.rows !== A.columns) problems.add(['A', 'columns'], `must equal rows, ${A.rows}, got ${A.columns}`);
  const f = numbersAt(loose, 'f', A.rows, problems);
  const H = matrixAt(loose, 'H', side, A.rows, most.entries, problems);
  const w = numbersAt(loose, 'w', side, problems);
  problems.throwIfAny();
  return { ...head, form: 'full', A, f, H, w };
}

function checkKeys(data: Loose, problems: Problems): void {
  if (data.version !== 1) problems.add(['version'], `must be 1, got ${describe(data.version)}`);
  const known = [...HEAD_KEYS, ...REDUCED_KEYS, ...FULL_KEYS];
  for (const key of Object.keys(data)) {
    if (!known.includes(key)) problems.add([key], `unknown key, expected one of ${known.join(', ')}`);
  }
  for (const key of ['title', 'description']) {
    if (key in data && typeof data[key] !== 'string') problems.add([key], `must be a text, got ${describe(data[key])}`);
  }
  const reduced = REDUCED_KEYS.filter((key) => key in data);
  const full = FULL_KEYS.filter((key) => key in data);
  if (reduced.length > 0 && full.length > 0) {
    problems.add([full[0]], `belongs to the full form, expected it not together with ${reduced[0]}`);
  } else if (reduced.length + full.length === 0) {
    problems.add(['W'], 'is missing, expected W and b, or A, f, H and w');
  }
}

function wholeAt(data: Loose, path: Path, least: number, most: number, problems: Problems): number {
  const value = data[path[path.length - 1]];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least) {
    problems.add(path, `must be a whole number >= ${least}, got ${describe(value)}`);
    return least;
  }
  if (value > most) {
    problems.add(path, `must be at most ${most}, got ${value}`);
    return least;
  }
  return value;
}

function numbersAt(data: Loose, key: string, length: number, problems: Problems, least = -Infinity): Float64Array {
  const list = data[key];
  const out = new Float64Array(length);
  if (!Array.isArray(list) || list.length !== length) {
    problems.add([key], `must be a list of ${length} numbers, got ${describe(list)}`);
    return out;
  }
  for (let i = 0; i < length; i++) {
    const value: unknown = list[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      problems.add([key, i], `must be a finite number, got ${describe(value)}`);
    } else if (value < least) problems.add([key, i], `must be >= ${least}, got ${value}`);
    else out[i] = value;
  }
  return out;
}

function bilateralAt(data: Loose, contacts: number, problems: Problems): Uint8Array | null {
  const list = data.bilateral;
  if (list === undefined) return null;
  if (!Array.isArray(list)) {
    problems.add(['bilateral'], `must be a list of rows, got ${describe(list)}`);
    return null;
  }
  const rows = new Uint8Array(3 * contacts);
  list.forEach((row: unknown, i) => {
    if (typeof row !== 'number' || !Number.isInteger(row) || row < 0 || row >= 3 * contacts) {
      problems.add(['bilateral', i], `must be a row from 0 to ${3 * contacts - 1}, got ${describe(row)}`);
    } else if (rows[row] === 1) problems.add(['bilateral', i], `must be named once, got ${row} again`);
    else rows[row] = 1;
  });
  const flags = new Uint8Array(contacts);
  for (let c = 0; c < contacts; c++) {
    const count = rows[3 * c] + rows[3 * c + 1] + rows[3 * c + 2];
    if (count === 3) flags[c] = 1;
    else if (count > 0) {
      problems.add(['bilateral'], `must hold all three rows of a contact, got ${count} of contact ${c}`);
    }
  }
  return flags.includes(1) ? flags : null;
}

const NO_ENTRIES = { row: new Int32Array(0), column: new Int32Array(0), value: new Float64Array(0) };

function matrixAt(
  data: Loose,
  key: string,
  rows: number | null,
  columns: number | null,
  most: number,
  problems: Problems,
): MatrixEntries {
  const none = { rows: rows ?? 0, columns: columns ?? 0, ...NO_ENTRIES };
  const matrix = data[key];
  if (typeof matrix !== 'object' || matrix === null || Array.isArray(matrix)) {
    problems.add([key], `must be an object with rows, columns and entries, got ${describe(matrix)}`);
    return none;
  }
  const loose = matrix as Loose;

  for (const name of Object.keys(loose)) {
    if (!['rows', 'columns', 'entries'].includes(name)) {
      problems.add([key, name], 'unknown key, expected one of rows, columns, entries');
    }
  }

  const size = (name: 'rows' | 'columns', expected: number | null): number => {
    const value = wholeAt(loose, [key, name], 1, 3_000_000, problems);
    if (expected !== null && value !== expected) problems.add([key, name], `must be ${expected}, got ${value}`);
    return value;
  };
  const height = size('rows', rows);
  const width = size('columns', columns);
  const list = loose.entries;
  if (!Array.isArray(list)) {
    problems.add([key, 'entries'], `must be a list of [row, column, value], got ${describe(list)}`);
    return { ...none, rows: height, columns: width };
  }
  if (list.length > most) {
    problems.add([key, 'entries'], `must be at most ${most}, got ${list.length}`);
    return { ...none, rows: height, columns: width };
  }
  const row = new Int32Array(list.length);
  const column = new Int32Array(list.length);
  const value = new Float64Array(list.length);

  for (let k = 0; k < list.length && !problems.full; k++) {
    const entry: unknown = list[k];
    if (!Array.isArray(entry) || entry.length !== 3) {
      problems.add([key, 'entries', k], `must be [row, column, value], got ${describe(entry)}`);
      continue;
    }
    const [i, j, x] = entry as unknown[];
    const isIndex = (n: unknown, end: number): n is number =>
      typeof n === 'number' && Number.isInteger(n) && n >= 0 && n < end;
    if (!isIndex(i, height))
      problems.add([key, 'entries', k, 0], `must be a row from 0 to ${height - 1}, got ${describe(i)}`);
    else if (!isIndex(j, width))
      problems.add([key, 'entries', k, 1], `must be a column from 0 to ${width - 1}, got ${describe(j)}`);
    else if (typeof x !== 'number' || !Number.isFinite(x)) {
      problems.add([key, 'entries', k, 2], `must be a finite number, got ${describe(x)}`);
    } else {
      row[k] = i;
      column[k] = j;
      value[k] = x;
    }
  }

  return { rows: height, columns: width, row, column, value };
}

/**
 * JSON text of a problem, ending in a line break; readProblem gives the same problem back, to the last bit.
 *
 * @throws SceneError when the problem (made by hand) is not one that `readProblem` would take.
 */
export function writeProblem(problem: FrictionProblem): string {
  requireProblem(problem);
  const { contacts, mu, bilateral } = problem;
  const parts: [string, string][] = [
    ['version', '1'],
    ['contacts', String(contacts)],
    ['mu', showNumbers(mu)],
  ];
  if (bilateral?.includes(1)) {
    const rows: number[] = [];
    bilateral.forEach((flag, c) => {
      if (flag === 1) rows.push(3 * c, 3 * c + 1, 3 * c + 2);
    });
    parts.push(['bilateral', JSON.stringify(rows)]);
  }
  if (problem.form === 'reduced') parts.push(['W', showMatrix(problem.W)], ['b', showNumbers(problem.b)]);
  else {
    parts.push(['A', showMatrix(problem.A)], ['f', showNumbers(problem.f)]);
    parts.push(['H', showMatrix(problem.H)], ['w', showNumbers(problem.w)]);
  }
  const text = `{\n${parts.map(([key, value]) => `  "${key}": ${value}`).join(',\n')}\n}\n`;
  readProblem(text);
  return text;
}

/** What readProblem gives has numbers where text is made of them; their values are checked on reading the text. */
function requireProblem(problem: FrictionProblem): void {
  const { form, mu, bilateral, W, b, A, f, H, w } = (problem ?? {}) as Partial<
    ReducedProblem & Omit<FullProblem, 'form'>
  > & {
    form?: string;
  };
  const isList = (list: unknown) => ArrayBuffer.isView(list) || Array.isArray(list);
  const isMatrix = (m: MatrixEntries | undefined) => [m?.row, m?.column, m?.value].every(isList);
  const isWhole =
    form === 'reduced'
      ? isMatrix(W) && isList(b)
      : form === 'full' && isMatrix(A) && isMatrix(H) && isList(f) && isList(w);
  if (isWhole && isList(mu) && (bilateral === null || bilateral === undefined || isList(bilateral))) return;
  throw new SceneError([`writeProblem: problem must be of the form that readProblem gives, got ${describe(problem)}`]);
}

function showNumbers(numbers: Float64Array): string {
  return JSON.stringify(Array.from(numbers));
}

function showMatrix(matrix: MatrixEntries): string {
  const entries: string[] = [];
  for (let k = 0; k < matrix.value.length; k++) {
    entries.push(JSON.stringify([matrix.row[k], matrix.column[k], matrix.value[k]]));
  }
  return `{ "rows": ${matrix.rows}, "columns": ${matrix.columns}, "entries": [${entries.join(',')}] }`;
}
