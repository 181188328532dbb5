import { createWorld } from 'bitecs';
import { addScene, createPhysics, readScene, sceneSettings } from 'stiction';

// #region scene
const scene = readScene({
  version: 1,
  bodies: [
    { name: 'ground', type: 'static', shape: { plane: [0, 1, 0] } },
    { name: 'car', position: [6, 0.9, 0], mass: 1000, shape: { box: [0.8, 0.3, 1.8] } },
    { name: 'raft', position: [-10, 0.6, 0], mass: 300, shape: { box: [1, 0.3, 1] } },
    { name: 'lamp', position: [0, 1, 4], mass: 0.5, shape: { sphere: 0.1 } },
  ],
  rods: [
    {
      ...{ name: 'cord', radius: 0.01, density: 1000, youngModulus: 1e7, shearModulus: 3e6, clampStart: true },
      points: [0, 1, 2, 3, 4].map((i) => [0, 2.1 - 0.25 * i, 4]),
    },
  ],
  joints: [{ name: 'knot', type: 'ball', ends: [{ body: 'lamp' }, { rod: 'cord', node: 'end' }] }],
  characters: [{ name: 'walker', position: [0, 0, 0], move: [0, 0, 1.5] }],
  vehicles: [
    {
      body: 'car',
      throttle: 0.5, // steer, brake, handbrake likewise; a game writes the columns of Vehicle
      wheels: [-0.8, 0.8].flatMap((x) => [
        { mount: [x, -0.2, 1.3], maxSteer: 0.5 },
        { mount: [x, -0.2, -1.3], driveForce: 2000 },
      ]),
    },
  ],
  ragdolls: [{ name: 'doll', person: { feet: [3, 1, 0] } }], // or bones; a bone is a body, doll-head
  volumes: [
    { type: 'water', min: [-14, -1, -4], max: [-6, 1, 4] },
    { type: 'wind', center: [0, 2, 4], radius: 3, velocity: [4, 0, 0] },
  ],
  explosions: [{ time: 3, center: [3, 0, 0], radius: 4, impulse: 200 }],
  watches: [{ name: 'knocks', minImpulse: 10 }],
});

export const physics = createPhysics(createWorld(), sceneSettings(scene));
export const added = addScene(physics, scene); // entities, joints, attachments, characters, vehicles, watches by name
// #endregion scene
