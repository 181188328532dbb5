// Blocks on one slope, friction from 0.92 to 1.08 of the tangent of its angle, some of them yawed: those above 1
// hold for ever, those below slide away. Nothing creeps.

import { type BodyFile, combine, type DemoScene, driftOf, GROUND, soundness, tidy, turn } from './demo-scene';
import { PALETTE } from './palette';

const ANGLE = (28 * Math.PI) / 180;
const RATIOS = [0.92, 0.96, 0.99, 0.998, 1.002, 1.01, 1.04, 1.08];
const SLOPE = 6.5; // half length [m]
const HALF = [0.4, 0.25, 0.4] as const; // [m]
const PITCH = 1.5; // [m]
const WIDTH = (RATIOS.length * PITCH) / 2 + 0.3; // half [m]

const CENTRE = { x: 0, y: SLOPE * Math.sin(ANGLE) + 0.3 };

function block(index: number): BodyFile {
  const up = 5.2; // from the middle of the slope [m]
  const z = (index - (RATIOS.length - 1) / 2) * PITCH;
  const lift = HALF[1] + 0.2;
  // The slope falls towards +x: its axes are (cos, −sin) down and (sin, cos) out.
  const [c, s] = [Math.cos(ANGLE), Math.sin(ANGLE)];
  return {
    name: `block-${index}`,
    material: `block-${index}`,
    position: [CENTRE.x - up * c + lift * s, CENTRE.y + up * s + lift * c, z],
    rotation: combine(turn([0, 0, 1], -ANGLE), turn([0, 1, 0], index % 2 ? Math.PI / 4 : 0)),
    // The slowest slider takes a second to pass the speed at which bodies fall asleep.
    canSleep: false,
    shape: { box: [...HALF] },
  };
}

/** A line across the slope each metre, painted: it touches nothing. */
function marks(): BodyFile[] {
  const [c, s] = [Math.cos(ANGLE), Math.sin(ANGLE)];
  return Array.from({ length: 11 }, (_, i): BodyFile => {
    const up = 5.2 - 0.75 - i; // the first at the blocks' feet [m]
    return {
      name: `mark-${i}`,
      type: 'static',
      material: 'slope',
      position: [CENTRE.x - up * c + 0.2 * s, CENTRE.y + up * s + 0.2 * c, 0],
      rotation: turn([0, 0, 1], -ANGLE),
      layers: 0,
      mask: 0,
      shape: { box: [i === 0 ? 0.05 : 0.02, 0.003, WIDTH - 0.1] },
    };
  });
}

// Friction of a pair is the geometric mean: with 1 on the slope, m² on the block gives m.
const materials = Object.fromEntries(
  RATIOS.map((ratio, i) => [`block-${i}`, { density: 900, friction: (ratio * Math.tan(ANGLE)) ** 2, restitution: 0 }]),
);

export const frictionAngle: DemoScene = {
  id: 'friction-angle',
  title: 'Friction angle',
  description: 'Friction from 92 % to 108 % of the slope’s tangent. At 99.8 % it slides, at 100.2 % it holds.',
  build: () =>
    tidy({
      version: 1,
      title: 'Friction angle',
      description: 'Blocks at the edge of sliding',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        slope: { density: 2400, friction: 1, restitution: 0 },
        ...materials,
      },
      bodies: [
        GROUND,
        {
          name: 'slope',
          type: 'static',
          material: 'slope',
          position: [CENTRE.x, CENTRE.y, 0],
          rotation: turn([0, 0, 1], -ANGLE),
          shape: { box: [SLOPE, 0.2, WIDTH] },
        },
        ...marks(),
        ...RATIOS.map((_, i) => block(i)),
      ],
    }),
  camera: {
    ...{ target: [-0.3, 2.7, 0.4], distance: 21, yaw: 1.05, pitch: 0.26, width: 12.5 },
    portrait: { yaw: 1.3, width: 18 },
  },
  promise: 'below 100 % they slide, above none moves 1 mm',
  awake: true,
  seconds: 5,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    for (const [i, ratio] of RATIOS.entries()) {
      const drift = driftOf(result, `block-${i}`);
      if (ratio > 1 && !(drift < 1e-3)) return `block-${i} (${ratio}) must hold but moved ${drift} m`;
      if (ratio < 1) {
        const expected = (9.81 * Math.sin(ANGLE) * (1 - ratio) * 5 * 5) / 2;
        // The far ones have left the slope by then.
        if (!(drift > Math.min(0.9 * expected, 3)))
          return `block-${i} (${ratio}) must slide ${expected} m, moved ${drift} m`;
      }
    }
    return null;
  },
  label(name) {
    const index = /^block-(\d+)$/.exec(name)?.[1];
    return index === undefined ? undefined : `${+(100 * RATIOS[+index]).toFixed(1)} %`;
  },
  paint(name) {
    if (name.startsWith('mark')) return name === 'mark-0' ? PALETTE.cream : '#7d8894';
    const index = /^block-(\d+)$/.exec(name)?.[1];
    if (index === undefined) return undefined;
    const ratio = RATIOS[+index];
    if (ratio < 1) return +index % 2 ? PALETTE.apricot : PALETTE.terracotta;
    return +index % 2 ? PALETTE.mint : PALETTE.sea;
  },
};
