// Rows of the contacts of edges with bodies, each with force and colour of the same feature in
// the last list. One thread a hit.
//
// CPU twin: writeBodySide in kernels/assembly/proximity/contacts.ts. A dynamic body is named by its place in `movers`;
// of any other the row has only how fast its surface moves at the point.

@reads(edges, rods, colliders, movers, hits, starts)
@writes(last, contacts)

fn writeRow(hit: Hit) {
  let place = starts[detection.starts + hit.edge] + hit.rank;
  if (hit.rank == NOTHING || place >= detection.contactRoom) {
    return;
  }
  let collider = colliders[hit.collider];
  let mover = movers[collider.mover];
  let rod = rods[edges[hit.edge].rod];
  let isDynamic = (collider.flags & COLLIDER_DYNAMIC) != 0u;
  var drift = vec3f(0.0);
  if (!isDynamic) {
    drift = mover.velocity.xyz + cross(mover.spin.xyz, hit.arm);
  }
  if ((collider.flags & COLLIDER_SURFACE) != 0u) {
    // A conveyor's surface runs along itself: the part across is dropped.
    let v = rotate(mover.rotation, collider.surface);
    drift += v - dot(v, hit.normal) * hit.normal;
  }
  let friction = combine((collider.flags >> COLLIDER_RULE) & COLLIDER_RULE_MASK, rod.friction, collider.friction);
  let give = rod.compliance + giveOf(hit.gap, 2.0 * rod.radius, edges[hit.edge].mass, detection.timeStep);
  var row = Contact(
    vec4u(hit.edge, hit.edge + 1u, NOTHING, NOTHING),
    vec4f(1.0 - hit.s, hit.s, 0.0, 0.0),
    vec4f(hit.normal, hit.gap),
    vec4f(0.0),
    hit.arm,
    select(NOTHING, collider.mover, isDynamic),
    vec4f(drift, hit.time),
    vec4f(friction, rod.cohesion, give, rod.radius),
    vec4u(hit.edge, hit.high, NO_COLOUR, NOTHING),
  );
  if (detection.further == 0u) {
    continueRow(&row);
  }
  contacts[place] = row;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(hits.count.x, detection.hitRoom);
  for (var i = id.x; i < count; i += 64u * groups.x) {
    writeRow(hits.rows[i]);
  }
}
