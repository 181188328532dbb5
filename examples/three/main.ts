// three.js: crates, and balls thrown where you click.
import { createWorld } from 'bitecs';
import {
  addRigidBody,
  createPhysics,
  readInterpolatedPosition,
  readInterpolatedRotation,
  removeRigidBody,
} from 'stiction';
import {
  BoxGeometry,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PCFSoftShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector2,
  WebGLRenderer,
} from 'three';

const physics = createPhysics(createWorld());
const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const renderer = new WebGLRenderer({ canvas, antialias: true });
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = PCFSoftShadowMap;
const scene = new Scene();
const camera = new PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(5, 3.5, 8);
camera.lookAt(0, 1.8, 0);
const sun = new DirectionalLight('#fff2dd', 3);
sun.position.set(-6, 9, 3);
sun.castShadow = true;
for (const side of ['left', 'bottom'] as const) sun.shadow.camera[side] = -6;
for (const side of ['right', 'top'] as const) sun.shadow.camera[side] = 6;
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new HemisphereLight('#bcd4f2', '#5a4a3a', 1));

// The floor: a plane for the engine, a square for the eye.
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
const floor = new Mesh(new PlaneGeometry(60, 60), new MeshStandardMaterial({ color: '#59636e' }));
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
scene.add(floor);

// #region bodies
/** The mesh of each body, by its entity. */
const meshes = new Map<number, Mesh>();

function show(eid: number, mesh: Mesh): void {
  mesh.castShadow = mesh.receiveShadow = true;
  meshes.set(eid, mesh);
  scene.add(mesh);
}

const wood = new MeshStandardMaterial({ color: '#b98247', roughness: 0.8 });
const crate = new BoxGeometry(1, 0.5, 0.5);
for (let row = 0; row < 8; row++) {
  for (let i = 0; i < 4; i++) {
    const shape = { box: [0.5, 0.25, 0.25] as const }; // HALF extents
    const position = [i - 1.75 + (row % 2) / 2, 0.25 + row / 2, 0];
    show(addRigidBody(physics, { shape, position, friction: 0.6, density: 500 }), new Mesh(crate, wood));
  }
}

const balls: number[] = [];
const iron = new MeshStandardMaterial({ color: '#3a3f46', metalness: 0.9, roughness: 0.35 });
const sphere = new SphereGeometry(0.25, 32, 24);
const ray = new Raycaster();
canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
  ray.setFromCamera(new Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight), camera);
  const { origin, direction } = ray.ray;
  const ball = addRigidBody(physics, {
    shape: { sphere: 0.25 },
    position: origin.clone().addScaledVector(direction, 1).toArray(),
    velocity: direction.clone().multiplyScalar(18).toArray(), // [m/s]
    density: 3000, // [kg/m³]
  });
  show(ball, new Mesh(sphere, iron));
  balls.push(ball);
  if (balls.length > 10) {
    const oldest = balls.shift() as number;
    scene.remove(meshes.get(oldest) as Mesh);
    meshes.delete(oldest);
    removeRigidBody(physics, oldest);
  }
});
// #endregion bodies
document.querySelector('#hint')!.textContent = 'Click to throw';

// #region frame
const position = [0, 0, 0];
const rotation = [0, 0, 0, 1];
let last = performance.now();
renderer.setAnimationLoop((now) => {
  physics.advance((now - last) / 1000); // none, one or more fixed steps
  last = now;
  physics.interpolate();
  for (const [eid, mesh] of meshes) {
    mesh.position.fromArray(readInterpolatedPosition(physics, eid, position));
    mesh.quaternion.fromArray(readInterpolatedRotation(physics, eid, rotation));
  }
  renderer.render(scene, camera);
});
// #endregion frame

function fit(): void {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', fit);
fit();
