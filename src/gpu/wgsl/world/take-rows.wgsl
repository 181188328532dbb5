// Brings rows of a column to where they belong after rods came or went: strands that stay keep their state on the
// device. One thread a vec4; rows that are new stay as they were uploaded.

struct Take {
  words: u32,         // vec4 in all
  width: u32,         // vec4 a row
}

@group(0) @binding(0) var<uniform> take: Take;
@reads(old: array<vec4u>)
/// Old row of each row, NOTHING: new.
@reads(origin: array<u32>)
@writes(rows: array<vec4u>)

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= take.words) {
    return;
  }
  let row = origin[id.x / take.width];
  if (row != NOTHING) {
    rows[id.x] = old[row * take.width + id.x % take.width];
  }
}

/// Headers are new; only what went bad stays so, and the weights.
@compute @workgroup_size(256)
fn flags(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= take.words) {
    return;
  }
  let row = origin[id.x];
  if (row != NOTHING) {
    rows[id.x].z |= old[row].z & (STRAND_QUARANTINED | SHARE_BITS);
  }
}
