// Scenes of the gallery that the fuzzers of this folder run: all in the long form, in the short one what it takes to
// have each solver, each kind of shape, joints, driven bodies, grooms and all that strands do. The dearer half of these
// runs with the long tests.

import { SCENES } from '../../demos/scenes/index';
import { bySuite } from '../setup/suite';
import { isLong } from './rounds';

const SHORT = [
  ...['pyramid', 'block-feeder', 'conveyor', 'sticky-strands', 'capstan'],
  ...bySuite([], ['hairy-ball', 'mixed-pile', 'valley', 'oscillating-sphere', 'groom', 'sag-free', 'rope-bridge']),
];

for (const id of SHORT) if (!SCENES.some((scene) => scene.id === id)) throw new Error(`fuzz: no scene ${id}`);

export const TRIED = SCENES.filter(({ id }) => isLong || SHORT.includes(id));

/** Scenes of many bodies or strands: a few steps each in the short form. */
export const LARGE = ['pile', 'large-pile', 'boulder-slide', 'sleeping-field', 'groom', 'head-of-hair', 'mixed-pile'];
