// CRC-32 (ISO-HDLC, the one of gzip and PNG): whether bytes are those that were written.

/** The reversed polynomial. */
const POLYNOMIAL = 0xedb88320;

let table: Uint32Array | null = null;

function makeTable(): Uint32Array {
  const made = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
    made[byte] = rest;
  }
  return made;
}

/** The checksum of the bytes, eight hex digits. */
export function crc32(bytes: Uint8Array): string {
  table ??= makeTable();
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) rest = table[(rest ^ bytes[i]) & 255] ^ (rest >>> 8);
  return ((rest ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
