// Notes in the ring what the strands did to bodies in this step. One thread a mover; the step's row was cleared before.

@group(0) @binding(1) var<storage, read> movers: array<Mover>;
/// Of the movers that can be pushed: impulse [N·s], moment about the centre of mass [N·m·s].
@group(0) @binding(2) var<storage, read> impulses: array<mat2x4f>;
@group(0) @binding(3) var<storage, read_write> ring: array<mat2x4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= late.pushable || movers[id.x].position.w <= 0.0) {
    return;
  }
  let body = bitcast<u32>(movers[id.x].inertiaMore.z);
  ring[(late.step % RING) * late.stride + body] = impulses[id.x];
}
