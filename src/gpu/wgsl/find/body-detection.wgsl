// Contacts of edges with the colliders near their strand, each exactly. One thread an edge.
//
// CPU twins: kernels/assembly/proximity/bodies.ts (which nodes and edges) and proximity/body-edge.ts (contacts);
// of meshes the rules for what lies behind the surface, proximity/mesh.ts. A node belongs to the edge that it
// begins, the last one to the last edge.

struct Hits {
  count: atomic<u32>,
  spare: array<u32, 3>,
  rows: array<Hit>,
}

@reads(edges, reachable, colliders, movers, holders, faces: array<u32>)
@writes(hits, heads)

fn isClamped(holder: Holder, node: u32) -> bool {
  return ((holder.flags & STRAND_CLAMP_START) != 0u && node <= holder.first + 1u)
    || ((holder.flags & STRAND_CLAMP_END) != 0u && node >= holder.last);
}

fn meetCollider(i: u32, edge: Edge, holder: Holder, c: u32) {
  var collider = colliders[c];
  let isOwnAtStart = holder.startBody == collider.body;
  let isOwnAtEnd = holder.endBody == collider.body;
  // Against these a clamped node has nothing to give.
  let isStubborn = (collider.flags & COLLIDER_DYNAMIC) == 0u || isOwnAtStart || isOwnAtEnd;
  // Nodes out of the body: from `free` to `bare`.
  let free = select(holder.first, holder.free, isOwnAtStart);
  let bare = select(holder.last + 1u, holder.bare, isOwnAtEnd);
  let starts = i >= free && i <= bare && !(isStubborn && isClamped(holder, i));
  let end = holder.last + 1u;
  let ends = i == holder.last && end >= free && end <= bare && !(isStubborn && isClamped(holder, end));
  let isHeld = (edge.strand & HELD_BIT) != 0u;
  let between = i >= free && i < bare && !(isStubborn && isHeld);
  if (!starts && !ends && !between) {
    return;
  }
  let rail = railOf(&collider, movers[collider.mover], edge);
  for (var place = START; place <= BETWEEN; place++) {
    if (!select(select(starts, ends, place == END), between, place == BETWEEN)) {
      continue;
    }
    var part = rail;
    if (place == START) {
      part = Rail(rail.p, vec3f(0.0), rail.d0, rail.d0);
    } else if (place == END) {
      part = Rail(rail.p + rail.e, vec3f(0.0), rail.d1, rail.d1);
    }
    meet(i, c, &collider, part, place, edge.radius);
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= detection.nodes || edges[id.x].strand == NOTHING) {
    return;
  }
  let edge = edges[id.x];
  let slot = edge.strand & ~HELD_BIT;
  let list = slot * (detection.reachable + 1u);
  let span = sweptBox(edge);
  for (var k = 1u; k <= reachable[list]; k++) {
    let c = reachable[list + k];
    if (all(span.low <= colliders[c].high) && all(colliders[c].low <= span.high)) {
      meetCollider(id.x, edge, holders[slot], c);
    }
  }
}
