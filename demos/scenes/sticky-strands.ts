// A patch of fibres hangs down and a ball swings through it: with cohesion they clump and stick to the ball (Daviet
// 2020, Fig. 6).

import { vec3 } from 'gl-matrix';
import {
  type DemoScene,
  GROUND,
  type KeyFile,
  pointAt,
  type SceneResult,
  scatter,
  soundness,
  tidy,
  type Values,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { strandFile } from './strand-file';

const FIBRE = 1e-4; // radius [m]
const LENGTH = 0.3; // [m]
const EDGES = 28;
const TOP = 0.56; // height of the roots [m]
const PATCH = 0.048; // radius [m]
const BALL = 0.045; // radius [m]
const LEVEL = 0.34; // height of the ball [m]
/** Catches the shadow, out of reach of fibres and ball: radius, half height [m]. */
const PLINTH: [number, number] = [0.28, 0.06];
const USUAL = 400;
const FRICTION = 0.3;
/** Most a contact pulls: the weight of some centimetres of fibre [N]. */
const COHESION = 4e-5;
/** The ball's path is an ellipse with these half axes [m], run through in this time [s]. */
const [ALONG, ACROSS, ROUND] = [0.17, 0.035, 3.2];

function fibres(count: number): Uint8Array {
  const random = scatter(6);
  const strands: Vec3[][] = [];
  for (let s = 0; s < count; s++) {
    const out = PATCH * Math.sqrt((s + 0.5) / count);
    const around = s * Math.PI * (3 - Math.sqrt(5));
    const root: Vec3 = [out * Math.cos(around), TOP, out * Math.sin(around)];
    const [lean, turn] = [0.008 * random(), 2 * Math.PI * random()];
    const length = LENGTH * (0.94 + 0.06 * random());
    strands.push(
      Array.from({ length: EDGES + 1 }, (_, i) => {
        const t = i / EDGES;
        const away = 0.1 * t * out + lean * t * t;
        return [
          root[0] + away * Math.cos(around) + 0.3 * lean * t * Math.cos(turn),
          TOP - length * t,
          root[2] + away * Math.sin(around) + 0.3 * lean * t * Math.sin(turn),
        ];
      }),
    );
  }
  return strandFile(strands);
}

/** Waits beside the patch, then circles through it, the middle of the path in the middle of the patch. */
function path(): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: [ALONG, LEVEL, 0] }];
  const rate = 30;
  for (let k = 1; k <= ROUND * rate; k++) {
    const angle = (2 * Math.PI * k) / (ROUND * rate);
    // Slower at the ends, where the strands decide whether to let go.
    keys.push({
      time: 0.6 + k / rate,
      position: [ALONG * Math.cos(angle), LEVEL + 0.012 * Math.sin(2 * angle), ACROSS * Math.sin(angle)],
    });
  }
  keys.push({ time: 0.6 + ROUND + 0.6, position: [ALONG, LEVEL, 0] });
  return keys;
}

const numbers = (values: Values | undefined) => ({
  cohesion: (values?.cohesion ?? true) ? COHESION : 0,
  friction: Number(values?.friction ?? FRICTION),
});

function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  const ball = result.end('ball').position;
  const points = result.endPoints('fibres');
  for (let k = 0; k < points.length; k += 3) {
    const distance = vec3.distance(pointAt(points, k), ball);
    if (distance < BALL - 1e-3) return `a fibre is ${BALL - distance} m inside the ball`;
    if (points[k + 1] < TOP - 1.1 * LENGTH) return `a fibre has been stretched to ${TOP - points[k + 1]} m`;
  }
  return result.strandContacts > 50 ? null : `only ${result.strandContacts} contacts: nothing sticks`;
}

export const stickyStrands: DemoScene = {
  id: 'sticky-strands',
  title: 'Sticky strands',
  description: 'Wet fibres clump and cling to a ball. Switch cohesion off and they let go.',
  build: (_amount, values) =>
    tidy({
      version: 1,
      title: 'Sticky strands',
      description: 'A patch of cohesive fibres and a ball that swings through it',
      materials: {
        floor: { density: 2000, friction: 0.5, restitution: 0 },
        wood: { density: 600, friction: 0.4, restitution: 0 },
        ceramic: { density: 2400, friction: 0.3, restitution: 0 },
      },
      bodies: [
        GROUND,
        {
          name: 'holder',
          type: 'static',
          material: 'wood',
          position: [0, TOP + 0.0105, 0],
          shape: { cylinder: [PATCH + 0.012, 0.01] },
        },
        { name: 'ball', type: 'kinematic', material: 'ceramic', position: [ALONG, LEVEL, 0], shape: { sphere: BALL } },
        { name: 'plinth', type: 'static', material: 'ceramic', position: [0, 0.06, 0], shape: { cylinder: PLINTH } },
      ],
      grooms: [
        {
          name: 'fibres',
          file: 'fibres.data',
          rod: { radius: FIBRE, youngModulus: 2e9, stretchModulus: 1e6, ...numbers(values) },
        },
      ],
      motions: [{ body: 'ball', keys: path(), loop: true }],
    }),
  files: (amount = USUAL) => new Map([['fibres.data', fibres(amount)]]),
  amount: { label: 'strands', least: 100, most: 2000, step: 50, usual: USUAL, tested: 100 },
  parameters: [
    { key: 'cohesion', label: 'cohesion', usual: true, live: true },
    { key: 'friction', label: 'friction', least: 0, most: 0.8, step: 0.05, usual: FRICTION, live: true },
  ],
  tune: (values, tuner) => tuner.setRod('fibres', numbers(values)),
  camera: { target: [0, 0.31, 0], distance: 0.94, yaw: 0.35, pitch: 0.16, sun: 1.1, portrait: { width: 0.42 } },
  promise: 'fibres cling, none enters the ball or stretches by 10 %',
  seconds: 2,
  check,
  paint: (name) => (name === 'ball' ? PALETTE.terracotta : name === 'plinth' ? PALETTE.cream : undefined),
  strands: () => ({ finish: 'hair', colors: ['#b98a3c', '#d9b15f', '#8f6a2e'], radius: 2.4e-4, wet: 1 }),
};
