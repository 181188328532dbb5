// The gallery's instruments, headless: what they show is what theory, or the paper's figure, says.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import { createRecorder, type Recorder } from '../../demos/app/recorder';
import { capstan, discreteCapstan } from '../../demos/scenes/capstan';
import { type DemoScene, usualValues } from '../../demos/scenes/demo-scene';
import { oscillatingSphere } from '../../demos/scenes/oscillating-sphere';
import { createPhysics, sceneSettings } from '../../src/index';
import { longTest } from '../setup/suite';

/** Runs a scene with its rival and instruments. */
function record(demo: DemoScene, seconds: number, backend: 'auto' | 'reference' = 'auto'): Recorder {
  const scene = loadScene(demo.build());
  const session = openSession(scene, { elastic: { ...sceneSettings(scene).elastic, backend } });
  const { rival } = demo;
  const elastic = { ...sceneSettings(scene).elastic, ...rival?.settings.elastic };
  const second = rival ? openSession(scene, { ...rival.settings, elastic }) : null;
  const recorder = createRecorder(session, second, demo, () => usualValues(demo));
  const steps = Math.round(seconds / session.physics.settings.timeStep);
  for (let i = 0; i < steps; i++) {
    session.physics.step();
    recorder.follow();
  }
  session.close();
  second?.close();
  return recorder;
}

longTest('the tip on the turning ball reaches a periodic orbit, under the pyramid another one', () => {
  const period = 144; // steps
  const { charts } = record(oscillatingSphere, 11);
  const [exact, pyramid] = charts[0].traces;
  const place = (trace: typeof exact, ago: number) => trace.x[(trace.count - 1 - ago) % trace.x.length];
  for (const trace of [exact, pyramid]) {
    expect(trace.count).toBeGreaterThan(2 * period);
    for (let ago = 0; ago < period; ago += 9) {
      expect(Math.abs(place(trace, ago) - place(trace, ago + period))).toBeLessThan(0.2);
    }
  }
  // Exact solvers agree on the orbit, whatever they are (2011 paper, Fig. 7).
  const again = record({ ...oscillatingSphere, rival: undefined }, 11, 'reference').charts[0].traces[0];
  const apart = Array.from({ length: period }, (_, ago) => Math.abs(place(exact, ago) - place(again, ago)));
  expect(Math.max(...apart)).toBeLessThan(1);
  const reach = (trace: typeof exact) => {
    const orbit = Array.from({ length: period }, (_, ago) => place(trace, ago));
    return Math.max(...orbit) - Math.min(...orbit);
  };
  expect(reach(exact)).toBeGreaterThan(20);
  expect(reach(pyramid)).toBeGreaterThan(1.2 * reach(exact));
});

test('the gauges of the capstan show the weight and what the discrete formula makes of it', () => {
  const { gauges, charts } = record(capstan, 4.5);
  const weight = 1.5 * 9.81;
  const ratio = discreteCapstan(0.25, 3 * Math.PI, 48);
  const [held, pulled] = gauges.map(({ value }) => value);
  expect(Math.abs(held / weight - 1)).toBeLessThan(0.03);
  expect(Math.abs(pulled / held / ratio - 1)).toBeLessThan(0.03);
  const [trace] = charts[0].traces;
  expect(trace.y[trace.count - 1]).toBeCloseTo(pulled / held, 9);
});

test('a friction cone that does not exist is refused', () => {
  const wrong = { elastic: { frictionCone: 'round' as 'exact' } };
  expect(() => createPhysics(createWorld(), wrong)).toThrow(
    'createPhysics: elastic.frictionCone must be exact or pyramid, got "round"',
  );
});
