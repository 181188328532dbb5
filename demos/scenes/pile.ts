// A thousand, or four thousand, mixed bodies poured into a tray.

import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type SceneFile,
  type SceneResult,
  type ShapeFile,
  scatter,
  soundness,
  tidy,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { anyTurn, gem } from './shapes';

const PITCH = 1.1; // of the lattice they start in [m]
const WALL = 0.3; // half thickness of the tray's walls [m]
const HEIGHT = 0.8; // half height [m]
const REST = 6; // it has come to rest [s]
const KINDS = ['box', 'sphere', 'capsule', 'cylinder', 'gem'] as const;

function shape(kind: (typeof KINDS)[number], size: number): ShapeFile {
  switch (kind) {
    case 'box':
      return { box: [size, size * 0.7, size * 0.85] };
    case 'sphere':
      return { sphere: size * 0.85 };
    case 'capsule':
      return { capsule: [size * 0.5, size * 0.7] };
    case 'cylinder':
      return { cylinder: [size * 0.75, size * 0.7] };
    case 'gem':
      return gem(size * 1.1);
  }
}

/** Bodies along a side of the tray, for about as many layers as it takes to heap them over its walls. */
function sideOf(count: number): number {
  return Math.max(4, Math.round(Math.cbrt(1.2 * count)));
}

function things(count: number): BodyFile[] {
  const random = scatter(4000);
  const side = sideOf(count);
  const within = (side - 1) / 2;
  return Array.from({ length: count }, (_, i) => {
    const kind = KINDS[Math.floor(random() * KINDS.length)];
    // Three sizes keep the number of different meshes small.
    const size = [0.3, 0.38, 0.46][Math.floor(random() * 3)];
    const layer = Math.floor(i / (side * side));
    const shift = layer % 2 === 0 ? 0 : 0.2;
    return {
      name: `${kind}-${i}`,
      material: 'toy',
      position: [
        PITCH * ((i % side) - within) + shift + (random() - 0.5) * 0.2,
        0.8 + layer * PITCH + random() * 0.1,
        PITCH * ((Math.floor(i / side) % side) - within) - shift + (random() - 0.5) * 0.2,
      ],
      rotation: anyTurn(random),
      // What rolls over the wall would roll on for ever on a hard floor.
      angularDamping: 1.5,
      shape: shape(kind, size),
    };
  });
}

/** Four low walls. */
function tray(count: number): BodyFile[] {
  const half = (sideOf(count) * PITCH) / 2 + 0.5; // inside [m]
  const wall = (name: string, position: Vec3, box: Vec3): BodyFile => {
    return { name, type: 'static', material: 'frame', position, shape: { box } };
  };
  const out = half + WALL;
  return [
    wall('wall-left', [-out, HEIGHT, 0], [WALL, HEIGHT, half]),
    wall('wall-right', [out, HEIGHT, 0], [WALL, HEIGHT, half]),
    wall('wall-back', [0, HEIGHT, -out], [half + 2 * WALL, HEIGHT, WALL]),
    wall('wall-front', [0, HEIGHT, out], [half + 2 * WALL, HEIGHT, WALL]),
  ];
}

function build(title: string, count: number): SceneFile {
  return tidy({
    version: 1,
    title,
    description: `${count} boxes, balls, capsules, cylinders and hulls poured into a tray`,
    materials: {
      floor: { density: 2000, friction: 0.6, restitution: 0 },
      frame: { density: 2000, friction: 0.5, restitution: 0 },
      toy: { density: 700, friction: 0.5, restitution: 0 },
    },
    bodies: [GROUND, ...tray(count), ...things(count)],
  });
}

const COLOURS: Record<string, string> = {
  box: PALETTE.terracotta,
  sphere: PALETTE.saffron,
  capsule: PALETTE.sea,
  cylinder: PALETTE.cream,
  gem: PALETTE.plum,
};

/** All there, above the floor, not pressed into each other, and within reach of the tray. */
function check(result: SceneResult): string | null {
  const sound = soundness(result);
  if (sound) return sound;
  // At first bodies of half a metre still fall on each other at 10 m/s.
  if (result.penetration > (result.time < REST ? 0.08 : 0.04))
    return `bodies are ${result.penetration} m inside each other`;
  const things = result.names.filter((name) => /-\d+$/.test(name));
  const reach = (sideOf(things.length) * PITCH) / 2 + 12;
  const far = things.filter((name) => result.end(name).position.some((x) => Math.abs(x) > reach));
  return far.length <= things.length / 100 ? null : `${far.length} of ${things.length} rolled or flew away`;
}

function makePile(
  id: string,
  title: string,
  usual: number,
  seconds: number,
  distance: number,
  target: number,
  tested?: number,
): DemoScene {
  return {
    id,
    title,
    description: `${usual} mixed bodies poured into a tray, or as many as the slider says.`,
    build: (amount = usual) => build(title, amount),
    amount: { label: 'bodies', least: 250, most: 8000, step: 250, usual, tested },
    camera: { target: [0, target, 0], distance, yaw: 0.6, pitch: 0.5 },
    promise: 'none enters another by 80 mm, after 6 s by 40 mm',
    seconds,
    check,
    paint: (name) => COLOURS[name.split('-')[0]],
  };
}

export const pile = makePile('pile', 'Pile', 1000, 3, 27, 1.8);
export const largePile = makePile('large-pile', 'Large pile', 4000, 3, 42, 2.8, 1500);
