// The world that the page opens with, made by a part of the engine, is the one that all of it makes.

import { expect, test } from 'vitest';
import { firstWorlds } from '../../demos/app/first-session';
import { worlds } from '../../demos/app/open-session';
import { type Session, settingsOf } from '../../demos/app/session';
import { arch } from '../../demos/scenes/arch';
import { capstan } from '../../demos/scenes/capstan';

test('the first scene is the same by the part of the engine that the page begins with', () => {
  const open = (made: typeof worlds) => made.open(made.load(arch.build()), settingsOf(arch));
  const names = ({ entities }: Session) => [...entities];
  const [first, whole] = [open(firstWorlds), open(worlds)];
  expect(names(first)).toEqual(names(whole));
  expect([...first.materials]).toEqual([...whole.materials]);
  expect([...first.starts]).toEqual([...whole.starts]);
  expect([...first.fixed]).toEqual([...whole.fixed]);
  for (const { physics } of [first, whole]) for (let i = 0; i < 30; i++) physics.step();
  expect(first.physics.hash()).toBe(whole.physics.hash());
  first.close();
  whole.close();
});

test('a scene that takes more is refused', () => {
  expect(() => firstWorlds.load(capstan.build())).toThrow(/needs all of the engine: it has .*rods/);
});
