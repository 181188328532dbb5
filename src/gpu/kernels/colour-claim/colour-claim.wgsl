// Colours that contacts kept from the last list. One thread a contact. `main`: each claims its own; `keep`: it stays where the
// claim stands.

@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read> contacts: array<Contact>;
@group(0) @binding(3) var<storage, read> weights: array<f32>;
/// Nodes that can move, else NOWHERE: two contacts at a root do not disturb each other.
@group(0) @binding(4) var<storage, read_write> ends: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> colours: array<u32>;
@group(0) @binding(6) var<storage, read_write> claims: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let c = id.x;
  if (c >= min(counters[0], solver.capacity)) {
    return;
  }
  var own = contacts[c].nodes;
  for (var k = 0u; k < 4u; k++) {
    if (own[k] != NOTHING) {
      own[k] = select(NOWHERE, own[k], weights[own[k]] > 0.0);
    }
  }
  ends[c] = own;
  let colour = contacts[c].key.z;
  if (colour < colourCount()) {
    colours[c] = colour | CLAIMED;
    claim(own, colour, 0u, priorityOf(c));
  } else {
    colours[c] = NONE;
  }
}

@compute @workgroup_size(64)
fn keep(@builtin(global_invocation_id) id: vec3u) {
  let c = id.x;
  if (c >= min(counters[0], solver.capacity) || colours[c] == NONE) {
    return;
  }
  let colour = colours[c] & NONE;
  colours[c] = select(NONE, colour, settle(ends[c], colour, 0u, priorityOf(c)));
}
