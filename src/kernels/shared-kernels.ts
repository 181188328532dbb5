// The kernels for a memory that threads share, fetched only by worlds with threads (src/threads).

import bodies from 'virtual:shared-kernels';
import strands from 'virtual:shared-strand-kernels';
import surfaces from 'virtual:shared-surface-kernels';
import type { KernelModule } from './instantiate';

/** What the shared build of a module exports beside its kernels. */
export interface SharedExports {
  /** Works on `begin` to `end` of the job `kind`; `scratch`: memory of the thread's own, 0 on the caller's [B]. */
  runRange(kind: number, begin: number, end: number, scratch: number): void;
  /** Bytes that globals and static data take. */
  stateSize(): number;
  /** Writes them to an address, reads them. */
  keepState(to: number): void;
  takeState(from: number): void;
}

/** The modules, packed, in base64; threads know them by their place. */
export const sharedModules: readonly { readonly name: KernelModule; readonly embedded: string }[] = [
  { name: 'kernel', embedded: bodies },
  { name: 'strand kernel', embedded: strands },
  { name: 'surface kernel', embedded: surfaces },
];
