// Shapes that several scenes share.

import { type Quat, type ShapeFile, turn, type Vec3 } from './demo-scene';

/** A cut gem: an octagon between two smaller ones, and a point below. */
export function gem(size: number): ShapeFile {
  const hull: Vec3[] = [];
  for (let i = 0; i < 8; i++) {
    const angle = (Math.PI * (i + 0.5)) / 4;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    hull.push([size * c, 0, size * s], [0.55 * size * c, 0.42 * size, 0.55 * size * s]);
  }
  hull.push([0, -0.9 * size, 0]);
  return { hull };
}

/** A boulder: corners spread evenly over a sphere, each somewhat in or out. */
export function boulder(size: number, random: () => number): ShapeFile {
  const corners = 18;
  const hull: Vec3[] = [];
  for (let i = 0; i < corners; i++) {
    const y = 1 - (2 * i + 1) / corners;
    const flat = Math.sqrt(1 - y * y);
    const around = i * Math.PI * (3 - Math.sqrt(5));
    const reach = size * (0.78 + 0.3 * random());
    hull.push([reach * flat * Math.cos(around), 0.8 * reach * y, 1.1 * reach * flat * Math.sin(around)]);
  }
  return { hull };
}

/** Any rotation, all equally likely in axis. */
export function anyTurn(random: () => number): Quat {
  const z = 2 * random() - 1;
  const around = 2 * Math.PI * random();
  const flat = Math.sqrt(1 - z * z);
  return turn([flat * Math.cos(around), flat * Math.sin(around), z], 2 * Math.PI * random());
}
