// Level of every edge; largest box, bounds and number of edges of each level. One thread an edge.
//
// CPU twin: chooseLevels and measureLevels in kernels/assembly/proximity/grid.ts. Every workgroup
// groups the size classes for itself.

/// Smaller edges join the next larger size when they are fewer than this share of it.
const FEW = 8u;

var<workgroup> extents: array<atomic<u32>, 80>;
/// Edges of a class, then its level.
var<workgroup> levelOf: array<u32, CLASSES>;
/// Bits of the classes that have edges.
var<workgroup> used: array<atomic<u32>, CLASSES / 32u>;

/// Levels of the classes; returns how many there are.
fn chooseLevels() -> u32 {
  var level = 0u;
  var first = NOTHING;
  var held = 0u;
  for (var word = 0u; word < CLASSES / 32u; word++) {
    for (var left = atomicLoad(&used[word]); left != 0u; left &= left - 1u) {
      let size = 32u * word + firstTrailingBit(left);
      let count = levelOf[size];
      let fits = first == NOTHING || level + 1u == GRID_LEVELS || size <= first + 1u || held * FEW < count;
      if (!fits) {
        level++;
        held = 0u;
      }
      if (!fits || first == NOTHING) {
        first = size;
      }
      held += count;
      levelOf[size] = level;
    }
  }
  return select(level + 1u, 0u, first == NOTHING);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  let isLeast = thread % EXTENT >= 3u && thread % EXTENT < 6u;
  if (thread < EXTENT * GRID_LEVELS) {
    atomicStore(&extents[thread], select(0u, NOTHING, isLeast));
  }
  let count = atomicLoad(&grid.classes[thread]);
  levelOf[thread] = count;
  if (count > 0u) {
    atomicOr(&used[thread / 32u], 1u << (thread % 32u));
  }
  workgroupBarrier();
  if (thread == 0u) {
    let levels = chooseLevels();
    if (id.x == 0u) {
      grid.levelCount = levels;
    }
  }
  workgroupBarrier();
  if (id.x < detection.nodes && boxes[id.x].cell != NOTHING) {
    let box = boxes[id.x];
    let level = levelOf[box.cell];
    boxes[id.x].cell = level;
    for (var k = 0u; k < 3u; k++) {
      let at = EXTENT * level + k;
      atomicMax(&extents[at], orderOf(box.high[k] - box.low[k]));
      atomicMin(&extents[at + 3u], orderOf(box.low[k]));
      atomicMax(&extents[at + 6u], orderOf(box.low[k]));
    }
    atomicAdd(&extents[EXTENT * level + 9u], 1u);
  }
  workgroupBarrier();
  if (thread >= EXTENT * GRID_LEVELS || atomicLoad(&extents[EXTENT * (thread / EXTENT) + 9u]) == 0u) {
    return;
  }
  let value = atomicLoad(&extents[thread]);
  if (isLeast) {
    atomicMin(&grid.extents[thread], value);
  } else if (thread % EXTENT == 9u) {
    atomicAdd(&grid.extents[thread], value);
  } else {
    atomicMax(&grid.extents[thread], value);
  }
}
