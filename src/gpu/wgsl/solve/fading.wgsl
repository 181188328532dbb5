// How a push spreads along a strand, as in dynamics/elastic/keep-apart.ts, with all nodes of a strand taken for equally
// heavy: eight steps of (¼, ½, ¼) are the binomial weights of sixteen.

/// Velocities are summed as whole numbers of this [m/s]: in any order with one result.
const GRAIN = 1e-6;
/// Nodes to either side that a push reaches.
const FAR = 8;
const FADING = array<f32, 9>(
  12870.0 / 65536.0, 11440.0 / 65536.0, 8008.0 / 65536.0, 4368.0 / 65536.0, 1820.0 / 65536.0,
  560.0 / 65536.0, 120.0 / 65536.0, 16.0 / 65536.0, 1.0 / 65536.0,
);

/// First and last node of a strand that no clamp holds; of an obstacle none.
fn freeNodes(strand: Strand) -> vec2i {
  if ((strand.flags & STRAND_FIXED) != 0u) {
    return vec2i(0x7fffffff, -1);
  }
  let first = i32(strand.first) + select(0, 2, (strand.flags & STRAND_CLAMP_START) != 0u);
  let last = i32(strand.first + strand.count) - 1 - select(0, 2, (strand.flags & STRAND_CLAMP_END) != 0u);
  return vec2i(first, last);
}

/// The free node that stands for place `i`: beyond the ends the strand is mirrored.
fn mirrored(i: i32, range: vec2i) -> i32 {
  let n = range.y - range.x + 1;
  var x = (i - range.x) % (2 * n);
  if (x < 0) {
    x += 2 * n;
  }
  return range.x + select(x, 2 * n - 1 - x, x >= n);
}
