// The work memory of ADMM's contact side as the kernels see it.

export * from '../../../state/admm-layout';

/** An address in the header. */
export function at(work: usize, field: usize): usize {
  return <usize>load<i32>(work + field);
}
