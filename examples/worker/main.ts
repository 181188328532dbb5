// The page of a world in a worker: draws between the last two steps that came, so one step (1/60 s) late.
import {
  BoxGeometry,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PCFSoftShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { Frame, Throw } from './messages';

const MOST = 400; // bodies drawn

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const renderer = new WebGLRenderer({ canvas, antialias: true });
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = PCFSoftShadowMap;
const scene = new Scene();
const camera = new PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(6, 4.5, 8);
camera.lookAt(0, 1.6, 0);
const sun = new DirectionalLight('#fff2dd', 3);
sun.position.set(-6, 9, 3);
sun.castShadow = true;
for (const side of ['left', 'bottom'] as const) sun.shadow.camera[side] = -7;
for (const side of ['right', 'top'] as const) sun.shadow.camera[side] = 7;
sun.shadow.mapSize.set(2048, 2048);
const floor = new Mesh(new PlaneGeometry(60, 60), new MeshStandardMaterial({ color: '#59636e' }));
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
scene.add(sun, new HemisphereLight('#bcd4f2', '#5a4a3a', 1), floor);

function instances(geometry: BoxGeometry | SphereGeometry, color: string): InstancedMesh {
  const mesh = new InstancedMesh(geometry, new MeshStandardMaterial({ color, roughness: 0.7 }), MOST);
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  scene.add(mesh);
  return mesh;
}
const boxes = instances(new BoxGeometry(0.5, 0.5, 0.5), '#b98247');
const balls = instances(new SphereGeometry(0.3, 24, 16), '#3a3f46');

let before: Frame | null = null;
let now: Frame | null = null;
let arrival = 0; // [ms]
const worker = new Worker(new URL('./physics.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<Frame>) => {
  before = now;
  now = data;
  arrival = performance.now();
};

const ray = new Raycaster();
canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
  ray.setFromCamera(new Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight), camera);
  const { origin, direction } = ray.ray;
  const message: Throw = { origin: origin.addScaledVector(direction, 1).toArray(), direction: direction.toArray() };
  worker.postMessage(message);
});
document.querySelector('#hint')!.textContent = 'Click to throw';

const [matrix, place, from, turn, turnFrom] = [
  new Matrix4(),
  new Vector3(),
  new Vector3(),
  new Quaternion(),
  new Quaternion(),
];
const ONE = new Vector3(1, 1, 1);

function draw({ boxes: count, poses, timeStep }: Frame): void {
  const total = poses.length / 7;
  // A ball came or went: the bodies of the frame before are others.
  const old = before && before.poses.length === poses.length ? before.poses : poses;
  const alpha = Math.min((performance.now() - arrival) / (1000 * timeStep), 1);
  for (let i = 0; i < total; i++) {
    place.fromArray(poses, 7 * i);
    turn.fromArray(poses, 7 * i + 3);
    // A ball that took the place of another in the list jumps: it is drawn where it is.
    if (from.fromArray(old, 7 * i).distanceToSquared(place) < 1) {
      place.lerpVectors(from, place, alpha);
      turn.slerpQuaternions(turnFrom.fromArray(old, 7 * i + 3), turn, alpha);
    }
    matrix.compose(place, turn, ONE);
    if (i < count) boxes.setMatrixAt(i, matrix);
    else balls.setMatrixAt(i - count, matrix);
  }
  boxes.count = count;
  balls.count = total - count;
  boxes.instanceMatrix.needsUpdate = balls.instanceMatrix.needsUpdate = true;
}
renderer.setAnimationLoop(() => {
  if (now) draw(now);
  renderer.render(scene, camera);
});

function fit(): void {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', fit);
fit();
