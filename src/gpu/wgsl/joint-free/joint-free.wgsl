// Joints without contacts: what they lack (`ask`), and what their impulses do to bodies (`pull`), which for the rest of the step move as if
// on their ropes. One thread a joint. Again on the answer it takes off what rounding left.

@group(0) @binding(0) var<uniform> times: Times;
@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read_write> ties: array<Tie>;
@group(0) @binding(3) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> movers: array<Mover>;
@group(0) @binding(5) var<storage, read> responses: array<Response>;

@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= times.joints) {
    return;
  }
  let joint = joints[id.x];
  var speed = predicted[joint.node].xyz;
  if (isMovable(joint)) {
    let body = movers[moverOf(joint)];
    speed -= body.velocity.xyz + cross(body.spin.xyz, ties[id.x].arm.xyz);
  }
  askRows(id.x, speed, 0.0);
}

@compute @workgroup_size(64)
fn pull(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= times.joints) {
    return;
  }
  let joint = joints[id.x];
  ties[id.x].base += vec4f(ties[id.x].rows.xyz, 0.0);
  if (joint.pulled == id.x && isMovable(joint)) {
    let body = movers[moverOf(joint)];
    let change = changeBy(id.x, responseOf(body.position.w, body.inertia, body.inertiaMore));
    movers[moverOf(joint)].velocity = body.velocity + change[0];
    movers[moverOf(joint)].spin = body.spin + change[1];
  }
}
