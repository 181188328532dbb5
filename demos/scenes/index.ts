// All scenes of the gallery, in the order of the menu.

import { arch } from './arch';
import { blockFeeder } from './block-feeder';
import { boulderSlide } from './boulder-slide';
import { cardHouse } from './card-house';
import { conveyor } from './conveyor';
import type { DemoScene } from './demo-scene';
import { dominoes } from './dominoes';
import { frictionAngle } from './friction-angle';
import { groom } from './groom';
import { hairyBall } from './hairy-ball';
import { heavyTop } from './heavy-top';
import { mixedPile } from './mixed-pile';
import { largePile, pile } from './pile';
import { pucks } from './pucks';
import { pyramid } from './pyramid';
import { sleepingField } from './sleeping-field';
import { stairsScene } from './stairs';
import { tallWall } from './tall-wall';
import { wreckingBall } from './wrecking-ball';

export const SCENES: readonly DemoScene[] = [
  pyramid,
  cardHouse,
  arch,
  heavyTop,
  blockFeeder,
  wreckingBall,
  mixedPile,
  pile,
  largePile,
  boulderSlide,
  tallWall,
  conveyor,
  dominoes,
  frictionAngle,
  pucks,
  stairsScene,
  sleepingField,
  hairyBall,
  groom,
];
