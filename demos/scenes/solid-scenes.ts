// Scenes of the literature with elastic solids (Verschoor and Jalba 2019, Figures 1, 2, 7 and 8), that are run and
// checked, but do not stand in the gallery. Counts are those of the paper where nothing else is asked for.

import {
  type BodyFile,
  combine,
  GROUND,
  type KeyFile,
  type SceneFile,
  scatter,
  tidy,
  turn,
  type Vec3,
} from './demo-scene';
import { gummyBear } from './gummy-shape';
import { gridOfTetrahedra, tetrahedronBall, tetrahedronBox, tetrahedronRing } from './tetrahedra';

/** The paper's material [Pa, -, kg/m³, -]; it damps nothing. */
const PAPER = { youngModulus: 5e5, poissonRatio: 0.2, density: 1000, friction: 0.5, damping: 0 };
const MATERIALS = {
  floor: { density: 2000, friction: 0.5 },
  steel: { density: 7800, friction: 0.5 },
};

/** Four fixed walls around a square of `half` [m] to either side. */
function pen(half: number, height: number): BodyFile[] {
  const thick = 0.1;
  return [0, 1, 2, 3].map((side) => {
    const way = side < 2 ? 1 : -1;
    const away = way * (half + thick);
    return {
      name: `wall${side}`,
      type: 'static' as const,
      material: 'floor',
      position: (side % 2 === 0 ? [away, height / 2, 0] : [0, height / 2, away]) as Vec3,
      shape: { box: (side % 2 === 0 ? [thick, height / 2, half + 2 * thick] : [half, height / 2, thick]) as Vec3 },
    };
  });
}

/** Places of a loose grid with `side` × `side` a layer, `apart` [m], jittered, each turned at random. */
function heap(count: number, side: number, apart: number, low: number, seed: number) {
  const chance = scatter(seed);
  const pull = () => 0.1 * apart * (chance() - 0.5);
  return Array.from({ length: count }, (_, i) => {
    const [layer, row, column] = [Math.floor(i / side ** 2), Math.floor(i / side) % side, i % side];
    const place = [column - (side - 1) / 2, layer, row - (side - 1) / 2].map((x) => apart * x + pull());
    const position: Vec3 = [place[0], low + place[1], place[2]];
    const tilt = turn([1, 0, 0], 2 * Math.PI * chance());
    return { position, rotation: combine(turn([0, 1, 0], 2 * Math.PI * chance()), tilt) };
  });
}

/** Rings that fall into a pen (Figure 8h): 120 of 108 tetrahedra each. */
export function fallingRings(count = 120, timeStep = 1e-3): SceneFile {
  const ring = tetrahedronRing(0.16, [0.07, 0.07, 0.07], [18, 1, 1]);
  const side = Math.max(2, Math.min(5, Math.floor(Math.cbrt(count))));
  return tidy({
    version: 1,
    title: 'Rings',
    description: 'Elastic rings fall into a pen',
    timeStep,
    materials: MATERIALS,
    bodies: [GROUND, ...pen(0.24 * side, 3)],
    solids: heap(count, side, 0.46, 0.3, 5).map((pose, i) => ({
      ...{ name: `ring${i}`, ...ring, ...pose },
      ...{ ...PAPER, radius: 0.002 },
    })),
  });
}

/** A pyramid of blocks in square layers (Figure 8e): 7 layers, 140 blocks of 432 tetrahedra. */
export function softPyramid(layers = 7, cells: Vec3 = [6, 3, 4], timeStep = 5e-4): SceneFile {
  const size: Vec3 = [0.3, 0.15, 0.2];
  const radius = 0.002;
  const block = tetrahedronBox(size, cells);
  const solids = Array.from({ length: layers }, (_, layer) => {
    const side = layers - layer;
    return Array.from({ length: side * side }, (_, i) => ({
      ...{ name: `block${layer}-${i}`, ...block },
      position: [
        1.1 * size[0] * ((i % side) - (side - 1) / 2),
        size[1] / 2 + radius + layer * (size[1] + 2 * radius),
        1.1 * size[2] * (Math.floor(i / side) - (side - 1) / 2),
      ] as Vec3,
      ...{ ...PAPER, radius },
    }));
  }).flat();
  return tidy({
    version: 1,
    title: 'Soft pyramid',
    description: 'A pyramid of elastic blocks',
    timeStep,
    materials: MATERIALS,
    bodies: [GROUND],
    solids,
  });
}

/** Toys with a fine surface in a coarse cage that fall into a pen (Figure 8b; there bunnies): 120. */
export function fallingToys(count = 120, timeStep = 1e-3): SceneFile {
  const toy = gummyBear(0.4, 5, 0.004);
  // They turn about their middles.
  for (const places of [toy.vertices, toy.surface.vertices]) for (const place of places) place[1] -= 0.2;
  const side = Math.max(2, Math.min(4, Math.floor(Math.cbrt(count))));
  return tidy({
    version: 1,
    title: 'Toys',
    description: 'Elastic toys, fine surfaces in coarse cages, fall into a pen',
    timeStep,
    materials: MATERIALS,
    bodies: [GROUND, ...pen(0.27 * side, 4)],
    solids: heap(count, side, 0.52, 0.3, 9).map((pose, i) => ({
      ...{ name: `toy${i}`, ...toy, ...pose },
      ...{ ...PAPER, youngModulus: 5e6, radius: 0.004 },
    })),
  });
}

/** Keys of a turn about `axis` at `spin` [rad/s], in quarters, over a whole turn that repeats. */
function spinning(position: Vec3, start: ReturnType<typeof turn>, axis: Vec3, spin: number): KeyFile[] {
  return [0, 1, 2, 3, 4].map((quarter) => ({
    time: (quarter * Math.PI) / 2 / Math.abs(spin),
    position,
    rotation: combine(turn(axis, (Math.sign(spin) * quarter * Math.PI) / 2), start),
  }));
}

/** The mill: radii of the sphere, of the balls and of the torus's tube [m], spin of the sphere [rad/s]. */
export const MILL = { sphere: 0.5, ball: 0.12, tube: 0.2, spin: 2 };
/** Slopes at which a ball touches the sphere, and the torus, from level [rad]. */
const [ON_SPHERE, ON_TORUS] = [0.5, 0.8];

/** Middle of a ball in the groove between sphere and torus, and of the torus's tube there: away and height [m]. */
export function millGroove(): { ball: readonly [number, number]; torus: readonly [number, number] } {
  const { sphere, ball, tube } = MILL;
  // A little apart at the start.
  const far = sphere + 1.04 * ball;
  const [x, y] = [far * Math.cos(ON_SPHERE), far * Math.sin(ON_SPHERE)];
  const reach = 1.04 * ball + tube;
  return { ball: [x, y], torus: [x + reach * Math.cos(ON_TORUS), y - reach * Math.sin(ON_TORUS)] };
}

function torus(): BodyFile {
  const { tube } = MILL;
  const [middle, height] = millGroove().torus;
  const [around, across] = [48, 16];
  const vertices: Vec3[] = [];
  const triangles: Vec3[] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [angle, turned] = [(2 * Math.PI * j) / across, (2 * Math.PI * i) / around];
      const far = middle + tube * Math.cos(angle);
      vertices.push([far * Math.cos(turned), height + tube * Math.sin(angle), far * Math.sin(turned)]);
      const next = (j + 1) % across;
      const [a, b] = [i * across, ((i + 1) % around) * across];
      triangles.push([a + j, a + next, b + next], [a + j, b + next, b + j]);
    }
  }
  return { name: 'torus', type: 'static', material: 'steel', shape: { mesh: { vertices, triangles } } };
}

/** Balls that roll between a fixed torus and a sphere that turns (Figure 7). */
export function ballMill(balls = 9, cells = 4, timeStep = 1 / 240): SceneFile {
  const { sphere, ball, spin } = MILL;
  const mesh = tetrahedronBall(ball, cells);
  const [away, height] = millGroove().ball;
  return tidy({
    version: 1,
    title: 'Ball mill',
    description: 'Elastic balls roll between a torus and a sphere that turns',
    timeStep,
    materials: MATERIALS,
    bodies: [{ name: 'sphere', type: 'kinematic', material: 'steel', shape: { sphere } }, torus()],
    solids: Array.from({ length: balls }, (_, i) => {
      const angle = (2 * Math.PI * i) / balls;
      return {
        ...{ name: `ball${i}`, ...mesh },
        position: [away * Math.cos(angle), height, away * Math.sin(angle)] as Vec3,
        rotation: turn([0, 1, 0], -angle),
        ...{ ...PAPER, youngModulus: 1e5, damping: 0.005, radius: 0.003 },
      };
    }),
    motions: [{ body: 'sphere', keys: spinning([0, 0, 0], turn([0, 1, 0], 0), [0, 1, 0], spin), loop: true }],
  });
}

/** The figure's way through the rollers: it begins here, and ends beyond the last pair [m]. */
export const ROLLERS = { start: 1.1, end: -1.5, pairs: 3, gap: 0.13, radius: 0.14, height: 0.36, seconds: 5 };

/** A figure pulled by its feet through pairs of turning cylinders (Figure 1; there an armadillo). */
export function softRollers(cells = 5, timeStep = 1 / 240): SceneFile {
  const { start, end, pairs, gap, radius, height, seconds } = ROLLERS;
  const figure = gummyBear(height, cells, 0.003);
  const low = Math.min(...figure.vertices.map(([, y]) => y));
  const held = figure.vertices.flatMap(([, y], v) => (y < low + 0.08 * height ? [v] : []));
  const onSide = turn([0, 0, 1], Math.PI / 2);

  const cylinders = Array.from({ length: 2 * pairs }, (_, i): BodyFile & { name: string; position: Vec3 } => ({
    name: `roller${i}`,
    type: 'kinematic',
    material: 'roller',
    position: [0.42 * (pairs / 2 - 0.5 - (i >> 1)), i % 2 === 0 ? radius + gap / 2 : -radius - gap / 2, 0],
    rotation: turn([1, 0, 0], Math.PI / 2),
    shape: { cylinder: [radius, 0.4] },
  }));

  return tidy({
    version: 1,
    title: 'Rollers',
    description: 'An elastic figure is pulled through turning cylinders',
    timeStep,
    gravity: [0, 0, 0],
    materials: { roller: { friction: 0.3 } },
    bodies: [
      // It is held by a plate that touches nothing.
      {
        ...{ name: 'grip', type: 'kinematic', position: [start, 0, 0], shape: { box: [0.005, 0.05, 0.05] } },
        ...{ layers: 2, mask: 0 },
      },
      ...cylinders,
    ],
    solids: [
      {
        ...{ name: 'figure', ...figure, position: [start, 0, 0], rotation: turn([0, 0, 1], -Math.PI / 2) },
        ...{ ...PAPER, model: 'neo-hookean', friction: 0.3, damping: 0.002, radius: 0.003 },
        pins: held.map((vertex) => ({ vertex, body: 'grip' })),
      },
    ],
    motions: [
      { body: 'grip', keys: [0, seconds].map((time, k) => ({ time, position: [k === 0 ? start : end, 0, 0] })) },
      // Upper ones turn against lower ones: their near sides go along with the figure.
      ...cylinders.map(({ name, position, rotation }, i) => ({
        body: name,
        keys: spinning(position, rotation ?? onSide, [0, 0, 1], i % 2 === 0 ? 1.5 : -1.5),
        loop: true,
      })),
    ],
  });
}

/** Height at which the walls of the wedge would meet, and their slope from upright at first and at last [m, rad]. */
export const WEDGE = { first: 0.75, last: 0.42, seconds: 2 };

/** Balls and rings between two walls that close (Figure 2a). */
export function closingWedge(count = 24, timeStep = 1 / 240): SceneFile {
  const { first, last, seconds } = WEDGE;
  const [ball, ring] = [tetrahedronBall(0.09, 3), tetrahedronRing(0.085, [0.05, 0.05, 0.05], [12, 1, 1])];
  const half = 0.6;

  const sides = [1, -1].map((way) => {
    const poseAt = (slope: number) => {
      // A wall from the hinge at the origin upwards, `thick` behind its face.
      const [s, c] = [Math.sin(slope), Math.cos(slope)];
      const position: Vec3 = [way * (half * s + 0.05 * c), half * c - 0.05 * s, 0];
      return { position, rotation: turn([0, 0, 1], -way * slope) };
    };
    const body: BodyFile = {
      ...{ name: way > 0 ? 'right' : 'left', type: 'kinematic', material: 'steel' },
      ...{ ...poseAt(first), shape: { box: [0.05, half + 0.1, 0.5] } },
    };
    const keys = Array.from({ length: 25 }, (_, i) => {
      const share = i / 24;
      const eased = share * share * (3 - 2 * share);
      return { time: 0.6 + seconds * share, ...poseAt(first + eased * (last - first)) };
    });
    return { body, motion: { body: body.name, keys } };
  });

  const ends: BodyFile[] = [1, -1].map((way) => ({
    ...{ name: way > 0 ? 'front' : 'back', type: 'static', material: 'steel' },
    ...{ position: [0, 0.6, 0.36 * way], shape: { box: [1.5, 0.9, 0.05] } },
  }));
  const poses = heap(count, 2, 0.24, 0.5, 3);

  return tidy({
    version: 1,
    title: 'Wedge',
    description: 'Elastic balls and rings between two walls that close',
    timeStep,
    materials: MATERIALS,
    bodies: [...sides.map(({ body }) => ({ ...body, layers: 1 })), ...ends],
    solids: poses.map((pose, i) => ({
      ...{ name: `piece${i}`, ...(i % 2 === 0 ? ball : ring), ...pose },
      ...{ ...PAPER, youngModulus: 1e5, damping: 0.005, radius: 0.002 },
    })),
    motions: sides.map(({ motion }) => motion),
  });
}

/** Length and thickness of the strings [m], and the turns that they are tangled by. */
export const STRINGS = { length: 1.4, thick: 0.05, away: 0.07, turns: 1.25, seconds: 2.5 };

/** Elastic strings between two plates, one of which turns, and turns back (Figure 2b). */
export function tangledStrings(count = 4, along = 28, timeStep = 1 / 240): SceneFile {
  const { length, thick, away, turns, seconds } = STRINGS;

  const string = gridOfTetrahedra([along, 1, 1], ([u, v, w]) => [
    length * (u - 0.5),
    thick * (v - 0.5),
    thick * (w - 0.5),
  ]);

  // They are stretched by a tenth, so that they pull straight.
  const restVertices = string.vertices.map(([x, y, z]): Vec3 => [x / 1.1, y, z]);
  const ends = (u: number) => string.vertices.flatMap(([x], v) => (Math.abs(x - length * u) < 1e-6 ? [v] : []));
  const end = length / 2;

  const keys: KeyFile[] = Array.from({ length: 8 * Math.ceil(turns) * 2 + 1 }, (_, i, all = 16 * Math.ceil(turns)) => {
    const share = 1 - Math.abs((2 * i) / all - 1);
    return {
      time: 0.2 + (2 * seconds * i) / all,
      position: [end, 0, 0],
      rotation: turn([1, 0, 0], 2 * Math.PI * turns * share),
    };
  });

  return tidy({
    version: 1,
    title: 'Tangled strings',
    description: 'Elastic strings are wound round each other and let go',
    timeStep,
    gravity: [0, 0, 0],
    bodies: [1, -1].map((way) => ({
      ...{ name: way > 0 ? 'turning' : 'fixed', type: 'kinematic' as const, position: [way * end, 0, 0] as Vec3 },
      ...{ shape: { box: [0.01, 0.15, 0.15] as Vec3 }, layers: 2, mask: 0 },
    })),
    solids: Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count;
      return {
        ...{ name: `string${i}`, ...string, restVertices },
        position: [0, away * Math.sin(angle), away * Math.cos(angle)] as Vec3,
        ...{ ...PAPER, friction: 0.2, damping: 0.005, radius: 0.003 },
        pins: [
          ...ends(0.5).map((vertex) => ({ vertex, body: 'turning' })),
          ...ends(-0.5).map((vertex) => ({ vertex, body: 'fixed' })),
        ],
      };
    }),
    motions: [{ body: 'turning', keys }],
  });
}

/** Blocks so stiff that they stand as rigid ones do (Figure 2c): layers crosswise, the top ones hang over. */
export function nearlyRigidBlocks(layers = 6, timeStep = 1 / 120): SceneFile {
  const size: Vec3 = [0.6, 0.15, 0.15];
  const radius = 0.001;
  const beam = tetrahedronBox(size, [4, 1, 1]);
  const high = size[1] + 2 * radius;
  const solids = Array.from({ length: 2 * layers }, (_, i) => {
    const [layer, side] = [i >> 1, i % 2 === 0 ? 1 : -1];
    const away = side * 0.2;
    const isCross = layer % 2 === 1;
    return {
      ...{ name: `beam${i}`, ...beam },
      position: [isCross ? away : 0, radius + size[1] / 2 + high * layer, isCross ? 0 : away] as Vec3,
      rotation: turn([0, 1, 0], isCross ? Math.PI / 2 : 0),
      ...{ ...PAPER, youngModulus: 1e9, damping: 0.001, radius },
    };
  });
  // One across the top, a good third of it beyond its support.
  solids.push({
    ...{ ...solids[0], name: 'lever' },
    position: [layers % 2 === 1 ? 0 : 0.25, radius + size[1] / 2 + high * layers, 0],
    rotation: turn([0, 1, 0], layers % 2 === 1 ? Math.PI / 2 : 0),
  });
  return tidy({
    version: 1,
    title: 'Nearly rigid blocks',
    description: 'A stack of stiff elastic beams',
    timeStep,
    materials: MATERIALS,
    bodies: [GROUND],
    solids,
  });
}
