// What all strand kernels share: one block of strands of equal length, and how its numbers are laid out.
//
// A block is bound whole to a dispatch. Strand s of the block has the header strands[block.firstStrand + s]; its node i
// is node header.first + i of the tables. What lives for one step only is interleaved: value q of node i of strand s,
// of Q a node, at [(i·Q + q)·block.strands + s], so that neighbouring threads touch neighbouring words.

struct Block {
  gravity: vec3f,     // [m/s²]
  timeStep: f32,      // [s]
  wind: vec3f,        // [m/s]
  strands: u32,       // strands of the block
  nodes: u32,         // nodes of each
  firstStrand: u32,   // header of its first
  weighted: u32,      // 1: the factor is that of A + W
  spare: u32,
}

struct Strand {
  first: u32,         // first node of the tables
  count: u32,
  flags: u32,         // as STRAND_FLAGS
  rod: u32,
}

struct Rod {
  stretch: f32,       // k_s A [N]
  bend: f32,          // E I [N·m²]
  twist: f32,         // G J [N·m²]
  damping: f32,       // [s]
  gravityScale: f32,  // [-]
  airDrag: f32,       // [1/s]
  radius: f32,        // [m]
  friction: f32,      // [-]
  cohesion: f32,      // [N] a contact
  compliance: f32,    // of contacts [m/N]
  layers: u32,        // as ROD_LAYERS: layers in the low 16 bits, mask in the high 16
  flags: u32,         // as ROD_FLAGS
}

/// No contact touches it in this step: weighted factors and solves leave it out.
const IDLE = 32u;
/// Its last solve was cut short and held back (admm-limit.wgsl).
const LIMITED = 64u;

/// Mass of what is held: any load is nothing beside it, and its reciprocal is still a normal number.
const HELD = 1e30;

@group(0) @binding(0) var<uniform> block: Block;

/// Place of value q of node i, of Q a node, of strand s.
fn at(i: u32, q: u32, Q: u32, s: u32) -> u32 {
  return (i * Q + q) * block.strands + s;
}

/// NaN or infinite: from the bits, for compilers may take comparisons with NaN for granted.
fn isBad(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u;
}

fn isBad4(v: vec4f) -> bool {
  return isBad(v.x) || isBad(v.y) || isBad(v.z) || isBad(v.w);
}
