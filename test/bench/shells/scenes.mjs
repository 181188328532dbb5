// Scenes with cloth as plain data, the same for every engine: those of `stiction bench shells`
// (src/bench/shells-worlds). SI units, y up. A sheet is a grid of `columns` × `rows` vertices; weft, warp and
// diagonals are there for engines that are made of springs.

export const STEP = 1 / 60;
export const GRAVITY = 9.81;
export const FRICTION = 0.5;
/** Half of what two layers are apart [m]. */
export const RADIUS = 0.005;
export const BALL = 0.3;
export const CAPSULE = { radius: 0.2, half: 0.5 };

function sheet(columns, rows, mass, place, pins = []) {
  const points = new Float64Array(3 * columns * rows);
  const [triangles, edges, diagonals, bends] = [[], [], [], []];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = j * columns + i;
      points.set(place(i / (columns - 1), j / (rows - 1)), 3 * a);
      if (i + 1 < columns) edges.push(a, a + 1);
      if (j + 1 < rows) edges.push(a, a + columns);
      if (i + 2 < columns) bends.push(a, a + 2);
      if (j + 2 < rows) bends.push(a, a + 2 * columns);
      if (i + 1 === columns || j + 1 === rows) continue;
      const [b, c, d] = [a + 1, a + columns, a + columns + 1];
      if ((i + j) % 2 === 0) triangles.push(a, b, d, a, d, c);
      else triangles.push(a, b, c, b, d, c);
      diagonals.push(a, d, b, c);
    }
  }
  return { points, triangles, edges, diagonals, bends, mass, pins };
}

const square =
  (side, height, x = 0, z = 0) =>
  (u, v) => [x + side * (u - 0.5), height, z + side * (0.5 - v)];

const scene = (steps, sheets, more = {}) => ({ steps, sheets, gravity: [0, -GRAVITY, 0], statics: [], ...more });
const ground = { box: [20, 0.5, 4], position: [0, -0.5, 0] };

/** Rest, a dash along z to 10 m/s at 40 m/s², half a turn at speed, back, a stop. */
function dash() {
  const inStep = 16;
  const h = STEP / inStep;
  const poses = [];
  let [x, z, yaw] = [0, 0, 0];
  for (let i = 0; i <= 240 * inStep; i++) {
    const t = i * h;
    if (i % inStep === 0) poses.push({ position: [x, 0, z], yaw });
    const fast = t < 2.75 ? 10 : Math.max(0, 100 * (2.85 - t));
    const speed = t < 0.5 ? 0 : t < 0.75 ? 40 * (t - 0.5) : fast;
    if (t >= 1.5 && t < 2) yaw += (Math.PI * h) / 0.5;
    x += h * speed * Math.sin(yaw);
    z += h * speed * Math.cos(yaw);
  }
  return poses;
}

export const SCENES = {
  hang: () => scene(300, [sheet(50, 50, 0.2, square(1, 0), [0, 49])]),
  drape: () =>
    scene(300, [sheet(50, 50, 0.2, square(1, 0.35, 0.05))], { statics: [{ ball: BALL, position: [0, 0, 0] }] }),
  cape: () => {
    const away = 0.212;
    const pins = Array.from({ length: 50 }, (_, i) => i);
    const place = (u, v) => {
      const angle = Math.PI * (u - 0.5);
      return [away * Math.sin(angle), 0.5 - v, -away * Math.cos(angle)];
    };
    return scene(240, [sheet(50, 50, 0.2 * Math.PI * away, place, pins)], { poses: dash() });
  },
  layers: () =>
    scene(
      300,
      [0, 1, 2, 3, 4].map((k) => sheet(15, 15, 0.018, square(0.3, 0.02 + 0.03 * k, 0.004 * k, -0.003 * k))),
      { statics: [ground] },
    ),
  /** The plane is level and gravity turned: the same physics, and exact positions. */
  incline: (tangent) => {
    const slope = Math.atan(tangent * FRICTION);
    return scene(240, [sheet(20, 20, 0.032, square(0.4, 0.0055))], {
      statics: [ground],
      gravity: [GRAVITY * Math.sin(slope), -GRAVITY * Math.cos(slope), 0],
      slope,
      isFlat: true,
    });
  },
};
