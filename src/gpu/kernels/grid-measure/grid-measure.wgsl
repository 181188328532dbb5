// Level of every edge; largest box, bounds and number of edges of each level. One thread an edge.
//
// CPU twin: measureLevels in kernels/assembly/strand-grid.ts.

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read_write> grid: Grid;
@group(0) @binding(2) var<storage, read_write> boxes: array<Box>;

var<workgroup> extents: array<atomic<u32>, 80>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  let isLeast = thread % EXTENT >= 3u && thread % EXTENT < 6u;
  if (thread < EXTENT * LEVELS) {
    atomicStore(&extents[thread], select(0u, NOTHING, isLeast));
  }
  workgroupBarrier();
  if (id.x < search.nodes && boxes[id.x].cell != NOTHING) {
    let box = boxes[id.x];
    let level = grid.levelOf[box.cell];
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
  if (thread >= EXTENT * LEVELS || atomicLoad(&extents[EXTENT * (thread / EXTENT) + 9u]) == 0u) {
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
