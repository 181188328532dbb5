// The drape coefficient of Cusick (J. Text. Inst. 59, 1968): a disc of 30 cm on a pedestal of 18 cm; the area of its
// shadow less the pedestal's, over that of the flat disc less the pedestal's.
//
// Fabrics by measured mass, bending and membrane stiffness. Denim and interlock: Wang, O'Brien, Ramamoorthi 2011
// (bending along the bias, at rest), as published with their data. Silk, wool, cotton: in the middle of what the
// KES-F instruments give for dress silk, suiting and shirting.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { addShell, shellPositions } from '../../systems/shells';
import { GRAVITY } from './shells-worlds';

export interface Fabric {
  name: string;
  /** [kg/m²] */
  mass: number;
  /** D [N·m] */
  bending: number;
  /** E h [N/m] */
  membrane: number;
  /** What the literature gives for its kind [%]. */
  band: readonly [number, number] | null;
}

export const FABRICS: readonly Fabric[] = [
  { name: 'silk', mass: 0.08, bending: 3e-6, membrane: 3000, band: [20, 40] },
  { name: 'wool suiting', mass: 0.25, bending: 1.3e-5, membrane: 3000, band: [40, 70] },
  { name: 'cotton shirting', mass: 0.12, bending: 8e-6, membrane: 5000, band: [60, 76] },
  { name: 'cotton interlock', mass: 0.187, bending: 2.32e-5, membrane: 700, band: null },
  { name: 'denim, 11 oz', mass: 0.324, bending: 6.42e-5, membrane: 5000, band: [70, 90] },
];

export interface CusickRow {
  name: string;
  /** (D / ρ h g)^⅓ [mm] */
  bendingLength: number;
  /** [%] */
  drape: number;
  band: readonly [number, number] | null;
  /** Largest speed at the end [mm/s]. */
  speed: number;
}

const [DISC, PEDESTAL] = [0.15, 0.09]; // radii [m]
const THICKNESS = 1e-3; // [m]
const POISSON = 0.3;

/** Drapes a disc of so many rings, of which three fifths lie on the pedestal, for so many seconds. */
export function benchCusick(
  { name, mass, bending, membrane, band }: Fabric,
  rings: number,
  seconds: number,
): CusickRow {
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, gravity: [0, -GRAVITY, 0] });
  const { vertices, triangles, held } = createDisc(rings);

  const eid = addShell(physics, {
    vertices,
    triangles,
    thickness: THICKNESS,
    density: mass / THICKNESS,
    stretchModulus: membrane / THICKNESS,
    bendingModulus: (12 * (1 - POISSON * POISSON) * bending) / THICKNESS ** 3,
    poissonRatio: POISSON,
    damping: 0.01,
    friction: 0.3,
    // The pedestal's plate holds it; the folds of a disc this small meet neither the pedestal nor each other.
    selfContact: false,
    pins: held,
  });

  const now = new Float64Array(vertices.length);
  const before = new Float64Array(vertices.length);
  while (physics.time < seconds) {
    shellPositions(physics, eid, before);
    physics.step();
  }
  shellPositions(physics, eid, now);
  let fastest = 0;
  for (let k = 0; k < now.length; k++) fastest = Math.max(fastest, Math.abs(now[k] - before[k]));
  const { timeStep } = physics.settings;
  physics.dispose();
  const flat = Math.PI * (DISC * DISC - PEDESTAL * PEDESTAL);

  return {
    name,
    bendingLength: 1000 * Math.cbrt(bending / (mass * GRAVITY)),
    drape: (100 * (shadowOf(now, triangles) - Math.PI * PEDESTAL * PEDESTAL)) / flat,
    band,
    speed: (1000 * fastest) / timeStep,
  };
}

/** Rings of triangles about a middle, with a little unevenness that folds can begin at. */
function createDisc(rings: number) {
  const vertices: number[] = [0, 0, 0];
  const triangles: number[] = [];
  const held: number[] = [0];
  let inner = { first: 0, count: 1 };
  for (let ring = 1; ring <= rings; ring++) {
    const outer = { first: vertices.length / 3, count: 6 * ring };
    const radius = (DISC * ring) / rings;
    for (let k = 0; k < outer.count; k++) {
      const angle = (2 * Math.PI * k) / outer.count;
      const isHeld = radius < PEDESTAL * (1 + 1e-9);
      if (isHeld) held.push(vertices.length / 3);
      const rise = isHeld ? 0 : 2e-4 * Math.sin(5.3 * angle + 1) + 1e-4 * Math.sin(7.1 * angle);
      vertices.push(radius * Math.cos(angle), rise, -radius * Math.sin(angle));
      // Six sectors, each with one triangle more outwards.
      const within = k % ring;
      const on = (n: number) => inner.first + ((Math.floor(k / ring) * (ring - 1) + n) % inner.count);
      const next = outer.first + ((k + 1) % outer.count);
      triangles.push(on(within), outer.first + k, next);
      if (within + 1 < ring) triangles.push(on(within), next, on(within + 1));
    }
    inner = outer;
  }
  return { vertices: Float64Array.from(vertices), triangles, held };
}

/** Area of the shadow on a level plane [m²], on a raster of half a millimetre. */
function shadowOf(points: Float64Array, triangles: readonly number[]): number {
  const cell = 5e-4;
  const half = Math.ceil((1.1 * DISC) / cell);
  const size = 2 * half;
  const covered = new Uint8Array(size * size);
  for (let t = 0; t < triangles.length; t += 3) {
    const x = [0, 1, 2].map((k) => points[3 * triangles[t + k]] / cell + half);
    const z = [0, 1, 2].map((k) => points[3 * triangles[t + k] + 2] / cell + half);
    const area = (x[1] - x[0]) * (z[2] - z[0]) - (x[2] - x[0]) * (z[1] - z[0]);
    if (area === 0) continue;
    for (let row = Math.max(0, Math.floor(Math.min(...z))); row <= Math.min(size - 1, Math.max(...z)); row++) {
      for (
        let column = Math.max(0, Math.floor(Math.min(...x)));
        column <= Math.min(size - 1, Math.max(...x));
        column++
      ) {
        const [px, pz] = [column + 0.5, row + 0.5];
        const b = ((px - x[0]) * (z[2] - z[0]) - (x[2] - x[0]) * (pz - z[0])) / area;
        const c = ((x[1] - x[0]) * (pz - z[0]) - (px - x[0]) * (z[1] - z[0])) / area;
        if (b >= 0 && c >= 0 && b + c <= 1) covered[row * size + column] = 1;
      }
    }
  }
  return covered.reduce((sum, value) => sum + value, 0) * cell * cell;
}
