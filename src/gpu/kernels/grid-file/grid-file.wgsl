// Files edges by cell: `count` before the prefix sum over cells, `fill` after it. One thread an edge.
//
// The order within a cell is chance; pairs are sorted later, so nothing depends on it.

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read_write> grid: Grid;
@group(0) @binding(2) var<storage, read_write> boxes: array<Box>;
@group(0) @binding(3) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> filed: array<Filed>;

@compute @workgroup_size(256)
fn count(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= search.nodes || boxes[id.x].cell == NOTHING) {
    return;
  }
  let level = boxes[id.x].cell;
  let cell = cellIndex(level, wrap(level, cellAt(level, boxes[id.x].low)));
  boxes[id.x].rank = atomicAdd(&cells[cell], 1u);
}

@compute @workgroup_size(256)
fn fill(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= search.nodes || boxes[id.x].cell == NOTHING) {
    return;
  }
  let box = boxes[id.x];
  let cell = cellIndex(box.cell, wrap(box.cell, cellAt(box.cell, box.low)));
  filed[atomicLoad(&cells[cell]) + box.rank] = Filed(box.low, id.x, box.high, box.cell);
}
