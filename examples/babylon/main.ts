// Babylon.js: a bridge of hinged planks with crates on it, a bell on a rope, a flag in the wind.

import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera';
import { Engine } from '@babylonjs/core/Engines/engine';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder';
import { CreateCylinder } from '@babylonjs/core/Meshes/Builders/cylinderBuilder';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder';
import { CreateTube } from '@babylonjs/core/Meshes/Builders/tubeBuilder';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import { Scene } from '@babylonjs/core/scene';
import { createWorld } from 'bitecs';
import {
  addJoint,
  addRigidBody,
  addRod,
  addShell,
  attach,
  createPhysics,
  readInterpolatedPosition,
  readInterpolatedRotation,
  setWind,
} from 'stiction';

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const engine = new Engine(canvas, true, { adaptToDeviceRatio: true });
const scene = new Scene(engine);
scene.useRightHandedSystem = true; // as the engine, three.js and glTF; once, before meshes are made
scene.clearColor = new Color4(0.55, 0.66, 0.76, 1);
const camera = new FreeCamera('camera', new Vector3(3.5, 3.2, 8), scene);
camera.setTarget(new Vector3(0, 1.6, 0));
const sun = new DirectionalLight('sun', new Vector3(1, -1.4, -0.4), scene);
sun.position = new Vector3(-6, 9, 3);
sun.intensity = 0.9;
new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.55;
const shadows = new ShadowGenerator(2048, sun);
shadows.useBlurExponentialShadowMap = true;

function paint(mesh: Mesh, color: string): Mesh {
  const material = new StandardMaterial(mesh.name, scene);
  material.diffuseColor = Color3.FromHexString(color);
  material.specularColor = new Color3(0.08, 0.08, 0.08);
  mesh.material = material;
  mesh.receiveShadows = true;
  shadows.addShadowCaster(mesh);
  return mesh;
}

const physics = createPhysics(createWorld());
setWind(physics, [3.5, 0, 1.5]); // [m/s]
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
paint(CreateGround('floor', { width: 60, height: 60 }, scene), '#7d8a72');

/** The mesh of each body, by its entity. */
const meshes = new Map<number, Mesh>();

function addBox(half: [number, number, number], position: number[], mass: number, color: string): number {
  const body = addRigidBody(physics, { shape: { box: half }, position, mass, friction: 0.7 });
  const [width, height, depth] = half.map((x) => 2 * x); // ours are HALF extents
  const mesh = paint(CreateBox('box', { width, height, depth }, scene), color);
  mesh.rotationQuaternion = new Quaternion();
  meshes.set(body, mesh);
  return body;
}

// A bridge of 12 planks between two posts: each hinged to the next, the outer two to the world.
const [PLANKS, LENGTH, HEIGHT] = [12, 0.4, 1.5]; // [-], [m], [m]
const left = (-PLANKS * LENGTH) / 2;
let last: number | undefined;
for (let i = 0; i < PLANKS; i++) {
  const plank = addBox([LENGTH / 2 - 0.01, 0.03, 0.5], [left + (i + 0.5) * LENGTH, HEIGHT, 0], 8, '#a9773f');
  addJoint(physics, { type: 'hinge', a: plank, b: last, anchor: [left + i * LENGTH, HEIGHT, 0], axis: [0, 0, 1] });
  last = plank;
}
addJoint(physics, { type: 'hinge', a: last as number, anchor: [-left, HEIGHT, 0], axis: [0, 0, 1] });
for (const x of [left, -left]) {
  addRigidBody(physics, { type: 'static', shape: { box: [0.1, 0.72, 0.5] }, position: [1.06 * x, 0.72, 0] });
  const post = paint(CreateBox('post', { width: 0.2, height: 1.44, depth: 1 }, scene), '#5c5750');
  post.position.set(1.06 * x, 0.72, 0);
}
for (let i = 0; i < 4; i++) addBox([0.2, 0.2, 0.2], [0.1 * i - 0.6, HEIGHT + 0.5 + 0.5 * i, 0.05 * i], 15, '#c5523f');

// A bell of 6 kg on a rope under the sky, knotted to its top.
const bell = addRigidBody(physics, { shape: { cone: [0.25, 0.25] }, position: [-1.5, 1.55, 1.6], mass: 6 });
const cone = paint(CreateCylinder('bell', { diameterTop: 0, diameterBottom: 0.5, height: 0.5 }, scene), '#c9a03a');
cone.rotationQuaternion = new Quaternion();
meshes.set(bell, cone);
const NODES = 20;
const rope = addRod(physics, {
  points: Array.from({ length: NODES }, (_, i) => [-1.5 + 0.06 * (NODES - 1 - i), 3.5 - (1.7 * i) / (NODES - 1), 1.6]),
  radius: 0.015, // [m]
  youngModulus: 2e7, // [Pa]
  clampStart: true,
});
attach(physics, { rod: rope, node: NODES - 1, body: bell, point: [0, 0.25, 0] });
const knots = Array.from({ length: NODES }, () => new Vector3());

function readRope(): Vector3[] {
  const { positions } = physics.strands; // x y z radius
  const first = physics.components.Rod.firstNode[rope];
  for (let i = 0; i < NODES; i++) knots[i].fromArray(positions, 4 * (first + i));
  return knots;
}
physics.interpolate();
let tube = paint(CreateTube('rope', { path: readRope(), radius: 0.015, updatable: true }, scene), '#d9cbb0');

// A flag on its pole.
const [COLUMNS, ROWS] = [15, 10];
const vertices: number[][] = [];
const triangles: number[][] = [];
for (let j = 0; j < ROWS; j++) {
  for (let i = 0; i < COLUMNS; i++) {
    vertices.push([1.4 + 0.1 * i, 3.3 - 0.1 * j, -1]);
    if (i + 1 === COLUMNS || j + 1 === ROWS) continue;
    const a = j * COLUMNS + i;
    // Diagonals take turns: the cloth is no stiffer one way than the other.
    if ((i + j) % 2 === 0) triangles.push([a, a + COLUMNS, a + COLUMNS + 1], [a, a + COLUMNS + 1, a + 1]);
    else triangles.push([a, a + COLUMNS, a + 1], [a + 1, a + COLUMNS, a + COLUMNS + 1]);
  }
}
const flag = addShell(physics, {
  vertices,
  triangles,
  thickness: 0.004, // [m]
  density: 60, // [kg/m³]: 0.24 kg/m²
  stretchModulus: 1e6, // [Pa]
  bendingModulus: 2e4, // [Pa]
  airDrag: 1.2, // [kg/m³]
  pins: Array.from({ length: ROWS }, (_, j) => j * COLUMNS),
});
const pole = paint(CreateCylinder('pole', { diameter: 0.05, height: 3.4 }, scene), '#8b8f94');
pole.position.set(1.37, 1.7, -1);

physics.step(); // makes the flag's ranges of physics.shells
physics.interpolate();
const { Shell } = physics.components;
const cloth = paint(new Mesh('flag', scene), '#3c6fb5');
(cloth.material as StandardMaterial).backFaceCulling = false;
(cloth.material as StandardMaterial).twoSidedLighting = true;
const [v, t] = [3 * Shell.firstVertex[flag], 3 * Shell.firstTriangle[flag]];
const data = new VertexData();
data.positions = physics.shells.positions.slice(v, v + 3 * Shell.vertexCount[flag]);
data.normals = physics.shells.normals.slice(v, v + 3 * Shell.vertexCount[flag]);
data.indices = physics.shells.triangles.slice(t, t + 3 * Shell.triangleCount[flag]);
data.applyToMesh(cloth, true);

const position = [0, 0, 0];
const rotation = [0, 0, 0, 1];
engine.runRenderLoop(() => {
  physics.advance(engine.getDeltaTime() / 1000); // none, one or more fixed steps
  physics.interpolate();
  for (const [eid, mesh] of meshes) {
    mesh.position.fromArray(readInterpolatedPosition(physics, eid, position));
    mesh.rotationQuaternion?.fromArray(readInterpolatedRotation(physics, eid, rotation));
  }
  tube = CreateTube('rope', { path: readRope(), instance: tube });
  const { positions, normals } = physics.shells;
  cloth.updateVerticesData(VertexBuffer.PositionKind, positions.subarray(v, v + 3 * Shell.vertexCount[flag]));
  cloth.updateVerticesData(VertexBuffer.NormalKind, normals.subarray(v, v + 3 * Shell.vertexCount[flag]));
  cloth.refreshBoundingInfo();
  scene.render();
});
addEventListener('resize', () => engine.resize());
