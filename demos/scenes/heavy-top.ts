import { type BodyFile, type DemoScene, GROUND, soundness, tidy, turn, worstDrift } from './demo-scene';
import { PALETTE } from './palette';
import { sweepsRival } from './rivals';

const COUNT = 10;
const MASS = 10; // [kg]
const RATIO = 1000;
const YAW = 0.2; // of crates against those beside them [rad]
/** The load's centre is so far from theirs [m]: over the middle some solvers hold by luck. */
const ASIDE = 0.25;

function boxes(): BodyFile[] {
  return Array.from({ length: COUNT }, (_, i) => ({
    name: i < COUNT - 1 ? `crate-${i}` : 'anvil',
    material: i < COUNT - 1 ? 'wood' : 'iron',
    position: [i < COUNT - 1 ? 0 : ASIDE, i + 0.5, 0],
    rotation: turn([0, 1, 0], YAW * ((i % 3) - 1)),
    mass: i < COUNT - 1 ? MASS : MASS * RATIO,
    shape: { box: i < COUNT - 1 ? [0.5, 0.5, 0.5] : [0.75, 0.5, 0.75] },
  }));
}

export const heavyTop: DemoScene = {
  id: 'heavy-top',
  title: 'Heavy top',
  description: 'Nine crates of 10 kg carry 10 t, 25 cm off the middle, and none of them sinks in or slips.',
  build: () =>
    tidy({
      version: 1,
      title: 'Heavy top',
      description: 'Ten boxes, the top one a thousand times heavier and off the middle',
      materials: {
        floor: { density: 2000, friction: 0.6, restitution: 0 },
        wood: { density: 10, friction: 0.6, restitution: 0 },
        iron: { density: 1000, friction: 0.6, restitution: 0 },
      },
      bodies: [GROUND, ...boxes()],
    }),
  camera: { target: [0, 5.1, 0], distance: 17, yaw: 0.5, pitch: 0.08, width: 4.6, upright: true },
  promise: 'no box moves 0.1 mm',
  seconds: 5,
  check(result) {
    const [drift, name] = worstDrift(result, (body) => body !== 'ground');
    return (
      soundness(result) ?? (drift < 1e-4 ? null : `${name} moved ${drift} m; the stack must neither sag nor drift`)
    );
  },
  rival: sweepsRival('Sweeps hand ten tonnes down crate by crate: those below are pressed too little, and slip out.'),
  label: (name) => (name === 'anvil' ? '10 t' : undefined),
  paint: (name) => {
    if (name === 'anvil') return PALETTE.charcoal;
    const row = /^crate-(\d+)$/.exec(name)?.[1];
    return row === undefined ? undefined : +row % 2 ? '#b9884b' : '#d6ac72';
  },
};
