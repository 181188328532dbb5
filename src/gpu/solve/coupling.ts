// Two-way coupling: what strands on the device do to bodies on the CPU, which hears of it two steps late.
//
// The device keeps the impulses of its last steps (a ring, by body) and moves bodies, in its own mind, by those that
// the CPU has not applied yet: strands always meet a body as it would be had it felt them at once, and nothing is
// counted twice. The CPU applies the impulses of each step exactly once, LAG steps later whenever they have arrived by
// then (so that a run repeats bit for bit), with the way that the body has missed meanwhile. Until they come it
// guesses: a load that three steps in a row agree on goes on, else a crate that rests on strands would sink through
// every late step. A guess is taken off again when the truth arrives; the device never sees it. Momentum is exact but
// for what is on its way. Clamps follow bodies as the device sees them.
//
// Out: velocities, BODY_MOTION, BODY_VELOCITY_CHANGE and poses of the tables, as if an outside force had acted in this
// step. What touches other bodies on the CPU has missed no way: its contacts would have held it.
// Limits: more than LATE_RING steps without news lose impulses; the turn of a body by late impulses is of first order.

import type { Arena } from '../../core/arena';
import { multiplyQuaternion, normalizeQuaternion } from '../../math/quaternion';
import { grown } from '../../solvers/admm/problem';
import { SLEEP_TIMER } from '../../state/contact-places';
import { MOVER_INVERSE_MASS, MOVER_TOUCHES, MOVER_WORDS } from '../../state/device-places';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import { LATE_RING } from '../constants';
import { type GpuBuffer, STATE_USAGE, USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import {
  type Bindings,
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatch,
  type Kernel,
} from '../device/pipelines';
import type { ReadBackPart } from '../device/read-back';
import type { ContactBuffers } from '../tables/contact-buffers';
import { MOST_PUSHABLE } from '../tables/solver-buffers';
import { WORLD_KERNELS } from '../world/world-kernels';

/** Steps after which impulses are applied: so long results take to come down at 60 steps a second. */
const LAG = 2;
/** Steps for which a guess goes on without news. */
const MOST_GUESSED = 6;
/** Bytes a body and step: impulse and moment. */
const ENTRY = 32;

export interface GpuCoupling {
  /** Steps whose impulses had not arrived when they were due. */
  readonly late: number;
  /**
   * Applies what is due at the start of step `step`, after the bodies' free velocities are known.
   * `wake`: a sleeping body was pushed.
   */
  apply(arena: Arena, tables: Tables, step: number, wake: (body: number) => void): void;
  /**
   * Writes movers' velocities, which are known only now, and the inputs of the kernels. After the bodies have moved.
   */
  begin(arena: Arena, tables: Tables, contacts: ContactBuffers, colliders: number, step: number): void;
  /** Movers, colliders and the poses that clamps follow to where they would be. Before the prediction. */
  encodeLate(pass: ComputePass, contacts: ContactBuffers, colliders: GpuBuffer, bodies: GpuBuffer): void;
  /** Notes the impulses of this step. After the last pass. */
  encodeNote(encoder: GPUCommandEncoder, contacts: ContactBuffers, felt: FeltBuffers): void;
  /** What `receive` needs, empty if no body can be pushed. */
  readonly parts: readonly ReadBackPart[];
  /** The ring as it was after step `step`. */
  receive(words: Float32Array, step: number): void;
  /**
   * Takes back guesses from the tables and drops what is on its way: bodies were restored, or
   * strands leave. `step`: steps so far.
   */
  reset(tables: Tables | null, step: number): void;
}

/**
 * What strands did to bodies: through contacts (by mover), and through clamps (solve/reactions.ts, solve/carried.ts).
 */
export interface FeltBuffers {
  readonly impulses: GpuBuffer;
  readonly starts: GpuBuffer;
  readonly reactions: GpuBuffer;
  readonly points: GpuBuffer;
  /** By body slot: of the groom that it carries (solve/carried.ts). */
  readonly carried: GpuBuffer;
}

/** Compiles the kernels. */
export async function createGpuCoupling(context: GpuContext, contacts: ContactBuffers): Promise<GpuCoupling> {
  const { device } = context;
  const { moverLate, moverNote } = WORLD_KERNELS;
  const kernels = await compileKernels(context, { moverLate, moverNote });
  const { pool } = contacts;
  const ring = pool.create('impulses of steps', LATE_RING * ENTRY, STATE_USAGE);
  const guesses = pool.create('guesses of movers', 64, STATE_USAGE);
  const shifts = pool.create('shifts of movers', 32, STATE_USAGE);
  const settings = pool.create('late', 256, USAGE.uniform | USAGE.copyTarget);
  const uniform = new Uint32Array(8);
  const reals = new Float32Array(uniform.buffer);
  const groups = createBindGroups(context);
  const felt = createFelt();
  let rows = new Float32Array(0);
  let pushable = 0;
  let moverCount = 0;
  let colliderCount = 0;

  const groupOf = (kernel: Kernel, { movers }: ContactBuffers, own: Bindings): GPUBindGroup => {
    groups.forget(pool.generation);
    const late = { buffer: settings.buffer, size: 32 };
    return groups.get(kernel, 0, () => ({ late, ring, guesses, shifts, movers, ...own }));
  };

  /** Another width: what the ring holds is in other places. Impulses that the CPU has not applied yet are lost. */
  const widen = (width: number, step: number): void => {
    pool.ensure(ring, LATE_RING * ENTRY * width);
    const encoder = device.createCommandEncoder({ label: 'impulses of steps' });
    encoder.clearBuffer(ring.buffer);
    device.queue.submit([encoder.finish()]);
    Object.assign(felt, { stride: width, applied: step - 1, news: null });
  };

  return {
    get late() {
      return felt.late;
    },
    apply(arena, tables, step, wake) {
      const due = step - LAG;
      const to = Math.max(felt.applied, Math.min(due, felt.news?.step ?? 0));
      if (to < due && pushable > 0) felt.late++;
      const count = ensureBodies(felt, arena, tables, step);
      const times = { step, to, timeStep: arena.f64[L.TIME_STEP >> 3] };
      for (let body = 0; body < count; body++) applyTo(felt, tables, body, times, wake);
      felt.applied = to;
    },
    begin(arena, tables, buffers, colliders, step) {
      const dt = arena.f64[L.TIME_STEP >> 3];
      moverCount = buffers.moverCount;
      colliderCount = colliders;
      pushable = 0;
      pool.ensure(guesses, 64 * moverCount);
      pool.ensure(shifts, 32 * moverCount);
      if (tables.bodies.capacity !== felt.stride) widen(tables.bodies.capacity, step);
      if (rows.length < 16 * moverCount) rows = new Float32Array(16 * Math.ceil(1.25 * moverCount));
      for (let m = 0; m < moverCount; m++) {
        const body = buffers.moverBodies[m];
        const at = MOVER_WORDS * m;
        writeVelocity(buffers.moverRows, at, tables, body, dt, felt.moved);
        buffers.moverRows[at + MOVER_TOUCHES] = touchesBodies(tables, body) ? 1 : 0;
        if (buffers.moverRows[at + MOVER_INVERSE_MASS] > 0 && m < MOST_PUSHABLE) pushable = m + 1;
        takeGuess(felt, body, rows, 16 * m, dt);
      }
      uniform.set([step, felt.applied, moverCount, pushable, colliderCount, felt.stride]);
      reals[6] = dt;
      if (moverCount > 0)
        device.queue.writeBuffer(buffers.movers.buffer, 0, buffers.moverRows, 0, MOVER_WORDS * moverCount);
      if (pushable === 0) return;
      device.queue.writeBuffer(settings.buffer, 0, uniform);
      device.queue.writeBuffer(guesses.buffer, 0, rows, 0, 16 * moverCount);
    },
    encodeLate(pass, buffers, colliders, bodies) {
      if (pushable === 0) return;
      const group = groupOf(kernels.moverLate, buffers, { colliders, bodies });
      dispatch(pass, kernels.moverLate, 'main', group, moverCount);
      dispatch(pass, kernels.moverLate, 'follow', group, colliderCount);
    },
    encodeNote(encoder, buffers, sources) {
      if (moverCount === 0) return;
      const row = uniform[0] % LATE_RING;
      encoder.clearBuffer(ring.buffer, ENTRY * felt.stride * row, ENTRY * felt.stride);
      if (pushable === 0) return;
      const pass = encoder.beginComputePass({ label: 'impulses' });
      dispatch(pass, kernels.moverNote, 'main', groupOf(kernels.moverNote, buffers, { ...sources }), pushable);
      pass.end();
    },
    get parts() {
      return pushable > 0 ? [{ buffer: ring.buffer, offset: 0, size: LATE_RING * ENTRY * felt.stride }] : [];
    },
    receive(words, step) {
      if (words.length === 8 * LATE_RING * felt.stride && step > felt.applied)
        felt.news = { words: words.slice(), step };
    },
    reset: (tables, step) => takeBackGuesses(felt, tables, step),
  };
}

/** What the CPU knows of the impulses. */
interface Felt {
  /** Bodies of a row of the ring. */
  stride: number;
  /** Last step whose impulses have been applied. */
  applied: number;
  late: number;
  /** The ring after a step. */
  news: { words: Float32Array; step: number } | null;
  /** By body slot: whose the rest is, and the step from which on impulses are its own. */
  generation: Int32Array;
  born: Int32Array;
  /** What is guessed in the tables: Δv, Δω, way, turn (3 each). */
  guess: Float64Array;
  /** Way and turn that this step's start was moved by: integrate-motion has not done that. */
  moved: Float64Array;
  /** Of one body: what comes, the way it has missed, what is steady of the load; a step's impulses. */
  readonly push: Float64Array;
  readonly missed: Float64Array;
  readonly load: Float64Array;
  readonly other: Float64Array;
}

function createFelt(): Felt {
  const [generation, born] = [new Int32Array(0), new Int32Array(0)];
  const [guess, moved] = [new Float64Array(0), new Float64Array(0)];
  const [push, missed, load, other] = [6, 6, 6, 6].map((length) => new Float64Array(length));
  return { stride: 1, applied: 0, late: 0, news: null, generation, born, guess, moved, push, missed, load, other };
}

/** Makes room for all bodies, and forgets what was of others in their slots; returns their number. */
function ensureBodies(felt: Felt, arena: Arena, tables: Tables, step: number): number {
  const count = arena.i32[L.BODY_COUNT >> 2];
  if (felt.generation.length < count) {
    const room = tables.bodies.capacity;
    felt.generation = grown(felt.generation, room, room);
    felt.born = grown(felt.born, room, room);
    felt.guess = grown(felt.guess, 12 * room, 12 * room);
    felt.moved = grown(felt.moved, 6 * room, 6 * room);
  }
  for (let body = 0; body < count; body++) {
    if (felt.generation[body] === tables.bodies.generation[body]) continue;
    felt.generation[body] = tables.bodies.generation[body];
    felt.born[body] = step;
    felt.guess.fill(0, 12 * body, 12 * body + 12);
  }
  return count;
}

/** `out` += impulse and moment of step `step` on the body, times `scale`. */
function take(out: Float64Array, { news, born, stride }: Felt, body: number, step: number, scale: number): void {
  if (!news || step < born[body] || body >= stride) return;
  const at = 8 * ((step % LATE_RING) * stride + body);
  for (let i = 0; i < 3; i++) {
    out[i] += scale * news.words[at + i];
    out[3 + i] += scale * news.words[at + 4 + i];
  }
}

/** What three steps in a row agree on, up to step `to`, into `load`. */
function findSteadyLoad(felt: Felt, body: number, to: number): void {
  const { load, other } = felt;
  load.fill(0);
  if (to - 2 < Math.max(1, felt.born[body])) return;
  take(load, felt, body, to, 1);
  for (const k of [to - 1, to - 2]) {
    other.fill(0);
    take(other, felt, body, k, 1);
    for (let i = 0; i < 6; i++) {
      load[i] = load[i] * other[i] <= 0 ? 0 : Math.sign(load[i]) * Math.min(Math.abs(load[i]), Math.abs(other[i]));
    }
  }
}

/** Impulses up to step `to`, and the guess of what is missing up to step `step`, on one body. */
function applyTo(
  felt: Felt,
  tables: Tables,
  body: number,
  { step, to, timeStep: dt }: { step: number; to: number; timeStep: number },
  wake: (body: number) => void,
): void {
  const { bodies } = tables;
  const { guess, moved, applied, push, missed, load } = felt;
  moved.fill(0, 6 * body, 6 * body + 6);
  const inverseMass = bodies.inverseMass[body];
  if (!(inverseMass > 0) || bodies.flags[body] & L.BODY_QUARANTINED) return;
  push.fill(0);
  missed.fill(0);
  for (let k = Math.max(applied + 1, to - LATE_RING + 1); k <= to; k++) {
    take(push, felt, body, k, 1);
    take(missed, felt, body, k, (step - k) * dt);
  }
  const before = 12 * body;
  if (push.every((x) => x === 0) && !hasGuess(guess, before)) return;
  const isHeld = touchesBodies(tables, body);
  findSteadyLoad(felt, body, to);
  if (bodies.flags[body] & L.BODY_ASLEEP) wake(body);
  bodies.damping[4 * body + SLEEP_TIMER] = 0;

  // Changes of velocity and place: what came, and the new guess less the old one.
  scaleByMass(bodies, body, push, inverseMass);
  scaleByMass(bodies, body, missed, inverseMass);
  scaleByMass(bodies, body, load, inverseMass);
  const ahead = Math.min(MOST_GUESSED, step - to);
  for (let i = 0; i < 6; i++) {
    const speed = ahead * load[i];
    const place = 0.5 * ahead * (ahead - 1) * dt * load[i];
    push[i] += speed - guess[before + i];
    missed[i] += place - guess[before + 6 + i];
    guess[before + i] = speed;
    guess[before + 6 + i] = place;
    if (isHeld) missed[i] = 0;
    moved[6 * body + i] = missed[i];
  }
  addMotion(bodies, body, push);
  shiftPose(bodies, body, missed);
}

/** Writes a body's guess for the device; it is part of what the body does in this step, too. */
function takeGuess({ guess }: Felt, body: number, rows: Float32Array, at: number, dt: number): void {
  for (let g = 0; g < 4; g++) {
    for (let k = 0; k < 3; k++) rows[at + 4 * g + k] = guess[12 * body + 3 * g + k] ?? 0;
  }
  for (let k = 0; k < 6; k++) guess[12 * body + 6 + k] += dt * guess[12 * body + k];
}

function takeBackGuesses(felt: Felt, tables: Tables | null, step: number): void {
  const { generation, guess, moved } = felt;
  for (let body = 0; tables && body < generation.length; body++) {
    if (generation[body] !== tables.bodies.generation[body] || !hasGuess(guess, 12 * body)) continue;
    const back = guess.subarray(12 * body, 12 * body + 12).map((x) => -x);
    addMotion(tables.bodies, body, back);
    shiftPose(tables.bodies, body, back.subarray(6));
  }
  guess.fill(0);
  moved.fill(0);
  felt.applied = step;
  felt.news = null;
}

type Bodies = Tables['bodies'];

/**
 * Whether the body's island has contacts of its own, as last built. These would have answered to the strands at once:
 * the body has missed no way, on the CPU or the device. Way made good all the same would push it into what it touches.
 */
function touchesBodies({ bodies }: Tables, body: number): boolean {
  const island = bodies.island[body];
  return island >= 0 && bodies.islandPairCount[island] > 0;
}

function hasGuess(guess: Float64Array, at: number): boolean {
  for (let k = at; k < at + 12; k++) if (guess[k] !== 0) return true;
  return false;
}

/** (impulse, moment) := M⁻¹ (impulse, moment). */
function scaleByMass({ inverseInertia: I }: Bodies, body: number, v: Float64Array, inverseMass: number): void {
  const at = 8 * body;
  const [x, y, z] = [v[3], v[4], v[5]];
  for (let k = 0; k < 3; k++) v[k] *= inverseMass;
  v[3] = I[at] * x + I[at + 3] * y + I[at + 4] * z;
  v[4] = I[at + 3] * x + I[at + 1] * y + I[at + 5] * z;
  v[5] = I[at + 4] * x + I[at + 5] * y + I[at + 2] * z;
}

/** Adds to the velocity and to what this step moves by. */
function addMotion(bodies: Bodies, body: number, change: ArrayLike<number>): void {
  const { linearVelocity, angularVelocity, motion, velocityChange } = bodies;
  for (let k = 0; k < 3; k++) {
    linearVelocity[4 * body + k] += change[k];
    angularVelocity[4 * body + k] += change[3 + k];
    motion[8 * body + k] += change[k];
    motion[8 * body + 4 + k] += change[3 + k];
    velocityChange[8 * body + k] += change[k];
    velocityChange[8 * body + 4 + k] += change[3 + k];
  }
}

/** Moves the pose by a way and a small turn. */
function shiftPose({ position, rotation }: Bodies, body: number, way: ArrayLike<number>): void {
  const at = 4 * body;
  for (let k = 0; k < 3; k++) position[at + k] += way[k];
  const [x, y, z] = [0.5 * way[3], 0.5 * way[4], 0.5 * way[5]];
  if (x === 0 && y === 0 && z === 0) return;
  const turned = new Float64Array(4);
  multiplyQuaternion(turned, 0, [x, y, z, 0], 0, rotation, at);
  for (let k = 0; k < 4; k++) turned[k] += rotation[at + k];
  normalizeQuaternion(rotation, at, turned, 0);
}

/** Velocities of a mover over this step, from where it has come since its start; sleeping and static ones have none. */
function writeVelocity(
  rows: Float32Array,
  at: number,
  { bodies }: Tables,
  body: number,
  dt: number,
  moved: Float64Array,
): void {
  const isAwake = bodies.awakeIndex[body] >= 0;
  const island = bodies.island[body];
  const isSwept = island >= 0 && bodies.islandSolver[island] === L.ISLAND_SWEEPS;
  const spin = isSwept ? bodies.angularVelocity : bodies.motion;
  const from = isSwept ? 4 * body : 8 * body + 4;
  for (let k = 0; k < 3; k++) {
    const way = bodies.position[4 * body + k] - bodies.previousPosition[4 * body + k] - moved[6 * body + k];
    rows[at + 8 + k] = isAwake ? way / dt : 0;
    rows[at + 12 + k] = isAwake ? spin[from + k] : 0;
  }
}
