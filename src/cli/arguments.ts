// Command-line arguments by the platform's own parser, with errors of one line and typed numbers.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CallError } from './usage';

/** Flags by name: with a value, or a switch. */
export type Flags = Readonly<Record<string, 'value' | 'switch'>>;

export interface Arguments {
  readonly positionals: readonly string[];
  /** The value of a flag; undefined when it is not given. */
  value(flag: string): string | undefined;
  /** Whether a switch is given. */
  has(flag: string): boolean;
}

/** Parses `args`. Throws CallError for unknown flags, missing values and flags given twice. */
export function parseArguments(args: readonly string[], flags: Flags): Arguments {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, kind] of Object.entries(flags)) {
    options[name] = { type: kind === 'value' ? 'string' : 'boolean', multiple: true };
  }
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: joinNegative(args, flags), options, allowPositionals: true, strict: true });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // The first sentence says what is wrong; the rest explains how to pass positionals that look like flags.
    throw new CallError(text.split(/\. |\n/)[0].replace(/\.$/, ''));
  }
  for (const [name, value] of Object.entries(parsed.values)) {
    if (Array.isArray(value) && value.length > 1) throw new CallError(`--${name} is given ${value.length} times`);
  }
  const first = (flag: string) => (parsed.values[flag] as (string | boolean)[] | undefined)?.[0];
  return {
    positionals: parsed.positionals,
    value: (flag) => first(flag) as string | undefined,
    has: (flag) => first(flag) === true,
  };
}

/** `--steps -5` as `--steps=-5`, so that the command itself says what is wrong with -5. */
function joinNegative(args: readonly string[], flags: Flags): string[] {
  const out: string[] = [];
  for (const arg of args) {
    const before = out.at(-1);
    if (before !== undefined && /^-[\d.]/.test(arg) && flags[before.slice(2)] === 'value' && before.startsWith('--')) {
      out[out.length - 1] = `${before}=${arg}`;
    } else out.push(arg);
  }
  return out;
}

/** The whole number >= `least` that a flag's text stands for; undefined when it is not given. */
export function wholeArgument(args: Arguments, flag: string, least: number): number | undefined {
  const text = args.value(flag);
  if (text === undefined) return undefined;
  const number = /^[+-]?\d+(?:e\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < least) {
    throw new CallError(`--${flag}: must be a whole number >= ${least}, got ${JSON.stringify(text)}`);
  }
  return number;
}

/** The finite number >= 0 that a flag's text stands for; undefined when it is not given. */
export function secondsArgument(args: Arguments, flag: string): number | undefined {
  const text = args.value(flag);
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= 0 && number < Number.POSITIVE_INFINITY)) {
    throw new CallError(`--${flag}: must be a number >= 0 [s], got ${JSON.stringify(text)}`);
  }
  return number;
}

/** One of `words`, or the default when the flag is not given. */
export function wordArgument<T extends string>(args: Arguments, flag: string, words: readonly T[], otherwise: T): T {
  const text = args.value(flag);
  if (text === undefined) return otherwise;
  const word = words.find((known) => known === text);
  if (word === undefined) {
    throw new CallError(`--${flag}: must be one of ${words.join(', ')}, got ${JSON.stringify(text)}`);
  }
  return word;
}
