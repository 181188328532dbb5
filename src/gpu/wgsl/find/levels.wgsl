// Cells of the levels of the grid.
//
// One to two cells an edge.

/// Cells are larger than the largest box by this, and by what f32 rounds a coordinate to, so
/// that no box reaches past the next.
const SLACK = 1.0001;
const ROUNDING = 4e-7;

var<workgroup> levels: array<Level, GRID_LEVELS>;

/// Least exponent of a power of two that is at least x, from 2.
fn bitsFor(x: f32) -> u32 {
  var bits = 2u;
  while (bits < 20u && f32(1u << bits) < x) {
    bits++;
  }
  return bits;
}

/// A level as its edges ask for it, as if it were the first.
fn sizeOf(level: u32) -> Level {
  let at = EXTENT * level;
  let edges = atomicLoad(&grid.extents[at + 9u]);
  var inverse = vec3f(0.0);
  var bits = vec3u(2u);
  for (var k = 0u; k < 3u; k++) {
    let low = fromOrder(atomicLoad(&grid.extents[at + 3u + k]));
    let high = fromOrder(atomicLoad(&grid.extents[at + 6u + k]));
    let box = max(fromOrder(atomicLoad(&grid.extents[at + k])), 1e-30);
    let side = SLACK * box + ROUNDING * max(abs(low), abs(high) + box);
    inverse[k] = 1.0 / side;
    bits[k] = bitsFor((high - low) / side + 3.0);
  }
  var room = 6u;
  while ((1u << room) < edges) {
    room++;
  }
  // The longest side is folded first.
  while (bits.x + bits.y + bits.z > room) {
    if (bits.x >= bits.y && bits.x >= bits.z) {
      bits.x--;
    } else if (bits.y >= bits.z) {
      bits.y--;
    } else {
      bits.z--;
    }
  }
  return Level(inverse, 0u, bits, edges);
}

fn cellsOf(level: Level) -> u32 {
  return 1u << (level.bits.x + level.bits.y + level.bits.z);
}
