// A semicircular masonry arch near the thinnest that statics allows (0.1075 of the mid radius, Milankovitch 1907).

import { type BodyFile, blend, type DemoScene, GROUND, soundness, tidy, type Vec3, worstDrift } from './demo-scene';
import { PALETTE } from './palette';
import { sweepsRival } from './rivals';

const STONES = 31;
const RADIUS = 5; // mid line [m]
const THICK = 0.12 * RADIUS; // [m]
const DEPTH = 0.6; // half [m]
const PLINTH = 0.5; // half height [m]

function stone(index: number): BodyFile {
  const inner = RADIUS - THICK / 2;
  const outer = RADIUS + THICK / 2;
  const from = (index * Math.PI) / STONES;
  const to = ((index + 1) * Math.PI) / STONES;
  const outline: [number, number][] = [
    [inner * Math.cos(from), inner * Math.sin(from)],
    [outer * Math.cos(from), outer * Math.sin(from)],
    [outer * Math.cos(to), outer * Math.sin(to)],
    [inner * Math.cos(to), inner * Math.sin(to)],
  ];
  const x = outline.reduce((sum, corner) => sum + corner[0], 0) / 4;
  const y = outline.reduce((sum, corner) => sum + corner[1], 0) / 4;
  const hull = [-DEPTH, DEPTH].flatMap((z) => outline.map((corner): Vec3 => [corner[0] - x, corner[1] - y, z]));
  return { name: `stone-${index}`, material: 'stone', position: [x, y + 2 * PLINTH, 0], shape: { hull } };
}

function plinth(name: string, side: number): BodyFile {
  return {
    name,
    type: 'static',
    material: 'stone',
    position: [side * RADIUS, PLINTH, 0],
    shape: { box: [0.75, PLINTH, 1] },
  };
}

export const arch: DemoScene = {
  id: 'arch',
  title: 'Masonry arch',
  description: '31 dry stones, thickness 12 % of the radius. A thrust line with nowhere to go.',
  build: () =>
    tidy({
      version: 1,
      title: 'Masonry arch',
      description: '31 voussoirs without mortar',
      materials: {
        floor: { density: 2400, friction: 0.6, restitution: 0 },
        stone: { density: 2400, friction: 0.6, restitution: 0 },
      },
      bodies: [
        GROUND,
        plinth('plinth-left', -1),
        plinth('plinth-right', 1),
        ...Array.from({ length: STONES }, (_, i) => stone(i)),
      ],
    }),
  camera: { target: [0, 2.9, 0], distance: 17, yaw: -0.5, pitch: 0.13, width: 12.8 },
  handle: `stone-${(STONES - 1) / 2}`,
  promise: 'no stone drifts 0.1 mm',
  seconds: 10,
  check(result) {
    const [drift, name] = worstDrift(result, (body) => body.startsWith('stone'));
    return soundness(result) ?? (drift < 1e-4 ? null : `${name} drifted ${drift} m; the arch must stand`);
  },
  rival: sweepsRival(
    'Impulses pass from stone to stone a few times a step: the thrust never gets round before the hinges open.',
  ),
  paint(name) {
    const index = /^stone-(\d+)$/.exec(name)?.[1];
    if (index === undefined) return undefined;
    if (+index === (STONES - 1) / 2) return PALETTE.terracotta; // the keystone
    return blend(PALETTE.sand, PALETTE.cream, ((+index * 7) % 5) / 4);
  },
};
