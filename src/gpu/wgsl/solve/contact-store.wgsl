// Forces and colours back to the contacts, for the next look and the next step. One thread a row. Contacts of strands
// that were limited (admm-limit.wgsl) lose their force.

@reads(order, forces, colours, duals)
@writes(contacts, report)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  let count = order[COLOURS];
  if (k == 0u) {
    report[REPORT_CONTACTS] = count;
  }
  if (k < COLOURS) {
    report[REPORT_SIZES + k] = order[k + 1u] - order[k];
  }
  if (k >= count) {
    return;
  }
  let more = forces[solver.capacity + k];
  let contact = bitcast<u32>(more.z);
  var force = vec3f(0.0);
  let nodes = contacts[contact].nodes;
  var isLimited = duals[nodes.x].w < 0.0;
  if (nodes.z != NOTHING) {
    isLimited = isLimited || duals[nodes.z].w < 0.0;
  }
  if (more.x > 0.0 && !isLimited) {
    force = forces[k].xyz / more.x;
  }
  contacts[contact].force = vec4f(force, 0.0);
  contacts[contact].key.z = colours[contact];
}
