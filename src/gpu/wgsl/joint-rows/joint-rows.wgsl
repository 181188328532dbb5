// Rows of the joints as a step begins: where the anchors are, what the joints lack. One thread a joint. CPU twin: addBall and addRope in
// dynamics/elastic/collect-contacts.ts.
//
// Between the targets of the clamps (rod-holds.wgsl) and the inertia: of a clamp that is two joints only the twist is prescribed, by the
// body's spin along the edge.

/// JOINT_RATE and JOINT_SPEED there.
const RATE = 0.5;
/// The same on a body that touches others, which hear of the joints two steps late. By the linear recursion of a stiff rope and contacts
/// that let through any share of its impulses all modes fall with 0.1; with 0.5 some go on for hundreds of steps.
const TOUCHING_RATE = 0.1;
const FASTEST = 5.0;
/// Roundings of f32 below which an error is hardly taken back: a body's place is no better known, and taking back noise is a force.
const GRAINS = 16.0 / 8388608.0;
/// Units of the fixed point that fit into a whole number.
const FAR = 2e9;
/// Flags of a strand, as in strand.wgsl.
const QUARANTINED = 4u;
const JOINED = 16384u;

@group(0) @binding(0) var<uniform> times: Times;
@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read> movers: array<Mover>;
@group(0) @binding(3) var<storage, read> origins: array<vec4f>;
@group(0) @binding(4) var<storage, read> places: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> strands: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> holds: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> ties: array<Tie>;

/// Holds the twist alone: see rod-inertia.wgsl.
fn prescribeTwist(joint: Joint, unit: f32, spin: vec3f) {
  let isStart = joint.node == joint.first;
  let edge = select(joint.node - 1u, joint.node, isStart);
  let along = vec3f(places[edge + 1u].xyz - places[edge].xyz) * unit;
  let length = length(along);
  var rate = 0.0;
  if (length > 0.0) {
    rate = dot(along, spin) / length;
  }
  holds[joint.hold] = vec4f(0.0, 0.0, 0.0, rate);
  holds[joint.hold + 1u] = vec4f(0.0, 0.0, 0.0, 1.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= times.joints) {
    return;
  }
  let joint = joints[id.x];
  let origin = origins[joint.slot];
  let unit = origin.w;
  var anchor = joint.point;
  var drift = vec3f(0.0);
  var tie: Tie;
  if (joint.mover != NO_BODY) {
    let mover = movers[moverOf(joint)];
    let t = 2.0 * cross(mover.rotation.xyz, joint.point);
    let arm = joint.point + mover.rotation.w * t + cross(mover.rotation.xyz, t);
    anchor = mover.position.xyz + arm;
    if (isMovable(joint)) {
      tie.arm = vec4f(arm, 0.0);
    } else {
      drift = mover.velocity.xyz + cross(mover.spin.xyz, arm);
    }
    if (joint.hold != NO_BODY) {
      prescribeTwist(joint, unit, mover.spin.xyz);
    }
  }
  // In units of the fixed point, where they suffice: at rest the difference is always the same.
  let place = places[joint.node].xyz;
  let to = (anchor - origin.xyz) / unit;
  var way = to * unit - vec3f(place) * unit;
  if (all(abs(to) < vec3f(FAR))) {
    way = vec3f(vec3i(round(to)) - place) * unit;
  }
  if (joint.length > 0.0) {
    let distance = length(way);
    let gap = joint.length - distance;
    var bias = gap / times.timeStep;
    if (gap < 0.0) {
      bias = max(times.recoveryRate * gap, -times.recoverySpeed);
    }
    if (distance > 0.0) {
      let direction = way / distance;
      tie.row = vec4f(direction, bias - dot(direction, drift));
    } else {
      tie.base.w = 8.0;
    }
  } else {
    let size = max(abs(anchor), abs(origin.xyz));
    let grain = GRAINS * max(max(size.x, size.y), size.z);
    let share = select(RATE, TOUCHING_RATE, isMovable(joint) && (joint.mover & TOUCHING) != 0u);
    let rate = share / times.timeStep * min(1.0, dot(way, way) / max(grain * grain, 1e-30));
    tie.row = vec4f(clamp(-rate * way, vec3f(-FASTEST), vec3f(FASTEST)) - drift, 0.0);
    tie.base.w = 7.0;
  }
  if ((strands[joint.slot].z & QUARANTINED) != 0u) {
    tie.base.w = 8.0;
  }
  ties[id.x] = tie;
  if (joint.own == id.x) {
    strands[joint.slot].z |= JOINED;
  }
}
