// Rods of the statics tables as a game has them, on any backend: clamped rods under weight or load, hanging chains,
// rods held at both ends, twisted, bent or curly.
//
// Clamps as in statics.ts. Damping is strong, the time step the usual one. `at`: where in the world, so that many fit.

import { holdEnd } from '../../../src/dynamics/elastic/clamp-rows';
import { strandEnergy } from '../../../src/mechanics/rod/strand-energy';
import { bySuite } from '../../setup/suite';
import { addStrands, loadNode, type RodWorld } from '../strand-worlds';
import { type Shape, turnToLeast } from './shapes';

const RADIUS = 0.005; // [m]
const YOUNG = 5e6; // [Pa]
const DENSITY = 1000; // [kg/m³]
const AREA = Math.PI * RADIUS ** 2;
/** E I [N·m²] */
export const BEND = (YOUNG * AREA * RADIUS ** 2) / 4;
/** Free length of all of them [m]. */
export const LENGTH = 0.5;
/** Nodes at which the tables' tolerance is asked for, and coarser ones. */
export const NODES = 64;
export const SIZES = bySuite([16, NODES], [16, 32, NODES]);
/** Half-space of the slowest mode of all of these, some 5 rad/s, in a fifth of a second. */
const DAMPING = 0.2; // [s]
/** Pinned: too heavy to move, held against its weight [kg]. */
const PIN = 1e6;

export interface CantileverOptions {
  direction?: number[];
  /** w L³/(E I) along −y. */
  weight?: number;
  at?: number[];
}

/** A straight rod of free length LENGTH along `direction`, clamped before `at`; returns its first node. */
export function addCantilever(world: RodWorld, nodes: number, options: CantileverOptions = {}): number {
  const { direction = [1, 0, 0], weight = 0, at = [0, 0, 0] } = options;
  const edge = LENGTH / (nodes - 1.5);
  return addStrands(world, {
    points: Array.from({ length: nodes }, (_, i) => direction.map((d, k) => at[k] + d * edge * (i - 0.5))),
    radius: RADIUS,
    density: DENSITY,
    young: YOUNG,
    stretch: 1e9,
    damping: DAMPING,
    clampStart: true,
    selfContact: false,
    gravityScale: (weight * BEND) / (LENGTH ** 3 * DENSITY * AREA * 9.81),
  });
}

export interface Chain {
  middle: number;
  /** Holds the ends in the coming step. */
  hold(): void;
}

/** A chain of NODES links between two pins as far apart as `span` of its length, their middle at `at`. */
export function addChain(world: RodWorld, span: number, at: number[] = [0, 0, 0]): Chain {
  const links = NODES;
  // Half angle β of the arc it starts as: sin β/β = span.
  let [low, high] = [0.01, Math.PI];
  for (let k = 0; k < 60; k++) {
    const b = 0.5 * (low + high);
    if (Math.sin(b) / (links * Math.sin(b / links)) > span) low = b;
    else high = b;
  }
  const radius = LENGTH / (links * 2 * Math.sin(low / links));
  const points = Array.from({ length: links + 1 }, (_, i) => {
    const a = low * ((2 * i) / links - 1);
    return [at[0] + radius * Math.sin(a), at[1] + radius * (Math.cos(low) - Math.cos(a)), at[2]];
  });
  const material = { radius: 1e-3, young: 1e3, stretch: 1e8, damping: 0.05 };
  const first = addStrands(world, { points, ...material, selfContact: false });
  const ends = [first, first + links];
  for (const node of ends) world.tables.nodes.mass[2 * node] = PIN;
  const hold = () => {
    for (const node of ends) loadNode(world, node, [0, PIN * 9.81, 0]);
  };
  return { middle: first + links / 2, hold };
}

/** Stretch stiffness k_s A of held rods [N]. */
export const STRETCH = 1e9 * AREA;

/** A weightless rod held by the world at both ends, in the unit of length of its table. */
export interface HeldRod extends Shape {
  /** Metres to that unit. */
  scale: number;
  /** G J/(E I). */
  torsion: number;
  /** Angle of the material of each edge beyond the twist-free state [rad]. */
  twist(edge: number): number;
  /** Where it is curved at rest: which way its material is turned, as a whole, that it bends with the least energy. */
  turned?: boolean;
}

/** Adds it; returns its first node. */
export function addHeldRod(world: RodWorld, { points, rest, scale, torsion, twist, turned = false }: HeldRod): number {
  const { tables } = world;
  const triples = (flat: number[]) =>
    Array.from({ length: flat.length / 3 }, (_, i) => flat.slice(3 * i, 3 * i + 3).map((x) => scale * x));
  const first = addStrands(world, {
    points: triples(points),
    rest: triples(rest),
    radius: RADIUS,
    density: DENSITY,
    young: YOUNG,
    shear: 0.5 * torsion * YOUNG,
    stretch: STRETCH / AREA,
    damping: DAMPING,
    gravityScale: 0,
    selfContact: false,
  });
  const strand = tables.nodes.strand[first];
  const turn = (angle: (edge: number) => number) => {
    for (let edge = 0; edge < points.length / 3 - 1; edge++)
      tables.nodes.position[4 * (first + edge) + 3] += angle(edge);
  };
  turn(twist);
  if (turned)
    turnToLeast(
      (angle) => turn(() => angle),
      () => strandEnergy(tables, strand).bend,
    );
  for (const end of [0, 1]) holdEnd(tables, strand, end, -1);
  return first;
}
