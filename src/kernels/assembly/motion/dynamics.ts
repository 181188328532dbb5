// What the engine room exports for motion, islands, sweeps, sleep and touches.

export { furtherSweeps, solveSweeps, sweepScratchSize } from '../sweeps/sweeps';
export { measureApproaches } from './approaches';
export { carrySpins } from './carry-spin';
export { collectTouches } from './events';
export { buildIslands, releaseIsland } from './islands';
export { keepOutside } from './keep-outside';
export { integrateMotion, predictBody, predictMotion, turnMotions } from './motion';
export { mayBodySleep, mayIslandSleep, restBody, updateSleep, wakeBody, wakeTouched } from './sleep';
export { isStopped, stopAtTouch, stopScratchSize } from './stop-at-touch';
