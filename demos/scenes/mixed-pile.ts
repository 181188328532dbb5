// Every shape there is, tipped into a bowl that is a closed triangle mesh of revolution.

import {
  type BodyFile,
  type DemoScene,
  GROUND,
  type ShapeFile,
  scatter,
  soundness,
  tidy,
  type Vec3,
} from './demo-scene';
import { PALETTE } from './palette';
import { anyTurn, gem } from './shapes';

const COUNT = 140;
const RIM = 5; // radius [m]
const SEGMENTS = 64;

/** Profile (radius, height) from the middle of the inside over the rim to the foot outside [m]. */
function profile(): [number, number][] {
  const points: [number, number][] = [];
  const rings = 14;
  for (let i = 1; i <= rings; i++) {
    const angle = (i / rings) * 1.2;
    points.push([(RIM * Math.sin(angle)) / Math.sin(1.2), 0.35 + 3.4 * (1 - Math.cos(angle))]);
  }
  const [, lip] = points[points.length - 1];
  points.push([RIM + 0.12, lip + 0.1], [RIM + 0.3, lip + 0.06], [RIM + 0.34, lip - 0.1]);
  for (let i = rings - 2; i >= 5; i--) {
    const [radius, height] = points[i];
    points.push([radius + 0.28, height - 0.3]);
  }
  points.push([2.2, 0]);
  return points;
}

function bowl(): ShapeFile {
  const vertices: Vec3[] = [[0, 0.35, 0]];
  const triangles: Vec3[] = [];
  const rings = profile();
  for (const [radius, height] of rings)
    for (let i = 0; i < SEGMENTS; i++) {
      const angle = (2 * Math.PI * i) / SEGMENTS;
      vertices.push([radius * Math.cos(angle), height, radius * Math.sin(angle)]);
    }
  const at = (ring: number, i: number) => 1 + ring * SEGMENTS + (i % SEGMENTS);
  for (let i = 0; i < SEGMENTS; i++) {
    triangles.push([0, at(0, i + 1), at(0, i)]);
    for (let ring = 0; ring + 1 < rings.length; ring++)
      triangles.push(
        [at(ring, i), at(ring, i + 1), at(ring + 1, i)],
        [at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)],
      );
  }
  return { mesh: { vertices, triangles } };
}

/** A jack of three bars. */
function jack(size: number): ShapeFile {
  const thick = size * 0.26;
  return {
    compound: [
      { shape: { box: [size, thick, thick] } },
      { shape: { box: [thick, size, thick] } },
      { shape: { box: [thick, thick, size] } },
    ],
  };
}

const KINDS = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'gem', 'jack'] as const;

function shape(kind: (typeof KINDS)[number], size: number): ShapeFile {
  switch (kind) {
    case 'box':
      return { box: [size, size * 0.7, size * 0.85] };
    case 'sphere':
      return { sphere: size * 0.85 };
    case 'capsule':
      return { capsule: [size * 0.5, size * 0.8] };
    case 'cylinder':
      return { cylinder: [size * 0.75, size * 0.75] };
    case 'cone':
      return { cone: [size * 0.85, size] };
    case 'gem':
      return gem(size * 1.1);
    case 'jack':
      return jack(size * 1.15);
  }
}

function things(): BodyFile[] {
  const random = scatter(20240607);
  return Array.from({ length: COUNT }, (_, i) => {
    const kind = KINDS[i % KINDS.length];
    // Three sizes keep the number of different meshes small.
    const size = [0.34, 0.42, 0.52][Math.floor(random() * 3)];
    const layer = Math.floor(i / 14);
    const within = i % 14;
    const angle = within < 4 ? (within * Math.PI) / 2 + layer : ((within - 4) * Math.PI) / 5 + layer * 0.7;
    const radius = within < 4 ? 0.85 : 2.5;
    const spin = anyTurn(random);
    return {
      name: `${kind}-${i}`,
      material: 'toy',
      position: [
        radius * Math.cos(angle) + (random() - 0.5) * 0.2,
        4.2 + layer * 1.25 + random() * 0.2,
        radius * Math.sin(angle) + (random() - 0.5) * 0.2,
      ],
      rotation: spin,
      shape: shape(kind, size),
    };
  });
}

const COLOURS: Record<string, string> = {
  box: PALETTE.terracotta,
  sphere: PALETTE.saffron,
  capsule: PALETTE.sea,
  cylinder: PALETTE.cream,
  cone: PALETTE.moss,
  gem: PALETTE.plum,
  jack: PALETTE.navy,
};

export const mixedPile: DemoScene = {
  id: 'mixed-pile',
  title: 'Bowl of shapes',
  description: 'Boxes, balls, capsules, cylinders, cones, hulls and compounds in a mesh bowl.',
  build: () =>
    tidy({
      version: 1,
      title: 'Bowl of shapes',
      description: 'All shape kinds dropped into a triangle-mesh bowl',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        ceramic: { density: 2400, friction: 0.4, restitution: 0 },
        toy: { density: 700, friction: 0.45, restitution: 0.05 },
      },
      bodies: [GROUND, { name: 'bowl', type: 'static', material: 'ceramic', shape: bowl() }, ...things()],
    }),
  camera: { target: [0, 2.2, 0], distance: 14.5, yaw: 0.4, pitch: 0.42 },
  promise: 'at least 60 % stay in the bowl',
  seconds: 6,
  check(result) {
    const sound = soundness(result, -0.1);
    if (sound) return sound;
    let inside = 0;
    for (const name of result.names) {
      const [x, , z] = result.end(name).position;
      if (name !== 'ground' && name !== 'bowl' && Math.hypot(x, z) < RIM) inside++;
    }
    return inside >= COUNT * 0.6 ? null : `only ${inside} of ${COUNT} stayed in the bowl`;
  },
  paint: (name) => COLOURS[name.split('-')[0]],
};
