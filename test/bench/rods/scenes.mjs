// Two scenes with one rope that every peer can hold, and what is measured on its points alone.
//
//   hang     a rope of 1.2 m carries 0.2 kg: it shall not get longer
//   capstan a rope over a fixed drum, 0.2 kg at one end, more at the other, so that the
//   tensions where it leaves the drum
//            are `share` of what Coulomb's law holds: below 1 it must not move, above 1 it must slip

export const RADIUS = 0.01; // of the rope [m]
export const DRUM = 0.1; // [m]
export const FRICTION = 0.3;
export const DENSITY = 1000; // [kg/m³]
const LOAD = 0.2; // [kg]: 25 times a point of the rope
export const GRAVITY = -9.81; // [m/s²]
const EDGE = 0.025; // [m]
const HANG_EDGES = 48;
const WRAP_EDGES = 14;
const TAIL_EDGES = 16;

/** Mass of the rope's tail on either side, and of a radius of it [kg]. */
const LINE = DENSITY * Math.PI * RADIUS * RADIUS; // [kg/m]
const ARC = DRUM + RADIUS; // of the centre line [m]

/**
 * T2/T1 at which a heavy rope slips over half a turn: dT/dθ = mu (T + w R sin θ) + w R cos
 * θ, w its weight over its length.
 */
export function holdRatio(tension) {
  const grow = Math.exp(FRICTION * Math.PI);
  return grow + (2 * FRICTION * LINE * ARC * (1 + grow)) / ((1 + FRICTION * FRICTION) * tension);
}

/** Points of the rope and the masses at its ends [kg]; `pinned`: the first point does not move. */
export function hang() {
  const points = Array.from({ length: HANG_EDGES + 1 }, (_, i) => [0, -EDGE * i, 0]);
  return { name: 'hang', points, pinned: true, masses: [0, LOAD], drum: false, steps: 300 };
}

/** The rope touches the drum with the middles of its edges. */
export function capstan(share) {
  const turn = Math.PI / WRAP_EDGES;
  const reach = DRUM + RADIUS;
  const corner = reach / Math.cos(turn / 2);
  const edge = 2 * corner * Math.sin(turn / 2);
  const points = [];
  const arc = Array.from({ length: WRAP_EDGES }, (_, k) => {
    const angle = Math.PI - (k + 0.5) * turn;
    return [corner * Math.cos(angle), corner * Math.sin(angle), 0];
  });
  for (let i = TAIL_EDGES; i > 0; i--) points.push([-reach, -edge * (i - 0.5), 0]);
  points.push(...arc);
  for (let i = 1; i <= TAIL_EDGES; i++) points.push([reach, -edge * (i - 0.5), 0]);
  const tail = LINE * edge * (TAIL_EDGES - 0.5);
  const tension = LOAD + tail;
  const masses = [LOAD, share * holdRatio(tension) * tension - tail];
  return { name: `capstan ${share}`, points, pinned: false, masses, drum: true, steps: 240 };
}

/** Mass of a point of the rope itself [kg]. */
export function pointMass(points) {
  const length = Math.hypot(...points[1].map((x, k) => x - points[0][k]));
  return DENSITY * Math.PI * RADIUS * RADIUS * length;
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Longest edge and whole rope over their rest lengths, less 1. */
export function stretch(points, rest) {
  let worst = 0;
  let [whole, wholeRest] = [0, 0];
  for (let i = 1; i < points.length; i++) {
    const [now, before] = [distance(points[i], points[i - 1]), distance(rest[i], rest[i - 1])];
    worst = Math.max(worst, now / before - 1);
    whole += now;
    wholeRest += before;
  }
  return { worst, whole: whole / wholeRest - 1 };
}

/** How deep the rope's edges are in the drum (axis z) [m]; 0 where it does not touch. */
export function penetration(points) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const e = [b[0] - a[0], b[1] - a[1]];
    const square = e[0] * e[0] + e[1] * e[1];
    const s = square > 0 ? Math.min(1, Math.max(0, -(e[0] * a[0] + e[1] * a[1]) / square)) : 0;
    least = Math.min(least, Math.hypot(a[0] + s * e[0], a[1] + s * e[1]));
  }
  return Math.max(0, DRUM + RADIUS - least);
}
