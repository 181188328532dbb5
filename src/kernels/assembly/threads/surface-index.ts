// The shared build of the kernels of surfaces: the same, and the ranges of those that threads work on.

export * from '../surface-index';
export { runRange } from './surface-ranges';
