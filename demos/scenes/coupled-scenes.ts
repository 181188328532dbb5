// Strands and sheets that touch and hold each other: a band about a ponytail, hair on a shirt, fur through a curtain, a
// tree in the wind.

import { vec3 } from 'gl-matrix';
import { bust, CENTRE, depthInBust, HEAD } from './bust';
import {
  type BodyFile,
  type DemoScene,
  pointAt,
  type SceneFile,
  type SceneResult,
  soundness,
  type Vec3,
} from './demo-scene';
import { windAt } from './flag';
import { FUR_BALL, furBall, hairOnShirt, PONYTAIL, ponytail, TREE, tree } from './hair-and-cloth';
import { PALETTE } from './palette';
import { onePassRival } from './rivals';

/** Mean of the points' heights [m]. */
function meanHeight(points: Float64Array): number {
  let sum = 0;
  for (let k = 1; k < points.length; k += 3) sum += points[k];
  return (3 * sum) / points.length;
}

/** How far the points of all rods are at most from where `outside` wants them [m], and whose. */
function deepest(result: SceneResult, names: readonly string[], outside: (x: number, y: number, z: number) => number) {
  let [worst, whose] = [0, ''];
  for (const name of names) {
    const p = result.endPoints(name);
    for (let k = 0; k < p.length; k += 3) {
      const depth = outside(p[k], p[k + 1], p[k + 2]);
      if (!(depth <= worst)) [worst, whose] = [depth, name];
    }
  }
  return { depth: worst, name: whose };
}

const HAIR = ['#8a5a34', '#a06a3c', '#744a2a'];

/** How far the band has slid down [m]. */
const slideOf = (result: SceneResult) => meanHeight(result.startPoints('band')) - meanHeight(result.endPoints('band'));

/** The most that the band may slide [m/s]. */
const CREEP = 0.001;

/** From the bust of the scenes of hair to where the ponytail hangs behind it [m]. */
const BEHIND = [0, 0.56, 0.118];

/**
 * Hair combed close to a ball, towards its pole at the back (0, 0, −1) or, `isDown`, below (0, −1, 0): ridges run
 * there from the hairline, which ends `front` from the pole above and `nape` from it below [rad].
 */
function combed(radius: number, front: number, nape: number, isDown = false): BodyFile['shape'] {
  const [ridges, rows] = [120, 20];
  const vertices: Vec3[] = [];
  const triangles: Vec3[] = [];
  for (let i = 0; i < ridges; i++) {
    const around = (2 * Math.PI * i) / ridges;
    const lift = 0.0016 * (0.5 + 0.5 * Math.sin(2.4 * i) * Math.cos(0.7 * i)) + (i % 2) * 0.0006;
    const edge = (front + nape) / 2 + ((front - nape) / 2) * Math.cos(around);
    for (let j = 0; j <= rows; j++) {
      const angle = 0.02 + (edge - 0.02) * (j / rows);
      // Thin at the hairline.
      const away = radius + (0.0016 + lift) * Math.min(1, 4 * (1 - j / rows)) - 0.0004;
      const [flat, along] = [away * Math.sin(angle), away * Math.cos(angle)];
      const [x, y, z] = [-flat * Math.sin(around), flat * Math.cos(around), -along];
      vertices.push(isDown ? [x, z, -y] : [x, y, z]);
      if (j === rows) continue;
      const [a, b] = [i * (rows + 1) + j, ((i + 1) % ridges) * (rows + 1) + j];
      triangles.push([a, b, a + 1], [b, b + 1, a + 1]);
    }
  }
  return { mesh: { vertices, triangles } };
}

/** With a bust before the ponytail, which touches nothing. */
function withBust(scene: SceneFile): SceneFile {
  const dummy = bust()
    .filter(({ name }) => name !== 'foot' && name !== 'pole')
    .map(({ name, position = [0, 0, 0], ...body }): BodyFile => {
      const [x, y, z] = vec3.add([0, 0, 0], position, BEHIND);
      return { ...body, name: `bust-${name}`, type: 'static', layers: 0, mask: 0, position: [x, y, z] };
    });
  const stand: BodyFile = {
    ...{ name: 'stand', type: 'static', material: 'brass', layers: 0, mask: 0 },
    ...{ position: [0, 0.34, BEHIND[2] - 0.01], shape: { cylinder: [0.012, 0.34] } },
  };
  const drawn = { type: 'static', material: 'hair', layers: 0, mask: 0 } as const;
  const cap = vec3.add([0, 0, 0], CENTRE, BEHIND) as Vec3;
  const knot = scene.bodies?.find(({ name }) => name === 'head')?.position;
  const hair: BodyFile[] = [
    { ...drawn, name: 'cap', position: cap, shape: combed(HEAD, 2.2, 1.15) },
    { ...drawn, name: 'bun', position: knot, shape: combed(0.055, 3.1, 3.1, true) },
  ];
  const materials = { linen: { friction: 0.3 }, hair: { friction: 0.3 }, brass: { friction: 0.3 }, ...scene.materials };
  return { ...scene, materials, bodies: [...(scene.bodies ?? []), ...dummy, stand, ...hair] };
}

export const ponytailBand: DemoScene = {
  id: 'ponytail',
  title: 'Ponytail',
  description: 'A band of cloth holds 19 locks together, and is held up by their friction alone. Pull at the band.',
  parameters: [{ key: 'friction', label: 'Friction', least: 0, most: 1, step: 0.05, usual: 0.5 }],
  build: (_amount, values) => withBust(ponytail(Number(values?.friction ?? 0.5))),
  camera: { target: [0, PONYTAIL.band + 0.005, 0.05], distance: 0.95, yaw: 2.35, pitch: 0.12, width: 0.36 },
  promise: 'the band slides down by less than 1 mm in a second',
  seconds: 2,
  check(result) {
    const slid = slideOf(result);
    return soundness(result) ?? (slid < CREEP * result.time ? null : `the band slid down by ${slid} m`);
  },
  rival: {
    ...onePassRival(
      'The band presses the locks, these each other: one pass a step carries too little pressure in, and it slips.',
    ),
    counter: { label: 'slid', read: (result) => Math.max(slideOf(result), 0) },
  },
  paint: (name) => (name === 'head' ? HAIR[2] : undefined),
  strands: () => ({ finish: 'hair', colors: HAIR, lock: 0.003 }),
  shells: () => ({ finish: 'cloth', colors: [PALETTE.terracotta], thread: 0.002 }),
};

export const shirt: DemoScene = {
  id: 'hair-on-shirt',
  title: 'Hair on a shirt',
  description: 'Long hair falls on a cloth over shoulders and is drawn over it as the head turns. Pull at either.',
  build: () => hairOnShirt(9, 52, true),
  camera: { target: [0, 0.33, 0], distance: 1.1, yaw: 2.2, pitch: 0.16, width: 0.62 },
  promise: 'neither hair nor cloth gets into the bust',
  seconds: 2,
  check(result) {
    const into = (x: number, y: number, z: number) => depthInBust([x - CENTRE[0], y - CENTRE[1], z - CENTRE[2]]);
    const { depth, name } = deepest(result, [...result.rods, ...result.shells], into);
    return soundness(result) ?? (depth < 0.002 ? null : `${name} is ${depth} m inside the bust`);
  },
  paint: (name) => (name === 'head' ? HAIR[2] : undefined),
  strands: () => ({ finish: 'hair', colors: HAIR, lock: 0.01 }),
  shells: () => ({ finish: 'cloth', colors: [PALETTE.sea], lining: PALETTE.navy, thread: 0.004 }),
};

export const furCurtain: DemoScene = {
  id: 'fur-and-curtain',
  title: 'Fur through a curtain',
  description: 'A ball with fur goes through a hanging cloth, which lets it pass and closes behind it. Make it faster.',
  parameters: [{ key: 'speed', label: 'Speed, m/s', least: 0.3, most: 3, step: 0.1, usual: 1 }],
  build: (_amount, values) => furBall(14, 60, Number(values?.speed ?? 1), true),
  camera: { target: [0, 0.62, 0], distance: 1.9, yaw: 0.62, pitch: 0.14, width: 1.35 },
  promise: 'the cloth does not get into the ball',
  seconds: 2,
  check(result) {
    const { position } = result.end('ball');
    const into = (x: number, y: number, z: number) => FUR_BALL.radius - vec3.distance([x, y, z], position);
    const { depth } = deepest(result, ['cloth'], into);
    return soundness(result) ?? (depth < 0.002 ? null : `the cloth is ${depth} m inside the ball`);
  },
  paint: (name) => (name === 'ball' ? PALETTE.saffron : undefined),
  strands: () => ({ finish: 'hair', colors: ['#e6a93c', '#d9902f', '#f0c05a'], lock: 0.008 }),
  shells: () => ({
    finish: 'cloth',
    colors: [PALETTE.sea, PALETTE.cream],
    pattern: { kind: 'stripes', size: [0.1, 0.1] },
    thread: 0.005,
  }),
};

/** The most by which a leaf may be off its twig [m]. */
const OFF = 0.003;

export const windyTree: DemoScene = {
  id: 'tree',
  title: 'Tree in the wind',
  description: 'Eight twigs and 48 leaves of cloth, each on a ball joint at its stalk, in gusts. Turn the wind up.',
  parameters: [{ key: 'wind', label: 'Wind, m/s', least: 0, most: 8, step: 0.5, usual: 4, live: true }],
  build: () => tree(),
  drive: (time, values, tuner) => tuner.setWind(windAt(time, Number(values.wind ?? 4))),
  camera: { target: [0, 0.66, 0], distance: 2.15, yaw: 0.5, pitch: 0.1, width: 1.5 },
  promise: 'no leaf parts from its twig by 3 mm',
  seconds: 2,
  check(result) {
    for (const name of result.shells) {
      const [, branch, leaf] = name.split('-');
      const [twig, stalk] = [result.endPoints(`branch-${branch}`), result.endPoints(name)];
      const node = 3 * (TREE.edges - Number(leaf));
      const off = vec3.distance(pointAt(twig, node), pointAt(stalk, 0));
      if (!(off < OFF)) return `${name} is ${off} m off its twig`;
    }
    return soundness(result);
  },
  paint: (name) => (name === 'trunk' ? BARK : undefined),
  strands: () => ({ finish: 'rope', colors: [BARK] }),
  shells(name) {
    const [, branch, leaf] = name.split('-').map(Number);
    return { finish: 'paper', colors: [LEAVES[(5 * branch + 3 * leaf) % LEAVES.length]] };
  },
};

const BARK = '#6b4f39';
const LEAVES: readonly string[] = [
  PALETTE.moss,
  '#8ea63f',
  PALETTE.saffron,
  '#b9a33a',
  PALETTE.apricot,
  PALETTE.terracotta,
];
