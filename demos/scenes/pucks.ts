// Pucks thrown in all directions with one speed: with an exact friction cone they stop on one circle. Engines that
// take the cone for a pyramid draw a square.

import { type BodyFile, type DemoScene, GROUND, ramp, soundness, tidy, type Vec3 } from './demo-scene';
import { PALETTE } from './palette';

const COUNT = 36;
const START = 2.6; // ring they start from [m]
const SPEED = 6; // [m/s]
const FRICTION = 0.4;
/** v²/(2 μ g) [m] */
const REACH = (SPEED * SPEED) / (2 * FRICTION * 9.81);
const [RADIUS, HALF_HEIGHT] = [0.2, 0.07]; // [m]
const LINE = 0.03; // half the width of the circle drawn [m]
const BORDER = 0.9; // of the table that is drawn, beyond the circle [m]

function heading(index: number): [number, number] {
  const angle = (2 * Math.PI * index) / COUNT;
  return [Math.cos(angle), Math.sin(angle)];
}

function throwPucks(): BodyFile[] {
  return Array.from({ length: COUNT }, (_, i) => {
    const [c, s] = heading(i);
    return {
      name: `puck-${i}`,
      material: 'puck',
      position: [START * c, HALF_HEIGHT, START * s],
      velocity: [SPEED * c, 0, SPEED * s],
      shape: { cylinder: [RADIUS, HALF_HEIGHT] },
    };
  });
}

/** A ring drawn on the floor, or a disc: it touches nothing. */
function ring(name: string, material: string, height: number, from: number, to: number): BodyFile {
  const corners = 96;
  const at = (i: number, radius: number): Vec3 => {
    const angle = (2 * Math.PI * i) / corners;
    return [radius * Math.cos(angle), 0, radius * Math.sin(angle)];
  };
  const vertices = Array.from({ length: corners }, (_, i) => [at(i, from), at(i, to)]).flat();
  const triangles = Array.from({ length: corners }, (_, i): Vec3[] => {
    const [a, b] = [2 * i, (2 * i + 2) % (2 * corners)];
    return [
      [a, b, a + 1],
      [a + 1, b, b + 1],
    ];
  }).flat();
  return {
    name,
    type: 'static',
    material,
    position: [0, height, 0],
    layers: 0,
    mask: 0,
    shape: { mesh: { vertices, triangles } },
  };
}

export const pucks: DemoScene = {
  id: 'pucks',
  title: 'Pucks at all headings',
  description: '36 equal pucks, 36 headings, one circle, drawn where Coulomb’s law has them stop: v²/(2μg).',
  build: () =>
    tidy({
      version: 1,
      title: 'Pucks at all headings',
      description: 'Isotropic friction: all stop at the same distance',
      materials: {
        floor: { density: 2000, friction: FRICTION, restitution: 0 },
        puck: { density: 1200, friction: FRICTION, restitution: 0 },
        slope: { density: 2400, friction: FRICTION, restitution: 0 },
      },
      bodies: [
        GROUND,
        ring('table', 'slope', 3e-3, 0, START + REACH + BORDER),
        // The circle on which they ought to stop.
        ring('circle', 'floor', 6e-3, START + REACH - LINE, START + REACH + LINE),
        ...throwPucks(),
      ],
    }),
  camera: { target: [0, 0, 0], distance: 18, yaw: 0.3, pitch: 0.5, width: 16.5, sun: 0.5 },
  promise: 'all stop within 2 % of v²/(2μg), on their heading',
  seconds: 3,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    for (let i = 0; i < COUNT; i++) {
      const [c, s] = heading(i);
      const [x, , z] = result.end(`puck-${i}`).position;
      const along = x * c + z * s - START;
      const aside = Math.abs(z * c - x * s);
      if (!(along > 0.98 * REACH && along < 1.01 * REACH)) return `puck-${i} slid ${along} m; analytic is ${REACH} m`;
      if (!(aside < REACH * 1e-3)) return `puck-${i} left its heading by ${aside} m`;
    }
    return null;
  },
  paint(name) {
    if (name === 'circle') return PALETTE.cream;
    const index = /^puck-(\d+)$/.exec(name)?.[1];
    if (index === undefined) return undefined;
    const turnShare = +index / COUNT;
    return ramp(
      [PALETTE.terracotta, PALETTE.saffron, PALETTE.mint, PALETTE.sea, PALETTE.plum, PALETTE.terracotta],
      turnShare,
    );
  },
};
