import { describe, expect, it } from 'vitest';
import { parseArguments, secondsArgument, wholeArgument, wordArgument } from '../../src/cli/arguments';
import { CallError } from '../../src/cli/usage';

const FLAGS = { steps: 'value', seconds: 'value', quiet: 'switch' } as const;
const parse = (...args: string[]) => parseArguments(args, FLAGS);

describe('arguments', () => {
  it('takes values with a space or an equals sign, switches, and positionals anywhere', () => {
    for (const args of [
      ['a', '--steps', '5', '--quiet'],
      ['--quiet', '--steps=5', 'a'],
    ]) {
      const parsed = parse(...args);
      expect(parsed.positionals).toEqual(['a']);
      expect(wholeArgument(parsed, 'steps', 0)).toBe(5);
      expect(parsed.has('quiet')).toBe(true);
      expect(parsed.has('steps')).toBe(false);
      expect(secondsArgument(parsed, 'seconds')).toBeUndefined();
    }
  });

  it('refuses unknown flags, missing values, repeats and values of switches, in one line', () => {
    for (const [args, message] of [
      [['--fast'], /^Unknown option '--fast'$/],
      [['-x'], /^Unknown option '-x'$/],
      [['--steps'], /--steps/],
      [['--steps', '--quiet'], /--steps/],
      [['--quiet=1'], /--quiet/],
      [['--steps', '1', '--steps', '2'], /^--steps is given 2 times$/],
    ] as const) {
      expect(() => parse(...args)).toThrow(CallError);
      expect(() => parse(...args)).toThrow(message);
      expect(() => parse(...args)).not.toThrow(/\n/);
    }
  });

  it('refuses numbers that are none, negative, broken or too large', () => {
    for (const text of ['x', '', '1.5', '-1', 'Infinity', '1e99', '0x10', ' ']) {
      const expected = `--steps: must be a whole number >= 0, got ${JSON.stringify(text)}`;
      expect(() => wholeArgument(parse('--steps', text), 'steps', 0)).toThrow(expected);
    }
    for (const text of ['x', '', '-1', 'Infinity', 'NaN']) {
      const expected = `--seconds: must be a number >= 0 [s], got ${JSON.stringify(text)}`;
      expect(() => secondsArgument(parse('--seconds', text), 'seconds')).toThrow(expected);
    }
    expect(secondsArgument(parse('--seconds', '0.5'), 'seconds')).toBe(0.5);
  });

  it('takes a word from a list only', () => {
    const words = ['a', 'b'] as const;
    expect(wordArgument(parse('--steps', 'b'), 'steps', words, 'a')).toBe('b');
    expect(wordArgument(parse(), 'steps', words, 'a')).toBe('a');
    expect(() => wordArgument(parse('--steps', 'c'), 'steps', words, 'a')).toThrow(
      '--steps: must be one of a, b, got "c"',
    );
  });
});
