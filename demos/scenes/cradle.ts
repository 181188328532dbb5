// Newton's cradle: balls of steel that hang on two threads each. What goes in on one side comes out on the other.

import { vec3 } from 'gl-matrix';
import { type BodyFile, type DemoScene, type SceneFile, soundness, tidy, type Vec3 } from './demo-scene';
import type { JointFile } from './joint-file';
import { PALETTE } from './palette';

const RADIUS = 0.25; // [m]
const LENGTH = 1.6; // of the pendulum [m]
const COUNT = 5;
const TOP = 2.2; // [m]
const SPREAD = 0.5; // of the threads, to each side [m]
/** Between balls at rest [m]: with none, a blow would reach several at once. */
const GAP = 2e-3;

function build(lifted: number): SceneFile {
  const bodies: BodyFile[] = [{ name: 'ground', type: 'static', material: 'floor', shape: { plane: [0, 1, 0] } }];
  const joints: JointFile[] = [];
  const half = ((COUNT - 1) / 2) * (2 * RADIUS + GAP) + 0.6;

  for (const side of [-1, 1]) {
    bodies.push({
      name: `bar-${side}`,
      type: 'static',
      material: 'steel',
      position: [0, TOP, side * SPREAD],
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      shape: { cylinder: [0.03, half] },
    });
    for (const end of [-1, 1]) {
      bodies.push({
        name: `post-${side}-${end}`,
        type: 'static',
        material: 'steel',
        position: [end * half, TOP / 2, side * SPREAD],
        shape: { cylinder: [0.03, TOP / 2] },
      });
    }
  }

  for (let i = 0; i < COUNT; i++) {
    const x = (i - (COUNT - 1) / 2) * (2 * RADIUS + GAP);
    const angle = i < lifted ? -0.7 : 0;
    const place: Vec3 = [x + LENGTH * Math.sin(angle), TOP - LENGTH * Math.cos(angle), 0];
    bodies.push({ name: `ball-${i}`, material: 'steel', position: place, canSleep: false, shape: { sphere: RADIUS } });
    for (const side of [-1, 1]) {
      joints.push({
        name: `thread-${i}-${side}`,
        type: 'distance',
        ends: [{ body: `ball-${i}` }, { world: true }],
        anchors: [place, [x, TOP, side * SPREAD]],
        collide: true,
      });
    }
  }

  return tidy({
    version: 1,
    title: 'Newton’s cradle',
    description: 'Balls of steel on two threads each',
    materials: { floor: { friction: 0.5 }, steel: { density: 7800, friction: 0, restitution: 1 } },
    bodies,
    joints,
  });
}

export const cradle: DemoScene = {
  id: 'cradle',
  title: 'Newton’s cradle',
  description: 'What goes in on one side comes out on the other, blow after blow; those between sway a little in time.',
  build: (amount = 1) => build(amount),
  amount: { label: 'Balls lifted', least: 1, most: 4, step: 1, usual: 1 },
  camera: { target: [0, 1.2, 0], distance: 5.2, yaw: 0.35, pitch: 0.16, width: 5 },
  promise: 'every thread keeps its length to 2 mm',
  seconds: 3,
  check(result) {
    const sound = soundness(result);
    if (sound) return sound;
    for (let i = 0; i < COUNT; i++) {
      const own = (i - (COUNT - 1) / 2) * (2 * RADIUS + GAP);
      const length = vec3.distance(result.end(`ball-${i}`).position, [own, TOP, 0]);
      if (Math.abs(length - LENGTH) > 2e-3) return `thread ${i} is ${1000 * (length - LENGTH)} mm too long`;
    }
    return null;
  },
  paint: (name) => (name.startsWith('ball') ? PALETTE.sea : undefined),
};
