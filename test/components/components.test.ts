// The components of a world: what a game finds on them.

import { expect, test } from 'vitest';
import { createComponents } from '../../components/components';
import { ROD_NUMBER_NAMES } from '../../src/state/rod-material';
import { MESH_FAMILIES, MESH_NAMES } from '../../systems/mesh-families';

test('each world has components of its own', () => {
  const [one, other] = [createComponents(), createComponents()];
  for (const name of Object.keys(one) as (keyof typeof one)[]) expect(one[name], name).not.toBe(other[name]);
});

test('components of elastic objects have a column for every number of their materials, and ranges to draw them', () => {
  const components = createComponents();
  for (const rods of [components.Rod, components.Groom]) {
    for (const name of ROD_NUMBER_NAMES) expect(rods[name], name).toBeInstanceOf(Float64Array);
  }
  for (const family of MESH_NAMES) {
    const columns = components[family] as unknown as Record<string, unknown>;
    for (const name of MESH_FAMILIES[family].columns) expect(columns[name], name).toBeInstanceOf(Float64Array);
    for (const name of ['firstVertex', 'vertexCount', 'firstTriangle', 'triangleCount']) {
      expect(columns[name], name).toBeInstanceOf(Int32Array);
    }
  }
});

test('tags carry nothing', () => {
  const { Static, Kinematic, Sensor, Sleeping, Broken } = createComponents();
  for (const tag of [Static, Kinematic, Sensor, Sleeping, Broken]) expect(Object.keys(tag)).toEqual([]);
});
