// Duels: two worlds from the same input, of which one does as promised; what the visitor does is done to both.

import { expect, test } from 'vitest';
import { toBodyAxes } from '../../demos/app/grab';
import { worlds } from '../../demos/app/open-session';
import { createPlayer } from '../../demos/app/player';
import { poseOf, resultOf, twinOf } from '../../demos/app/session';
import { keepUnits, metres, speed } from '../../demos/panel/units';
import { arch } from '../../demos/scenes/arch';
import { worstDrift } from '../../demos/scenes/demo-scene';
import { SCENES } from '../../demos/scenes/index';
import { oscillatingSphere } from '../../demos/scenes/oscillating-sphere';
import { bySuite, longTest } from '../setup/suite';

/** Left to `npm run test:long`: the capstan shows here what a rival of strands does. */
const LATER = bySuite(['knot', 'belt', 'ponytail', 'card-house', 'pyramid', 'shell-cards'], []);
const duels = SCENES.filter(({ id, rival }) => rival && !rival.strands && !LATER.includes(id));

function play(demo: typeof arch, seconds: number, hasDuels = true) {
  const player = createPlayer(
    worlds,
    () => ({}),
    () => {},
    null,
    () => hasDuels,
  );
  player.open(demo);
  while (player.session.physics.time < seconds - 1e-6) player.advance(player.session.physics.settings.timeStep);
  return player;
}

// That of the capstan hangs by gauges of its own (instruments.test.ts).
const watched = bySuite(
  duels.filter(({ id }) => id !== 'capstan'),
  duels,
);
test.each(watched)('$id: its rival fails what the scene promises, before the eyes of visitors', (demo) => {
  const { session, rival, touched } = play(demo, bySuite(3, 4));
  if (!rival) throw new Error('no rival');
  expect(touched).toBe(false);
  expect(rival.physics.stepCount).toBe(session.physics.stepCount);
  expect(demo.check(resultOf(session))).toBeNull();
  expect(demo.check(resultOf(rival))).not.toBeNull();
  const drift = (of: typeof session) =>
    demo.rival?.counter?.read(resultOf(of)) ??
    worstDrift(resultOf(of), (name) => !session.fixed.has(need(of, name)))[0];
  expect(drift(rival)).toBeGreaterThan(0.1);
  // Nothing sleeps, for what sleeps proves nothing.
  expect(session.physics.settings.sleeping).toBe(false);
  if (!demo.rival?.counter) expect(resultOf(session).awake).toBeGreaterThan(0);
  session.close();
  rival.close();
});

longTest('the rod on the turning ball swings as far as friction carries it, under the pyramid much farther', () => {
  const { session, rival } = play(oscillatingSphere, 5);
  if (!rival) throw new Error('no rival');
  const failures: (string | null)[] = [];
  for (let i = 0; i < 5; i++) {
    for (const { physics } of [session, rival]) for (let step = 0; step < 30; step++) physics.step();
    expect(oscillatingSphere.check(resultOf(session))).toBeNull();
    failures.push(oscillatingSphere.check(resultOf(rival)));
  }
  expect(failures.filter((failure) => failure?.includes('farther than friction carries it')).length).toBeGreaterThan(2);
  session.close();
  rival.close();
});

test('a visitor who wants no duels sees none', () => {
  const { session, rival, rivalGrab } = play(arch, 0.1, false);
  expect([rival, rivalGrab]).toEqual([null, null]);
  session.close();
});

test('what is pulled in one world is pulled in the other, by the same point of the body', () => {
  const player = play(arch, 0.1);
  const { session, rival, grab, rivalGrab } = player;
  if (!rival || !rivalGrab) throw new Error('no rival');
  const stone = need(session, 'stone-15');
  const twin = twinOf(session, stone, rival) as number;
  expect(twin).toBe(need(rival, 'stone-15'));
  const corner = poseOf(session.physics, stone).position;
  corner[1] += 0.2;
  grab.hold(stone, toBodyAxes(session.physics, stone, corner));
  for (let i = 0; i < 3; i++) expect(grab.anchor[i]).toBeCloseTo(corner[i], 6);
  grab.aim(corner[0], corner[1] + 1.5, corner[2]);
  expect(rivalGrab.entity).toBe(twin);
  expect(rivalGrab.target).toEqual(grab.target);
  const heights = () => [poseOf(session.physics, stone).position[1], poseOf(rival.physics, twin).position[1]];
  const before = heights();
  for (let i = 0; i < 40; i++) player.advance(1 / 60);
  heights().forEach((height, i) => {
    expect(height).toBeGreaterThan(before[i] + 0.3);
  });
  grab.release();
  expect(rivalGrab.active).toBe(false);
  session.close();
  rival.close();
});

test('lengths and speeds are told in three digits and the unit that suits them', () => {
  expect([6.6, 0.0123456, 9.234e-5, 1.2e-9, 3e-10, 0].map(metres)).toEqual([
    ...['6.60 m', '12.3 mm', '92.3 µm', '1.20 nm', '< 1 nm', '0 nm'],
  ]);
  expect([0.105, 1.58e-8, Number.POSITIVE_INFINITY].map(speed)).toEqual(['105 mm/s', '15.8 nm/s', '∞']);
  // Lines of a text do not break before a unit, and do before a word.
  expect(keepUnits('518 bricks of 72 t, to 10 %')).toBe('518 bricks of 72\u00a0t, to 10\u00a0%');
});

function need(session: ReturnType<typeof play>['session'], name: string): number {
  const eid = session.entities.get(name);
  if (eid === undefined) throw new Error(`nothing is called ${name}`);
  return eid;
}
