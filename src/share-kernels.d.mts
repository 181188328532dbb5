/** A source of the kernels, with static data of the thread's own; `isEntry`: the module's first file. */
export function shareSource(text: string, isEntry: boolean): string;
/** The binary (with names) of such sources, its static data in `from` to `to`; without names. */
export function shareBinary(binary: Uint8Array, from: number, to: number): Promise<Uint8Array>;
