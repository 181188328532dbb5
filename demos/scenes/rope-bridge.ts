// A bridge of planks on ropes; crates fall on it. Planks are tied to the ropes,
// everything else is contact and friction.

import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type RodFile,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';

const HALF_SPAN = 2.6; // between the posts [m]
const HEIGHT = 2.1; // of the ropes at the posts [m]
const SAG = 0.42; // [m]
const ASIDE = 0.5; // of the deck's ropes from the middle [m]
const ROPE = 0.022; // radius [m]
const EDGES_A_PLANK = 3;
const PLANKS = 14;
const PLANK: Vec3 = [0.135, 0.025, 0.62]; // half extents [m]
const CRATES = 5;

/** The deck's ropes: a parabola, close to a chain's own curve. */
function deck(side: number, x: number, lift = 0): Vec3 {
  const u = x / HALF_SPAN;
  return [x, HEIGHT + lift - SAG * (1 - u * u), side * ASIDE];
}

const EDGES = EDGES_A_PLANK * (PLANKS + 1);
const along = (i: number) => HALF_SPAN * ((2 * i) / EDGES - 1);

function ropes(): RodFile[] {
  const common = { density: 900, youngModulus: 2e6, stretchModulus: 4e7, damping: 0.01, friction: 0.6 };
  return [-1, 1].flatMap((side): RodFile[] => [
    {
      name: `deck${side}`,
      points: Array.from({ length: EDGES + 1 }, (_, i) => deck(side, along(i))),
      radius: ROPE,
      clampStart: true,
      clampEnd: true,
      ...common,
    },
    {
      name: `hand${side}`,
      points: Array.from({ length: 31 }, (_, i): Vec3 => {
        const [x, y, z] = deck(side * 1.3, HALF_SPAN * ((2 * i) / 30 - 1), 0.75);
        return [x, y + 0.1, z];
      }),
      radius: 0.8 * ROPE,
      clampStart: true,
      clampEnd: true,
      ...common,
    },
  ]);
}

/** Node of a deck rope under the middle of a plank. */
const nodeOf = (plank: number) => EDGES_A_PLANK * (plank + 1);

function planks(): BodyFile[] {
  return Array.from({ length: PLANKS }, (_, i): BodyFile => {
    const [x, y] = deck(0, along(nodeOf(i)));
    const slope = (2 * SAG * x) / (HALF_SPAN * HALF_SPAN);
    return {
      name: `plank-${i}`,
      material: 'wood',
      position: [x, y + ROPE + PLANK[1] + 0.002, 0],
      rotation: turn([0, 0, 1], Math.atan(slope)),
      angularDamping: 0.4,
      shape: { box: PLANK },
    };
  });
}

function crates(): BodyFile[] {
  const random = scatter(41);
  return Array.from({ length: CRATES }, (_, i): BodyFile => {
    const half = 0.16 + 0.05 * random();
    const x = -1.3 + 0.65 * i;
    return {
      name: `crate-${i}`,
      material: 'crate',
      position: [x, HEIGHT + 0.5 + 0.45 * i, 0.3 * (random() - 0.5)],
      rotation: turn([0, 1, 0], random() - 0.5),
      shape: { box: [half, half, half] },
    };
  });
}

function banks(): BodyFile[] {
  return [-1, 1].flatMap((end): BodyFile[] => [
    {
      name: `bank${end}`,
      type: 'static',
      material: 'stone',
      position: [end * (HALF_SPAN + 0.95), (HEIGHT - 0.06) / 2, 0],
      shape: { box: [0.9, (HEIGHT - 0.06) / 2, 1.1] },
    },
    ...[-1, 1].map((side): BodyFile => {
      return {
        name: `post${end}${side}`,
        type: 'static',
        material: 'wood',
        position: [end * (HALF_SPAN + 0.12), HEIGHT + 0.42, side * 1.3 * ASIDE],
        shape: { cylinder: [0.06, 0.5] },
      };
    }),
  ]);
}

export const ropeBridge: DemoScene = {
  id: 'rope-bridge',
  title: 'Rope bridge',
  description: 'Planks tied to two ropes; five crates fall on them. Drag one along with the mouse.',
  build: () =>
    tidy({
      version: 1,
      title: 'Rope bridge',
      description: 'Planks on two ropes between two banks carry crates',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        stone: { density: 2500, friction: 0.7, restitution: 0 },
        wood: { density: 600, friction: 0.7, restitution: 0 },
        crate: { density: 450, friction: 0.6, restitution: 0 },
      },
      bodies: [GROUND, ...banks(), ...planks(), ...crates()],
      rods: ropes(),
    }),
  join(tie) {
    for (let i = 0; i < PLANKS; i++) {
      for (const side of [-1, 1]) tie(`deck${side}`, nodeOf(i), `plank-${i}`);
    }
  },
  camera: { target: [0.4, 1.65, -0.1], distance: 10.2, yaw: 0.42, pitch: 0.2, width: 9.2 },
  promise: 'planks hang and crates stay on them',
  seconds: 3,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    for (const name of result.names) {
      const { position } = result.end(name);
      if (name.startsWith('crate') && position[1] < HEIGHT - 2 * SAG) return `${name} fell off the bridge`;
      if (name.startsWith('plank') && position[1] < HEIGHT - 2.5 * SAG) return `${name} hangs at ${position[1]} m`;
    }
    return null;
  },
  paint(name) {
    const crate = /^crate-(\d)/.exec(name);
    const colors = [PALETTE.terracotta, PALETTE.sea, PALETTE.saffron, PALETTE.plum, PALETTE.moss];
    return crate ? colors[+crate[1]] : undefined;
  },
  strands: () => ({ finish: 'rope', colors: ['#b89a68', '#a98b5c'] }),
};
