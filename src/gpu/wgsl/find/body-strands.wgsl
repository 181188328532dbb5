// Colliders near each strand within the step, in the order of their slots. One thread a strand.
//
// CPU twin: collectColliders in kernels/assembly/proximity/bodies.ts. Out: a number, then
// that many places in `colliders`.

@reads(edges, holders, colliders, rods)
@writes(reachable, atomic counters)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= detection.strands) {
    return;
  }
  let list = id.x * (detection.reachable + 1u);
  reachable[list] = 0u;
  let holder = holders[id.x];
  if (holder.first == NOTHING) {
    return;
  }
  var low = vec3f(3e38);
  var high = vec3f(-3e38);
  var layers = 0u;
  for (var i = holder.first; i <= holder.last; i++) {
    let edge = edges[i];
    if (edge.strand != NOTHING) {
      let box = sweptBox(edge);
      low = min(low, box.low);
      high = max(high, box.high);
      layers = rods[edge.rod].layers;
    }
  }
  var count = 0u;
  for (var c = 0u; c < detection.colliders; c++) {
    if (any(low > colliders[c].high) || any(colliders[c].low > high) || !layersMeet(layers, colliders[c].layers)) {
      continue;
    }
    if (count < detection.reachable) {
      reachable[list + 1u + count] = c;
    }
    count++;
  }
  reachable[list] = min(count, detection.reachable);
  if (count > detection.reachable) {
    atomicMax(&counters[COUNTER_COLLIDERS_WANTED], count);
    atomicOr(&counters[COUNTER_FLAGS], OVERFLOW_COLLIDERS);
  }
}
