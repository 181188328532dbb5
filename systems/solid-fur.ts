// Fur: strands that grow on an elastic solid.

import { refuseAs } from '../src/core/errors';
import { growStrands } from '../src/dynamics/elastic/solid-roots';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import * as L from '../src/state/layout';
import { type Physics, requirePhysics } from './physics';
import { rodSlotOf } from './rods';
import { meshOf } from './shells';

/**
 * Roots the strands of a rod or groom in the surface of an elastic solid: the first two points of each keep their
 * places over the triangle that is nearest now, whatever the solid does, and the solid bears the strand. Clamps of the
 * starts end. Strands do not touch the solid that they grow on; all else they do. When the solid goes, they are loose.
 * A strand that begins farther from the surface than the solid's longest edge [m] is refused, and none is rooted.
 * Throws UsageError.
 */
export function growOn(physics: Physics, strands: number, solid: number): void {
  const where = 'growOn';
  requirePhysics(physics, where);
  const { slot } = meshOf(physics, solid, where, 'solid');
  const rod = rodSlotOf(physics, strands, where);
  const { engine } = physics.internal;
  const { rods } = engine.tables;
  if (rods.flags[rod] & L.ROD_ON_WEBGPU) {
    refuseAs(where, "strands must be of backend 'auto' or 'wasm'", 'a rod on the device');
  }
  growStrands(engine, rod, slot, where);
  rods.flags[rod] |= L.ROD_ON_WASM;
  touchRod(engine.tables, slot);
}
