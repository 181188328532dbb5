// After the double-action jack of Baraff 1994 (Fast contact force computation, figure 2; the layout is our own): a
// crank rocks a lever, and on each side of its pivot a pawl lifts a rack by its teeth while the other one slips down to
// the next. So both strokes lift. All is joints, contacts and friction; nothing is driven but the crank.

import { type BodyFile, type DemoScene, soundness, tidy, turn, type Vec3 } from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE } from './palette';

const PERIOD = 1.6; // of the crank [s]
const TORQUE = 1500; // of its motor at most [N·m]

const PIVOT: Vec3 = [0, 1, -0.3]; // of the lever [m]
const ARM = 0.42; // from it to the pins of the pawls [m]
const PAWL = 0.6; // length [m]

const RACK = 0.12; // half width, without teeth [m]
const TOOTH = 0.08; // depth [m]
const PITCH = 0.16; // from tooth to tooth [m]
const TEETH = 16;
const LOWEST = 0.3; // height of the lowest tooth at the start [m]
const PLATE = 3.1; // height of the plate on the rack at the start [m]
const RISE = 1.05; // up to its stop [m]

const CRANK: Vec3 = [-0.85, 0.42, -0.45];
const THROW = 0.25; // [m]
const WIDE = -CRANK[0]; // from the pivot to the pin that the crank pulls at [m]
const LOAD = 200; // [kg]

const LEAN = Math.asin((ARM - RACK - TOOTH / 2) / PAWL); // of the pawls at the start [rad]

/** A wedge: flat below, so that a pawl can push, and slanting above, so that it is pushed aside. */
function tooth(y: number, side: number): { shape: { hull: Vec3[] } } {
  const profile = [
    [RACK - 0.02, y],
    [RACK + TOOTH, y],
    [RACK + TOOTH, y + 0.02],
    [RACK - 0.02, y + PITCH],
  ];
  return { shape: { hull: profile.flatMap(([x, h]) => [-0.1, 0.1].map((z): Vec3 => [side * x, h, z])) } };
}

function moving(load: number): BodyFile[] {
  const middle = (LOWEST + PLATE) / 2;
  const teeth = [-1, 1].flatMap((side) =>
    Array.from({ length: TEETH }, (_, i) => tooth(LOWEST + PITCH * (i + (side > 0 ? 0.5 : 0)) - middle, side)),
  );
  const pin = { rotation: turn([1, 0, 0], Math.PI / 2), shape: { cylinder: [0.045, 0.2] as [number, number] } };

  const pawl = (name: string, side: number): BodyFile => ({
    name,
    material: 'brass',
    position: [side * (ARM - (PAWL / 2) * Math.sin(LEAN)), PIVOT[1] + (PAWL / 2) * Math.cos(LEAN), 0],
    rotation: turn([0, 0, 1], side * LEAN),
    canSleep: false,
    shape: { box: [0.035, PAWL / 2, 0.08] },
  });

  const rod = PIVOT[1] - CRANK[1];

  return [
    {
      name: 'rack',
      material: 'steel',
      position: [0, middle, 0],
      canSleep: false,
      shape: {
        compound: [
          { shape: { box: [RACK, (PLATE - LOWEST) / 2, 0.1] } },
          { position: [0, PLATE - middle + 0.05, 0], shape: { box: [0.6, 0.05, 0.45] } },
          ...teeth,
        ],
      },
    },
    {
      name: 'load',
      material: 'crate',
      mass: load,
      position: [0, PLATE + 0.1 + 0.35, 0],
      shape: { box: [0.4, 0.35, 0.4] },
    },
    {
      name: 'lever',
      material: 'steel',
      position: PIVOT,
      canSleep: false,
      shape: {
        compound: [
          { position: [(ARM - WIDE) / 2, 0, 0], shape: { box: [(ARM + WIDE) / 2 + 0.08, 0.06, 0.05] } },
          { position: [-ARM, 0, 0.2], ...pin },
          { position: [ARM, 0, 0.2], ...pin },
        ],
      },
    },
    pawl('pawl-left', -1),
    pawl('pawl-right', 1),
    {
      name: 'crank',
      material: 'brass',
      position: [CRANK[0], CRANK[1], CRANK[2] - 0.08],
      canSleep: false,
      shape: {
        compound: [
          { rotation: turn([1, 0, 0], Math.PI / 2), shape: { cylinder: [0.34, 0.04] } },
          {
            position: [THROW, 0, 0.06],
            rotation: turn([1, 0, 0], Math.PI / 2),
            shape: { cylinder: [0.05, 0.06] },
          },
        ],
      },
    },
    {
      name: 'rod',
      material: 'steel',
      position: [CRANK[0] + THROW / 2, CRANK[1] + rod / 2, CRANK[2]],
      rotation: turn([0, 0, 1], Math.atan2(THROW, rod)),
      canSleep: false,
      shape: { box: [0.05, Math.hypot(rod, THROW) / 2 + 0.06, 0.03] },
    },
  ];
}

function joints(): JointFile[] {
  const axis: Vec3 = [0, 0, 1];

  const hinge = (body: string, other: string, x: number): JointFile => ({
    name: `${body}-pin`,
    type: 'hinge',
    ends: [{ body }, { body: other }],
    anchor: [x, PIVOT[1], 0],
    axis,
  });

  return [
    {
      name: 'axle',
      type: 'hinge',
      ends: [{ body: 'crank' }, { world: true }],
      anchor: CRANK,
      axis,
      motor: { velocity: (2 * Math.PI) / PERIOD, maxForce: TORQUE },
    },
    { name: 'pivot', type: 'hinge', ends: [{ body: 'lever' }, { world: true }], anchor: PIVOT, axis },
    hinge('pawl-left', 'lever', -ARM),
    hinge('pawl-right', 'lever', ARM),
    {
      name: 'crank-pin',
      type: 'cylindrical',
      ends: [{ body: 'rod' }, { body: 'crank' }],
      anchor: [CRANK[0] + THROW, CRANK[1], CRANK[2]],
      axis,
    },
    {
      name: 'rod-pin',
      type: 'ball',
      ends: [{ body: 'rod' }, { body: 'lever' }],
      anchor: [-WIDE, PIVOT[1], CRANK[2]],
    },
    {
      name: 'way',
      type: 'slider',
      ends: [{ body: 'rack' }, { world: true }],
      anchor: [0, PIVOT[1], 0],
      axis: [0, 1, 0],
      limits: [-0.3, RISE],
    },
  ];
}

function part(name: string, position: Vec3, half: Vec3): BodyFile {
  return { name, type: 'static', material: 'frame', position, shape: { box: half } };
}

function frame(): BodyFile[] {
  return [
    { name: 'ground', type: 'static', material: 'frame', shape: { plane: [0, 1, 0] } },
    part('foot', [0, 0.06, 0], [0.5, 0.06, 0.5]),
    part('back', [0, 1.2, -0.5], [0.12, 1.14, 0.08]),
    part('sleeve-left', [-0.3, 2.3, -0.28], [0.08, 0.1, 0.14]),
    part('sleeve-right', [0.3, 2.3, -0.28], [0.08, 0.1, 0.14]),
    part('stand', [CRANK[0], CRANK[1] / 2 + 0.04, CRANK[2] - 0.24], [0.1, CRANK[1] / 2 + 0.04, 0.08]),
  ];
}

export const jack: DemoScene = {
  id: 'jack',
  title: 'Double-action jack',
  description:
    'Baraff’s second mechanism: of two pawls on a rocking lever one lifts, the other slips to the next tooth.',
  build: (load = LOAD) =>
    tidy({
      version: 1,
      title: 'Double-action jack',
      description: 'A crank, a lever and two pawls lift a rack, after Baraff 1994',
      materials: {
        frame: { density: 7800, friction: 0.4, restitution: 0 },
        steel: { density: 1500, friction: 0.15, restitution: 0 },
        brass: { density: 2000, friction: 0.15, restitution: 0 },
        crate: { density: 500, friction: 0.5, restitution: 0 },
      },
      bodies: [...frame(), ...moving(load)],
      joints: joints(),
    }),
  // From 600 kg on the motor stands still.
  amount: { label: 'Load [kg]', least: 20, most: 500, step: 20, usual: LOAD },
  camera: { target: [0, 2.5, 0], distance: 8.4, yaw: 0.35, pitch: 0.12, width: 3.4, upright: true },
  promise: 'each stroke lifts the load, up to its stop',
  seconds: 8,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    const rise = result.end('rack').position[1] - (LOWEST + PLATE) / 2;
    return rise > 0.5 ? null : `the rack rose by ${rise} m; two pawls must lift it by more than half a metre`;
  },
  paint(name) {
    // Each stroke lifts by the pawl of its side.
    const parts: Record<string, string> = {
      load: PALETTE.apricot,
      'pawl-left': PALETTE.sea,
      'pawl-right': PALETTE.terracotta,
    };
    return parts[name];
  },
};
