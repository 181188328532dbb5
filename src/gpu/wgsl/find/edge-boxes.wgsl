// Records and swept boxes of all edges, and how many there are of each size. One thread an edge.
//
// CPU twin: kernels/assembly/proximity/edges.ts. Edges of quarantined strands, and edges
// whose numbers are bad, have no box.

var<workgroup> classes: array<atomic<u32>, CLASSES>;

fn isSound(v: vec3f) -> bool {
  return !isBad(v.x) && !isBad(v.y) && !isBad(v.z) && all(abs(v) < vec3f(FARTHEST_COORDINATE));
}

/// Half-way place of a node, and half of what the field leaves of its displacement.
struct Sweep {
  middle: vec3f,
  half: vec3f,
}

fn sweepOf(place: vec3f, way: vec3f, radius: f32) -> Sweep {
  var left = way - grid.mean;
  if (detection.continuous == 0u) {
    // Only what may close within the reach of one radius counts, from where the nodes are.
    return Sweep(place, abs(left) * min(1.0, radius / max(length(left), 1e-30)));
  }
  let middle = place + 0.5 * way;
  let x = middle - grid.center;
  left -= vec3f(dot(grid.rows[0].xyz, x), dot(grid.rows[1].xyz, x), dot(grid.rows[2].xyz, x));
  return Sweep(middle, abs(0.5 * left));
}

fn prepare(i: u32) {
  boxes[i].cell = NOTHING;
  edges[i].strand = NOTHING;
  let fixed = statics[i];
  if (fixed.x == NOTHING) {
    return;
  }
  let slot = fixed.x & ~HELD_BIT;
  let strand = strands[slot];
  if ((strand.flags & STRAND_QUARANTINED) != 0u) {
    return;
  }
  let p = positions[i].xyz;
  let q = positions[i + 1u].xyz;
  let d0 = detection.timeStep * velocities[i].xyz;
  let d1 = detection.timeStep * velocities[i + 1u].xyz;
  if (!isSound(p) || !isSound(q) || !isSound(d0) || !isSound(d1)) {
    return;
  }
  let radius = bitcast<f32>(fixed.w);
  let origin = origins[slot].xyz;
  let along = bitcast<f32>(fixed.y);
  edges[i] = Edge(p, radius, q - p, along, d0, fixed.x, d1 - d0, bitcast<f32>(fixed.z), origin, strand.rod);
  let first = sweepOf(origin + p, d0, radius);
  let second = sweepOf(origin + q, d1, radius);
  let most = max(length(first.half), length(second.half));
  let size = abs(first.middle) + abs(second.middle) + abs(d0) + abs(d1) + abs(grid.mean);
  let error = COORDINATE_ROUNDING * max(size.x, max(size.y, size.z));
  let reach = radius * (1.0 + detection.near);
  let growth = 0.5 * grid.steepness / (1.0 - 0.5 * grid.steepness);
  let wide = reach + error + growth * (reach + most);
  let low = min(first.middle - first.half, second.middle - second.half) - wide;
  let high = max(first.middle + first.half, second.middle + second.half) + wide;
  let side = high - low;
  let class_ = (bitcast<u32>(max(side.x, max(side.y, side.z))) >> 23u) & 255u;
  boxes[i] = Box(low, class_, high, 0u);
  atomicAdd(&classes[class_], 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  atomicStore(&classes[thread], 0u);
  workgroupBarrier();
  if (id.x < detection.nodes) {
    prepare(id.x);
  }
  workgroupBarrier();
  let count = atomicLoad(&classes[thread]);
  if (count > 0u) {
    atomicAdd(&grid.classes[thread], count);
  }
}
