// Notes in the ring what the strands did to bodies in this step, through contacts and clamps. One thread a mover;
// the step's row was cleared before.

@group(0) @binding(1) var<storage, read> movers: array<Mover>;
/// Of the movers that can be pushed: impulse [N·s], moment about the centre of mass [N·m·s].
@group(0) @binding(2) var<storage, read> impulses: array<mat2x4f>;
/// Of clamps, those of a body side by side, rods' before grooms' (`starts` by body: of its first, and where those of
/// grooms begin): impulses of two held nodes, and where these are on the body.
@group(0) @binding(3) var<storage, read> starts: array<vec2u>;
@group(0) @binding(4) var<storage, read> reactions: array<vec4f>;
@group(0) @binding(5) var<storage, read> points: array<vec4f>;
/// Of grooms, by body slot (mover-carry.wgsl).
@group(0) @binding(6) var<storage, read> carried: array<mat2x4f>;
@group(0) @binding(7) var<storage, read_write> ring: array<mat2x4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= late.pushable || movers[id.x].position.w <= 0.0) {
    return;
  }
  let body = bitcast<u32>(movers[id.x].inertiaMore.z);
  var impulse = impulses[id.x] + carried[body];
  let q = movers[id.x].rotation;
  for (var k = 2u * starts[body].x; k < 2u * starts[body].y; k++) {
    let t = 2.0 * cross(q.xyz, points[k].xyz);
    let arm = points[k].xyz + q.w * t + cross(q.xyz, t);
    let push = reactions[k].xyz;
    impulse += mat2x4f(vec4f(push, 0.0), vec4f(cross(arm, push), 0.0));
  }
  ring[(late.step % RING) * late.stride + body] = impulse;
}
