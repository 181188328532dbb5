// JSON text to data, with errors that a person can find: line, column, what was expected there.
//
// In: text. Out: the parsed value, or a SceneError. JSON.parse does the parsing; its error messages differ from
// engine to engine and often lack a position, so a scanner of our own (RFC 8259 grammar, no recursion) looks for
// the place. The scanner also runs over valid text, because JSON.parse drops all but the last of repeated keys
// without a word, and a scene must not lose a body that way.

import { quote, SceneError } from './errors';

/** Where and why text is not acceptable JSON. */
export interface JsonFault {
  /** Index of the offending character. */
  readonly offset: number;
  readonly reason: string;
}

/** Parses JSON. Throws SceneError: `not valid JSON at line 3, column 7: expected a comma or ], got "x"`. */
export function parseJson(text: string): unknown {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let value: unknown;
  let failed = false;
  try {
    value = JSON.parse(source);
  } catch {
    failed = true;
  }
  const fault = findJsonFault(source);
  if (fault) throw new SceneError([`not valid JSON at ${showPlace(source, fault.offset)}: ${fault.reason}`]);
  if (failed) throw new SceneError(['not valid JSON: nested too deeply for this JavaScript engine']);
  return value;
}

function showPlace(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return `line ${line}, column ${offset - start + 1}`;
}

// What may come next.
const VALUE = 0;
const VALUE_OR_END = 1; // after [
const KEY_OR_END = 2; // after {
const KEY = 3; // after a comma in an object
const AFTER = 4; // after a value
const EXPECTED = ['a value', 'a value or ]', 'a key in double quotes or }', 'a key in double quotes', ''];

const QUOTE = 34;
const BACKSLASH = 92;

const WHITE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

/** The first place where `text` is not JSON or repeats a key within an object; null when there is none. */
export function findJsonFault(text: string): JsonFault | null {
  // One entry per open bracket: the keys met so far in an object, null in a list.
  const open: (Set<string> | null)[] = [];
  let state = VALUE;
  let at = 0;
  const end = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };

  for (;;) {
    at = end(WHITE);
    const c = text[at];

    if (state === AFTER) {
      if (open.length === 0) {
        return at === text.length ? null : unexpected(text, at, 'the end of the text');
      }
      const keys = open[open.length - 1];
      if (c === ',') state = keys ? KEY : VALUE;
      else if (c === (keys ? '}' : ']')) open.pop();
      else return unexpected(text, at, keys ? 'a comma or }' : 'a comma or ]');
      at++;
      continue;
    }

    if ((c === ']' && state === VALUE_OR_END) || (c === '}' && state === KEY_OR_END)) {
      open.pop();
      state = AFTER;
      at++;
      continue;
    }

    if (state === KEY || state === KEY_OR_END) {
      if (c !== '"') return unexpected(text, at, EXPECTED[state]);
      const stop = stringEnd(text, at);
      if (stop < 0) return badString(text, at);
      const keys = open[open.length - 1] as Set<string>;
      const key = JSON.parse(text.slice(at, stop)) as string;
      if (keys.has(key)) return { offset: at, reason: `the key ${quote(key)} is there twice in one object` };
      keys.add(key);
      at = stop;
      at = end(WHITE);
      if (text[at] !== ':') return unexpected(text, at, 'a colon');
      at++;
      state = VALUE;
      continue;
    }

    // A value.
    if (c === '{' || c === '[') {
      open.push(c === '{' ? new Set() : null);
      state = c === '{' ? KEY_OR_END : VALUE_OR_END;
      at++;
      continue;
    }

    if (c === '"') {
      const stop = stringEnd(text, at);
      if (stop < 0) return badString(text, at);
      at = stop;
    } else {
      const stop = Math.max(end(NUMBER), end(LITERAL));
      if (stop < 0) return unexpected(text, at, EXPECTED[state]);
      at = stop;
    }

    state = AFTER;
  }
}

function unexpected(text: string, offset: number, expected: string): JsonFault {
  if (offset >= text.length) return { offset: text.length, reason: `expected ${expected}, got the end of the text` };
  if (text[offset] === '/') return { offset, reason: 'comments are not part of JSON' };
  return { offset, reason: `expected ${expected}, got ${quote(String.fromCodePoint(text.codePointAt(offset) ?? 0))}` };
}

/** Index after the string that starts at `start`; -1 when it is wrong or never ends. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 32) return -1;
    if (code !== BACKSLASH) continue;
    const length = escapeLength(text, at);
    if (length === 0) return -1;
    at += length - 1;
  }
  return -1;
}

/** Characters of the escape at `at`; 0 when there is no such escape. */
function escapeLength(text: string, at: number): number {
  const found = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6));
  return found ? found[0].length : 0;
}

/** Says what is wrong in the string that starts at `start`. */
function badString(text: string, start: number): JsonFault {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32) return { offset: at, reason: 'a line break or control character inside a string' };
    if (code !== BACKSLASH) continue;
    const length = escapeLength(text, at);
    if (length === 0) return { offset: at, reason: `wrong escape in a string: ${quote(text.slice(at, at + 2))}` };
    at += length - 1;
  }
  return { offset: start, reason: 'a string that never ends' };
}
