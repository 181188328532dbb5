// Contacts of strands that went along with a body: those of two sides that did are turned, those of one end. One thread
// a contact. CPU twin: turnContacts in dynamics/elastic/teleport.ts.

@reads(moved, counters, movers)
/// Strand of each node, in the order of the headers.
@reads(slots: array<u32>)
@writes(contacts)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= min(counters[0], motion.rows)) {
    return;
  }
  let c = contacts[id.x];
  let isMoved = moved[slots[c.nodes.x]] != 0u;
  var isOther = false;
  if (c.nodes.z != NOTHING) {
    isOther = moved[slots[c.nodes.z]] != 0u;
  } else if (c.mover < arrayLength(&movers)) {
    isOther = bitcast<u32>(movers[c.mover].inertiaMore.z) == motion.body;
  }
  if (isMoved && isOther) {
    contacts[id.x].normal = vec4f(rotated(c.normal.xyz), c.normal.w);
    contacts[id.x].force = vec4f(rotated(c.force.xyz), c.force.w);
    contacts[id.x].arm = rotated(c.arm);
  } else if (isMoved || isOther) {
    contacts[id.x].force = vec4f(0.0);
  }
}
