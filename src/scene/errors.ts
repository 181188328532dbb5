// What is wrong with a scene, as a person can use it: path to the value, what was expected, what came.
//
// In: paths (keys and indices) and texts. Out: a SceneError with one line per problem, at most PROBLEM_LIMIT.
// Everything that comes from the file is quoted and shortened: a hostile name can neither flood nor colour a terminal.

import { UsageError } from '../core/errors';

/** Most problems listed in one message; more are counted. */
export const PROBLEM_LIMIT = 10;

/** Keys and indices from the root of the scene to a value. */
export type Path = readonly (string | number)[];

/** A scene was refused; the message has one line per problem: `bodies[3].mass: must be > 0 [kg], got -1`. */
export class SceneError extends UsageError {
  static override readonly name: string = 'SceneError';
  /** One line per problem, at most ten. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], more = 0) {
    super(more > 0 ? `${problems.join('\n')}\nand ${more} more` : problems.join('\n'));
    Object.defineProperty(this, 'name', { value: 'SceneError' });
    this.problems = problems;
  }
}

/** Collects problems up to the limit; beyond it only counts. One problem a path: the first. */
export interface Problems {
  add(path: Path, text: string): void;
  /** Whether the limit is reached, so that a long check may stop. */
  readonly full: boolean;
  /** Throws a SceneError when there is a problem. */
  throwIfAny(): void;
}

/** An empty collection. */
export function collectProblems(): Problems {
  const lines: string[] = [];
  const seen = new Set<string>();
  let more = 0;
  return {
    add(path, text) {
      const where = showPath(path);
      if (seen.has(where)) return;
      if (lines.length >= PROBLEM_LIMIT) {
        more++;
        return;
      }
      seen.add(where);
      lines.push(`${where}: ${text}`);
    },
    get full() {
      return lines.length >= PROBLEM_LIMIT;
    },
    throwIfAny() {
      if (lines.length > 0) throw new SceneError(lines, more);
    },
  };
}

/** `bodies[3].shape.box[0]`; keys that are no plain words are quoted, the root is called scene. */
export function showPath(path: Path): string {
  let out = '';
  for (const key of path) {
    if (typeof key === 'number') out += `[${key}]`;
    else if (/^[\w$-]{1,60}$/.test(key)) out += out === '' ? key : `.${key}`;
    else out += `[${quote(key)}]`;
  }
  return out === '' ? 'scene' : out;
}

/** The text in double quotes, escaped and at most 60 characters long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Short, safe rendering of any value; never looks deeper than one level. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) {
    const short = value.length <= 4 && value.every((item) => item === null || typeof item !== 'object');
    return short ? `[${value.map(describe).join(', ')}]` : `a list of ${value.length}`;
  }
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
