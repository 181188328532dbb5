// Joints of a rope's end that give way: lines that break at 100 N under weights that a table lets go, and boxes in
// spring scales of two frequencies. Statics says which line breaks (m g) and how far a spring sags (g/ω²).

import { type BodyFile, type DemoScene, GROUND, type RodFile, soundness, tidy, type Vec3 } from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE, SUNSET } from './palette';

const G = 9.81;
const STRENGTH = 100; // of each line [N]
const MASSES = [6, 8, 9.5, 11, 14]; // [kg]
const FREQUENCIES = [1, 0.7]; // of the scales' springs [1/s]
const BOX = 5; // in a scale [kg]

const BEAM = 2.3; // height of its lower side [m]
const LINE = 0.8; // [m]
const POINTS = 9; // of a line
const SPACE = 0.42; // from line to line [m]
const HALF = 0.14; // half height of a weight [m]
const CASE = 0.7; // of a scale: length of its case, and of the bar that comes out of it [m]
const HOOK = 0.06; // rope in a case [m]

const placeOf = (i: number): number => (i - (MASSES.length - 1) / 2) * SPACE - 0.5;
const scaleAt = (i: number): number => placeOf(MASSES.length) + 0.25 + 0.6 * i;
/** The table lets the weights go as slowly as that no line is jerked, and makes room below. */
const [LET_GO, ROOM] = [2.3, 3.8]; // [s]
const TABLE = BEAM - LINE - 2 * HALF; // height of its top at the start [m]

/** A cylinder of iron of this mass, as high as all others. */
const radiusOf = (mass: number): number => Math.sqrt(mass / (7800 * Math.PI * 2 * HALF)) * 1.6;

const ROPE = { radius: 0.006, density: 1100, youngModulus: 5e6, stretchModulus: 1e9, damping: 0.01, clampStart: true };

function line(name: string, x: number, length: number, points: number): RodFile {
  const at = (i: number): Vec3 => [x, BEAM - (length * i) / (points - 1), 0];
  return { name, ...ROPE, layers: 0, mask: 0, points: Array.from({ length: points }, (_, i) => at(i)) };
}

function bodies(): BodyFile[] {
  const weights = MASSES.map(
    (mass, i): BodyFile => ({
      ...{ name: `weight-${i}`, material: 'iron', mass, canSleep: false },
      position: [placeOf(i), TABLE + HALF, 0],
      shape: { cylinder: [radiusOf(mass), HALF] },
    }),
  );

  const boxes = FREQUENCIES.map(
    (_, i): BodyFile => ({
      ...{ name: `box-${i}`, material: 'wood', mass: BOX, canSleep: false, lockRotation: [true, true, true] },
      position: [scaleAt(i), BEAM - HOOK - CASE, 0],
      layers: 2,
      mask: 2,
      shape: {
        compound: [
          { position: [0, CASE / 2, 0], shape: { cylinder: [0.02, CASE / 2] } },
          { position: [0, -0.12, 0], shape: { box: [0.12, 0.12, 0.12] } },
        ],
      },
    }),
  );

  const cases = FREQUENCIES.map(
    (_, i): BodyFile => ({
      ...{ name: `case-${i}`, type: 'static', material: 'iron', layers: 4, mask: 4 },
      position: [scaleAt(i), BEAM - CASE / 2, 0],
      shape: { cylinder: [0.055, CASE / 2] },
    }),
  );

  const span = scaleAt(1) - placeOf(0);
  const middle = (scaleAt(1) + placeOf(0)) / 2;

  const posts = [-1, 1].map(
    (side): BodyFile => ({
      ...{ name: `post-${side}`, type: 'static', material: 'wood' },
      position: [middle + side * (span / 2 + 0.45), BEAM / 2, 0],
      shape: { box: [0.07, BEAM / 2, 0.07] },
    }),
  );

  return [
    GROUND,
    ...weights,
    ...boxes,
    ...cases,
    ...posts,
    {
      ...{ name: 'beam', type: 'static', material: 'wood', position: [middle, BEAM + 0.07, 0] },
      shape: { box: [span / 2 + 0.6, 0.07, 0.1] },
    },
    {
      ...{ name: 'table', type: 'kinematic', material: 'felt', position: [placeOf(2), TABLE - 0.05, 0] },
      shape: { box: [2.6 * SPACE, 0.05, 0.25] },
    },
  ];
}

function joints(): JointFile[] {
  const lines = MASSES.map(
    (_, i): JointFile => ({
      type: 'ball',
      ends: [{ rod: `line-${i}`, node: POINTS - 1 }, { body: `weight-${i}` }],
      anchor: [placeOf(i), TABLE + 2 * HALF, 0],
      breakForce: STRENGTH,
    }),
  );
  const springs = FREQUENCIES.map(
    (frequency, i): JointFile => ({
      type: 'ball',
      ends: [{ rod: `hook-${i}`, node: 2 }, { body: `box-${i}` }],
      anchor: [scaleAt(i), BEAM - HOOK, 0],
      spring: { frequency, dampingRatio: 0.4 },
    }),
  );
  return [...lines, ...springs];
}

const sagOf = (frequency: number): number => G / (2 * Math.PI * frequency) ** 2;

export const strengths: DemoScene = {
  id: 'strengths',
  title: 'Breaking strain',
  description: 'A table lets go of weights on lines that break at 100 N; boxes sink in spring scales of 1 and 0.7 Hz.',
  build: () =>
    tidy({
      version: 1,
      title: 'Breaking strain',
      description: 'Joints of ropes that break above a force, and joints that are springs',
      gravity: [0, -G, 0],
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        iron: { density: 7800, friction: 0.5, restitution: 0 },
        wood: { density: 700, friction: 0.5, restitution: 0 },
        felt: { density: 300, friction: 0.6, restitution: 0 },
      },
      bodies: bodies(),
      rods: [
        ...MASSES.map((_, i) => line(`line-${i}`, placeOf(i), LINE, POINTS)),
        ...FREQUENCIES.map((_, i) => line(`hook-${i}`, scaleAt(i), HOOK, 3)),
      ],
      joints: joints(),
      motions: [
        {
          body: 'table',
          keys: [
            { time: 0, position: [placeOf(2), TABLE - 0.05, 0] },
            { time: LET_GO, position: [placeOf(2), TABLE - 0.05 - 0.002 * LET_GO, 0] },
            { time: ROOM, position: [placeOf(2), TABLE - 0.7, 0] },
          ],
        },
      ],
    }),
  camera: { target: [0.1, 1.3, 0], distance: 5.2, yaw: 0.25, pitch: 0.14, width: 4.7 },
  promise: 'lines of 100 N bear 59, 78 and 93 N and let 108 and 137 N go; boxes sink 24.8 and 50.7 cm, to 2 mm',
  seconds: 9,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    for (const [i, mass] of MASSES.entries()) {
      const fallen = result.start(`weight-${i}`).position[1] - result.end(`weight-${i}`).position[1];
      if (fallen > 0.2 !== mass * G > STRENGTH) return `the line of ${mass} kg ${fallen > 0.2 ? 'broke' : 'held'}`;
    }
    for (const [i, frequency] of FREQUENCIES.entries()) {
      const sag = result.start(`box-${i}`).position[1] - result.end(`box-${i}`).position[1];
      const off = 1000 * Math.abs(sag - sagOf(frequency));
      if (!(off < 2)) return `the box of ${frequency} Hz hangs ${off.toFixed(2)} mm from where it should`;
    }
    return null;
  },
  label(name) {
    if (name.startsWith('weight')) return `${MASSES[+name[7]]} kg`;
    return name.startsWith('box') ? `${FREQUENCIES[+name[4]]} Hz` : undefined;
  },
  paint: (name) => {
    if (name.startsWith('weight')) return SUNSET[+name[7]];
    if (name.startsWith('box')) return PALETTE.terracotta;
    if (name.startsWith('case')) return PALETTE.saffron;
    return name === 'table' ? PALETTE.sand : undefined;
  },
  strands: () => ({ finish: 'rope', colors: ['#cdbb96'], radius: 0.009 }),
};
