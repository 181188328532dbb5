// Clears what a search counts into.

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read_write> grid: Grid;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@group(0) @binding(3) var<storage, read_write> pairStarts: array<u32>;
@group(0) @binding(4) var<storage, read_write> heads: array<u32>;
@group(0) @binding(5) var<storage, read_write> hits: array<u32>;
@group(0) @binding(6) var<storage, read_write> claims: array<u32>;
@group(0) @binding(7) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let stride = 256u * groups.x;
  for (var i = id.x; i < search.cells + 1u; i += stride) {
    cells[i] = 0u;
  }
  for (var i = id.x; i < search.nodes + 1u; i += stride) {
    pairStarts[i] = 0u;
    heads[i] = NOTHING;
    cursors[i] = 0u;
  }
  for (var i = id.x; i < search.contactRoom; i += stride) {
    claims[i] = NOTHING;
  }
  if (id.x < CLASSES) {
    atomicStore(&grid.classes[id.x], 0u);
  }
  if (id.x < EXTENT * LEVELS) {
    // Least corners are a minimum.
    let isLeast = id.x % EXTENT >= 3u && id.x % EXTENT < 6u;
    atomicStore(&grid.extents[id.x], select(0u, NOTHING, isLeast));
  }
  if (id.x == 0u) {
    hits[0] = 0u;
  }
  // Flags and what was wanted are the step's: further looks add to them.
  let isAlways = (id.x == CONTACTS && search.further != 2u) || id.x == PAIRS || id.x == PAIR_CURSOR;
  if (id.x < 16u && (search.further == 0u || isAlways)) {
    counters[id.x] = 0u;
  }
}
