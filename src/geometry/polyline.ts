// What a polyline must be to serve as the centre line of a rod, and where one is not.
//
// In: points, three numbers each [m]. Out: the first fault, by point. Two cases have no meaning for a rod and are
// refused: an edge without length has no direction, and an edge that runs back along the one before it bends
// through half a turn, about no axis and with infinite curvature. All else is allowed, knots and overlaps too.

type Numbers = ArrayLike<number>;

/** Shortest edge [m]: a rod's edges are millimetres to metres; below this two points are taken as one repeated. */
export const LEAST_LENGTH = 1e-7;
/** Neighbouring unit tangents with 1 + t0·t1 below this run back on each other [1]: less than 0.1° from opposite. */
const FOLDED = 1e-6;

/** A point and what is wrong with it, ready to follow its name: `points[3] must …`. */
export interface PolylineFault {
  readonly point: number;
  readonly expectation: string;
  /** A point that is not finite rather than one in the wrong place. */
  readonly got: string;
}

/** The first fault among `count` points of `points` from index `first` on; null if there is none. */
export function findPolylineFault(points: Numbers, first: number, count: number): PolylineFault | null {
  let tx = 0;
  let ty = 0;
  let tz = 0;
  for (let i = 0; i < count; i++) {
    const at = 3 * (first + i);
    for (let k = 0; k < 3; k++) {
      if (!Number.isFinite(points[at + k])) {
        return { point: i, expectation: 'must be 3 finite numbers [m]', got: String(points[at + k]) };
      }
    }
    if (i === 0) continue;
    const x = points[at] - points[at - 3];
    const y = points[at + 1] - points[at - 2];
    const z = points[at + 2] - points[at - 1];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length >= LEAST_LENGTH)) {
      const expectation = `must be at least ${LEAST_LENGTH} [m] from the point before it`;
      return { point: i, expectation, got: `a distance of ${length}` };
    }
    const along = (tx * x + ty * y + tz * z) / length;
    if (i > 1 && 1 + along < FOLDED) {
      return { point: i, expectation: 'must not lead straight back along the edge before it', got: 'a fold of 180°' };
    }
    tx = x / length;
    ty = y / length;
    tz = z / length;
  }
  return null;
}
