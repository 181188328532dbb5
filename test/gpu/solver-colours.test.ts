// Colours of contacts on the device, and one sweep in their order.

import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { COLOURS } from '../../src/gpu/constants';
import { createColourPlan, type SolverReport } from '../../src/gpu/solve/solver-report';
import { capture, coloursOf, NO_COLOUR, NOTHING, type Problem, ROW, type Solved } from './solver-scene';
import { ropesOnFloor } from './solver-worlds';
import { gpuTest, longGpuTest, withDevice } from './test-device';

/** The bucket of contacts without a colour. */
const CROWD = COLOURS - 1;
/** Ropes of the world, and nodes of each. */
const [ROPES, NODES] = [6, 12];

/** Contacts apart, between edges at random; `crowd` of them on the first edge. */
function randomRows(count: number, crowd: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const pick = (n: number) => Math.floor(n * random());
  const rows = new Float32Array(ROW * count);
  const bits = new Uint32Array(rows.buffer);
  for (let c = 0; c < count; c++) {
    const a = c < crowd ? 0 : pick(ROPES);
    const b = (a + 1 + pick(ROPES - 1)) % ROPES;
    const first = c < crowd ? 0 : NODES * a + pick(NODES - 1);
    const second = NODES * b + pick(NODES - 1);
    bits.set([first, first + 1, second, second + 1], ROW * c);
    rows.set([0.5, 0.5, -0.5, -0.5, 0, 1, 0, 1], ROW * c + 4);
    bits[ROW * c + 19] = NOTHING;
    bits.set([first, 2 * second, NO_COLOUR, NOTHING], ROW * c + 28);
  }
  return rows;
}

/** How many pairs of contacts share a colour and a node that can move. */
function clashes(solved: Solved, colours: readonly number[], weights: Float32Array): number {
  const seen = new Set<number>();
  let count = 0;
  colours.forEach((colour, c) => {
    if (colour === CROWD) return;
    for (let k = 0; k < 4; k++) {
      const node = solved.bits[ROW * c + k];
      if (node === NOTHING || !(weights[node] > 0)) continue;
      if (seen.has(COLOURS * node + colour)) count++;
      seen.add(COLOURS * node + colour);
    }
  });
  return count;
}

/** How many contacts of the crowd could have had a colour. */
function missed(solved: Solved, colours: readonly number[], weights: Float32Array): number {
  const masks = new Map<number, number>();
  const visit = (c: number, take: (node: number) => void) => {
    for (let k = 0; k < 4; k++) {
      const node = solved.bits[ROW * c + k];
      if (node !== NOTHING && weights[node] > 0) take(node);
    }
  };
  colours.forEach((colour, c) => {
    if (colour < CROWD) visit(c, (node) => masks.set(node, (masks.get(node) ?? 0) | (1 << colour)));
  });
  let count = 0;
  colours.forEach((colour, c) => {
    let taken = 0;
    visit(c, (node) => {
      taken |= masks.get(node) ?? 0;
    });
    if (colour === CROWD && taken !== 2 ** CROWD - 1) count++;
  });
  return count;
}

async function solveOnce(problem: Problem, from: Float32Array): Promise<{ solved: Solved; colours: number[] }> {
  const solved = await problem.solve({ iterations: 1, sweeps: 1, from });
  return { solved, colours: coloursOf(solved, from.length / ROW) };
}

gpuTest(
  'no two contacts of a colour share a node, new or kept; what finds none has a colour at each of its nodes',
  async () => {
    await withDevice(async (context) => {
      const problem = await capture(context, ropesOnFloor());
      const rows = randomRows(600, 80, 1);
      const first = await solveOnce(problem, rows);
      const weights = await problem.weights();
      expect(clashes(first.solved, first.colours, weights)).toBe(0);
      expect(first.colours.every((colour) => colour <= CROWD)).toBe(true);
      // 80 contacts of one edge cannot have 31 colours.
      const left = first.colours.filter((colour) => colour === CROWD).length;
      expect(left).toBeGreaterThanOrEqual(80 - CROWD);
      expect(missed(first.solved, first.colours, weights)).toBe(0);
      expect(first.solved.report.uncoloured).toBe(left);
      expect(first.solved.report.contacts).toBe(600);
      for (let colour = 0; colour < COLOURS; colour++) {
        expect(first.solved.report.sizes[colour]).toBe(first.colours.filter((x) => x === colour).length);
      }

      // Again with the same contacts: all stay as they are.
      const second = await solveOnce(problem, first.solved.rows);
      expect(second.colours).toEqual(first.colours);

      // A third of the contacts slide to the next edge and take their colour with them.
      const moved = first.solved.rows.slice();
      const bits = new Uint32Array(moved.buffer);
      for (let c = 100; c < 600; c += 3) {
        const shift = bits[ROW * c] % NODES < NODES - 2 ? 1 : -1;
        bits[ROW * c] += shift;
        bits[ROW * c + 1] += shift;
      }
      const third = await solveOnce(problem, moved);
      expect(clashes(third.solved, third.colours, weights)).toBe(0);
      const kept = third.colours.filter((colour, c) => colour === first.colours[c]).length;
      expect(kept).toBeGreaterThan(350);
      problem.dispose();
    });
  },
);

gpuTest('many contacts need few more colours than the busiest node has contacts', async () => {
  await withDevice(async (context) => {
    const problem = await capture(context, ropesOnFloor());
    const rows = randomRows(200, 0, 2);
    const { colours } = await solveOnce(problem, rows);
    const bits = new Uint32Array(rows.buffer);
    const busy = new Uint32Array(ROPES * NODES);
    for (let c = 0; c < 200; c++) for (let k = 0; k < 4; k++) busy[bits[ROW * c + k]]++;
    const used = new Set(colours).size;
    expect(used).toBeGreaterThanOrEqual(Math.max(...busy));
    expect(used).toBeLessThanOrEqual(1.3 * Math.max(...busy) + 2);
    problem.dispose();
  });
});

gpuTest('very many contacts have six colours, so that a walk over them is eight dispatches', async () => {
  await withDevice(async (context) => {
    const problem = await capture(context, ropesOnFloor(), 17_000);
    const { solved, colours } = await solveOnce(problem, randomRows(17_000, 0, 4));
    expect(clashes(solved, colours, await problem.weights())).toBe(0);
    expect([...new Set(colours)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, CROWD]);
    problem.dispose();
  });
});

/** Random contacts that press, many of them in the crowd. */
function pressedRows(): Float32Array {
  const rows = randomRows(400, 80, 3);
  for (let at = 0; at < rows.length; at += ROW) {
    rows[at + 11] = -1e-3;
    rows[at + 24] = 0.3;
  }
  return rows;
}

gpuTest(
  'one sweep is that of a loop over the contacts in the order of their colours, the crowd last and side by side',
  async () => {
    await withDevice(async (context) => {
      const world = ropesOnFloor();
      world.physics.step();
      world.physics.step();
      const problem = await capture(context, world);
      expect(problem.count).toBeGreaterThan(20);
      const cold = problem.rows.slice();
      for (let c = 0; c < problem.count; c++) cold.fill(0, ROW * c + 12, ROW * c + 15);
      for (const [rows, crowd] of [
        [cold, 0],
        [pressedRows(), 49],
      ] as const) {
        const count = rows.length / ROW;
        const solved = await problem.solve({ iterations: 1, sweeps: 1, from: rows });
        expect(solved.report.uncoloured).toBeGreaterThanOrEqual(crowd);
        const weights = await problem.weights();
        const known = sweepByHand(problem, rows, coloursOf(solved, count), weights, world.tables.nodes.rest);
        const largest = Math.max(...known.map(Math.abs));
        expect(largest).toBeGreaterThan(0);
        for (let i = 0; i < 3 * count; i++) {
          const found = solved.rows[ROW * Math.floor(i / 3) + 12 + (i % 3)];
          expect(Math.abs(found - known[i])).toBeLessThan(3e-5 * largest);
        }
      }
      problem.dispose();
    });
  },
);

test('a walk ends with its last turn where none can come after it, else with one workgroup for what is left', () => {
  const plan = createColourPlan();
  /** Dispatches of walks with the nodes of the crowd and without them, and workgroups of the latter's last. */
  const walks = (): [number, number, number] => {
    const [all, some] = [plan.walk(100_000, true), plan.walk(100_000, false)];
    for (const walk of [all, some]) {
      expect(walk.map((groups) => groups % 2)).toEqual([...new Array(walk.length - 1).fill(0), 1]);
    }
    return [all.length, some.length, some[some.length - 1]];
  };
  const learn = (colours: number, crowd: number) => {
    const sizes = new Uint32Array(COLOURS).fill(20_000, 0, colours);
    sizes[CROWD] = crowd;
    plan.learn({ sizes } as unknown as SolverReport, 160_000);
  };
  expect(walks().slice(0, 2)).toEqual([8, 7]);
  learn(6, 5000);
  expect(walks()).toEqual([8, 7, 27]);
  learn(6, 100);
  expect(walks()).toEqual([8, 7, 1]);
  learn(6, 0);
  expect(walks()).toEqual([7, 7, 1]);
  learn(0, 0);
  expect(walks()).toEqual([1, 1, 1]);
});

longGpuTest('a crowd comes out the same to the bit, however many dispatches it is solved in', async () => {
  await withDevice(async (context) => {
    const problem = await capture(context, ropesOnFloor());
    const found: Solved[] = [];
    for (const walk of [[1], [2, 2, 2, 2, 2, 1], [...Array(31).fill(2), 3], [2, 5], [...Array(40).fill(2), 1]]) {
      problem.solver.ownWalk = walk;
      found.push(await problem.solve({ iterations: 3, sweeps: 2, from: pressedRows() }));
    }
    expect(found[0].report.uncoloured).toBeGreaterThan(40);
    for (const { velocities, bits } of found) {
      expect(velocities).toEqual(found[0].velocities);
      expect(bits).toEqual(found[0].bits);
    }
    problem.dispose();
  });
});

/**
 * Impulses after one sweep from nothing, in f64: the three cases of Daviet 2020, 5.2.2; resting and meeting, nothing
 * moves but nodes. A contact of the crowd sees a share of its nodes, and what the others of it do after the sweep.
 */
function sweepByHand(
  problem: Problem,
  rows: Float32Array,
  colours: readonly number[],
  weights: Float32Array,
  rest: Float64Array,
): number[] {
  const dt = 1 / 60;
  const bits = new Uint32Array(rows.buffer);
  const v = problem.free.slice();
  const out = new Array<number>((3 * rows.length) / ROW).fill(0);
  const order = colours.map((_, c) => c).sort((a, b) => colours[a] - colours[b] || a - b);
  const met = new Map<number, number>();
  const nodesOf = (c: number) => [0, 1, 2, 3].filter((k) => bits[ROW * c + k] !== NOTHING);
  colours.forEach((colour, c) => {
    if (colour < CROWD) return;
    for (const k of nodesOf(c)) met.set(bits[ROW * c + k], (met.get(bits[ROW * c + k]) ?? 0) + 1);
  });
  let seen = v;
  for (const c of order) {
    const at = ROW * c;
    const isCrowd = colours[c] === CROWD;
    if (isCrowd && seen === v) seen = v.slice();
    const n = rows.subarray(at + 8, at + 11);
    const gap = rows[at + 11];
    const nodes = nodesOf(c);
    let s = 0;
    for (const k of nodes) {
      const w = weights[bits[at + k]];
      if (w > 0) s += ((isCrowd ? (met.get(bits[at + k]) ?? 1) : 1) * rows[at + 4 + k] ** 2) / w;
    }
    if (s === 0) continue;
    let edge = rest[8 * bits[at]];
    if (nodes.length === 4) edge = Math.min(edge, rest[8 * bits[at + 2]]);
    const speed = gap > 0 ? gap / dt : Math.max((0.5 * gap) / dt, -Math.min(0.25, (0.1 * edge) / dt));
    const u = [0, 1, 2].map((x) => {
      let sum = speed * n[x];
      for (const k of nodes) sum += rows[at + 4 + k] * seen[4 * bits[at + k] + x];
      return sum;
    });
    const un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    if (un >= 0) continue;
    const t = u.map((x, k) => x - un * n[k]);
    const slip = Math.hypot(...t);
    const limit = -rows[at + 24] * un;
    const keep = slip <= limit ? 0 : 1 - limit / slip;
    const r = u.map((x, k) => (keep * t[k] - x) / s);
    for (let x = 0; x < 3; x++) {
      out[3 * c + x] = r[x];
      for (const k of nodes) {
        const node = bits[at + k];
        if (weights[node] > 0) v[4 * node + x] += (rows[at + 4 + k] * r[x]) / weights[node];
      }
    }
  }
  return out;
}
