// What a thread does of the kernels of surfaces, by number: nothing so far.

/** Works on a range of the job `kind`. */
export function runRange(_kind: i32, _begin: i32, _end: i32, _scratch: usize): void {
  unreachable();
}
