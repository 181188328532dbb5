// A side view on a plain 2D canvas: crates that can be dragged.
import { createWorld } from 'bitecs';
import {
  addRigidBody,
  applyForce,
  createPhysics,
  overlapPoint,
  readInterpolatedPosition,
  readInterpolatedRotation,
  readPosition,
  readVelocity,
  wakeBody,
} from 'stiction';

const HALF = 0.25; // [m]
const MASS = 30; // [kg]
const [WIDTH, HEIGHT] = [6, 5]; // metres in view, at least

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
const crates: number[] = [];
for (let row = 0; row < 8; row++) {
  for (let i = 0; i < 8 - row; i++) {
    crates.push(
      addRigidBody(physics, {
        shape: { box: [HALF, HALF, HALF] },
        position: [(i - (7 - row) / 2) * 2.1 * HALF, HALF + 2 * HALF * row, 0],
        mass: MASS,
        friction: 0.6,
        lockRotation: [true, true, false], // it turns in the plane of the picture only
      }),
    );
  }
}

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
document.querySelector('#hint')!.textContent = 'Drag a crate';

const hand = { crate: -1, x: 0, y: 0 };
const [position, velocity, rotation] = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0, 1],
];
const FLOOR = 60; // pixels of floor
const scale = () => Math.min(innerWidth / WIDTH, (innerHeight - FLOOR) / HEIGHT); // pixels a metre

function point(event: PointerEvent): void {
  hand.x = (event.clientX - innerWidth / 2) / scale();
  hand.y = (innerHeight - FLOOR - event.clientY) / scale();
}
canvas.addEventListener('pointerdown', (event) => {
  point(event);
  hand.crate = overlapPoint(physics, [hand.x, hand.y, 0]).find((eid) => crates.includes(eid)) ?? -1;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', point);
canvas.addEventListener('pointerup', () => {
  hand.crate = -1;
});

// A spring of 3 Hz, critically damped, from the hand to the crate; forces last one step.
const PULL = (2 * Math.PI * 3) ** 2 * MASS; // [N/m]
const DRAG = 2 * Math.sqrt(PULL * MASS); // [N·s/m]
physics.schedule.before('predict-motion', () => {
  if (hand.crate < 0) return;
  readPosition(physics, hand.crate, position);
  readVelocity(physics, hand.crate, velocity);
  wakeBody(physics, hand.crate);
  applyForce(physics, hand.crate, [
    PULL * (hand.x - position[0]) - DRAG * velocity[0],
    PULL * (hand.y - position[1]) - DRAG * velocity[1],
    0,
  ]);
});

let last = performance.now();
function frame(now: number): void {
  physics.advance((now - last) / 1000);
  last = now;
  physics.interpolate();
  canvas.width = innerWidth * devicePixelRatio;
  canvas.height = innerHeight * devicePixelRatio;
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.fillStyle = '#3a4654';
  pen.fillRect(0, innerHeight - FLOOR, innerWidth, FLOOR);
  pen.translate(innerWidth / 2, innerHeight - FLOOR);
  pen.scale(scale(), -scale());
  for (const crate of crates) {
    const [x, y] = readInterpolatedPosition(physics, crate, position);
    const [, , z, w] = readInterpolatedRotation(physics, crate, rotation);
    pen.save();
    pen.translate(x, y);
    pen.rotate(2 * Math.atan2(z, w));
    pen.fillStyle = crate === hand.crate ? '#ffd089' : '#c98f4e';
    pen.fillRect(-HALF, -HALF, 2 * HALF, 2 * HALF);
    pen.lineWidth = 0.02;
    pen.strokeStyle = '#5d3f1e';
    pen.strokeRect(-HALF + 0.01, -HALF + 0.01, 2 * HALF - 0.02, 2 * HALF - 0.02);
    pen.restore();
  }
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
