// Notes in the ring what the strands did to bodies in this step, through contacts and clamps. One thread a mover;
// the step's row was cleared before.

@reads(movers, reactions, points)
/// Of the movers that can be pushed: impulse [N·s], moment about the centre of mass [N·m·s].
@reads(impulses)
/// Of clamps, those of a body side by side, rods' before grooms' (`starts` by body: of its first, and where those of
/// grooms begin): impulses of two held nodes, and where these are on the body.
@reads(starts: array<vec2u>)
/// Of grooms, by body slot (mover-carry.wgsl).
@reads(carried)
@writes(ring)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= late.pushable || movers[id.x].position.w <= 0.0) {
    return;
  }
  let body = bitcast<u32>(movers[id.x].inertiaMore.z);
  var impulse = impulses[id.x] + carried[body];
  let q = movers[id.x].rotation;
  for (var k = 2u * starts[body].x; k < 2u * starts[body].y; k++) {
    let arm = rotate(q, points[k].xyz);
    let push = reactions[k].xyz;
    impulse += mat2x4f(vec4f(push, 0.0), vec4f(cross(arm, push), 0.0));
  }
  ring[(late.step % LATE_RING) * late.stride + body] = impulse;
}
