// What the options of a rod or groom mean for its static equilibrium: material, gravity, held ends.

import { refuse } from '../src/core/errors';
import type { BakedFor } from '../src/state/baked-strands';
import { type RodMaterial, resolveRodMaterial } from '../src/state/rod-material';
import type { StrandRest } from '../src/state/strand-rest';
import type { Physics } from './physics';
import { type RodOptions, requireBody } from './rod-spec';

/** Strands as a bake takes them. */
interface Strands {
  readonly counts: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
}

/** What strands of this material in this world are baked for. */
export function madeFor(physics: Physics, material: RodMaterial, options: RodOptions): BakedFor {
  const { radius, density, youngModulus, shearModulus, stretchModulus, gravityScale } = material;
  const g = physics.settings.gravity;
  const gravity: [number, number, number] = [gravityScale * g[0], gravityScale * g[1], gravityScale * g[2]];
  const clampEnd = options.clampEnd ?? options.attachEnd !== undefined;
  return { radius, density, youngModulus, shearModulus, stretchModulus, gravity, clampEnd };
}

/** The same from options; refuses bodies that are not there and strands whose starts are free. */
export function readBakeOptions(physics: Physics, where: string, options: RodOptions, isGroom: boolean): BakedFor {
  requireBody(physics, where, 'attachStart', options.attachStart);
  requireBody(physics, where, 'attachEnd', options.attachEnd);
  const clampStart = options.clampStart ?? (isGroom || options.attachStart !== undefined);
  if (clampStart !== true) refuse(where, 'clampStart must be true with sagFree', clampStart);
  return madeFor(physics, resolveRodMaterial(where, options), options);
}

/** Rest shape and stiffness of strands that are being added with `sagFree`, and their packed outcomes. */
export function bakeAdded(
  physics: Physics,
  where: string,
  strands: Strands,
  options: RodOptions,
  isGroom: boolean,
  sagFree: unknown,
): { rest: StrandRest; outcome: Float64Array } {
  const { sagFree: baker } = physics.internal;
  if (baker === null) refuse(where, 'sagFree needs a call of enableSagFree(physics) before', sagFree);
  return baker.bake(where, strands, readBakeOptions(physics, where, options, isGroom), sagFree);
}

/** Remembers how an entity's strands came out, for the report; null forgets what an entity of the same number left. */
export function keepOutcome(physics: Physics, eid: number, outcome: Float64Array | null): void {
  const outcomes = physics.internal.sagFree?.outcomes;
  outcomes?.delete(eid);
  if (outcome) outcomes?.set(eid, outcome);
}
