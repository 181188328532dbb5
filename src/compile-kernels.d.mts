/** Text of a file, null where there is none. */
export function readIfThere(path: string): string | null;
/** What tells a text from all others; null of null. */
export function hashOf(text: string | null): string | null;
/** The stream of a module, by the modules in base64 that pack and unpack. */
export function packModule(
  module: Uint8Array,
  codec: { readonly packer: string; readonly unpacker: string },
): Uint8Array<ArrayBuffer>;
