// The scenes that every engine gets, as scene files of version 1, and what to measure on each.
//
// `buildScene(name)` gives { scene, measure }. The scene is data of the published format: ours reads it as it is, the
// peers through their adapters. Friction is one number a scene; statics come first and are boxes; masses are explicit.
// `measure`: steps; standTolerance: largest displacement of a body that still stands [m]; expectStand; settle: the step
// from which late motion counts; slope, slide, pile: the analytic answer; sleep: engines keep their sleeping on;
// quality false: only time is measured. Of scenes with joints (joint-scenes.mjs) the gaps of all are measured.

import { JOINT_SCENES } from './joint-scenes.mjs';
import { axisAngle, multiply, rotate } from './vectors.mjs';

const DEGREES = Math.PI / 180;
const GRAVITY = 9.81;
const NO_TURN = [0, 0, 0, 1];
const DENSITY = 1000;
const BLOCK = [0.5, 0.5, 0.5];
const STANDS = { steps: 600, expectStand: true, standTolerance: 0.25 };

const boxMass = ([x, y, z]) => DENSITY * (8 * x * y * z);

/** A moving box. */
function box(half, position, rotation = NO_TURN, extra = {}) {
  return { material: 'm', position, rotation, mass: boxMass(half), ...extra, shape: { box: half } };
}

/** A fixed box. */
function fixed(half, position, rotation = NO_TURN) {
  return { type: 'static', material: 'm', position, rotation, shape: { box: half } };
}

const ground = () => fixed([100, 1, 100], [0, -1, 0]);

function makeScene(friction, statics, bodies, measure, joints = []) {
  const scene = {
    version: 1,
    gravity: [0, -GRAVITY, 0],
    timeStep: 1 / 60,
    materials: { m: { density: DENSITY, friction, restitution: 0 } },
    bodies: [
      ...statics.map((body, i) => ({ name: `static-${i}`, ...body })),
      ...bodies.map((body, i) => ({ name: `body-${i}`, ...body })),
    ],
    ...(joints.length > 0 && { joints }),
  };
  return { scene, measure };
}

/** A flat pyramid of unit boxes with gaps of 5 cm. */
function pyramid(base) {
  const bodies = [];
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) bodies.push(box(BLOCK, [(i - (base - row - 1) / 2) * 1.05, 0.5 + row, 0]));
  }
  return makeScene(0.6, [ground()], bodies, STANDS);
}

/** A pyramid with square layers. */
function squarePyramid(base) {
  const bodies = [];
  for (let row = 0; row < base; row++) {
    const n = base - row;
    const at = (i) => (i - (n - 1) / 2) * 1.05;
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) bodies.push(box(BLOCK, [at(i), 0.5 + row, at(k)]));
  }
  return makeScene(0.6, [ground()], bodies, STANDS);
}

/** Ten boxes in a column, the top one `ratio` times as heavy as each other. */
function stack(ratio) {
  const bodies = Array.from({ length: 10 }, (_, i) =>
    box(BLOCK, [0, 0.5 + i, 0], NO_TURN, { mass: i === 9 ? 10 * ratio : 10 }),
  );
  return makeScene(0.6, [ground()], bodies, { ...STANDS, standTolerance: 0.5 });
}

/** A column of unit boxes, 20 s if not told otherwise. */
function tower(height, measure = { steps: 1200 }) {
  const bodies = Array.from({ length: height }, (_, i) => box(BLOCK, [0, 0.5 + i, 0]));
  return makeScene(0.6, [ground()], bodies, measure);
}

/**
 * A wall in running bond, `length` bricks long, every other course with half bricks at its ends; open joints of 1 cm.
 */
function wall(courses, length) {
  const half = [0.5, 0.25, 0.25];
  const halfBrick = [0.245, 0.25, 0.25];
  const pitch = 1.01;
  const bodies = [];
  for (let row = 0; row < courses; row++) {
    const y = 0.25 + 0.5 * row;
    const isWhole = row % 2 === 1;
    const count = isWhole ? length : length - 1;
    for (let i = 0; i < count; i++) bodies.push(box(half, [(i - (count - 1) / 2) * pitch, y, 0]));
    const end = (length * pitch - pitch / 2) / 2;
    if (!isWhole) for (const x of [-end, end]) bodies.push(box(halfBrick, [x, y, 0]));
  }
  return makeScene(0.6, [ground()], bodies, STANDS);
}

/** Numbers 0..1 from a seed, the same everywhere (a public-domain 32-bit generator by T. Ettinger). */
function seededNumbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` boxes, spheres and capsules of many sizes rain into a walled box `width` metres wide. */
function pile(count, width) {
  const random = seededNumbers(12345);
  const draw = (from, to) => from + (to - from) * random();
  const pitch = 0.95;
  const row = Math.floor(width / pitch);
  const wall = 30; // half height
  const statics = [
    fixed([width, 1, width], [0, -1, 0]),
    fixed([1, wall, width / 2 + 2], [width / 2 + 1, wall, 0]),
    fixed([1, wall, width / 2 + 2], [-width / 2 - 1, wall, 0]),
    fixed([width / 2 + 2, wall, 1], [0, wall, width / 2 + 1]),
    fixed([width / 2 + 2, wall, 1], [0, wall, -width / 2 - 1]),
  ];
  const bodies = [];
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / (row * row));
    const place = i % (row * row);
    const x = ((place % row) - (row - 1) / 2) * pitch;
    const z = (Math.floor(place / row) - (row - 1) / 2) * pitch;
    const [shape, mass] = drawShape(i % 3, draw);
    const rotation = axisAngle(shape.box ? [0, 1, 0] : [0, 0, 1], draw(0, Math.PI));
    const position = [x + draw(-0.03, 0.03), 1 + layer * pitch, z + draw(-0.03, 0.03)];
    bodies.push({ material: 'm', position, rotation, mass, shape });
  }
  return makeScene(0.5, statics, bodies, { steps: 900, settle: 600, pile: { width } });
}

function drawShape(kind, draw) {
  if (kind === 0) {
    const half = [draw(0.15, 0.3), draw(0.15, 0.3), draw(0.15, 0.3)];
    return [{ box: half }, boxMass(half)];
  }
  if (kind === 1) {
    const radius = draw(0.15, 0.3);
    return [{ sphere: radius }, DENSITY * ((4 / 3) * Math.PI * radius ** 3)];
  }
  const radius = draw(0.1, 0.2);
  const half = draw(0.1, 0.2);
  return [{ capsule: [radius, half] }, DENSITY * (Math.PI * radius ** 2 * 2 * half + (4 / 3) * Math.PI * radius ** 3)];
}

/**
 * A box on a plank whose slope is `ratio` times the friction angle's tangent, all turned
 * about the vertical by `yaw` degrees.
 */
function slope(ratio, yaw = 0, friction = 0.5) {
  const angle = Math.atan(ratio * friction);
  const rotation = multiply(axisAngle([0, 1, 0], yaw * DEGREES), axisAngle([0, 0, 1], angle));
  const normal = rotate(rotation, [0, 1, 0]);
  const plank = fixed(
    [40, 1, 5],
    normal.map((x) => -x),
    rotation,
  );
  const puck = box(
    [0.5, 0.25, 0.5],
    normal.map((x) => x * 0.25),
    rotation,
  );
  const acceleration = ratio > 1 ? GRAVITY * (Math.sin(angle) - friction * Math.cos(angle)) : 0;
  const measure = { steps: 600, slope: { down: rotate(rotation, [-1, 0, 0]), acceleration } };
  return makeScene(friction, [plank], [puck], measure);
}

/** Nine pucks sent off at headings of 0 to 90 degrees: each must stop after v²/(2 µ g). */
function slide(friction = 0.5, speed = 5) {
  const headings = Array.from({ length: 9 }, (_, i) => {
    const angle = i * 11.25 * DEGREES;
    return [Math.cos(angle), 0, Math.sin(angle)];
  });
  const bodies = headings.map((heading, i) =>
    box([0.25, 0.05, 0.25], [0, 0.05, (i - 4) * 8], NO_TURN, { velocity: heading.map((x) => x * speed) }),
  );
  const distance = (speed * speed) / (2 * friction * GRAVITY);
  return makeScene(friction, [ground()], bodies, { steps: 240, slide: { headings, distance } });
}

const CARD = [0.05, 1, 0.6];

/** Two cards that lean on each other above (x, floor), tilted by `angle` [rad]; returns the height of their tops. */
function addPair(bodies, x, floor, angle) {
  const [thick, long] = CARD;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const lowest = Math.min(...[1, -1].flatMap((i) => [1, -1].map((j) => i * long * c - j * thick * s)));
  const y = floor - lowest;
  const left = x - (long * s + thick * c);
  bodies.push(box([...CARD], [left, y, 0], axisAngle([0, 0, 1], -angle)));
  bodies.push(box([...CARD], [2 * x - left, y, 0], axisAngle([0, 0, 1], angle)));
  return y + Math.max(long * c + thick * s, 0);
}

function cards(degrees, expectStand) {
  const bodies = [];
  addPair(bodies, 0, 0, degrees * DEGREES);
  return makeScene(0.6, [ground()], bodies, { ...STANDS, expectStand });
}

/** A house of cards: rows of leaning pairs, neighbours bridged by a flat card. */
function cardHouse(levels, degrees = 20) {
  const bodies = [];
  const angle = degrees * DEGREES;
  const [thick, long, wide] = CARD;
  const pitch = 2 * (2 * long * Math.sin(angle) + 2 * thick * Math.cos(angle)) + 0.02; // between neighbouring apexes
  let floor = 0;
  for (let level = 0; level < levels; level++) {
    const pairs = levels - level;
    let top = 0;
    for (let i = 0; i < pairs; i++) top = addPair(bodies, (i - (pairs - 1) / 2) * pitch, floor, angle);
    for (let i = 0; i < pairs - 1; i++) {
      bodies.push(box([pitch / 2 - 0.005, thick, wide], [(i - (pairs - 2) / 2) * pitch, top + thick, 0]));
    }
    floor = top + 2 * thick;
  }
  return makeScene(0.6, [ground()], bodies, STANDS);
}

/**
 * A semicircular arch of 15 wedges on the ground, mid radius 5 m, `ratio` = thickness / radius. Exact statics of these
 * wedges (a linear program) allows 0.108; the continuous arch 0.1075 (Milankovitch 1907).
 */
function arch(ratio, expectStand = true) {
  const stones = 15;
  const radius = 5;
  const thickness = radius * ratio;
  const bodies = [];
  for (let i = 0; i < stones; i++) {
    const from = (Math.PI * i) / stones;
    const to = (Math.PI * (i + 1)) / stones;
    const inner = radius - thickness / 2;
    const outer = radius + thickness / 2;
    const outline = [
      [inner, from],
      [outer, from],
      [outer, to],
      [inner, to],
    ].map(([r, angle]) => [r * Math.cos(angle), r * Math.sin(angle)]);
    bodies.push(wedge(outline, 0.5));
  }
  return makeScene(0.6, [ground()], bodies, { ...STANDS, expectStand });
}

/** A prism over a quadrangle in the x-y plane, `half` deep to either side, placed by its centroid. */
function wedge(outline, half) {
  let area = 0;
  let x = 0;
  let y = 0;
  outline.forEach(([x0, y0], k) => {
    const [x1, y1] = outline[(k + 1) % 4];
    const f = x0 * y1 - x1 * y0;
    area += f / 2;
    x += ((x0 + x1) * f) / 6;
    y += ((y0 + y1) * f) / 6;
  });
  x /= area;
  y /= area;
  const hull = [-half, half].flatMap((z) => outline.map(([px, py]) => [px - x, py - y, z]));
  return { material: 'm', position: [x, y, 0], rotation: NO_TURN, mass: DENSITY * (area * 2 * half), shape: { hull } };
}

/** Boxes at rest side by side, none touching another: what sleeps should cost nothing. */
function sleepingField(side) {
  const at = (i) => (i - (side - 1) / 2) * 1.5;
  const bodies = Array.from({ length: side * side }, (_, i) =>
    box(BLOCK, [at(i % side), 0.5, at(Math.floor(i / side))]),
  );
  return makeScene(0.6, [ground()], bodies, { steps: 240, settle: 120, sleep: true, quality: false });
}

function jointed({ statics, bodies, joints, friction, measure }) {
  return makeScene(friction, statics, bodies, measure, joints);
}

/** Builders by name. */
export const SCENES = {
  pyramid10: () => pyramid(10),
  pyramid20: () => pyramid(20),
  pyramid3d10: () => squarePyramid(10),
  column100: () => tower(100, STANDS),
  wall500: () => wall(27, 18),
  stack1: () => stack(1),
  stack100: () => stack(100),
  stack1000: () => stack(1000),
  pile1000: () => pile(1000, 6),
  pile4000: () => pile(4000, 10),
  'slope-0.98': () => slope(0.98),
  'slope-0.98-yaw45': () => slope(0.98, 45),
  'slope-1.02': () => slope(1.02),
  'slope-1.02-yaw45': () => slope(1.02, 45),
  'slope-0.998': () => slope(0.998),
  'slope-0.998-yaw45': () => slope(0.998, 45),
  'slope-1.002': () => slope(1.002),
  'slope-1.002-yaw45': () => slope(1.002, 45),
  slide: () => slide(),
  'cards-20': () => cards(20, true),
  'cards-55-falls': () => cards(55, false),
  cardhouse3: () => cardHouse(3),
  arch15: () => arch(0.2),
  'arch15-thin': () => arch(0.12),
  'arch-0.11': () => arch(0.11),
  'arch-0.095': () => arch(0.095, false),
  sleeping10000: () => sleepingField(100),
  ...Object.fromEntries(Object.keys(JOINT_SCENES).map((name) => [name, () => jointed(JOINT_SCENES[name]())])),
};

/** Some take most of an hour: the big pile with every engine, the big grid of joints with ours. */
const LONG = ['pile4000', 'joint-grid100'];

/** Scenes that run when none is named. */
export const DEFAULT_SCENES = Object.keys(SCENES).filter((name) => !LONG.includes(name));

/** { scene, measure } of a name in SCENES. */
export function buildScene(name) {
  const built = SCENES[name]();
  return { scene: { version: 1, title: name, ...built.scene }, measure: built.measure };
}

/**
 * Scans: many small worlds in one process, to find where behaviour flips. `exact` is Coulomb's and statics' own answer
 * where there is one. Ends at the first pass (`until: 'pass'`) or at the first failure (`until: 'fail'`); the value is
 * the last parameter that passed.
 */
export const SCANS = {
  'slip-threshold': {
    title: 'slides from tan / µ',
    exact: 1,
    parameters: [1.002, 1.005, 1.01, 1.02, 1.03, 1.05, 1.08, 1.1, 1.15, 1.2, 1.3, 1.5, 2, 4],
    steps: 300,
    build: (ratio) => slope(ratio),
    passes: ({ slid, slidExpected }) => slid >= 0.5 * slidExpected,
    until: 'pass',
  },
  'stick-threshold': {
    title: 'creeps less than 1 mm/s up to tan / µ',
    exact: 1,
    parameters: [0.998, 0.995, 0.99, 0.98, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2],
    steps: 300,
    build: (ratio) => slope(ratio),
    passes: ({ creep }) => Math.abs(creep) < 1e-3,
    until: 'pass',
  },
  'arch-min': {
    title: 'thinnest standing arch, thickness / radius',
    exact: 0.108,
    parameters: [0.24, 0.22, 0.2, 0.18, 0.16, 0.15, 0.14, 0.13, 0.12, 0.11, 0.105, 0.1, 0.095],
    steps: 600,
    build: (ratio) => arch(ratio),
    passes: ({ move }) => move < 0.5,
    until: 'fail',
  },
  'stack-ratio': {
    title: 'largest top / lower mass ratio of ten boxes',
    parameters: [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 200, 500, 1000, 2000, 5000, 10000],
    steps: 600,
    build: (ratio) => stack(ratio),
    passes: ({ move }) => move < 0.5,
    until: 'fail',
  },
  'tower-height': {
    title: 'tallest column of 1 m boxes standing 20 s',
    parameters: [5, 10, 15, 20, 30, 40, 60, 80, 100],
    steps: 1200,
    build: (height) => tower(height),
    passes: ({ move }) => move < 0.5,
    until: 'fail',
  },
};
