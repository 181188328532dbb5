// The page of a world in a worker: draws between the last two steps that came, so one step (1/60 s) late.
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera';
import { Engine } from '@babylonjs/core/Engines/engine';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color';
import { Vector3 } from '@babylonjs/core/Maths/math.vector';
import { CreateLineSystem } from '@babylonjs/core/Meshes/Builders/linesBuilder';
import { CreateSphere } from '@babylonjs/core/Meshes/Builders/sphereBuilder';
import type { LinesMesh } from '@babylonjs/core/Meshes/linesMesh';
import type { Mesh } from '@babylonjs/core/Meshes/mesh';
import { Scene } from '@babylonjs/core/scene';
import { type Begin, type Frame, type Goal, numberIn, pointsOf, type Threads } from './messages';

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const engine = new Engine(canvas, true, { adaptToDeviceRatio: true });
const scene = new Scene(engine);
scene.useRightHandedSystem = true; // as the engine, three.js and glTF; once, before meshes are made
scene.clearColor = new Color4(0.13, 0.16, 0.2, 1);
const camera = new FreeCamera('camera', new Vector3(0, 0.05, 0.75), scene);
camera.minZ = 0.01;
camera.setTarget(new Vector3(0, -0.03, 0));
new DirectionalLight('sun', new Vector3(1, -1.4, -0.8), scene).intensity = 0.8;
new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.6;

/** What is drawn of the world, once the worker has said what is in it. */
interface Drawing {
  readonly begin: Begin;
  readonly ball: Mesh;
  readonly hair: LinesMesh;
  /** Points between two frames. */
  readonly points: Float32Array;
}
let drawing: Drawing | null = null;
let before: Frame | null = null;
let now: Frame | null = null;
let arrival = 0; // [ms]

function openDrawing(begin: Begin): Drawing {
  const ball = CreateSphere('ball', { diameter: 2 * begin.radius, segments: 24 }, scene);
  const skin = new StandardMaterial('skin', scene);
  skin.diffuseColor = Color3.FromHexString('#8b5f45');
  skin.specularColor = new Color3(0.1, 0.1, 0.1);
  ball.material = skin;
  const lines = Array.from({ length: begin.strands }, () =>
    Array.from({ length: begin.vertices }, () => Vector3.Zero()),
  );
  const hair = CreateLineSystem('hair', { lines, updatable: true }, scene);
  hair.color = Color3.FromHexString('#c9a26b');
  hair.alwaysSelectAsActiveMesh = true; // its points leave the bounds that it was made with
  return { begin, ball, hair, points: new Float32Array(3 * begin.strands * begin.vertices) };
}

function take(frame: Frame): void {
  before = now;
  now = frame;
  arrival = performance.now();
}

const worker = new Worker(new URL('./physics.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<Begin | Frame | Threads>) => {
  if ('points' in data) take(data);
  else if ('threads' in data) say(data);
  else drawing = openDrawing(data);
};

/** Looks for new frames in the memory that the worker writes to. */
function look(memory: SharedArrayBuffer): void {
  const number = Atomics.load(numberIn(memory), 0);
  if (number === 0 || number === now?.number) return;
  // There may have been several steps since: the one before is in its slot.
  if (number > 1) now = { number: number - 1, points: pointsOf(memory, number - 1) };
  take({ number, points: pointsOf(memory, number) });
}

function draw({ begin, ball, hair, points }: Drawing): void {
  if (begin.memory) look(begin.memory);
  if (!now) return;
  const { points: to } = now;
  const from = before?.points ?? to;
  const alpha = Math.min((performance.now() - arrival) / (1000 * begin.timeStep), 1);
  const between = (i: number) => from[i] + alpha * (to[i] - from[i]);
  for (let i = 0; i < points.length; i++) points[i] = between(i);
  hair.updateVerticesData(VertexBuffer.PositionKind, points);
  ball.position.set(between(points.length), between(points.length + 1), between(points.length + 2));
}

// The ball follows the pointer.
canvas.addEventListener('pointermove', ({ clientX, clientY }) => {
  const [x, y] = [(2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight];
  const goal: Goal = { position: [0.3 * x, 0.2 * y, 0] };
  worker.postMessage(goal);
});
function say({ threads, reason }: Threads): void {
  const told = threads > 1 ? `${threads} threads` : `one thread${reason && `: ${reason}`}`;
  document.querySelector('#hint')!.textContent = `Move the pointer. In the worker ${told}`;
}

engine.runRenderLoop(() => {
  if (drawing) draw(drawing);
  scene.render();
});
addEventListener('resize', () => engine.resize());
