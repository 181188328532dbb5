// Links to what a visitor sees: what is written is read back, and what makes no sense is passed over.

import { expect, test } from 'vitest';
import { readLink, writeLink } from '../../demos/app/link';
import { DEFAULT_OPTIONS } from '../../demos/panel/options';
import { usualValues } from '../../demos/scenes/demo-scene';
import { SCENES } from '../../demos/scenes/index';

const scene = (wanted: (one: (typeof SCENES)[number]) => unknown) => {
  const found = SCENES.find(wanted);
  if (!found) throw new Error('no such scene');
  return found;
};

test('a scene as it opens is its name alone', () => {
  for (const demo of SCENES) {
    const link = writeLink(demo, demo.amount?.usual, usualValues(demo), DEFAULT_OPTIONS);
    expect(link).toBe(demo.id);
    expect(readLink(`#${link}`, SCENES)).toEqual({ id: demo.id, values: usualValues(demo), options: DEFAULT_OPTIONS });
  }
});

test('all that a visitor set is read back', () => {
  for (const demo of SCENES) {
    const values = Object.fromEntries(
      (demo.parameters ?? []).map(({ key, usual, least = 0, most = 1, options }) => {
        if (typeof usual === 'boolean') return [key, !usual];
        const listed = options && Object.values(options).find((value) => value !== usual);
        return [key, listed ?? (usual === least ? most : least)];
      }),
    );
    const options = {
      ...{
        contacts: true,
        impulses: true,
        cones: true,
        thrust: true,
        tension: true,
        labels: true,
        joints: true,
        islands: true,
        sleeping: true,
        boxes: true,
        strands: true,
      },
      ...({ solver: 'gauss-seidel', sleep: false, duel: false, gravity: 0.35, pull: 2.5 } as const),
    };
    const amount = demo.amount?.least;
    const read = readLink(writeLink(demo, amount, values, options), SCENES);
    expect(read).toMatchObject({ id: demo.id, values, options });
    expect(read.amount ?? demo.amount?.usual).toBe(amount);
  }
});

test('a slider that misses its mark by rounding is written as the mark', () => {
  const demo = SCENES[0];
  const options = { ...DEFAULT_OPTIONS, gravity: 0.49999999999999994 };
  expect(writeLink(demo, demo.amount?.usual, usualValues(demo), options)).toBe(`${demo.id}?gravity=0.5`);
});

test('numbers go no further than their sliders, and nonsense nowhere', () => {
  const sliding = scene(({ amount }) => amount && !amount.onGpu);
  const { least, most } = sliding.amount as NonNullable<typeof sliding.amount>;
  const amountOf = (text: string) => readLink(`${sliding.id}?amount=${text}`, SCENES).amount;
  expect([amountOf('1e12'), amountOf('-1e12')]).toEqual([most, least]);
  for (const text of ['', 'many', 'NaN', 'Infinity', '%20']) expect(amountOf(text)).toBeUndefined();
  expect(readLink('no-such-scene?solver=magic&gravity=-5&pull=x&unknown=1', SCENES)).toEqual({
    id: 'no-such-scene',
    values: usualValues(SCENES[0]),
    options: { ...DEFAULT_OPTIONS, gravity: 0 },
  });
});

test('no parameter of a scene is called as an option or as the slider is', () => {
  const taken = [...Object.keys(DEFAULT_OPTIONS), 'amount'];
  for (const demo of SCENES) for (const { key } of demo.parameters ?? []) expect(taken).not.toContain(key);
});
