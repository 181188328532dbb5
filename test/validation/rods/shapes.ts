// Shapes of the tables of twist and of helical springs, for the statics and for whole steps.

/** x y z of points. */
export interface Shape {
  points: number[];
  rest: number[];
}

/**
 * A naturally straight rod bent to a closed ring of radius 1 about z; the last edge lies on the first: n − 2 sides.
 */
export function ringShape(n: number): Shape {
  const sides = n - 2;
  const points: number[] = [];
  for (let i = 0; i < n; i++) {
    const a = (2 * Math.PI * i) / sides;
    points.push(Math.cos(a), Math.sin(a), 0);
  }
  const edge = 2 * Math.sin(Math.PI / sides);
  return { points, rest: straight(n, edge) };
}

/** A rod along x. */
export function straight(n: number, edge: number): number[] {
  return Array.from({ length: n }, (_, i) => [edge * i, 0, 0]).flat();
}

/** A helix about y of curvature k, torsion t, at arc lengths 0, ℓ, 2ℓ …; chords are taken as arcs. */
export function helixPoints(n: number, arc: number, k: number, t: number): number[] {
  const w = Math.sqrt(k * k + t * t);
  const points: number[] = [];
  for (let i = 0; i < n; i++) {
    const a = w * arc * i;
    // Right-handed about +y.
    points.push((k / w ** 2) * Math.sin(a), (t / w) * arc * i, (k / w ** 2) * Math.cos(a));
  }
  return points;
}

/** Turns a rod's material as a whole to the least bending energy, E = a − b cos(φ − φ*). */
export function turnToLeast(turn: (angle: number) => void, energy: () => number): void {
  const bend = [0, Math.PI / 2, Math.PI / 2, Math.PI / 2].map((angle) => {
    turn(angle);
    return energy();
  });
  turn(Math.PI / 2 + Math.atan2(bend[3] - bend[1], bend[2] - bend[0]));
}
