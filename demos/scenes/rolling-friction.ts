// Balls on one slope, rolling friction from 0.2 to 2 times what holds them there, tan θ · R: those above 1 stand for
// ever, those below roll away as a = 5/7 g (sin θ − cos θ c / R) says.

import { type BodyFile, type DemoScene, driftOf, GROUND, soundness, tidy, turn } from './demo-scene';
import { PALETTE } from './palette';

const ANGLE = (10 * Math.PI) / 180;
const RATIOS = [0.2, 0.5, 0.8, 0.96, 1.04, 1.2, 1.5, 2];
const RADIUS = 0.4; // [m]
const SLOPE = 7; // half length [m]
const THICKNESS = 0.2; // half [m]
const PITCH = 1.3; // [m]
const WIDTH = (RATIOS.length * PITCH) / 2 + 0.3; // half [m]
const UP = 5.8; // where the balls start, from the middle of the slope [m]
const HEIGHT = SLOPE * Math.sin(ANGLE) + 0.3; // of the middle of the slope [m]
const SECONDS = 5;

const [COSINE, SINE] = [Math.cos(ANGLE), Math.sin(ANGLE)];

/** The slope falls towards +x: its axes are (cos, −sin) down and (sin, cos) out. */
function ball(index: number): BodyFile {
  const lift = THICKNESS + RADIUS;
  const z = (index - (RATIOS.length - 1) / 2) * PITCH;
  return {
    name: `ball-${index}`,
    material: `ball-${index}`,
    position: [-UP * COSINE + lift * SINE, HEIGHT + UP * SINE + lift * COSINE, z],
    // The slowest takes a second to pass the speed at which bodies fall asleep.
    canSleep: false,
    shape: { sphere: RADIUS },
  };
}

/** A line across the slope each metre, painted: it touches nothing. */
function marks(): BodyFile[] {
  const [c, s] = [COSINE, SINE];
  return Array.from({ length: 12 }, (_, i): BodyFile => {
    const up = UP - 0.5 - i; // the first at the balls' feet [m]
    return {
      name: `mark-${i}`,
      type: 'static',
      material: 'floor',
      position: [-up * c + THICKNESS * s, HEIGHT + up * s + THICKNESS * c, 0],
      rotation: turn([0, 0, 1], -ANGLE),
      layers: 0,
      mask: 0,
      shape: { box: [i === 0 ? 0.05 : 0.02, 0.003, WIDTH - 0.1] },
    };
  });
}

// Of a pair it is the geometric mean, as friction is: with tan θ · R on the slope, m² times that on a ball gives m.
const HOLDING = RADIUS * Math.tan(ANGLE); // [m]
const materials = Object.fromEntries(
  RATIOS.map((ratio, i) => [
    `ball-${i}`,
    { density: 700, friction: 0.6, restitution: 0, rollingFriction: ratio * ratio * HOLDING },
  ]),
);

export const rollingFriction: DemoScene = {
  id: 'rolling-friction',
  title: 'Rolling friction',
  description: 'Rolling friction from 20 % to 200 % of what holds a ball on this slope. Below 100 % they roll.',
  build: () =>
    tidy({
      version: 1,
      title: 'Rolling friction',
      description: 'Balls at the edge of rolling',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        slope: { density: 2400, friction: 0.6, restitution: 0, rollingFriction: HOLDING },
        ...materials,
      },
      bodies: [
        GROUND,
        {
          name: 'slope',
          type: 'static',
          material: 'slope',
          position: [0, HEIGHT, 0],
          rotation: turn([0, 0, 1], -ANGLE),
          shape: { box: [SLOPE, THICKNESS, WIDTH] },
        },
        ...marks(),
        ...RATIOS.map((_, i) => ball(i)),
      ],
    }),
  camera: {
    ...{ target: [-0.3, 1, 0.4], distance: 18, yaw: 1.05, pitch: 0.3, width: 14 },
    portrait: { target: [-0.3, 1, -0.1], yaw: 1.5, pitch: 0.6, width: 14 },
  },
  promise: 'below 100 % they roll, above none moves 1 mm',
  awake: true,
  seconds: SECONDS,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    for (const [i, ratio] of RATIOS.entries()) {
      const drift = driftOf(result, `ball-${i}`);
      if (ratio > 1 && !(drift < 1e-3)) return `ball-${i} (${ratio}) must stand but moved ${drift} m`;
      if (ratio < 1) {
        const expected = ((5 / 7) * 9.81 * SINE * (1 - ratio) * SECONDS * SECONDS) / 2;
        // The first ones are at the foot of the slope by then.
        if (!(drift > Math.min(0.9 * expected, 4)))
          return `ball-${i} (${ratio}) must roll ${expected} m, moved ${drift} m`;
      }
    }
    return null;
  },
  label(name) {
    const index = /^ball-(\d+)$/.exec(name)?.[1];
    return index === undefined ? undefined : `${Math.round(100 * RATIOS[+index])} %`;
  },
  paint(name) {
    if (name.startsWith('mark')) return name === 'mark-0' ? PALETTE.cream : '#7d8894';
    const index = /^ball-(\d+)$/.exec(name)?.[1];
    if (index === undefined) return undefined;
    return RATIOS[+index] < 1 ? PALETTE.apricot : PALETTE.sea;
  },
};
