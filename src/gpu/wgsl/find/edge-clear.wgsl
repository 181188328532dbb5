// Clears what a detection counts into.

@writes(grid, cells, pairStarts, heads, hits: array<u32>, claims, cursors, counters)

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let stride = 256u * groups.x;
  for (var i = id.x; i < detection.cells + 1u; i += stride) {
    cells[i] = 0u;
  }
  for (var i = id.x; i < detection.nodes + 1u; i += stride) {
    pairStarts[i] = 0u;
    heads[i] = NOTHING;
    cursors[i] = 0u;
  }
  for (var i = id.x; i < detection.contactRoom; i += stride) {
    claims[i] = NOTHING;
  }
  if (id.x < CLASSES) {
    atomicStore(&grid.classes[id.x], 0u);
  }
  if (id.x < EXTENT * GRID_LEVELS) {
    // Least corners are a minimum.
    let isLeast = id.x % EXTENT >= 3u && id.x % EXTENT < 6u;
    atomicStore(&grid.extents[id.x], select(0u, NOTHING, isLeast));
  }
  if (id.x == 0u) {
    hits[0] = 0u;
  }
  // Flags and what was wanted are the step's: further looks add to them.
  let isAlways = (id.x == COUNTER_CONTACTS && detection.further != 2u) || id.x == COUNTER_PAIRS || id.x == PAIR_CURSOR;
  if (id.x < 16u && (detection.further == 0u || isAlways)) {
    counters[id.x] = 0u;
  }
}
