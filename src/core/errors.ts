// Errors at the public door: where, what came, what was expected (`addRod: radius must be > 0 [m], got -0.1`).

/** Misuse of a public function; the message says where, what was expected and what came. */
export class UsageError extends Error {
  /** Kept by minifiers, which rename classes: consoles show it. */
  static override readonly name: string = 'UsageError';
  override readonly name = 'UsageError';
}

/** Short, safe rendering of a value for an error message; lists within lists are only counted. */
export function show(value: unknown, isNested = false): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) {
    if (value.length > 4 || isNested) return `an array of ${value.length}`;
    return `[${Array.from(value, (x) => show(x, true)).join(', ')}]`;
  }
  if (ArrayBuffer.isView(value)) return `a typed array of ${value.byteLength} bytes`;
  return typeof value === 'object' ? `an object with keys ${Object.keys(value).slice(0, 6).join(', ')}` : typeof value;
}

/** Refuses: `where: what expectation, got value`. */
export function refuse(where: string, expectation: string, got: unknown): never {
  throw new UsageError(`${where}: ${expectation}, got ${show(got)}`);
}

/** Refuses what is told in words, not shown: `where: what expectation, got words`. */
export function refuseAs(where: string, expectation: string, words: string): never {
  throw new UsageError(`${where}: ${expectation}, got ${words}`);
}

/** Refuses a key that there is not: `addRod: unknown key; known are points, …, got "colour"`. */
export function refuseKey(where: string, key: string, known: Iterable<string>, what = 'key'): never {
  refuse(where, `unknown ${what}; known are ${[...known].join(', ')}`, key);
}

/** A finite number, else refused. */
export function requireFinite(where: string, name: string, value: unknown, unit = ''): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    refuse(where, `${name} must be a finite number${unit && ` [${unit}]`}`, value);
  }
  return value;
}

/** A finite number > 0, else refused. */
export function requirePositive(where: string, name: string, value: unknown, unit = ''): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    refuse(where, `${name} must be > 0${unit && ` [${unit}]`}`, value);
  }
  return value;
}

/** A finite number >= 0, else refused. */
export function requireNonNegative(where: string, name: string, value: unknown, unit = ''): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    refuse(where, `${name} must be >= 0${unit && ` [${unit}]`}`, value);
  }
  return value;
}

/** A whole number 0..65535 (16 bits), else refused. */
export function requireBits(where: string, name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffff) {
    refuse(where, `${name} must be a whole number 0..65535`, value);
  }
  return value;
}

/** true or false, else refused. */
export function requireFlag(where: string, name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') refuse(where, `${name} must be true or false`, value);
  return value;
}

/** An array of `length` finite numbers, else refused. */
export function requireVector(where: string, name: string, value: unknown, length: number, unit = ''): number[] {
  const list = value as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || list.length !== length) {
    refuse(where, `${name} must be ${length} numbers${unit && ` [${unit}]`}`, value);
  }
  const out: number[] = [];
  for (let i = 0; i < length; i++) out.push(requireFinite(where, `${name}[${i}]`, list[i], unit));
  return out;
}
