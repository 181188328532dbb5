// All scenes of the gallery in the groups and the order of the menu. The first opens it.

import { arch } from './arch';
import { belt } from './belt';
import { blockFeeder } from './block-feeder';
import { boulderSlide } from './boulder-slide';
import { cape } from './cape';
import { capstan } from './capstan';
import { car } from './car';
import { cardHouse } from './card-house';
import { chimes } from './chimes';
import { conveyor } from './conveyor';
import { furCurtain, ponytailBand, shirt, windyTree } from './coupled-scenes';
import { cradle } from './cradle';
import { crane } from './crane';
import type { DemoScene } from './demo-scene';
import { dominoes } from './dominoes';
import { drape } from './drape';
import { flag } from './flag';
import { frictionAngle } from './friction-angle';
import { groom } from './groom';
import { gummyBears } from './gummy-bears';
import { hairyBall } from './hairy-ball';
import { hammock } from './hammock';
import { headOfHair } from './head-of-hair';
import { heavyTop } from './heavy-top';
import { jack } from './jack';
import { jelly } from './jelly';
import { knot } from './knot';
import { mixedPile } from './mixed-pile';
import { oscillatingSphere } from './oscillating-sphere';
import { largePile, pile } from './pile';
import { playground } from './playground';
import { pucks } from './pucks';
import { pyramid } from './pyramid';
import { ragdolls } from './ragdolls';
import { rollingFriction } from './rolling-friction';
import { rollingFur } from './rolling-fur';
import { ropeBridge } from './rope-bridge';
import { sagFree } from './sag-free';
import { shellCards } from './shell-cards';
import { sleepingField } from './sleeping-field';
import { stairsScene } from './stairs';
import { stickyStrands } from './sticky-strands';
import { strengths } from './strengths';
import { tallWall } from './tall-wall';
import { valley } from './valley';
import { wreckingBall } from './wrecking-ball';

export interface SceneGroup {
  title: string;
  scenes: readonly DemoScene[];
}

export const GROUPS: readonly SceneGroup[] = [
  { title: 'Friction', scenes: [arch, cardHouse, frictionAngle, rollingFriction, pucks, oscillatingSphere, conveyor] },
  {
    title: 'Stacks and piles',
    scenes: [pyramid, heavyTop, tallWall, wreckingBall, dominoes, mixedPile, boulderSlide, stairsScene, valley],
  },
  { title: 'Machines and characters', scenes: [blockFeeder, jack, chimes, crane, playground, car, ragdolls, cradle] },
  { title: 'Cloth', scenes: [flag, cape, hammock, drape, shellCards] },
  { title: 'Cloth and strands', scenes: [ponytailBand, windyTree, shirt, furCurtain] },
  { title: 'Soft bodies', scenes: [gummyBears, jelly] },
  { title: 'Hair', scenes: [headOfHair, hairyBall, rollingFur, groom, sagFree, stickyStrands] },
  { title: 'Rope', scenes: [capstan, knot, belt, ropeBridge, strengths] },
  { title: 'Scale', scenes: [pile, largePile, sleepingField] },
];

export const SCENES: readonly DemoScene[] = GROUPS.flatMap(({ scenes }) => scenes);
