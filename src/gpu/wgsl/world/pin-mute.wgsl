// A node that a joint holds at a body, and the insides of its edges, do not touch that body: such a contact has no
// force. One thread a contact, after each detection. CPU twin: isExcluded in dynamics/elastic/collect-contacts.ts.

@reads(counters)
/// As rod-pins.wgsl writes them.
@reads(pins)
/// Rows of Collider (body.wgsl): its slot and its body are in the last four words.
@reads(colliders: array<array<vec4u, 7>>)
@writes(contacts)

/// Two more than the body of the collider that has this slot in the tables; 1: none.
fn bodyOf(slot: u32) -> f32 {
  for (var row = 0u; row < arrayLength(&colliders); row++) {
    if (colliders[row][6].y == slot) {
      return f32(colliders[row][6].z + 2u);
    }
  }
  return 1.0;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= min(counters[0], arrayLength(&contacts))) {
    return;
  }
  let c = contacts[id.x];
  if (c.nodes.z != NOTHING) {
    return;
  }
  let first = select(0.0, pins[c.nodes.x].w, c.weights.x != 0.0);
  let second = select(0.0, pins[c.nodes.y].w, c.weights.y != 0.0);
  if (first < 2.0 && second < 2.0) {
    return;
  }
  let body = bodyOf((c.key.y & ~BODY_BIT) >> 3u);
  if (first == body || second == body) {
    contacts[id.x].weights = vec4f(0.0);
    contacts[id.x].force = vec4f(0.0);
    contacts[id.x].drift = vec4f(0.0);
    contacts[id.x].mover = NOTHING;
    contacts[id.x].material.y = 0.0;
    contacts[id.x].material.z = 0.0;
  }
}
