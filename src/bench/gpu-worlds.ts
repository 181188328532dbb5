// The world of `stiction bench gpu`: the hairy ball of Daviet 2020 (7.2, after Kaufman and
// others 2014), any number of strands.
//
// Slightly frizzy hair of radius 0.037 mm on the upper half of a ball 18 cm thick, friction 0.2; the ball swings about
// its three axes in turn. Strands are clamped at their roots and follow the ball. Steps of 1/60 s, one a frame. It
// differs from the paper's in what the paper does not give: frizz, lengths, the motion; and hair stretches more easily.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { addGroom } from '../../systems/grooms';
import type { Physics } from '../../systems/physics';
import { addRigidBody, setKinematicTarget } from '../../systems/rigid-body';
import type { ElasticSettings } from '../state/elastic-settings';
import { createChance } from './solvers-problems';

/** How the ball's hair is made. */
export interface BallSpec {
  readonly strands: number;
  /** Of each strand. The paper has 31. */
  readonly vertices: number;
  /** False: strands meet neither each other nor the ball. */
  readonly contact: boolean;
}

/** A world that moves itself. */
export interface BallWorld {
  readonly physics: Physics;
  /** Drives the ball, then steps. */
  advance(): void;
}

/** Of the ball [m]. */
export const BALL = 0.09;
/** Of a hair [m]. */
export const HAIR = 3.7e-5;
/** Of the longest strands [m]. */
export const LENGTH = 0.21;
const FRICTION = 0.2;
const STRETCH = 1e6; // [Pa]
/** Swings about an axis [rad], how long each axis has its turn [s], swings a second. */
const [SWING, TURN, RATE] = [0.95, 1, 1];

/** Makes the ball. Throws UsageError where the strands have more nodes than a world can hold. */
export function createBall(spec: BallSpec, elastic: ElasticSettings = {}): BallWorld {
  const { strands, vertices, contact } = spec;
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, elastic });
  const ball = addRigidBody(physics, {
    type: 'kinematic',
    shape: { sphere: BALL },
    position: [0, 0, 0],
    friction: FRICTION,
  });
  addGroom(physics, {
    strands: { counts: new Int32Array(strands).fill(vertices), positions: growHair(strands, vertices) },
    radius: HAIR,
    friction: FRICTION,
    stretchModulus: STRETCH,
    attachStart: ball,
    selfContact: contact,
    mask: contact ? 0xffff : 0,
  });
  const { timeStep } = physics.settings;
  return {
    physics,
    advance() {
      setKinematicTarget(physics, ball, [0, 0, 0], swingAt((physics.stepCount + 1) * timeStep));
      physics.step();
    },
  };
}

/** Points of all strands, x y z [m]: an even spiral from the top to the equator, the frizz begins beyond the root. */
function growHair(count: number, vertices: number): Float64Array {
  const chance = createChance(2020);
  const out = new Float64Array(3 * count * vertices);
  const angle = Math.PI * (3 - Math.sqrt(5));
  for (let s = 0; s < count; s++) {
    const y = 1 - (s + 0.5) / count;
    const flat = Math.sqrt(1 - y * y);
    const radial = [flat * Math.cos(s * angle), y, flat * Math.sin(s * angle)];
    const [side, third] = sidesOf(radial);
    const length = LENGTH * (0.8 + 0.2 * chance());
    const wave = 0.0022 * (0.4 + chance());
    const turns = 2.5 + 2 * chance();
    const phase = 2 * Math.PI * chance();
    const lean = 0.035 * (chance() - 0.5);
    for (let i = 0; i < vertices; i++) {
      const t = i / (vertices - 1);
      const grown = Math.min(1, 5 * Math.max(0, t - 1 / (vertices - 1)));
      const a = wave * grown * Math.cos(phase + 2 * Math.PI * turns * t) + lean * t * t;
      const b = wave * grown * Math.sin(phase + 2 * Math.PI * turns * t);
      const at = 3 * (s * vertices + i);
      for (let k = 0; k < 3; k++) out[at + k] = (BALL + HAIR + length * t) * radial[k] + a * side[k] + b * third[k];
    }
  }
  return out;
}

/** Two unit vectors across a unit vector. */
function sidesOf([x, y, z]: number[]): [number[], number[]] {
  const across = Math.abs(y) < 0.9 ? [z, 0, -x] : [0, -z, y];
  const size = Math.sqrt(across[0] ** 2 + across[1] ** 2 + across[2] ** 2);
  const side = across.map((value) => value / size);
  const third = [y * side[2] - z * side[1], z * side[0] - x * side[2], x * side[1] - y * side[0]];
  return [side, third];
}

/** Orientation of the ball at time t [s]. */
function swingAt(t: number): number[] {
  const half = 0.5 * SWING * Math.sin(2 * Math.PI * RATE * t);
  const q = [0, 0, 0, Math.cos(half)];
  q[[2, 0, 1][Math.floor(t / TURN) % 3]] = Math.sin(half);
  return q;
}
