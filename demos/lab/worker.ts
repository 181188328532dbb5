// Reads and solves problems off the page's thread, so that the page never freezes; sends what a plot needs as it comes.

import { type FrictionProblem, readProblem, solveProblem } from '../../src/index';
import type { Method, Note, Order, ProblemFacts } from './protocol';

/** Points are sent this often [ms]. */
const SEND_INTERVAL = 60;

/** Up to so many contacts everything is run briefly before it is timed, so that compilation is nobody's time. */
const WARMED_CONTACTS = 300;

let problem: FrictionProblem | null = null;

const tell = (note: Note) => postMessage(note);

self.onmessage = async (event: MessageEvent<Order>) => {
  const order = event.data;
  if (order.kind === 'load') await load(order.id, order.bytes);
  else if (problem) {
    if (problem.contacts <= WARMED_CONTACTS) warmUp(problem, order.methods);
    for (const method of order.methods) run(problem, method, order.tolerance, order.iterationLimit);
    tell({ kind: 'finished' });
  }
};

async function load(id: number, bytes: ArrayBuffer): Promise<void> {
  problem = null;
  try {
    problem = readProblem(await textOf(bytes));
    tell({ kind: 'loaded', id, facts: factsOf(problem) });
  } catch (error) {
    tell({ kind: 'refused', id, message: messageOf(error) });
  }
}

/** The text of a file, unpacked if it is gzip. */
async function textOf(bytes: ArrayBuffer): Promise<string> {
  const head = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (head[0] !== 0x1f || head[1] !== 0x8b) return new TextDecoder().decode(bytes);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).text();
}

function factsOf(read: FrictionProblem): ProblemFacts {
  const { mu, bilateral, contacts, form } = read;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const value of mu) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const joints = bilateral ? bilateral.reduce((sum, flag) => sum + flag, 0) : 0;
  const { value } = read.form === 'full' ? read.H : read.W;
  return { contacts, form, bilateral: joints, friction: [least, most], entries: value.length };
}

function warmUp(read: FrictionProblem, methods: readonly Method[]): void {
  for (const { solver, local, preconditioner } of methods) {
    try {
      solveProblem(read, { solver, local, preconditioner, iterationLimit: 30, onIteration: () => {} });
    } catch {
      // Said when it is its turn.
    }
  }
}

function run(read: FrictionProblem, method: Method, tolerance: number, iterationLimit: number): void {
  let iterations: number[] = [];
  let residuals: number[] = [];
  let milliseconds: number[] = [];
  const start = performance.now();
  let sentAt = start;
  const send = () => {
    tell({ kind: 'points', method: method.id, iterations, residuals, milliseconds });
    iterations = [];
    residuals = [];
    milliseconds = [];
    sentAt = performance.now();
  };
  try {
    const answer = solveProblem(read, {
      solver: method.solver,
      local: method.local,
      preconditioner: method.preconditioner,
      tolerance,
      iterationLimit,
      onIteration(progress) {
        const now = performance.now();
        iterations.push(progress.iterations);
        residuals.push(progress.residual);
        milliseconds.push(now - start);
        if (now - sentAt > SEND_INTERVAL) send();
      },
    });
    const { status, residual, stages, local } = answer;
    const took = performance.now() - start;
    send();
    const short = { status, iterations: answer.iterations, residual, stages, local };
    tell({ kind: 'solved', method: method.id, milliseconds: took, answer: short });
  } catch (error) {
    tell({ kind: 'failed', method: method.id, message: messageOf(error) });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
