// The quality switch that measures: what makes the gallery draw fewer pixels, and what does not.

import { expect, test } from 'vitest';
import { createPace } from '../../demos/view/pace';

/** How often less is asked for in so many frames. */
function lowered(frames: number, interval: (frame: number) => number, busy: number): number {
  const pace = createPace();
  let count = 0;
  for (let frame = 0; frame < frames; frame++) if (pace.note(interval(frame), busy)) count++;
  return count;
}

test('frames that come late have fewer pixels drawn, in steps', () => {
  expect(lowered(400, () => 33, 6)).toBe(3);
  expect(lowered(100, () => 33, 6)).toBe(0);
});

test('not those that are in time, nor now and then a late one', () => {
  expect(lowered(2000, () => 16.7, 12)).toBe(0);
  expect(lowered(2000, (frame) => (frame % 3 === 0 ? 60 : 16), 6)).toBe(0);
});

test('not where the processor is what takes the time, nor where the page was hidden', () => {
  expect(lowered(2000, () => 40, 35)).toBe(0);
  expect(lowered(2000, () => 1000, 6)).toBe(0);
});
