// Things of every round and edged kind roll down hills that are one height field, and gather in the
// valley; a rope lies over a ridge.

import { type BodyFile, type DemoScene, type SceneResult, scatter, soundness, tidy, type Vec3 } from './demo-scene';
import { PALETTE } from './palette';
import { anyTurn, gem } from './shapes';

const SIZE = 24; // [m]
const CELLS = 96;
const COUNT = 48;
const ROPE = 0.05; // radius [m]

const COLOURS = [PALETTE.saffron, PALETTE.sea, PALETTE.cream, PALETTE.terracotta, PALETTE.plum];

/** Height of the ground [m]: a basin with a ring of hills, and waves across it. */
function ground(x: number, z: number): number {
  const r = Math.hypot(x, z) / (SIZE / 2);
  const basin = 3.2 * r * r * (3 - 2 * Math.min(r, 1));
  return basin + 0.35 * Math.sin(1.1 * x + 0.4) * Math.cos(0.9 * z) * Math.min(1, 1.6 * r);
}

function heights(): number[] {
  const found: number[] = [];
  for (let row = 0; row <= CELLS; row++)
    for (let column = 0; column <= CELLS; column++)
      found.push(ground((column / CELLS - 0.5) * SIZE, (row / CELLS - 0.5) * SIZE));
  return found;
}

function things(): BodyFile[] {
  const random = scatter(311);
  return Array.from({ length: COUNT }, (_, i) => {
    const angle = 2 * Math.PI * random();
    const radius = (0.45 + 0.4 * random()) * (SIZE / 2);
    const [x, z] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    const size = 0.28 + 0.2 * random();
    const shapes: BodyFile['shape'][] = [
      { sphere: size },
      { capsule: [0.6 * size, 0.8 * size] },
      { cylinder: [size, 0.4 * size] },
      { box: [size, 0.6 * size, 0.8 * size] },
      gem(size),
    ];
    const rotation = anyTurn(random);
    const position: Vec3 = [x, ground(x, z) + 1 + 0.02 * i, z];
    return { name: `thing-${i}`, material: 'stone', position, rotation, shape: shapes[i % shapes.length] };
  });
}

/** A rope across the valley's rim, a little above the ground. */
function rope(): Vec3[] {
  return Array.from({ length: 60 }, (_, i): Vec3 => {
    const x = -3 + (6 * i) / 59;
    return [x, ground(x, 7) + 0.6, 7];
  });
}

function check(result: SceneResult): string | null {
  const sound = soundness(result, -1);
  if (sound) return sound;
  for (const name of result.names) {
    if (!name.startsWith('thing')) continue;
    const [x, y, z] = result.end(name).position;
    if (y < ground(x, z) - 0.02) return `${name} is under the ground`;
  }
  const points = result.endPoints('rope');
  for (let i = 0; i < points.length; i += 3) {
    if (points[i + 1] < ground(points[i], points[i + 2]) - 0.05) return 'the rope is under the ground';
  }
  return null;
}

export const valley: DemoScene = {
  id: 'valley',
  title: 'Valley',
  description:
    `${CELLS} × ${CELLS} cells of a height field: what rolls down gathers, nothing bumps on the edges of the ` +
    'cells.',
  build: () =>
    tidy({
      version: 1,
      title: 'Valley',
      description: 'Bodies and a rope on a height field',
      materials: {
        earth: { density: 2000, friction: 0.5, restitution: 0 },
        stone: { density: 2400, friction: 0.4, restitution: 0.1 },
      },
      bodies: [
        {
          name: 'ground',
          type: 'static',
          material: 'earth',
          shape: {
            heightField: { size: [SIZE, SIZE], rows: CELLS + 1, columns: CELLS + 1, heights: heights() },
          },
        },
        { name: 'table', type: 'static', material: 'earth', position: [0, -0.85, 0], shape: { plane: [0, 1, 0] } },
        ...things(),
      ],
      rods: [
        {
          name: 'rope',
          points: rope(),
          radius: ROPE,
          density: 700,
          youngModulus: 2e6,
          damping: 0.02,
          friction: 0.6,
        },
      ],
    }),
  camera: { target: [0, 0.4, 0.8], distance: 29, yaw: 0.5, pitch: 0.62, width: 35 },
  promise: 'nothing gets under the ground',
  seconds: 4,
  check,
  paint: (name) => (name === 'ground' ? PALETTE.moss : COLOURS[Number(name.slice('thing-'.length)) % COLOURS.length]),
};
