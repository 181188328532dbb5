// The shared build of the kernels of strands: the same, and the ranges of those that threads work on.

export * from '../strand-index';
export { runRange } from './strand-ranges';
