// What a step gives to the elastic equations of all objects that are assembled in TypeScript.

import type { ElasticStep } from '../../mechanics/elastic-kind';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { isClampJoint } from './collect-contacts';
import { jointSpin } from './joint-spin';

const wind = new Float64Array(3);

/** The step of a world. Ends that hang on dynamic bodies are held by joints, but for their twist. */
export function elasticStepOf(engine: Engine): ElasticStep {
  const { arena, settings } = engine;
  for (let k = 0; k < 3; k++) wind[k] = arena.f64[(L.WIND >> 3) + k];
  return {
    timeStep: settings.timeStep,
    gravity: settings.gravity,
    wind,
    jointTwist: (strand, end) => (isClampJoint(engine, strand, end) ? jointSpin(engine, strand, end) : null),
  };
}
