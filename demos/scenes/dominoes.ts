// A spiral of dominoes. A ball comes in along the tangent and topples the first.

import { type BodyFile, type DemoScene, GROUND, ramp, soundness, tidy, turn, uprightness } from './demo-scene';
import { SUNSET } from './palette';

const COUNT = 68;
const HALF = [0.09, 0.6, 0.3] as const; // thickness, height, width [m]
const PITCH = 0.62; // along the curve [m]
const OUTER = 5.6; // [m]
const SHRINK = 0.34; // radius lost per radian [m]

/** Place and heading of domino `index` on an Archimedean spiral. */
function place(index: number): { x: number; z: number; heading: number } {
  // Arc length grows by radius · dangle; 16 small steps a domino are exact enough to look even.
  let angle = 0;
  for (let i = 0; i < index * 16; i++) angle += PITCH / 16 / (OUTER - SHRINK * angle);
  const radius = OUTER - SHRINK * angle;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  // d/dangle of (r cos, r sin)
  const [dx, dz] = [-radius * s - SHRINK * c, radius * c - SHRINK * s];
  return { x: radius * c, z: radius * s, heading: Math.atan2(-dz, dx) };
}

function run(): BodyFile[] {
  return Array.from({ length: COUNT }, (_, i) => {
    const { x, z, heading } = place(i);
    return {
      name: `domino-${i}`,
      material: 'domino',
      position: [x, HALF[1], z],
      rotation: turn([0, 1, 0], heading),
      shape: { box: [...HALF] },
    };
  });
}

function ball(): BodyFile {
  const { x, z, heading } = place(0);
  const [c, s] = [Math.cos(heading), -Math.sin(heading)];
  const [radius, back, speed] = [0.42, 3, 3.2];
  return {
    name: 'ball',
    material: 'rubber',
    position: [x - back * c, radius, z - back * s],
    velocity: [speed * c, 0, speed * s],
    // Rolls from the start: ω = n × v / r.
    angularVelocity: [(speed * s) / radius, 0, (-speed * c) / radius],
    angularDamping: 0.3,
    shape: { sphere: radius },
  };
}

export const dominoes: DemoScene = {
  id: 'dominoes',
  title: 'Domino spiral',
  description: '68 dominoes wait for a ball.',
  build: () =>
    tidy({
      version: 1,
      title: 'Domino spiral',
      description: 'A chain of topples along a spiral',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        domino: { density: 600, friction: 0.4, restitution: 0 },
        rubber: { density: 1100, friction: 0.6, restitution: 0 },
      },
      bodies: [GROUND, ball(), ...run()],
    }),
  camera: { target: [0.9, 0.3, -0.6], distance: 15.5, yaw: 0.6, pitch: 0.55, width: 14 },
  promise: 'all fall',
  seconds: 14,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    for (let i = 0; i < COUNT; i++)
      if (uprightness(result.end(`domino-${i}`)) > 0.9) return `domino-${i} still stands; all must fall`;
    return null;
  },
  paint(name) {
    const index = /^domino-(\d+)$/.exec(name)?.[1];
    return index === undefined ? undefined : ramp(SUNSET, +index / (COUNT - 1));
  },
};
