// Boxes tumble down stairs that are one closed triangle mesh: every step shows whether inner edges give ghost bumps.

import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type ShapeFile,
  scatter,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';

const STEPS = 10;
const TREAD = 0.9; // [m]
const RISER = 0.5; // [m]
const WIDTH = 3; // half [m]
const LANDING = 3; // [m]
const COUNT = 26;

/** The outline in x and y, extruded along z. Steps go down towards +x. */
function stairs(): ShapeFile {
  const outline: [number, number][] = [
    [-LANDING, 0],
    [-LANDING, STEPS * RISER],
  ];
  for (let i = 0; i < STEPS; i++) {
    outline.push([i * TREAD, (STEPS - i) * RISER], [i * TREAD, (STEPS - i - 1) * RISER]);
  }
  const vertices: Vec3[] = outline.flatMap(([x, y]): Vec3[] => [
    [x, y, WIDTH],
    [x, y, -WIDTH],
  ]);
  const triangles: Vec3[] = [];
  const count = outline.length;
  for (let i = 0; i < count; i++) {
    const [a, b] = [2 * i, 2 * ((i + 1) % count)];
    triangles.push([a, b, b + 1], [a, b + 1, a + 1]);
  }
  // The side walls: one quad under each tread.
  const at = (x: number, y: number, z: number) => vertices.push([x, y, z]) - 1;
  const column = (from: number, to: number, top: number) => {
    const [a, b, c, d] = [at(from, 0, WIDTH), at(to, 0, WIDTH), at(to, top, WIDTH), at(from, top, WIDTH)];
    triangles.push([a, b, c], [a, c, d]);
    const [e, f, g, h] = [at(from, 0, -WIDTH), at(to, 0, -WIDTH), at(to, top, -WIDTH), at(from, top, -WIDTH)];
    triangles.push([e, g, f], [e, h, g]);
  };
  column(-LANDING, 0, STEPS * RISER);
  for (let i = 1; i < STEPS; i++) column((i - 1) * TREAD, i * TREAD, (STEPS - i) * RISER);
  return { mesh: { vertices, triangles } };
}

function boxes(): BodyFile[] {
  const random = scatter(77);
  const sizes: Vec3[] = [
    [0.3, 0.3, 0.3],
    [0.42, 0.26, 0.32],
    [0.24, 0.5, 0.24],
    [0.38, 0.38, 0.38],
  ];
  return Array.from({ length: COUNT }, (_, i) => {
    const row = Math.floor(i / 5);
    return {
      name: `box-${i}`,
      material: 'wood',
      position: [-2.2 + (row % 2) * 1.1 + random() * 0.2, STEPS * RISER + 0.8 + row * 1.1, -2.2 + (i % 5) * 1.1],
      rotation: turn([0.6, 0, 0.8], random() * 3),
      velocity: [3 + random() * 1.4, 0, (random() - 0.5) * 0.6],
      angularVelocity: [0, 0, -4 * random()],
      shape: { box: sizes[i % sizes.length] },
    };
  });
}

const COLOURS = [PALETTE.saffron, PALETTE.terracotta, PALETTE.sea, PALETTE.cream, PALETTE.wine, PALETTE.mint];

export const stairsScene: DemoScene = {
  id: 'stairs',
  title: 'Down the stairs',
  description: '26 boxes tumble down a triangle mesh.',
  build: () =>
    tidy({
      version: 1,
      title: 'Down the stairs',
      description: 'Boxes on a static triangle mesh',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        concrete: { density: 2400, friction: 0.35, restitution: 0.1 },
        wood: { density: 600, friction: 0.35, restitution: 0.1 },
      },
      bodies: [GROUND, { name: 'stairs', type: 'static', material: 'concrete', shape: stairs() }, ...boxes()],
    }),
  camera: { target: [3.6, 2.1, 0], distance: 19, yaw: 0.5, pitch: 0.3, width: 16.5 },
  promise: 'none sinks into a step, a quarter is down',
  seconds: 6,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    let down = 0;
    for (const name of result.names) {
      if (!name.startsWith('box')) continue;
      const [x, y, z] = result.end(name).position;
      // Height of the tread under the box.
      const step = x < 0 ? STEPS : Math.max(STEPS - 1 - Math.floor(x / TREAD), 0);
      if (x > -LANDING && Math.abs(z) < WIDTH && y < (step - 1) * RISER) return `${name} sank into the stairs`;
      if (y < (STEPS * RISER) / 2) down++;
    }
    return down >= COUNT / 4 ? null : `only ${down} of ${COUNT} boxes came down`;
  },
  paint(name) {
    const index = /^box-(\d+)$/.exec(name)?.[1];
    return index === undefined ? undefined : COLOURS[(+index * 5) % COLOURS.length];
  },
};
