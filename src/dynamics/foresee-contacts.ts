// find-contacts, second part: contacts as they will be when bodies touch (kernels/assembly/foresee/foresee.ts).

import type { Engine } from './engine';

/** Looks ahead from the manifolds of the step's start; notes how fast touches to come are approached. */
export function foreseeContacts({ kernels, kernelScratch, report }: Engine): void {
  report.unforeseen = kernels.foreseeContacts(kernelScratch.address(kernels.foreseeScratchSize()));
  kernels.measureApproaches();
}

/** After the bodies have moved: those that met what they would go through end their way there. */
export function stopBodies(engine: Engine): void {
  const { joints, kernels, kernelScratch, report } = engine;
  report.stopped = kernels.stopAtTouch(kernelScratch.address(kernels.stopScratchSize()));
  if (report.stopped > 0) joints?.shutStopped(engine);
}
