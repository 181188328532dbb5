// A rope around a drum, a weight at one end, a hoist with a force gauge at the other: Euler's and Eytelwein's formula.

import { vec3 } from 'gl-matrix';
import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type KeyFile,
  type Probe,
  pointAt,
  type SceneResult,
  soundness,
  tidy,
  turn,
  type Values,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { onePassRival } from './rivals';

const DRUM = 0.22; // radius [m]
const ROPE = 0.011; // radius [m]
const REACH = DRUM + ROPE; // of the rope's centre line [m]
const HEIGHT = 1.75; // of the drum's axis [m]
const WEIGHT = 1.5; // [kg]
const FRICTION = 0.25;
const TURNS = 1; // beyond the half turn over the top
const CORNERS = 16; // of the rope in half a turn
const PITCH = 3.2 * ROPE; // from turn to turn along the drum [m]
const HANG = 0.75; // of the rope from the drum to the weight [m]
const PULL = 0.55; // from the drum to the hoist [m]
const DENSITY = 100; // [kg/m³]
const STIFF = 4e7; // modulus of stretch [Pa]
const STROKE = 0.16; // of the hoist [m]
const START = 0.5; // of the hoist [s]
const HALF_PERIOD = 5; // of the hoist, down or up [s]

const turnsOf = (values?: Values) => Number(values?.turns ?? TURNS);
const frictionOf = (values?: Values) => Number(values?.friction ?? FRICTION);
const angleOf = (turns: number) => Math.PI * (1 + 2 * turns);
const cornersOf = (turns: number) => CORNERS * (1 + 2 * turns);
const TURN = Math.PI / CORNERS; // at a corner [rad]
const EDGE = 2 * REACH * Math.tan(TURN / 2); // [m]
const LEAD = Math.round(HANG / EDGE); // edges between weight and drum
const TAIL = Math.round(PULL / EDGE);

/** T2/T1 at which a polygon with equal corners slips, Coulomb's law at each: [((c + μs)/(c − μs))ⁿ]. */
export function discreteCapstan(mu: number, angle: number, corners: number): number {
  const [c, s] = [Math.cos(angle / corners / 2), Math.sin(angle / corners / 2)];
  return ((c + mu * s) / (c - mu * s)) ** corners;
}

/** From the weight up, around and down to the hoist. */
function ropePoints(turns: number): Vec3[] {
  const corners = cornersOf(turns);
  const corner = REACH / Math.cos(TURN / 2);
  const depth = (k: number) => PITCH * turns * (0.5 - k / (corners - 1));
  const points: Vec3[] = [];
  for (let i = LEAD; i > 0; i--) points.push([-REACH, HEIGHT - (i - 0.5) * EDGE, depth(0)]);
  for (let k = 0; k < corners; k++) {
    const angle = Math.PI - (k + 0.5) * TURN;
    points.push([corner * Math.cos(angle), HEIGHT + corner * Math.sin(angle), depth(k)]);
  }
  for (let i = 1; i <= TAIL; i++) points.push([REACH, HEIGHT - (i - 0.5) * EDGE, depth(corners - 1)]);
  return points;
}

/** The same points laid out straight. */
function laidOut(points: readonly Vec3[]): Vec3[] {
  let at = 0;
  return points.map((point, i) => {
    if (i > 0) at += vec3.distance(point, points[i - 1]);
    return [at, 0, 0];
  });
}

/** Down and up again, at one speed. */
function hoist([x, y, z]: Vec3): KeyFile[] {
  const keys: KeyFile[] = [];
  for (let k = 0; k <= 20; k++) {
    keys.push({ time: START + k * HALF_PERIOD, position: [x, y - (k % 2) * STROKE, z] });
  }
  return keys;
}

export const capstan: DemoScene = {
  id: 'capstan',
  title: 'Capstan',
  description:
    'A rope round a fixed drum: each further turn multiplies what the hoist must pull, and the gauges show by ' +
    'how much.',
  build(_amount, values) {
    const points = ropePoints(turnsOf(values));
    const [start, end] = [points[0], points[points.length - 1]];
    const half: Vec3 = [0.09, 0.09, 0.09];

    const bodies: BodyFile[] = [
      GROUND,
      {
        name: 'drum',
        type: 'static',
        material: 'drum',
        position: [0, HEIGHT, 0],
        rotation: turn([1, 0, 0], Math.PI / 2),
        shape: { cylinder: [DRUM, 0.2] },
      },
      {
        name: 'post',
        type: 'static',
        material: 'frame',
        position: [0, (HEIGHT + 0.3) / 2, -0.27],
        shape: { box: [0.16, (HEIGHT + 0.3) / 2, 0.06] },
      },
      {
        name: 'rail',
        type: 'static',
        material: 'steel',
        position: [end[0], HEIGHT / 2 - 0.2, end[2] - 0.13],
        shape: { box: [0.03, HEIGHT / 2 - 0.2, 0.03] },
      },
      {
        name: 'weight',
        material: 'iron',
        mass: WEIGHT,
        position: [start[0], start[1] - half[1], start[2]],
        angularDamping: 1,
        canSleep: false,
        shape: { box: half },
      },
      {
        name: 'hoist',
        type: 'kinematic',
        material: 'brass',
        position: [end[0], end[1] - 0.06, end[2]],
        shape: { cylinder: [0.07, 0.06] },
      },
    ];

    return tidy({
      version: 1,
      title: 'Capstan',
      description: 'A rope around a fixed drum between a weight and a hoist',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        drum: { density: 2000, friction: 1, restitution: 0 },
        frame: { density: 2000, friction: 0.3, restitution: 0 },
        iron: { density: 7800, friction: 0.5, restitution: 0 },
        steel: { density: 7800, friction: 0.5, restitution: 0 },
        brass: { density: 8500, friction: 0.5, restitution: 0 },
      },
      bodies,
      rods: [
        {
          name: 'rope',
          points,
          restPoints: laidOut(points),
          radius: ROPE,
          density: DENSITY,
          youngModulus: 2e4,
          stretchModulus: STIFF,
          damping: 0.001,
          friction: frictionOf(values) ** 2,
          attachStart: 'weight',
          attachEnd: 'hoist',
        },
      ],
      motions: [{ body: 'hoist', keys: hoist([end[0], end[1] - 0.06, end[2]]) }],
      solver: { admmIterations: 40 },
    });
  },
  parameters: [
    { key: 'friction', label: 'friction', least: 0, most: 0.4, step: 0.01, usual: FRICTION, live: true },
    { key: 'turns', label: 'full turns', least: 0, most: 2, step: 1, usual: TURNS },
  ],
  tune: (values, tuner) => tuner.setRod('rope', { friction: frictionOf(values) ** 2 }),
  instruments: [
    {
      kind: 'gauge',
      id: 'weight-side',
      label: 'Rope at the weight, T1',
      unit: 'N',
      most: () => 2 * WEIGHT * 9.81,
      levels: () => [{ label: 'weight', value: WEIGHT * 9.81 }],
      read: (probe) => tensionsOf(probe).held,
    },
    {
      kind: 'gauge',
      id: 'hoist-side',
      label: 'Rope at the hoist, T2',
      unit: 'N',
      most: (values) => 1.25 * WEIGHT * 9.81 * slipRatio(values),
      levels: (values) => [{ label: 'slips at', value: WEIGHT * 9.81 * slipRatio(values) }],
      read: (probe) => tensionsOf(probe).pulled,
    },
    {
      kind: 'chart',
      id: 'ratio',
      title: 'T2 / T1 over time',
      xLabel: 'time [s]',
      yLabel: '',
      keep: 900,
      label: 'Exact friction',
      color: '#f0a95c',
      levels(values) {
        const ratio = slipRatio(values);
        const label =
          `discrete formula ${ratio.toFixed(2)}, e^μθ ` +
          `${Math.exp(frictionOf(values) * angleOf(turnsOf(values))).toFixed(2)}`;
        return [
          { label, value: ratio },
          { label: '', value: 1 / ratio },
        ];
      },
      read(probe) {
        const { held, pulled } = tensionsOf(probe);
        return held > 0.2 * WEIGHT * 9.81 ? [probe.time, pulled / held] : null;
      },
    },
  ],
  camera: { target: [0, 1.12, 0], distance: 3.1, yaw: 0.36, pitch: 0.1, upright: true },
  promise: 'while it pulls, T₂/T₁ is within 5 % of the formula',
  seconds: 4,
  check(result: SceneResult) {
    const sound = soundness(result);
    if (sound) return sound;
    // A second after the hoist turned back the rope slips all around; let down, it slips the other way.
    const pulling = (result.time - START) % (2 * HALF_PERIOD);
    if (pulling < 1 || pulling > HALF_PERIOD - 0.1) return null;
    const rise = result.end('weight').position[1] - result.start('weight').position[1];
    if (pulling >= 3 && rise < 0.06) return `the weight rose by ${rise} m only`;
    const { held, pulled } = tensions(result.startPoints('rope'), result.endPoints('rope'));
    const wanted = discreteCapstan(FRICTION, angleOf(TURNS), cornersOf(TURNS));
    const ratio = pulled / held;
    return Math.abs(ratio / wanted - 1) < 0.05 ? null : `T2/T1 is ${ratio}, the formula says ${wanted}`;
  },
  rival: {
    ...onePassRival(
      'Turn upon turn the grip multiplies; one pass takes a little of it from each, and the weight runs down.',
    ),
    counter: {
      label: 'weight sank',
      read: (result) => Math.max(result.start('weight').position[1] - result.end('weight').position[1], 0),
    },
  },
  paint: (name) => (name === 'drum' ? '#b98a56' : name === 'weight' ? PALETTE.terracotta : undefined),
  strands: () => ({ finish: 'rope', colors: ['#e2d2ae'] }),
};

/** Tension of the rope where it comes to the drum and where it leaves it, from its stretch there [N]. */
function tensions(start: Float64Array, now: Float64Array): { held: number; pulled: number } {
  const lengthOf = (points: Float64Array, edge: number) =>
    vec3.distance(pointAt(points, 3 * edge), pointAt(points, 3 * edge + 3));
  const mean = (first: number) => {
    let stretch = 0;
    for (let edge = first; edge < first + 3; edge++) stretch += lengthOf(now, edge) / lengthOf(start, edge) - 1;
    return (STIFF * Math.PI * ROPE * ROPE * stretch) / 3;
  };
  const edges = now.length / 3 - 1;
  return { held: mean(LEAD - 6), pulled: mean(edges - TAIL + 1) };
}

function tensionsOf(probe: Probe): { held: number; pulled: number } {
  return tensions(probe.startPoints('rope'), probe.points('rope'));
}

/** T2/T1 at which the rope of the scene slips. */
function slipRatio(values: Values): number {
  return discreteCapstan(frictionOf(values), angleOf(turnsOf(values)), cornersOf(turnsOf(values)));
}
