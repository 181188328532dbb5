// What the bytes of a kernel module say of the next one: hashes for the model.
//
// Code is read as instructions, so that an opcode is told by the opcodes before, and an operand by its opcode, by what
// of it was read, and by whole instructions before. Bytes outside of function bodies are told by the bytes before.
// An opcode whose operands are not known here costs some bytes and nothing else: packing ends with unpacking.

/** What the next byte is. */
const PLAIN = 0;
const OPCODE = 1;
/** Operands: in LEB128, bytes as they are, a list of labels. */
const NUMBER = 2;
const BYTES = 3;
const LABELS = 4;
/** The second part of an opcode: SIMD, others. */
const VECTOR = 5;
const FURTHER = 6;
/** Kinds of locals at the beginning of a body. */
const LOCALS = 7;

/** Opcodes of two parts are numbered behind those of one. */
const FIRST_VECTOR = 512;
const FIRST_FURTHER = 256;

let state: i32 = PLAIN;
let opcode: i32 = 0;
/** Bytes of the operand, and operands, that were read; its value so far, and the bits of it. */
let place: i32 = 0;
let operand: i32 = 0;
let value: i32 = 0;
let shift: i32 = 0;
/** Operands, bytes, labels or kinds of locals that are still to come. */
let operands: i32 = 0;
let bytes: i32 = 0;
/** Open blocks; functions begun. */
let depth: i32 = 0;
let body: i32 = 0;
/** The last opcodes, the newest first; the last two instructions and this one, hashed with their operands. */
let before1: i32 = 0;
let before2: i32 = 0;
let before3: i32 = 0;
let before4: i32 = 0;
let instruction: u32 = 0;
let last1: u32 = 0;
let last2: u32 = 0;

function mix(hash: u32, value: u32): u32 {
  const product = (hash ^ value) * 0x2c1b3c6d;
  return product ^ (product >>> 15);
}

/** Bytes that are no code follow, or a body. */
export function beginPlain(): void {
  state = PLAIN;
  forget();
}

export function beginBody(): void {
  state = LOCALS;
  forget();
  bytes = -1;
  depth = 1;
  body++;
}

export function isBodyOver(): bool {
  return depth == 0;
}

function forget(): void {
  opcode = place = operand = value = 0;
  before1 = before2 = before3 = before4 = 0;
  last1 = last2 = 0;
}

/** The set of weights that mixes the contexts of the next byte, below 1024. */
export function mixerSet(): i32 {
  if (state == OPCODE) return before1 & 255;
  if (state == PLAIN || state == LOCALS) return 1016 + state;
  return 256 + 2 * (opcode & 255) + i32(place > 0);
}

/** Writes the hashes of the contexts of the next byte, seven. */
export function writeContexts(to: usize): void {
  const isOperand = state != OPCODE && state != PLAIN;
  let hash = mix(state, isOperand ? (opcode << 6) + (place << 3) + (operand << 16) : 0);
  if (isOperand) hash = mix(hash, value);
  store<u32>(to, hash);
  const one = mix(hash + 1, before1);
  store<u32>(to, one, 4);
  const two = mix(one, before2);
  store<u32>(to, two, 8);
  store<u32>(to, mix(mix(two, before3), before4), 12);
  store<u32>(to, mix(hash + 2, last1), 16);
  store<u32>(to, mix(mix(hash + 3, last1), last2), 20);
  store<u32>(to, mix(one + 4, body), 24);
  store<u32>(to, mix(mix(two + 5, before3), last1), 28);
}

function endInstruction(): void {
  before4 = before3;
  before3 = before2;
  before2 = before1;
  before1 = opcode;
  last2 = last1;
  last1 = instruction;
  state = OPCODE;
  place = 0;
}

function expect(next: i32, count: i32): void {
  state = next;
  operand = place = value = shift = 0;
  if (next == BYTES) bytes = count;
  else operands = count;
}

/** Takes the byte that came. */
export function takeByte(byte: i32): void {
  if (state == PLAIN) {
    opcode = byte;
    instruction = byte;
    endInstruction();
    state = PLAIN;
    return;
  }
  if (state == OPCODE) {
    opcode = byte;
    instruction = byte;
    bytes = 0;
    takeOpcode(byte);
    return;
  }
  instruction = mix(instruction, byte);
  if (state == LOCALS) takeLocals(byte);
  else if (state == BYTES) {
    value = 257 * value + byte;
    place++;
    if (--bytes == 0) endInstruction();
  } else {
    value |= (byte & 127) << shift;
    shift += 7;
    place++;
    if (byte < 128) takeNumber();
  }
}

/** How many kinds of locals, then of each how many and which. */
function takeLocals(byte: i32): void {
  value = byte;
  if (bytes < 0) bytes = 2 * byte;
  else if (byte < 128) bytes--;
  place = 1 + (bytes & 1);
  if (bytes == 0) {
    state = OPCODE;
    place = 0;
  }
}

function takeOpcode(byte: i32): void {
  if (byte == 0x0b) {
    depth--;
    endInstruction();
  } else if (byte >= 0x02 && byte <= 0x04) {
    depth++;
    expect(NUMBER, 1);
  } else if (byte == 0x0e) expect(LABELS, -1);
  else if (byte == 0x11 || (byte >= 0x28 && byte <= 0x3e)) expect(NUMBER, 2);
  else if (byte == 0x43) expect(BYTES, 4);
  else if (byte == 0x44) expect(BYTES, 8);
  else if (byte == 0xfc) expect(FURTHER, 0);
  else if (byte == 0xfd) expect(VECTOR, 0);
  else if (byte == 0x0c || byte == 0x0d || byte == 0x10) expect(NUMBER, 1);
  else if ((byte >= 0x20 && byte <= 0x24) || (byte >= 0x3f && byte <= 0x42)) expect(NUMBER, 1);
  else endInstruction();
}

/** A number is complete: an operand, or an opcode's second part. */
function takeNumber(): void {
  if (state == VECTOR) {
    const which = value;
    opcode = FIRST_VECTOR + which;
    if (which <= 11 || which == 92 || which == 93) expect(NUMBER, 2);
    else if (which <= 13) expect(BYTES, 16);
    else if (which >= 21 && which <= 34) expect(BYTES, 1);
    else if (which >= 84 && which <= 91) {
      expect(NUMBER, 2);
      bytes = 1;
    } else endInstruction();
  } else if (state == FURTHER) {
    const which = value;
    opcode = FIRST_FURTHER + which;
    if (which < 8) endInstruction();
    else expect(NUMBER, which == 9 || which == 11 ? 1 : 2);
  } else if (state == LABELS && operands < 0) {
    operands = value + 1;
    value = shift = place = 0;
    operand = 1;
  } else if (--operands > 0) {
    // What the first operand was tells the second.
    if (state == LABELS) value = 0;
    shift = place = 0;
    operand = 1;
  } else if (bytes > 0) {
    state = BYTES;
    place = 0;
  } else endInstruction();
}
