// The worker: a ball full of hair, on all cores. It steps by its own clock; what it leaves is drawn one step late.
//
// Where the page is cross-origin isolated points go into a memory that both see, and are copied nowhere else; elsewhere
// each frame is a message whose array is handed over.
import { createWorld } from 'bitecs';
import { addGroom, addRigidBody, createPhysics, rodPositions, setKinematicTarget } from 'stiction';
import { type Begin, type Frame, type Goal, memoryBytes, numberIn, pointsOf, type Threads } from './messages';

const [STRANDS, VERTICES] = [240, 16];
const [BALL, HAIR] = [0.05, 0.13]; // radius, length [m]
const SPEED = 0.8; // at which the ball follows [m/s]

// Threads need isolation, too; without it this world has one, and report.threads.reason says why.
const physics = createPhysics(createWorld(), { threads: 'auto' });
const ball = addRigidBody(physics, { type: 'kinematic', shape: { sphere: BALL }, position: [0, 0, 0], friction: 0.2 });

/** Strands that stand on the ball, evenly spread: x y z of their points. */
function growHair(): Float64Array {
  const positions = new Float64Array(3 * STRANDS * VERTICES);
  for (let s = 0; s < STRANDS; s++) {
    const y = 1 - (2 * (s + 0.5)) / STRANDS;
    const [width, angle] = [Math.sqrt(1 - y * y), s * 2.399963]; // the golden angle
    for (let i = 0; i < VERTICES; i++) {
      const far = 1.01 * BALL + (HAIR * i) / (VERTICES - 1);
      const point = [far * width * Math.cos(angle), far * y, far * width * Math.sin(angle)];
      positions.set(point, 3 * (s * VERTICES + i));
    }
  }
  return positions;
}

const hair = addGroom(physics, {
  strands: { counts: new Int32Array(STRANDS).fill(VERTICES), positions: growHair() },
  radius: 1e-3, // [m]: a lock of some hundred hairs
  density: 1300, // [kg/m³]
  youngModulus: 5e6, // [Pa]
  stretchModulus: 2e7, // [Pa]
  friction: 0.2,
  attachStart: ball,
});

const nodes = new Float64Array(3 * STRANDS * VERTICES);
const length = nodes.length + 3;
const { timeStep } = physics.settings;
const memory = self.crossOriginIsolated ? new SharedArrayBuffer(memoryBytes(length)) : null;
const begin: Begin = { strands: STRANDS, vertices: VERTICES, radius: BALL, timeStep, memory };
self.postMessage(begin);
void physics.threadsReady.then(() => {
  const { count, reason } = physics.report.threads;
  const threads: Threads = { threads: count, reason };
  self.postMessage(threads);
});

let goal: readonly number[] | null = null;
self.onmessage = ({ data }: MessageEvent<Goal>) => {
  goal = data.position;
};

const place = [0, 0, 0];
let steps = 0;

/** Moves the ball towards its goal, or to and fro until there is one. */
function drive(): void {
  const wanted = goal ?? [0.12 * Math.sin(4 * steps * timeStep), 0, 0];
  const way = wanted.map((x, k) => x - place[k]);
  const share = Math.min(1, (SPEED * timeStep) / Math.max(Math.hypot(...way), 1e-9));
  for (let k = 0; k < 3; k++) place[k] += share * way[k];
  setKinematicTarget(physics, ball, place);
}

function show(): void {
  const points = memory ? pointsOf(memory, steps) : new Float32Array(length);
  points.set(rodPositions(physics, hair, nodes));
  points.set(place, nodes.length);
  if (memory) {
    // Whoever sees the number sees the points.
    Atomics.store(numberIn(memory), 0, steps);
    return;
  }
  const frame: Frame = { number: steps, points };
  self.postMessage(frame, { transfer: [points.buffer] });
}

let last = performance.now();
let spare = 0; // seconds not stepped yet

function work(): void {
  const now = performance.now();
  // Where a step takes longer than it stands for the world slows down: it does not pile up what is to be done.
  spare = Math.min(spare + (now - last) / 1000, 2 * timeStep);
  last = now;
  for (; spare >= timeStep; spare -= timeStep) {
    drive();
    physics.step();
    steps++;
    show();
  }
  setTimeout(work, 4);
}
work();
