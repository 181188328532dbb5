// A house of cards: every level is a row of leaning pairs, every pair of neighbours carries a flat card. On its tip
// lies a block of iron: sweeps hold the house without it, too.

import { type BodyFile, type DemoScene, GROUND, soundness, tidy, turn, type Vec3, worstDrift } from './demo-scene';
import { PALETTE } from './palette';
import { sweepsRival } from './rivals';

const LEVELS = 3;
const THICK = 0.05; // half [m]
const LONG = 1; // half [m]
const WIDE = 0.6; // half [m]
const TILT = (20 * Math.PI) / 180;
const GAP = 0.01; // half the gap between neighbouring pairs [m]
const IRON: Vec3 = [0.6, 0.44, 0.6]; // half extents, 9.9 t [m]

// Half the extents of a leaning card's outline.
const REACH = LONG * Math.sin(TILT) + THICK * Math.cos(TILT);
const RISE = LONG * Math.cos(TILT) + THICK * Math.sin(TILT);

function cards(): BodyFile[] {
  const bodies: BodyFile[] = [];
  const pitch = 4 * REACH + 2 * GAP; // from one pair's apex to the next
  let foot = 0;
  for (let level = 0; level < LEVELS; level++) {
    const pairs = LEVELS - level;
    for (let i = 0; i < pairs; i++) {
      const apex = (i - (pairs - 1) / 2) * pitch;
      for (const side of [-1, 1]) {
        bodies.push({
          name: `leaning-${level}-${i}${side < 0 ? 'a' : 'b'}`,
          material: 'card',
          position: [apex + side * REACH, foot + RISE, 0],
          rotation: turn([0, 0, 1], side * TILT),
          shape: { box: [THICK, LONG, WIDE] },
        });
      }
    }
    foot += 2 * RISE;
    for (let i = 0; i + 1 < pairs; i++) {
      bodies.push({
        name: `flat-${level}-${i}`,
        material: 'card',
        position: [(i - (pairs - 2) / 2) * pitch, foot + THICK, 0],
        shape: { box: [pitch / 2 - GAP / 2, THICK, WIDE] },
      });
    }
    foot += 2 * THICK;
  }
  const top = foot - 2 * THICK;
  bodies.push({ name: 'weight', material: 'iron', position: [0, top + IRON[1], 0], shape: { box: IRON } });
  return bodies;
}

export const cardHouse: DemoScene = {
  id: 'card-house',
  title: 'House of cards',
  description: 'Three levels at 20° under 10 t of iron, held by friction alone. Touch it and see.',
  build: () =>
    tidy({
      version: 1,
      title: 'House of cards',
      description: 'Three levels of leaning pairs under a weight',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        card: { density: 1000, friction: 0.6, restitution: 0 },
        iron: { density: 7800, friction: 0.6, restitution: 0 },
      },
      bodies: [GROUND, ...cards()],
    }),
  camera: { target: [0, 2.75, 0], distance: 14, yaw: 0.45, pitch: 0.14, width: 5.4 },
  promise: 'no card drifts 0.1 mm',
  seconds: 5,
  check(result) {
    const [drift, name] = worstDrift(result, (body) => body !== 'ground');
    return soundness(result) ?? (drift < 1e-4 ? null : `${name} drifted ${drift} m; the house must stand`);
  },
  rival: sweepsRival(
    'Sweeps stop before the press on a card and its friction agree: feet slide a little each step, then at once.',
  ),
  paint(name) {
    if (name.startsWith('flat')) return PALETTE.saffron;
    if (name.startsWith('leaning')) return name.endsWith('a') ? PALETTE.navy : PALETTE.terracotta;
    return undefined;
  },
};
