// What the settings of a world tell ADMM in this step, for the backends that run its loop.

import { STRAND_RELAXATION } from '../../../core/elastic-constants';
import type { AdmmOptions } from '../../../solvers/admm/options';
import type { ResolvedElasticSettings } from '../../../state/elastic-settings';

/** Writes them field by field: copied whole, settings that ADMM does not have would change the shape of its options. */
export function readOptions(options: AdmmOptions, elastic: ResolvedElasticSettings): void {
  options.sweeps = elastic.sweeps;
  options.tolerance = elastic.tolerance;
  options.acceleration = elastic.acceleration;
  options.sleeping = elastic.sleeping;
  options.resting = elastic.resting;
  options.geometricCorrection = elastic.geometricCorrection;
  options.frictionCone = elastic.frictionCone;
  options.newCollisionsEvery = elastic.newContactsEvery;
  options.isPaper = elastic.profile === 'paper';
  // Momentum goes ahead by itself; the paper relaxes nothing.
  options.relaxation = options.acceleration || options.isPaper ? 1 : STRAND_RELAXATION;
}
