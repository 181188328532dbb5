// What joints prescribe: velocities that bring pinned nodes to their points within the step. One thread a joint.
//
// CPU twin: the ball joints of dynamics/elastic/collect-contacts.ts, where what they hold on to does not give way.
// Bodies come with their pose at the END of the step, as for clamps (rod-holds.wgsl).

struct Pin {
  point: vec3f,   // in the body's frame from its centre of mass, or from the world's cell [m]
  body: i32,      // slot, −1 the world
  node: u32,
  slot: u32,      // of its strand, in the order of the headers
  spare: vec2u,
}

@reads(joints: array<Pin>, bodies: array<vec4f>, origins, places)
/// Velocity of each pinned node [m/s]; two more than its body's slot, 0: not pinned.
@writes(pins)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&joints)) {
    return;
  }
  let pin = joints[id.x];
  let origin = origins[pin.slot];
  var point = pin.point - origin.xyz;
  if (pin.body >= 0) {
    point = bodies[2 * pin.body].xyz - origin.xyz + rotate(bodies[2 * pin.body + 1], pin.point);
  }
  let way = vec3f(vec3i(round(point / origin.w)) - places[pin.node].xyz) * origin.w;
  pins[pin.node] = vec4f(way / block.timeStep, f32(pin.body + 2));
}
