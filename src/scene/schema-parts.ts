// Building blocks of the scene schema: valibot schemas whose messages say what was expected and what came.
//
// Two things differ from plain valibot. Objects refuse lists and lists stop at the problem limit, so that a file
// with a million mistakes costs neither memory nor time. And every message is finished here, `must be > 0 [m],
// got -0.5`, so that the caller who reports it only puts its path in front.

import * as v from 'valibot';
import { describe, PROBLEM_LIMIT } from './errors';

type Issue = v.BaseIssue<unknown>;

/** A message `<expectation>, got <value>`. */
export function got(expectation: string): (issue: Issue) => string {
  return (issue) => `${expectation}, got ${describe(issue.input)}`;
}

/** `schema`, but input that `accepts` turns down is an issue at once. */
function guard<const S extends v.GenericSchema>(schema: S, accepts: (input: unknown) => boolean): S {
  const guarded = {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<Issue>) {
      if (accepts(dataset.value)) return schema['~run'](dataset, config);
      v._addIssue(schema, 'type', dataset as unknown as v.OutputDataset<unknown, Issue>, config);
      return dataset;
    },
  };
  return guarded as unknown as S;
}

/** An object with exactly these keys; the optional ones may be left out. */
export function object<const E extends v.ObjectEntries>(what: string, entries: E) {
  const message = (issue: Issue): string => {
    const key = issue.path?.at(-1);
    if (issue.expected === 'never') return `unknown key, expected one of ${Object.keys(entries).join(', ')}`;
    if (key?.origin !== 'key') return got(`must be ${what}`)(issue);
    const description = v.getDescription(entries[String(key.key)] as v.GenericSchema);
    return description === undefined ? 'missing' : `missing, expected ${description}`;
  };
  return guard(v.strictObject(entries, message), (input) => !Array.isArray(input));
}

/** A map from names to values. */
export function map<const S extends v.GenericSchema>(what: string, value: S) {
  return guard(v.record(v.string(), value, got(`must be ${what}`)), (input) => !Array.isArray(input));
}

/** A list of any length >= `least` of `item`; gives up after the problem limit. */
export function list<const S extends v.GenericSchema>(what: string, item: S, least = 0) {
  const base = v.array(item, got(`must be ${what}`));
  const bounded = {
    ...base,
    '~run'(dataset: v.UnknownDataset, config: v.Config<Issue>) {
      const input = dataset.value;
      if (!Array.isArray(input)) return base['~run'](dataset, config);
      const values: unknown[] = [];
      const issues: Issue[] = [];
      for (let key = 0; key < input.length && issues.length < PROBLEM_LIMIT; key++) {
        const result = item['~run']({ value: input[key] }, config);
        if (result.issues) {
          const place = { type: 'array', origin: 'value', input, key, value: input[key] } as const;
          for (const issue of result.issues) {
            issues.push({ ...issue, path: issue.path ? [place, ...issue.path] : [place] } as Issue);
          }
        }
        values.push(result.value);
      }
      return issues.length > 0 ? { typed: false, value: values, issues } : { typed: true, value: values };
    },
  } as unknown as typeof base;
  const long = (issue: Issue) => `must be ${what}, got ${(issue.input as unknown[]).length}`;
  return v.pipe(bounded, v.minLength(least, long));
}

/** `[m]` with a space in front; nothing for numbers without a unit. */
function bracket(unit: string): string {
  return unit === '' ? '' : ` [${unit}]`;
}

/** A finite number. */
export function finite(unit = '') {
  const message = got(`must be a finite number${bracket(unit)}`);
  return v.pipe(v.number(message), v.finite(message));
}

/** A finite number > 0. */
export function positive(unit = '') {
  const message = got(`must be > 0${bracket(unit)}`);
  return v.pipe(v.number(message), v.finite(message), v.gtValue(0, message));
}

/** A finite number >= 0. */
export function nonNegative(unit = '') {
  const message = got(`must be >= 0${bracket(unit)}`);
  return v.pipe(v.number(message), v.finite(message), v.minValue(0, message));
}

/** A number from `low` to `high`. */
export function between(low: number, high: number) {
  const message = got(`must be ${low}..${high}`);
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message));
}

/** A whole number from `low` to `high`, as far as doubles count exactly. */
export function whole(low = Number.MIN_SAFE_INTEGER, high = Number.MAX_SAFE_INTEGER) {
  const range = high < Number.MAX_SAFE_INTEGER ? ` ${low}..${high}` : low > Number.MIN_SAFE_INTEGER ? ` >= ${low}` : '';
  const message = got(`must be a whole number${range}`);
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.safeInteger(message),
    v.minValue(low, message),
    v.maxValue(high, message),
  );
}

/** One of the given words. */
export function oneOf<const T extends readonly string[]>(words: T) {
  return v.picklist(words, got(`must be ${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`));
}

export function text() {
  return v.string(got('must be text'));
}

export function flag() {
  return v.boolean(got('must be true or false'));
}

/** Exactly two: one of `first`, one of `second`. */
export function pair<const A extends v.GenericSchema, const B extends v.GenericSchema>(
  what: string,
  first: A,
  second: B,
) {
  return guard(v.strictTuple([first, second], got(`must be ${what}`)), (x) => Array.isArray(x) && x.length === 2);
}

/** Exactly three of `item`. */
export function triple<const S extends v.GenericSchema>(what: string, item: S) {
  return guard(v.strictTuple([item, item, item], got(`must be ${what}`)), (x) => Array.isArray(x) && x.length === 3);
}

/**
 * One number or three: lists are judged as three, everything else as one, so that a mistake in the third number
 * is told as such and not as "neither fits".
 */
export function numberOrTriple<const S extends v.GenericSchema<number>>(what: string, item: S) {
  const three = triple(what, item);
  const base = v.union([item, three]);
  return {
    ...base,
    '~run'(dataset: v.UnknownDataset, config: v.Config<Issue>) {
      return (Array.isArray(dataset.value) ? three : item)['~run'](dataset, config);
    },
  } as unknown as typeof base;
}

/** Exactly four of `item`. */
export function quadruple<const S extends v.GenericSchema>(what: string, item: S) {
  return guard(
    v.strictTuple([item, item, item, item], got(`must be ${what}`)),
    (x) => Array.isArray(x) && x.length === 4,
  );
}

/** A field that may be left out, with its meaning and default for the JSON Schema. */
export function field<const S extends v.GenericSchema, const D extends v.InferInput<S>>(
  schema: S,
  meaning: string,
  byDefault: D,
) {
  return v.optional(v.pipe(schema, v.description(meaning)), byDefault);
}

/** A field that may be left out and then stays out. */
export function open<const S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.optional(v.pipe(schema, v.description(meaning)));
}

/** A field that must be there. */
export function needed<const S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}
