// The modules of a step: families of things that a world may have, each made known to it when it gets its first. A game
// without a family imports none of it.
//
// A stage asks all modules, in the order in which they came (stages.ts); each function is optional.

import type { Internal, StepModule } from './physics';

/** Makes modules known to a world that has none of their names. */
export function addModules({ modules }: Internal, added: readonly StepModule[]): void {
  for (const module of added) {
    if (modules.some(({ name }) => name === module.name)) continue;
    const last = modules.findIndex(({ comesLast }) => comesLast);
    modules.splice(last < 0 || module.comesLast ? modules.length : last, 0, module);
  }
}

/** Puts modules in the places of those of their names; makes those known of which there is none. */
export function replaceModules(internal: Internal, others: readonly StepModule[]): void {
  const { modules } = internal;
  for (const module of others) {
    const place = modules.findIndex(({ name }) => name === module.name);
    if (place < 0) addModules(internal, [module]);
    else modules[place] = module;
  }
}

/** Whether a world has a module of this name. */
export function hasModule({ modules }: Internal, wanted: string): boolean {
  return modules.some(({ name }) => name === wanted);
}
