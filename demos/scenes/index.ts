// All scenes of the gallery, in the order of the menu.

import { arch } from './arch';
import { blockFeeder } from './block-feeder';
import { cardHouse } from './card-house';
import type { DemoScene } from './demo-scene';
import { dominoes } from './dominoes';
import { frictionAngle } from './friction-angle';
import { heavyTop } from './heavy-top';
import { mixedPile } from './mixed-pile';
import { pucks } from './pucks';
import { pyramid } from './pyramid';
import { sleepingField } from './sleeping-field';
import { stairsScene } from './stairs';
import { wreckingBall } from './wrecking-ball';

export const SCENES: readonly DemoScene[] = [
  pyramid,
  cardHouse,
  arch,
  heavyTop,
  blockFeeder,
  wreckingBall,
  mixedPile,
  dominoes,
  frictionAngle,
  pucks,
  stairsScene,
  sleepingField,
];
