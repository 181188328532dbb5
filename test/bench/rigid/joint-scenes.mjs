// Scenes of joints: a chain, a bridge with cars on it, ragdolls on the floor, a grid of joints.
//
// Joints are balls and hinges of the scene format with one `anchor`, so that every engine can have them, and limits of
// hinges; cones and twists, which not all engines have, are left out for all. Bodies that a joint joins do not touch.

import { axisAngle, rotate } from './vectors.mjs';

const NO_TURN = [0, 0, 0, 1];
const MATERIAL = 'm';

const body = (shape, position, mass, extra = {}) => ({
  material: MATERIAL,
  position,
  rotation: NO_TURN,
  mass,
  ...extra,
  shape,
});
const still = (shape, position) => ({ type: 'static', material: MATERIAL, position, rotation: NO_TURN, shape });
const ball = (a, b, anchor) => ({
  type: 'ball',
  ends: [{ body: a }, b === null ? { world: true } : { body: b }],
  anchor,
});
const hinge = (a, b, anchor, axis, extra = {}) => ({ ...ball(a, b, anchor), type: 'hinge', axis, ...extra });

/** A hanging chain whose last link weighs a thousand times each other. */
function chain(links, ratio) {
  const bodies = [];
  const joints = [];
  for (let i = 0; i < links; i++) {
    const mass = i === links - 1 ? ratio : 1;
    bodies.push(body({ box: [0.02, 0.05, 0.02] }, [0, -0.05 - 0.1 * i, 0], mass));
    joints.push(ball(`body-${i}`, i === 0 ? null : `body-${i - 1}`, [0, -0.1 * i, 0]));
  }
  return { statics: [], bodies, joints, friction: 0.6, measure: { steps: 300 } };
}

/** Planks between two banks on hinges, hung in an arc, and boxes that are heavy beside them on it. */
function bridge(planks, cars, ratio) {
  const length = 0.5;
  const sag = 0.16; // angle at each bank [rad]
  const radius = (planks * length) / (2 * sag);
  const end = radius * Math.sin(sag);
  const bodies = [];
  const joints = [];
  const at = (angle) => [radius * Math.sin(angle), -radius * Math.cos(angle) + radius * Math.cos(sag), 0];
  for (let i = 0; i <= planks; i++) {
    const edge = (2 * sag * i) / planks - sag;
    const a = Math.min(i, planks - 1);
    const other = i === 0 || i === planks ? null : `body-${i - 1}`;
    joints.push(hinge(`body-${a}`, other, at(edge), [0, 0, 1]));
    if (i === planks) break;
    const middle = edge + sag / planks;
    const [x, y] = at(middle).map((c) => c * Math.cos(sag / planks));
    const chord = radius * Math.sin(sag / planks);
    const low = radius * Math.cos(sag) * (1 - Math.cos(sag / planks));
    bodies.push(
      body({ box: [chord - 0.01, 0.05, 1] }, [x, y + low, 0], 10, { rotation: axisAngle([0, 0, 1], middle) }),
    );
  }
  for (let i = 0; i < cars; i++) {
    const angle = 1.6 * sag * ((i + 0.5) / cars - 0.5);
    const turn = axisAngle([0, 0, 1], angle);
    const [x, y] = at(angle);
    const up = rotate(turn, [0, 0.05 + 0.3 + 0.03, 0]);
    const shape = { box: [0.7, 0.3, 0.6] };
    bodies.push(body(shape, [x + up[0], y + up[1], 0], 10 * ratio, { rotation: turn }));
  }
  const banks = [-1, 1].map((side) => still({ box: [2, 1, 1.5] }, [side * (end + 2.05), -1.2, 0]));
  return { statics: banks, bodies, joints, friction: 0.6, measure: { steps: 600 } };
}

/** Parts of a doll from its pelvis [m], and what joins them. */
const PARTS = [
  ['pelvis', { box: [0.15, 0.09, 0.1] }, [0, 0, 0], 12],
  ['torso', { box: [0.17, 0.22, 0.1] }, [0, 0.33, 0], 22],
  ['head', { sphere: 0.12 }, [0, 0.71, 0], 5],
  ...[-1, 1].flatMap((s) => [
    [`arm${s}`, { capsule: [0.05, 0.1] }, [0.25 * s, 0.36, 0], 2.5],
    [`forearm${s}`, { capsule: [0.04, 0.1] }, [0.25 * s, 0.08, 0], 1.8],
    [`thigh${s}`, { capsule: [0.075, 0.13] }, [0.1 * s, -0.32, 0], 8],
    [`shin${s}`, { capsule: [0.055, 0.14] }, [0.1 * s, -0.74, 0], 4.5],
  ]),
];
const LINKS = [
  ['torso', 'pelvis', [0, 0.1, 0]],
  ['head', 'torso', [0, 0.58, 0]],
  ...[-1, 1].flatMap((s) => [
    [`arm${s}`, 'torso', [0.25 * s, 0.5, 0]],
    [`forearm${s}`, `arm${s}`, [0.25 * s, 0.22, 0], [-2.2, 0]],
    [`thigh${s}`, 'pelvis', [0.1 * s, -0.1, 0]],
    [`shin${s}`, `thigh${s}`, [0.1 * s, -0.53, 0], [0, 2.2]],
  ]),
];

/** Dolls of eleven parts in a tower above the floor. `speed`: at which they come down [m/s]. */
function ragdolls(count, speed, pitch = 1.4) {
  const bodies = [];
  const joints = [];
  for (let k = 0; k < count; k++) {
    const turn = axisAngle([1, 0, 0], 0.35 * (k % 5));
    const place = [0.25 * (k % 3), 1.6 + pitch * k, 0.2 * (k % 2)];
    const at = (p) => rotate(turn, p).map((x, i) => x + place[i]);
    const first = bodies.length;
    const indexOf = (name) => first + PARTS.findIndex(([part]) => part === name);
    for (const [, shape, from, mass] of PARTS) {
      bodies.push(body(shape, at(from), mass, { rotation: turn, velocity: [0, -speed, 0] }));
    }
    for (const [part, on, anchor, limits] of LINKS) {
      const ends = [`body-${indexOf(part)}`, `body-${indexOf(on)}`];
      joints.push(limits ? hinge(...ends, at(anchor), [1, 0, 0], { limits }) : ball(...ends, at(anchor)));
    }
  }
  const statics = [still({ box: [100, 1, 100] }, [0, -1, 0])];
  return { statics, bodies, joints, friction: 0.6, measure: { steps: 600 } };
}

/** Balls in a square, each joined to its neighbours; seven in the middle of the top row are fixed. */
function grid(side) {
  const statics = [];
  const bodies = [];
  const joints = [];
  const names = [];
  for (let row = 0; row < side; row++) {
    for (let i = 0; i < side; i++) {
      const isFixed = row === 0 && Math.abs(i - side / 2) <= 3;
      const position = [i, -row, 0];
      const list = isFixed ? statics : bodies;
      names.push(`${isFixed ? 'static' : 'body'}-${list.length}`);
      list.push(isFixed ? still({ sphere: 0.4 }, position) : body({ sphere: 0.4 }, position, 1));
      const own = names.at(-1);
      const join = (other, anchor) => {
        if (!(own.startsWith('static') && other.startsWith('static'))) joints.push(ball(own, other, anchor));
      };
      if (row > 0) join(names[(row - 1) * side + i], [i, 0.5 - row, 0]);
      if (i > 0) join(names[row * side + i - 1], [i - 0.5, -row, 0]);
    }
  }
  return { statics, bodies, joints, friction: 0.6, measure: { steps: 300 } };
}

/** Builders by name: statics, bodies, joints, friction, measure. The largest grid is for a run of its own. */
export const JOINT_SCENES = {
  'chain100-1000': () => chain(100, 1000),
  'bridge50-cars': () => bridge(50, 10, 100),
  ragdolls10: () => ragdolls(10, 0),
  'ragdolls10-hard': () => ragdolls(10, 15),
  'joint-grid20': () => grid(20),
  'joint-grid100': () => grid(100),
};
