// The worker: the whole world. It steps by its own clock and posts poses; the page draws, one step late.
import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics, readPosition, readRotation, removeRigidBody } from 'stiction';
import type { Frame, Throw } from './messages';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
const bodies: number[] = [];
for (let level = 0; level < 9; level++) {
  for (let i = 0; i < 9 - level; i++) {
    for (let k = 0; k < 9 - level; k++) {
      const shape = { box: [0.25, 0.25, 0.25] as const };
      const position = [(i - (8 - level) / 2) * 0.55, 0.25 + level / 2, (k - (8 - level) / 2) * 0.55];
      bodies.push(addRigidBody(physics, { shape, position, friction: 0.6 }));
    }
  }
}
const boxes = bodies.length;

self.onmessage = ({ data }: MessageEvent<Throw>) => {
  const { origin, direction } = data;
  bodies.push(
    addRigidBody(physics, {
      shape: { sphere: 0.3 },
      position: origin,
      velocity: direction.map((x) => 16 * x), // [m/s]
      density: 3000, // [kg/m³]
    }),
  );
  if (bodies.length > boxes + 10) removeRigidBody(physics, bodies.splice(boxes, 1)[0]);
};

const position = [0, 0, 0];
const rotation = [0, 0, 0, 1];
let last = performance.now();
let spare = 0; // seconds not stepped yet

function work(): void {
  const { timeStep } = physics.settings;
  const now = performance.now();
  spare = Math.min(spare + (now - last) / 1000, 4 * timeStep);
  last = now;
  let hasStepped = false;
  for (; spare >= timeStep; spare -= timeStep) {
    physics.step();
    hasStepped = true;
  }
  if (hasStepped) {
    const poses = new Float32Array(7 * bodies.length);
    bodies.forEach((eid, i) => {
      poses.set(readPosition(physics, eid, position), 7 * i);
      poses.set(readRotation(physics, eid, rotation), 7 * i + 3);
    });
    const frame: Frame = { boxes, poses, timeStep };
    self.postMessage(frame, { transfer: [poses.buffer] });
  }
  setTimeout(work, 4);
}
work();
