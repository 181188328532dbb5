// The shared build of the kernels of bodies: the same, and the ranges of those that threads work on.

export * from '../index';
export { runRange } from './body-ranges';
