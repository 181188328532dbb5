// The literature's scenes with elastic solids, checked by what must hold: no end of a step has surfaces in each other,
// what stands stands, what was wound or squeezed has its shape again.

import { expect, test } from 'vitest';
import type { Session } from '../../demos/app/session';
import type { Quat, SceneFile } from '../../demos/scenes/demo-scene';
import { volumeOf } from '../../demos/scenes/soft-shapes';
import {
  ballMill,
  closingWedge,
  fallingRings,
  fallingToys,
  MILL,
  millGroove,
  nearlyRigidBlocks,
  STRINGS,
  softPyramid,
  softRollers,
  tangledStrings,
  WEDGE,
} from '../../demos/scenes/solid-scenes';
import { bySuite, longTest } from '../setup/suite';
import { openWatched } from './watched-solids';

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

function open(scene: SceneFile, every: number) {
  const watched = openWatched(scene, every);
  return { ...watched, names: [...watched.session.solids.keys()] };
}

/** Volume of a solid over that without stress. */
function volumeShare(session: Session, scene: SceneFile, name: string, points: ArrayLike<number>): number {
  const { tetrahedra } = scene.solids!.find((solid) => solid.name === name)!;
  return volumeOf(tetrahedra as Quat[], points) / volumeOf(tetrahedra as Quat[], session.solids.get(name)!.rest);
}

/** Largest difference between the distance of two vertices now and at rest, of vertices far and near [m]. */
function distortion(session: Session, name: string, points: ArrayLike<number>): number {
  const { rest } = session.solids.get(name)!;
  const count = rest.length / 3;
  const far = (x: ArrayLike<number>, i: number, j: number) =>
    Math.hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]);
  let worst = 0;
  for (let i = 0; i < count; i++) {
    for (const j of [(i + 1) % count, (i + (count >> 1)) % count, (7 * i) % count]) {
      worst = Math.max(worst, Math.abs(far(points, i, j) - far(rest, i, j)));
    }
  }
  return worst;
}

const least = (points: ArrayLike<number>, axis: number) => {
  let low = Infinity;
  for (let k = axis; k < points.length; k += 3) low = Math.min(low, points[k]);
  return low;
};

const meanOf = (points: ArrayLike<number>, axis: number) => {
  let sum = 0;
  for (let k = axis; k < points.length; k += 3) sum += points[k];
  return (3 * sum) / points.length;
};

/** A heap in a pen: nothing gets out or under the ground, volumes are kept, and it comes to lie. */
function lies(scene: SceneFile, half: number, seconds: number): void {
  const { session, names, points, run } = open(scene, 10);
  run(seconds - 0.25);
  const before = names.map((name) => meanOf(points(name), 1));
  run(seconds);
  for (const [i, name] of names.entries()) {
    const x = points(name);
    expect(least(x, 1)).toBeGreaterThan(0);
    for (let k = 0; k < x.length; k++) if (k % 3 !== 1) expect(Math.abs(x[k])).toBeLessThan(half);
    expect(Math.abs(volumeShare(session, scene, name, x) - 1)).toBeLessThan(0.02);
    show(scene.title, name, volumeShare(session, scene, name, x), meanOf(x, 1) - before[i]);
    expect(Math.abs(meanOf(x, 1) - before[i])).toBeLessThan(0.01);
  }
  session.close();
}

test('rings that fall into a pen lie there, unhurt and free of each other', () => {
  lies(fallingRings(bySuite(4, 12), 1 / 120), 0.48, bySuite(1.25, 2.5));
});

longTest('toys in cages do so, too', () => {
  lies(fallingToys(8, 1 / 120), 0.54, 2.5);
});

longTest('a pyramid of soft blocks stands', () => {
  const scene = softPyramid(3, [3, 2, 2], 1 / 240);
  const { session, names, points, run } = open(scene, 20);
  run(1);
  const before = names.map((name) => points(name));
  run(2);
  const moved = Math.max(...names.flatMap((name, i) => [...points(name)].map((x, k) => Math.abs(x - before[i][k]))));
  show('pyramid', moved);
  expect(moved).toBeLessThan(1e-3);
  // Three layers of 15 cm; a layer sags by some ρ g h² / 2E = 0.2 mm under itself.
  expect(meanOf(points('block2-0'), 1)).toBeGreaterThan(2.5 * 0.15);
  session.close();
});

longTest('balls between a fixed torus and a sphere that turns are carried round', () => {
  const scene = ballMill(9, 2, 1 / 120);
  const { session, names, points, run } = open(scene, 20);
  const angle = (name: string) => Math.atan2(meanOf(points(name), 2), meanOf(points(name), 0));
  const { sphere, tube } = MILL;
  const [middle, height] = millGroove().torus;
  run(0.5);
  const before = names.map(angle);
  run(1.5, () => {
    for (const name of names) {
      const x = points(name);
      for (let k = 0; k < x.length; k += 3) {
        const [far, high] = [Math.hypot(x[k], x[k + 2]), x[k + 1]];
        // Outside of the sphere, and of the tube, which is one of 48 × 16 faces.
        expect(Math.hypot(far, high)).toBeGreaterThan(sphere);
        expect(Math.hypot(far - middle, high - height)).toBeGreaterThan(0.97 * tube);
      }
    }
  });
  names.forEach((name, i) => {
    const turned = (angle(name) - before[i] + 3 * Math.PI) % (2 * Math.PI);
    show('mill', name, turned - Math.PI);
    // The sphere turns by −2 rad about y, seen as an angle from x to z; balls that roll go at less than that.
    expect(turned - Math.PI).toBeLessThan(-0.3);
  });
  session.close();
});

longTest('a figure that is pulled through rollers has its shape again behind them', () => {
  const scene = softRollers();
  const { session, points, run } = open(scene, 8);
  let squeezed = 1;
  run(5.5, () => {
    squeezed = Math.min(squeezed, volumeShare(session, scene, 'figure', points('figure')));
  });
  const end = points('figure');
  show('rollers', squeezed, distortion(session, 'figure', end));
  expect(squeezed).toBeLessThan(0.99);
  expect(meanOf(end, 0)).toBeLessThan(-1);
  expect(distortion(session, 'figure', end)).toBeLessThan(0.36e-2);
  session.close();
});

longTest('balls and rings between walls that close stay between them', () => {
  const scene = closingWedge(8);
  const { session, names, points, run } = open(scene, 10);
  const { first, last, seconds } = WEDGE;
  const slope = (time: number) => {
    const share = Math.min(1, Math.max(0, (time - 0.6) / seconds));
    return first + share * share * (3 - 2 * share) * (last - first);
  };
  run(3, () => {
    // The keys of the walls are straight between poses on that curve.
    const [s, c] = [Math.sin(slope(session.physics.time)), Math.cos(slope(session.physics.time))];
    for (const name of names) {
      const x = points(name);
      for (let k = 0; k < x.length; k += 3) expect(c * Math.abs(x[k]) - s * x[k + 1]).toBeLessThan(1e-3);
    }
  });
  session.close();
});

longTest('strings that are wound round each other are straight again when they are let go', () => {
  const scene = tangledStrings(4, 20);
  const { session, names, points, run } = open(scene, 10);
  const before = names.map((name) => points(name));
  let touched = 0;
  run(STRINGS.seconds + 0.2, () => {
    touched = Math.max(touched, session.physics.report.strands.contacts);
  });
  const wound = Math.max(...names.flatMap((name, i) => [...points(name)].map((x, k) => Math.abs(x - before[i][k]))));
  run(2 * STRINGS.seconds + 1);
  const left = Math.max(...names.flatMap((name, i) => [...points(name)].map((x, k) => Math.abs(x - before[i][k]))));
  show('strings', touched, wound, left);
  expect(touched).toBeGreaterThan(50);
  expect(wound).toBeGreaterThan(0.1);
  expect(left).toBeLessThan(5e-3);
  session.close();
});

test('a stack of nearly rigid beams with one that hangs over stands and sleeps', () => {
  const layers = bySuite(2, 6);
  const { session, points, run } = open(nearlyRigidBlocks(layers), 10);
  const before = points('lever');
  run(3);
  const moved = Math.max(...points('lever').map((x, k) => Math.abs(x - before[k])));
  show('blocks', moved);
  expect(moved).toBeLessThan(1e-3);
  expect(session.physics.report.strands.asleep).toBe(2 * layers + 1);
  session.close();
});
