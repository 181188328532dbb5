// Files edges by cell: `count` before the prefix sum over cells, `fill` after it. One thread an edge.
//
// The order within a cell is chance; pairs are sorted later, so nothing depends on it. Before it counts, every
// workgroup gives each level its cells for itself (levels.wgsl).

@compute @workgroup_size(256)
fn count(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (thread < GRID_LEVELS) {
    levels[thread] = sizeOf(thread);
  }
  workgroupBarrier();
  var own = levels[thread % GRID_LEVELS];
  for (var level = 0u; level < thread % GRID_LEVELS; level++) {
    own.first += cellsOf(levels[level]);
  }
  workgroupBarrier();
  if (thread < GRID_LEVELS) {
    levels[thread] = own;
  }
  if (id.x < grid.levelCount) {
    grid.levels[thread] = own;
  }
  workgroupBarrier();
  if (id.x >= detection.nodes || boxes[id.x].cell == NOTHING) {
    return;
  }
  let level = levels[boxes[id.x].cell];
  let cell = cellIndex(level, wrap(level, cellAt(level, boxes[id.x].low)));
  boxes[id.x].rank = atomicAdd(&cells[cell], 1u);
}

@compute @workgroup_size(256)
fn fill(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= detection.nodes || boxes[id.x].cell == NOTHING) {
    return;
  }
  let box = boxes[id.x];
  let level = grid.levels[box.cell];
  let cell = cellIndex(level, wrap(level, cellAt(level, box.low)));
  filed[atomicLoad(&cells[cell]) + box.rank] = Filed(box.low, id.x, box.high, box.cell);
}
