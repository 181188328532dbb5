// What scenes with characters and cars have beside their file, and the keys that take them over.

import type { CharacterSpec, VehicleSpec, WheelSpec } from '../../src/index';

/** −1, 0 or 1 each; `up` for shift. */
export interface HeldKeys {
  x: number;
  y: number;
  up: boolean;
}

/** What a scene file cannot say: characters and cars. */
export interface Rig {
  /** Adds a character. */
  walker(name: string, spec: CharacterSpec & { radius: number; height: number }): void;
  /** Puts wheels under a body; bodies of the scene show them: kinematic, in no layer. */
  car(chassis: string, wheels: readonly WheelSpec[], shown: readonly string[], more: Partial<VehicleSpec>): void;
}
