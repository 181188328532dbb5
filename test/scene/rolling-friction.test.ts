// Rolling and spinning friction from a scene file: what a file says reaches the contacts, and is written again.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { addScene, createPhysics, readScene, writeScene } from '../../src/index';

const G = 9.81;
const RADIUS = 0.2;
const MATERIAL = { friction: 0.8, rollingFriction: 0.01, spinningFriction: 0.004 };

const file = {
  version: 1,
  materials: { felt: MATERIAL, smooth: { friction: 0.8 } },
  bodies: [
    { type: 'static', material: 'felt', shape: { plane: [0, 1, 0] } },
    { name: 'rolls', material: 'felt', position: [0, RADIUS, 0], velocity: [1, 0, 0], angularVelocity: [0, 0, -5] },
    { name: 'spins', material: 'felt', position: [0, RADIUS, 2], angularVelocity: [0, 10, 0] },
    { name: 'free', material: 'smooth', position: [0, RADIUS, 4], velocity: [1, 0, 0], angularVelocity: [0, 0, -5] },
  ].map((body) => ({ shape: { sphere: RADIUS }, ...body })),
};

it('keeps both numbers when it is written, and none that was not given', () => {
  const scene = readScene(file);
  const text = writeScene(scene);
  expect(readScene(text)).toEqual(scene);
  expect(JSON.parse(text).materials.felt).toEqual({ density: 1000, restitution: 0, ...MATERIAL });
  expect(text.match(/rollingFriction/g)?.length).toBe(1);
});

it('lets balls slow down as the closed forms say', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const { entities } = addScene(physics, readScene(writeScene(readScene(file))));
  for (let k = 0; k < 60; k++) physics.step();
  const { linear, angular } = physics.components.Velocity;
  const [rolls, spins, free] = ['rolls', 'spins', 'free'].map((name) => entities.get(name) as number);

  // Rolling: 5/7 g c / R. Spinning: s N / I, with I = 2/5 m R².
  expect(1 - linear.x[rolls]).toBeCloseTo(((5 / 7) * G * 0.01) / RADIUS, 2);
  expect(10 - angular.y[spins]).toBeCloseTo((G * 0.004) / (0.4 * RADIUS * RADIUS), 1);
  expect(linear.x[free]).toBeCloseTo(1, 6);
});

it('refuses what is no length', () => {
  const spoilt = { ...file, materials: { ...file.materials, felt: { rollingFriction: -1 } } };
  expect(() => readScene(spoilt)).toThrow('rollingFriction');
});
