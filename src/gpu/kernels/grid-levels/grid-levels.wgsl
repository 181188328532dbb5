// Levels of the grid: `choose` groups size classes, `size` gives each level its cells. One workgroup each.
//
// CPU twin: chooseLevels and sizeLevel in kernels/assembly/strand-grid.ts; one to two cells an edge rather than two to four.

/// Smaller edges join the next larger size when they are fewer than this share of it.
const FEW = 8u;
/// Cells are larger than the largest box by this, and by what f32 rounds a coordinate to, so that no box reaches past the next.
const SLACK = 1.0001;
const ROUNDING = 4e-7;

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read_write> grid: Grid;

var<workgroup> counts: array<u32, CLASSES>;

@compute @workgroup_size(256)
fn choose(@builtin(local_invocation_index) thread: u32) {
  counts[thread] = atomicLoad(&grid.classes[thread]);
  workgroupBarrier();
  if (thread > 0u) {
    return;
  }
  var level = 0u;
  var first = NOTHING;
  var held = 0u;
  for (var size = 0u; size < CLASSES; size++) {
    let count = counts[size];
    if (count > 0u) {
      let fits = first == NOTHING || level + 1u == LEVELS || size <= first + 1u || held * FEW < count;
      if (!fits) {
        level++;
        held = 0u;
      }
      if (!fits || first == NOTHING) {
        first = size;
      }
      held += count;
    }
    counts[size] = level;
  }
  for (var size = 0u; size < CLASSES; size++) {
    grid.levelOf[size] = counts[size];
  }
  grid.levelCount = select(level + 1u, 0u, first == NOTHING);
}

/// Least exponent of a power of two that is at least x, from 2.
fn bitsFor(x: f32) -> u32 {
  var bits = 2u;
  while (bits < 20u && f32(1u << bits) < x) {
    bits++;
  }
  return bits;
}

@compute @workgroup_size(256)
fn size(@builtin(local_invocation_index) thread: u32) {
  if (thread > 0u) {
    return;
  }
  var first = 0u;
  for (var level = 0u; level < grid.levelCount; level++) {
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
    grid.levels[level] = Level(inverse, first, bits, edges);
    first += 1u << (bits.x + bits.y + bits.z);
  }
}
