// A module without its static data: another instance on the same memory must not write there again.

const HEADER_BYTES = 8;
const DATA_SECTION = 11;
const DATA_COUNT_SECTION = 12;

/** The binary without its data sections (WebAssembly core specification, 5.5). */
export function stripData(binary: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(binary.length);
  out.set(binary.subarray(0, HEADER_BYTES));
  let length = HEADER_BYTES;
  for (let at = HEADER_BYTES; at < binary.length; ) {
    const section = binary[at];
    // Size of the section, seven bits a byte, the least first.
    let size = 0;
    let body = at + 1;
    for (let shift = 0; ; shift += 7) {
      const byte = binary[body++];
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    const end = body + size;
    if (section !== DATA_SECTION && section !== DATA_COUNT_SECTION) {
      out.set(binary.subarray(at, end), length);
      length += end - at;
    }
    at = end;
  }
  return out.slice(0, length);
}
