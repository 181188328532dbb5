// Debug drawing as arrays of lines and points; no renderer. Contacts with impulse arrows coloured by stick and
// slip, islands, sleeping bodies, collider boxes, joints and strands. Arrays grow and are reused.

import type { Arena } from '../core/arena';
import { rotateVector } from '../math/quaternion';
import { OTHER_NODE } from '../state/attachment-places';
import { CONTACT_GAP, KEY_KIND_A, pairPointAt, REACTION_APART } from '../state/contact-places';
import { FRAME_TURN, jointFrameAt } from '../state/joint-places';
import * as L from '../state/layout';
import { RADIUS, STRETCH_MODULUS } from '../state/material-places';
import { RANGE_COUNT } from '../state/node-places';
import type { Tables } from '../state/tables';

export interface DrawList {
  lineCount: number;
  /** Six numbers a line: start and end [m]. */
  lines: Float32Array;
  /** Four numbers a line: red, green, blue, alpha, 0..1. */
  lineColors: Float32Array;
  pointCount: number;
  /** Three numbers a point [m]. */
  points: Float32Array;
  /** Four numbers a point. */
  pointColors: Float32Array;
}

export interface DrawOptions {
  /** Contact points: green sticks, orange slips, grey does not carry, blue sleeps. */
  contacts?: boolean;
  /** Impulse arrows at contact points. */
  impulses?: boolean;
  /**
   * The friction cone of each contact point that carries, with its impulse inside: a side is friction times as wide as
   * the impulse presses. Contacts that sleep have none.
   */
  cones?: boolean;
  /**
   * Lines of thrust: through each body that is pressed on by two others, from the centre of pressure of one touch to
   * that of the other. A vault stands as long as its line stays within its stones. Touches that sleep have none.
   */
  thrust?: boolean;
  /** Collider boxes coloured by island. */
  islands?: boolean;
  /** Collider boxes of sleeping bodies. */
  sleeping?: boolean;
  /** All collider boxes. */
  boxes?: boolean;
  /**
   * Joints: from the centre of each body to its end, a point at each end (red where they are over a millimetre apart),
   * and the joint's axis in its second body. Broken ones are left out.
   */
  joints?: boolean;
  /** Characters: the point that each stands on with its normal, and its velocity (a second's way). */
  characters?: boolean;
  /** Edges of rods; clamped and attached nodes as points. */
  strands?: boolean;
  /** Edges of rods, but clamped ones, by the pull in them: blue none, green, yellow, red the most there is. */
  tension?: boolean;
  /** Contacts of strands: coloured points, and lines along the normal from side B to side A. */
  strandContacts?: boolean;
  /** Length of an impulse arrow [m per N·s]; default 0 = scaled so that the largest is one metre. */
  impulseScale?: number;
}

type Color = readonly [number, number, number, number];

const STICK: Color = [0.2, 0.85, 0.4, 1];
const SLIP: Color = [1, 0.55, 0.1, 1];
const IDLE: Color = [0.6, 0.6, 0.65, 0.7];
const ASLEEP: Color = [0.35, 0.45, 0.9, 0.6];
const STRAND: Color = [0.85, 0.75, 0.55, 1];
const JOINT: Color = [0.35, 0.8, 1, 1];
const AXIS: Color = [1, 0.85, 0.3, 1];
/** Length drawn of a joint's axis, to both sides [m]. */
const AXIS_REACH = 0.12;
/** Ends farther apart are drawn red [m]. */
const APART = 1e-3;
const BAD: Color = [1, 0.1, 0.1, 1];
/** Of friction cones, and of lines of thrust. */
const [CONE, THRUST]: readonly Color[] = [
  [0.95, 0.85, 0.35, 0.6],
  [0.95, 0.2, 0.55, 1],
];
const HELD: Color = [1, 1, 1, 1];
const BOX: Color = [0.75, 0.75, 0.8, 0.45];

/** An empty list. */
export function createDrawList(): DrawList {
  return {
    lineCount: 0,
    lines: new Float32Array(6 * 256),
    lineColors: new Float32Array(4 * 256),
    pointCount: 0,
    points: new Float32Array(3 * 256),
    pointColors: new Float32Array(4 * 256),
  };
}

function grown(old: Float32Array): Float32Array {
  const next = new Float32Array(2 * old.length);
  next.set(old);
  return next;
}

/** From the first three coordinates to the last three. */
function addLine(list: DrawList, ends: readonly number[], color: Color): void {
  const i = list.lineCount++;
  if (6 * i + 6 > list.lines.length) {
    list.lines = grown(list.lines);
    list.lineColors = grown(list.lineColors);
  }
  for (let k = 0; k < 6; k++) list.lines[6 * i + k] = ends[k];
  for (let k = 0; k < 4; k++) list.lineColors[4 * i + k] = color[k];
}

function addPoint(list: DrawList, x: number, y: number, z: number, color: Color): void {
  const i = list.pointCount++;
  if (3 * i + 3 > list.points.length) {
    list.points = grown(list.points);
    list.pointColors = grown(list.pointColors);
  }
  list.points[3 * i] = x;
  list.points[3 * i + 1] = y;
  list.points[3 * i + 2] = z;
  for (let k = 0; k < 4; k++) list.pointColors[4 * i + k] = color[k];
}

/** Refills `list` with what `options` asks for. */
export function fillDrawList(arena: Arena, tables: Tables, list: DrawList, options: DrawOptions): void {
  list.lineCount = 0;
  list.pointCount = 0;
  if (options.contacts || options.impulses || options.cones) drawContacts(arena, tables, list, options);
  if (options.thrust) drawThrust(arena, tables, list);
  if (options.boxes || options.islands || options.sleeping) drawBoxes(arena, tables, list, options);
  if (options.joints) drawJoints(arena, tables, list);
  if (options.characters) drawCharacters(arena, tables, list);
  if (options.strands) drawStrands(arena, tables, list);
  if (options.tension) drawTension(arena, tables, list);
  if (options.strandContacts) drawStrandContacts(arena, tables, list);
}

const STATUS: readonly Color[] = [IDLE, STICK, SLIP];

function drawCharacters(arena: Arena, { actors, bodies }: Tables, list: DrawList): void {
  for (let row = 0; row < arena.i32[L.ACTOR_COUNT >> 2]; row++) {
    if (!(actors.flags[row] & L.ACTOR_CHARACTER)) continue;
    const state = actors.state.subarray(L.ACTOR_NUMBERS * row, L.ACTOR_NUMBERS * (row + 1));
    const color = STATUS[state[L.CHARACTER_STATUS]];
    const [x, y, z] = bodies.position.subarray(4 * actors.body[row], 4 * actors.body[row] + 3);
    addLine(list, [x, y, z, x + state[0], y + state[1], z + state[2]], color);
    if (state[L.CHARACTER_GROUND] < 0) continue;
    const [px, py, pz] = state.subarray(L.CHARACTER_POINT, L.CHARACTER_POINT + 3);
    const [nx, ny, nz] = state.subarray(L.CHARACTER_NORMAL, L.CHARACTER_NORMAL + 3);
    addPoint(list, px, py, pz, color);
    addLine(list, [px, py, pz, px + 0.5 * nx, py + 0.5 * ny, pz + 0.5 * nz], color);
  }
}

/** Whether neither body of a pair is awake. */
function isPairAsleep({ pairs, bodies }: Tables, pair: number): boolean {
  const still = L.BODY_ASLEEP | L.BODY_STATIC;
  return (bodies.flags[pairs.bodyA[pair]] & still) !== 0 && (bodies.flags[pairs.bodyB[pair]] & still) !== 0;
}

function drawContacts(arena: Arena, tables: Tables, list: DrawList, options: DrawOptions): void {
  const { pairs } = tables;

  // Sleeping pairs keep their manifolds and impulses: they are shown, too, as what they are.
  const count = arena.i32[L.PAIR_COUNT >> 2];
  const hasArrows = options.impulses || options.cones;
  const scale = hasArrows ? options.impulseScale || 1 / Math.max(1e-12, largestImpulse(arena, tables)) : 0;

  for (let pair = 0; pair < count; pair++) {
    if (!(pairs.flags[pair] & L.PAIR_ALIVE)) continue;
    const isAsleep = isPairAsleep(tables, pair);
    const n = 4 * pair;
    const mu = pairs.material[n];

    for (let k = 0; k < pairs.points[pair]; k++) {
      const at = pairPointAt(pair, k);
      const [x, y, z] = [pairs.point[at], pairs.point[at + 1], pairs.point[at + 2]];
      const normal = pairs.impulse[at];
      const t1 = pairs.impulse[at + 1];
      const t2 = pairs.impulse[at + 2];
      const isSlipping = t1 * t1 + t2 * t2 > 0.9999 * mu * mu * normal * normal;
      const color = isAsleep ? ASLEEP : normal <= 0 ? IDLE : isSlipping ? SLIP : STICK;
      if (options.contacts) addPoint(list, x, y, z, color);
      if (!hasArrows || normal <= 0 || (isAsleep && !options.impulses)) continue;
      const [nx, ny, nz] = [pairs.normal[n], pairs.normal[n + 1], pairs.normal[n + 2]];
      const [tx, ty, tz] = [pairs.tangent[n], pairs.tangent[n + 1], pairs.tangent[n + 2]];
      const [bx, by, bz] = [ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx];
      const [up, along, across] = [scale * normal, scale * t1, scale * t2];
      addLine(
        list,
        [
          ...[x, y, z],
          ...[x + up * nx + along * tx + across * bx, y + up * ny + along * ty + across * by],
          z + up * nz + along * tz + across * bz,
        ],
        color,
      );
      if (options.cones && !isAsleep) {
        const axes = [nx, ny, nz, tx, ty, tz, bx, by, bz];
        addCone(list, [x, y, z], axes, up, mu * up);
      }
    }
  }
}

/** Sides drawn of a cone, and cosine and sine of one of them. */
const [CONE_SIDES, COS, SIN] = [16, 0.9238795325112867, 0.3826834323650898];
/** The unit circle, two numbers a corner, the first again at the end. */
const CIRCLE = new Float64Array(2 * CONE_SIDES + 2);
CIRCLE[0] = 1;
for (let i = 0; i < 2 * CONE_SIDES; i += 2) {
  CIRCLE[i + 2] = COS * CIRCLE[i] - SIN * CIRCLE[i + 1];
  CIRCLE[i + 3] = SIN * CIRCLE[i] + COS * CIRCLE[i + 1];
}

/** A cone from its tip along the first of three axes; height and radius of its rim [m]. */
function addCone(
  list: DrawList,
  tip: readonly number[],
  axes: readonly number[],
  height: number,
  radius: number,
): void {
  const rim = (side: number, k: number) => {
    const [c, s] = [radius * CIRCLE[2 * side], radius * CIRCLE[2 * side + 1]];
    return tip[k] + height * axes[k] + c * axes[3 + k] + s * axes[6 + k];
  };
  for (let side = 0; side < CONE_SIDES; side++) {
    const [x, y, z] = [rim(side, 0), rim(side, 1), rim(side, 2)];
    addLine(list, [x, y, z, rim(side + 1, 0), rim(side + 1, 1), rim(side + 1, 2)], CONE);
    if (side % 4 === 0) addLine(list, [tip[0], tip[1], tip[2], x, y, z], CONE);
  }
}

function drawThrust(arena: Arena, tables: Tables, list: DrawList): void {
  const { pairs, bodies } = tables;
  /** Of each body the centres of pressure of its touches, three numbers each [m]. */
  const centres = new Map<number, number[]>();
  for (let pair = 0; pair < arena.i32[L.PAIR_COUNT >> 2]; pair++) {
    if (!(pairs.flags[pair] & L.PAIR_ALIVE) || isPairAsleep(tables, pair)) continue;
    let [whole, x, y, z] = [0, 0, 0, 0];
    for (let k = 0; k < pairs.points[pair]; k++) {
      const at = pairPointAt(pair, k);
      const normal = pairs.impulse[at];
      whole += normal;
      x += normal * pairs.point[at];
      y += normal * pairs.point[at + 1];
      z += normal * pairs.point[at + 2];
    }
    if (!(whole > 0)) continue;
    for (const body of [pairs.bodyA[pair], pairs.bodyB[pair]]) {
      if (bodies.flags[body] & L.BODY_STATIC) continue;
      const known = centres.get(body);
      if (known) known.push(x / whole, y / whole, z / whole);
      else centres.set(body, [x / whole, y / whole, z / whole]);
    }
  }
  for (const ends of centres.values()) if (ends.length === 6) addLine(list, ends, THRUST);
}

/** Largest normal impulse at an active contact point [N·s]. */
export function largestImpulse(arena: Arena, { pairs }: Tables): number {
  let largest = 0;
  for (let pair = 0; pair < arena.i32[L.PAIR_COUNT >> 2]; pair++) {
    if (!(pairs.flags[pair] & L.PAIR_ALIVE)) continue;
    for (let k = 0; k < pairs.points[pair]; k++) largest = Math.max(largest, pairs.impulse[pairPointAt(pair, k)]);
  }
  return largest;
}

/** A colour per island, well apart for neighbours in number. */
function islandColor(island: number): Color {
  const hue = (island * 0.618034) % 1;
  const channel = (offset: number) => Math.min(1, Math.max(0, Math.abs(((hue + offset) % 1) * 6 - 3) - 1));
  return [0.25 + 0.75 * channel(0), 0.25 + 0.75 * channel(2 / 3), 0.25 + 0.75 * channel(1 / 3), 0.8];
}

function drawBoxes(arena: Arena, tables: Tables, list: DrawList, options: DrawOptions): void {
  const { bodies, colliders } = tables;
  for (let c = 0; c < arena.i32[L.COLLIDER_COUNT >> 2]; c++) {
    if (!(colliders.flags[c] & L.COLLIDER_ALIVE)) continue;
    const body = colliders.body[c];
    const flags = bodies.flags[body];
    if (flags & L.BODY_STATIC) continue;
    const isAsleep = (flags & L.BODY_ASLEEP) !== 0;
    const island = bodies.island[body];
    let color: Color | null = options.boxes ? BOX : null;
    if (options.islands && !isAsleep && island >= 0) color = islandColor(island);
    if (options.sleeping && isAsleep) color = ASLEEP;
    if (color) addBox(list, colliders.box, 6 * c, color);
  }
}

function addBox(list: DrawList, box: Float64Array, at: number, color: Color): void {
  const [x0, y0, z0, x1, y1, z1] = [box[at], box[at + 1], box[at + 2], box[at + 3], box[at + 4], box[at + 5]];
  for (const y of [y0, y1]) {
    addLine(list, [x0, y, z0, x1, y, z0], color);
    addLine(list, [x1, y, z0, x1, y, z1], color);
    addLine(list, [x1, y, z1, x0, y, z1], color);
    addLine(list, [x0, y, z1, x0, y, z0], color);
  }
  addLine(list, [x0, y0, z0, x0, y1, z0], color);
  addLine(list, [x1, y0, z0, x1, y1, z0], color);
  addLine(list, [x1, y0, z1, x1, y1, z1], color);
  addLine(list, [x0, y0, z1, x0, y1, z1], color);
}

const ends = new Float64Array(6);
const axis = new Float64Array(3);

function drawJoints(arena: Arena, { bodies, joints }: Tables, list: DrawList): void {
  for (let joint = 0; joint < arena.i32[L.JOINT_COUNT >> 2]; joint++) {
    if ((joints.flags[joint] & (L.JOINT_ALIVE | L.JOINT_BROKEN)) !== L.JOINT_ALIVE) continue;
    const color = joints.reaction[8 * joint + REACTION_APART] > APART ? BAD : JOINT;
    for (let end = 0; end < 2; end++) {
      const body = joints.body[2 * joint + end];
      const at = jointFrameAt(joint, end);
      for (let k = 0; k < 3; k++) ends[3 * end + k] = joints.frame[at + k];
      if (body >= 0) {
        rotateVector(ends, 3 * end, bodies.rotation, 4 * body, joints.frame, at);
        for (let k = 0; k < 3; k++) ends[3 * end + k] += bodies.position[4 * body + k];
        const [x, y, z] = bodies.position.subarray(4 * body, 4 * body + 3);
        addLine(list, [x, y, z, ends[3 * end], ends[3 * end + 1], ends[3 * end + 2]], color);
      }
      addPoint(list, ends[3 * end], ends[3 * end + 1], ends[3 * end + 2], color);
    }
    const kind = joints.kind[joint];
    if (kind === L.JOINT_FIXED || kind === L.JOINT_DISTANCE || kind === L.JOINT_SIX_AXIS) {
      addLine(list, [ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]], color);
      continue;
    }
    axis.set(X);
    rotateVector(axis, 0, joints.frame, jointFrameAt(joint, 0) + FRAME_TURN, axis, 0);
    const body = joints.body[2 * joint];
    if (body >= 0) rotateVector(axis, 0, bodies.rotation, 4 * body, axis, 0);
    for (let k = 0; k < 3; k++) axis[k] *= AXIS_REACH;
    const [x, y, z] = ends;
    addLine(list, [x - axis[0], y - axis[1], z - axis[2], x + axis[0], y + axis[1], z + axis[2]], AXIS);
  }
}

const X = [1, 0, 0];

function drawStrands(arena: Arena, tables: Tables, list: DrawList): void {
  const { strands, nodes, rods, attachments } = tables;
  const { position } = nodes;
  const hold = (node: number) =>
    addPoint(list, position[4 * node], position[4 * node + 1], position[4 * node + 2], HELD);
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    const first = strands.first[s];
    const last = first + strands.nodes[s] - 1;
    const flags = strands.flags[s];
    const color = flags & L.STRAND_QUARANTINED ? BAD : STRAND;
    if (strands.kind[s] !== L.KIND_ROD) {
      drawMeshEdges(tables, s, list, color);
      continue;
    }
    for (let at = 4 * first; at < 4 * last; at += 4) {
      const [x0, y0, z0] = [position[at], position[at + 1], position[at + 2]];
      addLine(list, [x0, y0, z0, position[at + 4], position[at + 5], position[at + 6]], color);
    }
    if (flags & L.STRAND_CLAMP_START) hold(first);
    if (flags & L.STRAND_CLAMP_END) hold(last);
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    hold(rods.nodeStart[attachments.rod[a]] + attachments.node[a]);
    const other = attachments.other[2 * a];
    if (other >= 0) hold(rods.nodeStart[other] + attachments.other[2 * a + OTHER_NODE]);
  }
}

/** From no force to the largest: blue, green, yellow, red. */
const TENSIONS: readonly Color[] = [
  [0.25, 0.45, 0.95, 1],
  [0.25, 0.8, 0.55, 1],
  [0.98, 0.85, 0.25, 1],
  [0.95, 0.2, 0.15, 1],
];

function tensionColor(share: number): Color {
  const at = 3 * Math.min(Math.max(share, 0), 1);
  const i = Math.min(Math.floor(at), 2);
  const mix = (k: number) => TENSIONS[i][k] + (at - i) * (TENSIONS[i + 1][k] - TENSIONS[i][k]);
  return [mix(0), mix(1), mix(2), 1];
}

/** Calls `each` with the ends of all edges of rods and their tensions, E_s π r² (ℓ/ℓ₀ − 1) [N]. */
function eachTension(
  arena: Arena,
  { strands, nodes, rods }: Tables,
  each: (from: number, newton: number) => void,
): void {
  const { position, rest, stiffness } = nodes;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (strands.kind[s] !== L.KIND_ROD || strands.flags[s] & L.STRAND_QUARANTINED) continue;
    const material = 8 * strands.rod[s];
    const [radius, stretchModulus] = [rods.parameter[material + RADIUS], rods.parameter[material + STRETCH_MODULUS]];
    const whole = stretchModulus * Math.PI * radius * radius;
    const varies = (strands.flags[s] & L.STRAND_VARIES) !== 0;
    // Clamped edges are held as they are: nothing is known of the pull in them.
    const start = strands.first[s] + (strands.flags[s] & L.STRAND_CLAMP_START ? 1 : 0);
    const end = strands.first[s] + strands.nodes[s] - (strands.flags[s] & L.STRAND_CLAMP_END ? 2 : 1);
    for (let i = start; i < end; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => position[4 * i + 4 + k] - position[4 * i + k]);
      const strain = Math.sqrt(x * x + y * y + z * z) / rest[8 * i] - 1;
      each(i, whole * (varies ? stiffness[4 * i] : 1) * strain);
    }
  }
}

function drawTension(arena: Arena, tables: Tables, list: DrawList): void {
  let most = 1e-12;
  eachTension(arena, tables, (_, newton) => {
    most = Math.max(most, newton);
  });
  const { position: p } = tables.nodes;
  eachTension(arena, tables, (from, newton) => {
    const at = 4 * from;
    addLine(list, [p[at], p[at + 1], p[at + 2], p[at + 4], p[at + 5], p[at + 6]], tensionColor(newton / most));
  });
}

function drawMeshEdges({ strands, nodes, meshEdges }: Tables, object: number, list: DrawList, color: Color): void {
  const { position: p } = nodes;
  const first = strands.meshEdges[2 * object];
  for (let e = first; e < first + strands.meshEdges[2 * object + RANGE_COUNT]; e++) {
    const [a, b] = [4 * meshEdges.node[4 * e], 4 * meshEdges.node[4 * e + 1]];
    addLine(list, [p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2]], color);
  }
}

function drawStrandContacts(arena: Arena, { nodeContacts, strands, nodes, rods }: Tables, list: DrawList): void {
  const { node, weight, normal, force, material, key } = nodeContacts;
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const at = 4 * c;
    const p = nodes.position;
    // The point of side A: its nodes come first.
    let [x, y, z] = [0, 0, 0];
    for (let k = 0; k < key[at + KEY_KIND_A]; k++) {
      const i = 4 * node[at + k];
      x += weight[at + k] * p[i];
      y += weight[at + k] * p[i + 1];
      z += weight[at + k] * p[i + 2];
    }
    const [nx, ny, nz] = [normal[at], normal[at + 1], normal[at + 2]];
    const [fx, fy, fz] = [force[at], force[at + 1], force[at + 2]];
    const along = fx * nx + fy * ny + fz * nz;
    const across = fx * fx + fy * fy + fz * fz - along * along;
    const mu = material[at];
    // The force's scale does not matter to what it is: none, within the cone, or on it.
    const isIdle = along <= 0 && across <= 0;
    const color = isIdle ? IDLE : across > 0.9999 * mu * mu * along * along ? SLIP : STICK;
    addPoint(list, x, y, z, color);
    // The line spans the gap and as many radii again, so that it can be seen.
    const radius = rods.parameter[8 * strands.rod[nodes.strand[node[at]]] + RADIUS];
    const length = 4 * radius + Math.max(0, normal[at + CONTACT_GAP]);
    addLine(list, [x, y, z, x - length * nx, y - length * ny, z - length * nz], color);
  }
}
