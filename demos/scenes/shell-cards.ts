// A house of cards that bend: each card is a sheet, and stands by friction alone.

import { vec3 } from 'gl-matrix';
import {
  type DemoScene,
  GROUND,
  pointAt,
  type SceneResult,
  type ShellFile,
  soundness,
  tidy,
  type Values,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { fourIterationsRival } from './rivals';
import { sheet } from './sheets';

const [WIDE, LONG] = [0.64, 0.9]; // of a card [m]
const THICKNESS = 0.008; // [m]
const TILT = 0.3; // from upright [rad]
const GAP = 0.0005; // between cards [m]
const LEVELS = 3;
/** How far cards of the house that stands go at most, of which they bend under the load 3 mm [m]. */
const MOST = 0.005;
const [ACROSS, ALONG] = [5, 7]; // vertices
/** Mass [kg/m²], bending modulus and the softer one of stretching [Pa]. */
const [DENSITY, BENDING, STRETCH] = [250, 2e9, 5e7];

interface Card {
  name: string;
  /** Middle of the card [m]. */
  middle: Vec3;
  /** Unit vector along its longer side. */
  along: Vec3;
}

const [SINE, COSINE] = [Math.sin(TILT), Math.cos(TILT)];
/** Half the distance between the feet of a pair, middles [m]. */
const REACH = LONG * SINE;
/** Between the tops of neighbouring pairs [m]. */
const PITCH = 2 * (REACH + THICKNESS / (2 * COSINE)) + 0.02;

function cards(): Card[] {
  const found: Card[] = [];
  let foot = THICKNESS / 2;
  for (let level = 0; level < LEVELS; level++) {
    const pairs = LEVELS - level;
    const middle = foot + (LONG * COSINE) / 2;
    for (let i = 0; i < pairs; i++) {
      const top = (i - (pairs - 1) / 2) * PITCH;
      for (const side of [-1, 1]) {
        // The two meet at the top: half a thickness, slanted, from the middle.
        const head = top + side * (THICKNESS / (2 * COSINE) + GAP);
        found.push({
          name: `leaning-${level}-${i}${side < 0 ? 'a' : 'b'}`,
          middle: [head + (side * REACH) / 2, middle, 0],
          along: [-side * SINE, COSINE, 0],
        });
      }
    }
    // Contact of rounded edges: half a thickness from the middle on either side.
    foot += LONG * COSINE + THICKNESS + GAP;
    for (let i = 0; i + 1 < pairs; i++) {
      found.push({ name: `flat-${level}-${i}`, middle: [(i - (pairs - 2) / 2) * PITCH, foot, 0], along: [1, 0, 0] });
    }
    foot += THICKNESS + GAP;
  }
  return found;
}

function shellOf({ name, middle, along }: Card, friction: number): ShellFile {
  const length = name.startsWith('flat') ? PITCH - 0.01 : LONG;
  const { vertices, triangles } = sheet(ACROSS, ALONG, (u, v) => [
    middle[0] + length * (v - 0.5) * along[0],
    middle[1] + length * (v - 0.5) * along[1],
    WIDE * (u - 0.5),
  ]);
  return {
    name,
    vertices,
    triangles,
    thickness: THICKNESS,
    density: DENSITY,
    stretchModulus: STRETCH,
    bendingModulus: BENDING,
    poissonRatio: 0.3,
    damping: 0.002,
    friction,
  };
}

export const shellCards: DemoScene = {
  id: 'shell-cards',
  title: 'House of bending cards',
  description: 'Cards that bend, held by exact friction alone. At 0.6 the house stands; at 0.2 it must fall: try it.',
  parameters: [{ key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.6 }],
  build(_amount, values: Values = {}) {
    const friction = Number(values.friction ?? 0.6);
    return tidy({
      version: 1,
      title: 'House of bending cards',
      description: 'Three levels of leaning pairs of sheets',
      materials: { floor: { density: 2000, friction } },
      bodies: [GROUND],
      shells: cards().map((card) => shellOf(card, friction)),
    });
  },
  camera: { target: [0, 1.25, 0], distance: 5.6, yaw: 0.5, pitch: 0.12, width: 2.6 },
  promise: 'no card bends or moves by 5 mm',
  seconds: 2,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    const drift = worstOf(result);
    return drift < MOST ? null : `a card bent or went by ${drift} m; the house must stand`;
  },
  rival: {
    ...fourIterationsRival(
      'Each card leans on friction at its edges: 16 sweeps leave it too small, and feet slide at once.',
    ),
    counter: { label: 'a card moved', read: worstOf },
  },
  shells: (name) => ({
    finish: 'paper',
    colors: [PALETTE.cream, name.startsWith('flat') ? PALETTE.sea : PALETTE.terracotta],
    pattern: { kind: 'card', size: [WIDE, LONG] },
    flat: (vertex) => [(WIDE * (vertex % ACROSS)) / (ACROSS - 1), (LONG * Math.floor(vertex / ACROSS)) / (ALONG - 1)],
  }),
};

/** Longest way of any vertex of any card [m]. */
function worstOf(result: SceneResult): number {
  return Math.max(...result.shells.map((name) => furthest(result.startPoints(name), result.endPoints(name))));
}

/** Longest way of a vertex [m]. */
function furthest(from: ArrayLike<number>, to: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < from.length; k += 3) most = Math.max(most, vec3.distance(pointAt(to, k), pointAt(from, k)));
  return most;
}
