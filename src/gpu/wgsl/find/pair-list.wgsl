// Lists the pairs by lower edge, then higher: `place`, one thread a pair, puts them with their
// edge; `order`, one thread an edge.

@reads(found, pairStarts)
@writes(atomic cursors, pairs, counters)

@compute @workgroup_size(64)
fn place(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < counters[COUNTER_PAIRS]; i += 64u * groups.x) {
    let pair = found[i];
    pairs[pairStarts[pair.x] + atomicAdd(&cursors[pair.x], 1u)] = vec4u(pair, 0u, 0u);
  }
}

/// Shell's sort: an edge of hair has a handful, a rope under hair hundreds.
@compute @workgroup_size(64)
fn order(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0u && counters[PAIR_CURSOR] > detection.pairRoom) {
    counters[COUNTER_PAIRS_WANTED] = max(counters[COUNTER_PAIRS_WANTED], counters[PAIR_CURSOR]);
    counters[COUNTER_FLAGS] |= OVERFLOW_PAIRS;
  }
  if (id.x >= detection.nodes) {
    return;
  }
  let first = pairStarts[id.x];
  let end = pairStarts[id.x + 1u];
  for (var gap = (end - first) / 2u; gap > 0u; gap /= 2u) {
    for (var i = first + gap; i < end; i++) {
      let pair = pairs[i];
      var to = i;
      while (to >= first + gap && pairs[to - gap].y > pair.y) {
        pairs[to] = pairs[to - gap];
        to -= gap;
      }
      pairs[to] = pair;
    }
  }
}
