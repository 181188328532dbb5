// Gummy bears that fall on each other: a coarse cage of tetrahedra is solved, the fine surface that it carries drawn.

import {
  type BodyFile,
  combine,
  type DemoScene,
  GROUND,
  type Quat,
  type SceneResult,
  soundness,
  tidy,
  turn,
  type Values,
  type Vec3,
} from './demo-scene';
import { gummyBear } from './gummy-shape';
import { volumeOf } from './soft-shapes';

const HEIGHT = 0.36; // of a bear [m]
const CELLS = 5; // of its cage, along its height
const RADIUS = 0.006; // reach of the cage's boundary [m]
const USUAL = 7;
/** Half the width of the tray within its rim, and half height and half thickness of that [m]. */
const TRAY = { half: 0.42, rim: 0.09, thick: 0.02 };
/** Cherry, lemon, lime, orange, pineapple, blueberry. */
const COLORS = ['#d5152f', '#ffd11a', '#3fae2a', '#ff7a12', '#fff0b8', '#3f55d8'];

const bear = gummyBear(HEIGHT, CELLS, RADIUS);
const nameOf = (i: number) => `bear${i}`;

/** Where the i-th bear begins [m], and how it is turned: pairs one above the other, crosswise. */
function placeOf(i: number): { position: Vec3; rotation: Quat } {
  const level = i >> 1;
  const away = i % 2 === 0 ? -0.19 : 0.19;
  const about = turn([0, 1, 0], 0.35 - 0.65 * (i % 2) + 1.3 * level);
  const lean = turn(level % 2 === 0 ? [1, 0, 0] : [0.6, 0, 0.8], 0.25 * level);
  return {
    position: level % 2 === 0 ? [away, RADIUS + 0.44 * level, 0] : [0, RADIUS + 0.44 * level, away],
    rotation: combine(lean, about),
  };
}

/** The rim of the tray that they fall into. */
function rims(): BodyFile[] {
  const { half, rim, thick } = TRAY;
  return [0, 1, 2, 3].map((side) => {
    const way = side < 2 ? 1 : -1;
    const [along, across] = [half + 2 * thick, half + thick];
    const isX = side % 2 === 0;
    return {
      name: `rim${side}`,
      type: 'static' as const,
      material: 'wood',
      position: (isX ? [way * across, rim, 0] : [0, rim, way * across]) as Vec3,
      shape: { box: (isX ? [thick, rim, half] : [along, rim, thick]) as Vec3 },
    };
  });
}

export const gummyBears: DemoScene = {
  id: 'gummy-bears',
  title: 'Gummy bears',
  description:
    'Soft bears fall into a tray. A cage of 310 tetrahedra each is solved, friction with it; the surface that it ' +
    'carries is drawn. Pull at an ear.',
  amount: { label: 'Bears', least: 1, most: 12, step: 1, usual: USUAL, tested: 3 },
  parameters: [
    { key: 'young', label: 'Stiffness, kPa', least: 30, most: 400, step: 10, usual: 90, live: true },
    { key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.5, live: true },
    { key: 'damping', label: 'Damping, ms', least: 0, most: 50, step: 1, usual: 25, live: true },
    { key: 'collision', label: 'What touches', options: { cage: 0, 'what is seen': 1 }, usual: 0 },
  ],
  build(amount = USUAL, values: Values = {}) {
    return tidy({
      version: 1,
      title: 'Gummy bears',
      description: 'Soft bears fall into a tray; coarse tetrahedra carry what is drawn',
      materials: { floor: { density: 2000, friction: 0.5 }, wood: { density: 700, friction: 0.4 } },
      bodies: [GROUND, ...rims()],
      solids: Array.from({ length: amount }, (_, i) => ({
        ...{ name: nameOf(i), ...bear, ...placeOf(i) },
        ...{ radius: RADIUS, density: 1200, poissonRatio: 0.4 },
        collision: values.collision === 1 ? ('surface' as const) : ('boundary' as const),
        ...materialOf(values),
      })),
    });
  },
  tune(values, tuner) {
    tuner.setSolids(materialOf(values));
  },
  camera: { target: [0, 0.16, 0], distance: 1.9, yaw: 0.4, pitch: 0.46, width: 1.2 },
  promise: 'the bears lie in the tray or beside it, of the volume they had to 10 %',
  seconds: 6,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    for (const name of result.solids) {
      const now = result.endPoints(name);
      const change = volumeOf(bear.tetrahedra, now) / volumeOf(bear.tetrahedra, result.startPoints(name)) - 1;
      if (!(Math.abs(change) < 0.1)) return `the volume of ${name} has changed by ${100 * change} %`;
      for (let k = 0; k < now.length; k++) {
        if (!(Math.abs(now[k]) < 1)) return `${name} lies ${now[k]} m away`;
      }
    }
    return null;
  },
  solids: (name) => ({ color: COLORS[Number(name.slice(4)) % COLORS.length], opacity: 0.86 }),
};

function materialOf(values: Values) {
  return {
    youngModulus: 1000 * Number(values.young ?? 90),
    friction: Number(values.friction ?? 0.5),
    damping: 0.001 * Number(values.damping ?? 25),
  };
}
