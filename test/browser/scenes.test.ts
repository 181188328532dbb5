// Every scene of the gallery keeps its promise as visitors find it, headless; and the scenes themselves are well made.

import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { loadScene, runDemo, worlds } from '../../demos/app/open-session';
import { createPlayer } from '../../demos/app/player';
import { verdictOf } from '../../demos/panel/verdict';
import { cameraFor } from '../../demos/scenes/camera';
import { steerTo } from '../../demos/scenes/car';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import { frictionAngle } from '../../demos/scenes/friction-angle';
import { SCENES } from '../../demos/scenes/index';
import { pyramid } from '../../demos/scenes/pyramid';
import { readScene, writeScene } from '../../src/index';
import { bySuite, longTest } from '../setup/suite';

/** As long as visitors may look on [s]: what a scene promises lasts. */
const WATCHED = 20;
/** Watched for as long here, too: what goes on in them costs little. Others are checked once. */
const CHEAP = bySuite<string[]>(
  [],
  ['pyramid', 'card-house', 'arch', 'heavy-top', 'pucks', 'friction-angle', 'stairs', 'oscillating-sphere'],
);
/**
 * Checked by `npm test` before their promise is due [s]: what decides it is over, and all that a visitor sees from then
 * on is more of the same. The long tests wait until it is due.
 */
const EARLY: Readonly<Record<string, number>> = {
  ...{
    'boulder-slide': 3,
    valley: 1.5,
    'large-pile': 1.5,
    'hair-on-shirt': 0.5,
    'head-of-hair': 0.8,
    jelly: 2,
    arch: 5,
  },
  ...{
    ragdolls: 3,
    flag: 1,
    'sleeping-field': 3,
    pile: 1.5,
    'wrecking-ball': 2,
    'rope-bridge': 2,
    cape: 2.5,
    hammock: 2.5,
  },
};
/**
 * Left to the long tests: scenes that cost seconds and have nothing that a cheaper one has not, as which see. Files of
 * theirs are read back here all the same.
 */
const LATER: Readonly<Record<string, string>> = {
  ...{ 'tall-wall': 'card-house', 'boulder-slide': 'playground', 'large-pile': 'playground', dominoes: 'playground' },
  ...{
    groom: 'head-of-hair',
    drape: 'flag',
    'mixed-pile': 'playground',
    hammock: 'flag',
    'sleeping-field': 'playground',
    pile: 'playground',
  },
  ...{ valley: 'playground', tree: 'hair-on-shirt', crane: 'playground', conveyor: 'capstan', 'gummy-bears': 'jelly' },
  ...{ 'sticky-strands': 'hair-on-shirt', 'fur-and-curtain': 'hair-on-shirt', stairs: 'ragdolls' },
  ...{ 'rope-bridge': 'capstan', 'hairy-ball': 'hair-on-shirt', ponytail: 'hair-on-shirt', cape: 'flag' },
  ...{ belt: 'capstan', chimes: 'ragdolls', 'oscillating-sphere': 'playground', strengths: 'capstan' },
  ...{ 'sag-free': 'head-of-hair', 'wrecking-ball': 'playground', 'rolling-fur': 'head-of-hair', knot: 'capstan' },
  ...{ 'block-feeder': 'playground', jack: 'ragdolls' },
};
/** Files that take seconds to build, and hold nothing that those of `head-of-hair`, `jelly` and `playground` do not. */
const LARGE = ['oscillating-sphere', 'boulder-slide', 'mixed-pile', 'tall-wall'];
/** `npm run test:gallery`: every scene with as much in it as visitors find, for as long as they may look on. */
const isLong = process.env.GALLERY === 'long';

/** A scene as it is checked here, and until when [s]. */
function watched(scene: DemoScene): { demo: DemoScene; until: number } {
  const { id, amount, seconds } = scene;
  if (isLong) return { demo: scene, until: Math.max(WATCHED, seconds) };
  const demo = {
    ...scene,
    seconds: bySuite(EARLY[id], undefined) ?? seconds,
    amount: amount && { ...amount, usual: amount.tested ?? amount.least },
  };
  return { demo, until: CHEAP.includes(id) ? WATCHED : demo.seconds };
}

describe('gallery scenes', () => {
  test('have unique ids that can stand in a URL', () => {
    const ids = SCENES.map((scene) => scene.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
    const named = [...CHEAP, ...Object.keys(EARLY), ...Object.entries(LATER).flat()];
    expect(ids).toEqual(expect.arrayContaining(named));
    for (const covered of Object.values(LATER)) expect(LATER).not.toHaveProperty(covered);
  });

  for (const scene of SCENES) {
    (LARGE.includes(scene.id) ? longTest : test)(
      `${scene.id} is a scene file that is written and read back unchanged`,
      () => {
        const once = loadScene(scene.build(scene.amount?.least));
        expect(readScene(writeScene(once))).toEqual(once);
      },
    );

    const { demo, until } = watched(scene);
    (isLong || !(scene.id in LATER) ? test : longTest)(
      `${scene.id} keeps its promise from ${demo.seconds} to ${until} s`,
      {
        timeout: isLong ? 3_600_000 : 600_000,
      },
      () => {
        expect(runDemo(demo, until)).toBeNull();
      },
    );
  }
});

test('a camera that goes along begins at what it follows, on screens of either shape', () => {
  const followers = SCENES.filter(({ camera }) => camera.follow !== undefined);
  expect(followers.length).toBeGreaterThan(2);
  for (const { camera, amount, ...scene } of followers) {
    const player = createPlayer(
      worlds,
      () => ({}),
      () => {},
    );
    player.open({ ...scene, camera, amount: amount && { ...amount, usual: amount.least } });
    const start = player.session.starts.get(camera.follow as string)?.position ?? [];
    for (const { target } of [cameraFor(camera, false), cameraFor(camera, true)])
      expect([scene.id, target[0], target[2]]).toEqual([scene.id, start[0], start[2]]);
    player.session.close();
  }
});

test('the car’s driver gets to marks, and goes round none for ever', () => {
  // A point that turns in circles of 5 m at the narrowest, and marks all about it.
  for (let i = 0; i < 60; i++) {
    const mark = [(0.5 + (i % 10)) * Math.cos(i), (0.5 + (i % 10)) * Math.sin(i)];
    const pose = { x: 0, y: 0, heading: 0 };
    let steps = 0;
    for (; steps < 1000; steps++) {
      const [dx, dy] = [mark[0] - pose.x, mark[1] - pose.y];
      const [c, s] = [Math.cos(pose.heading), Math.sin(pose.heading)];
      const { steer, isDone } = steerTo(c * dx + s * dy, c * dy - s * dx);
      if (isDone) break;
      pose.x += 0.1 * c;
      pose.y += 0.1 * s;
      pose.heading += (0.1 * steer) / 5;
    }
    expect(steps, `mark at ${mark}`).toBeLessThan(700);
  }
});

describe('what a visitor is told', () => {
  /** Plays a scene for some time [s]. */
  const played = (demo: DemoScene, seconds: number) => {
    const player = createPlayer(
      worlds,
      () => ({}),
      () => {},
    );
    player.open(demo);
    while (player.session.physics.time < seconds - 1e-6) player.advance(player.session.physics.settings.timeStep);
    return player;
  };

  longTest('is looked at again and again, up to what is shown', () => {
    const { session, verdict } = played(pyramid, 8);
    expect(verdict()).toEqual({ time: expect.closeTo(8, 1), failure: null, isTouched: false });
    session.close();
  });

  longTest('is the first failure, and when, whatever comes after', () => {
    const late = {
      ...pyramid,
      seconds: 1,
      check: ({ time }: { time: number }) => (time > 2 && time < 3 ? 'no' : null),
    };
    expect(runDemo(late, 1.9)).toBeNull();
    expect(runDemo(late, 4)).toBe('at 2.5 s: no');
    const { session, verdict } = played(late, 4);
    expect(verdict()).toEqual({ time: expect.closeTo(2.5, 1), failure: 'no', isTouched: false });
    session.close();
  });

  test('goes on where the visitor changed something, and says so', () => {
    const player = createPlayer(
      worlds,
      () => ({ sleeping: false }),
      () => {},
    );
    const check = ({ time }: { time: number }) => (time > 0.5 && time < 1.4 ? 'it fell' : null);
    player.open({ ...pyramid, seconds: 0.6, check });
    for (let i = 0; i < 40; i++) player.advance(1 / 60);
    expect(player.touched).toBe(true);
    expect(player.verdict()).toMatchObject({ failure: 'it fell', isTouched: true });
    for (let i = 0; i < 60; i++) player.advance(1 / 60);
    expect(player.verdict()).toMatchObject({ failure: null, isTouched: true });
    player.session.close();
  });

  test('is a promise where a rival breaks it; of the others only what fails', () => {
    const told = (demo: DemoScene, failure: string | null, isTouched = false) =>
      verdictOf({ demo, verdict: () => ({ time: 6, failure, isTouched }) });
    expect(told(pyramid, null)).toEqual({ state: 'holds', text: `as promised after 6.0 s: ${pyramid.promise}` });
    expect(told(pyramid, 'it fell')?.state).toBe('fails');
    expect(told(pyramid, 'it fell', true)?.state).toBe('waiting');
    expect(verdictOf({ demo: pyramid, verdict: () => null })?.state).toBe('waiting');
    expect(told(frictionAngle, null)).toBeNull();
    expect(told(frictionAngle, 'it fell')).toEqual({ state: 'fails', text: 'at 6.0 s: it fell' });
    expect(told(frictionAngle, 'it fell', true)).toBeNull();
    // No word of what others cannot do without showing them.
    for (const { rival, description } of SCENES) if (!rival) expect(description).not.toMatch(/engine|exact friction/i);
  });
});
