// Walks the grid: every pair of edges once, tested, listed in any order. One thread a filed edge.
//
// Within a level half of the neighbouring cells are looked through; of coarser levels all that the box can reach. The
// CPU walks a tree instead (kernels/assembly/proximity/walk.ts).

@reads(filed, cells, edges, rods)
@writes(grid, found, pairCounts: array<atomic<u32>>, atomic counters)

/// Pairs that a thread gathers before it asks for room.
const BATCH = 8u;

struct Gathered {
  count: u32,
  pairs: array<vec2u, BATCH>,
}

fn flush(gathered: ptr<function, Gathered>) {
  let count = (*gathered).count;
  (*gathered).count = 0u;
  let first = atomicAdd(&counters[PAIR_CURSOR], count);
  for (var k = 0u; k < count; k++) {
    if (first + k < detection.pairRoom) {
      let pair = (*gathered).pairs[k];
      found[first + k] = pair;
      atomicAdd(&pairCounts[pair.x], 1u);
    }
  }
}

/// Tries an edge against those filed from start to end − 1.
fn scan(me: Filed, mine: Edge, start: u32, end: u32, gathered: ptr<function, Gathered>) {
  for (var i = start; i < end; i++) {
    let other = filed[i];
    if (any(me.low > other.high) || any(other.low > me.high)) {
      continue;
    }
    let isFirst = me.edge < other.edge;
    let a = min(me.edge, other.edge);
    let b = max(me.edge, other.edge);
    let theirs = edges[other.edge];
    var A = mine;
    var B = theirs;
    if (!isFirst) {
      A = theirs;
      B = mine;
    }
    if (mayMeet(a, b, A, B) && lookAt(A, B).isKept) {
      (*gathered).pairs[(*gathered).count] = vec2u(a, b);
      (*gathered).count++;
      if ((*gathered).count == BATCH) {
        flush(gathered);
      }
    }
  }
}

/// Cells of a level from `low` to `high`, each once. Of the own level only what lies ahead: the rest of
/// the own cell, the next one, and rows ahead; what is filed ahead along an axis can only be met by a
/// box that reaches over its own cell.
fn walk(i: u32, level: u32, me: Filed, mine: Edge, low: vec3i, high: vec3i, gathered: ptr<function, Gathered>) {
  let isOwn = level == me.level;
  let mask = vec3i((vec3u(1u) << grid.levels[level].bits) - 1u);
  var c = low;
  while (c.z <= high.z) {
    let isBehind = isOwn && c.z == low.z && (c.y < low.y + 1 || (c.y == low.y + 1 && c.x < low.x + 1));
    if (!isBehind) {
      let cell = cellIndex(grid.levels[level], vec3u(c & mask));
      let isHome = isOwn && c.z == low.z && c.y == low.y + 1 && c.x == low.x + 1;
      scan(me, mine, select(cells[cell], i + 1u, isHome), cells[cell + 1u], gathered);
    }
    c.x++;
    if (c.x > high.x) {
      c.x = low.x;
      c.y++;
    }
    if (c.y > high.y) {
      c.y = low.y;
      c.z++;
    }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= cells[detection.cells]) {
    return;
  }
  let me = filed[id.x];
  let mine = edges[me.edge];
  var gathered: Gathered;
  for (var level = me.level; level < grid.levelCount; level++) {
    let home = cellAt(grid.levels[level], me.low);
    let mask = vec3i((vec3u(1u) << grid.levels[level].bits) - 1u);
    // Boxes filed one cell before may reach over; of the own level, boxes of the layer before have found this one.
    let low = home - select(vec3i(1), vec3i(1, 1, 0), level == me.level);
    // The grid repeats itself: never more than once around.
    walk(id.x, level, me, mine, low, min(low + mask, cellAt(grid.levels[level], me.high)), &gathered);
  }
  flush(&gathered);
}
