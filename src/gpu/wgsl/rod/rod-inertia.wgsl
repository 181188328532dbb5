// Inertia of the unknowns and the change of velocity that they would make alone. One thread a node.
//
// In the least-squares form of the step (factorise.wgsl) these are the rows of M: d_k (x_k − y_k)², x
// the change of velocity. Held unknowns have the mass HELD and the change that is prescribed; the idle θ
// of the last node is one of them.

@reads(strands, rods, velocities, forces)
/// (mass, rotational inertia of the twist of edge i) [kg], [kg·m²]
@reads(masses)
/// Of each end: outer node, neighbour.
@reads(holds)
/// Of each node: velocity, 0 behind it where no joint holds it.
@reads(pins)
/// Two a node: d, then y.
@writes(inertias)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands * block.nodes) {
    return;
  }
  let s = id.x % block.strands;
  let i = id.x / block.strands;
  let n = block.nodes;
  let slot = block.firstStrand + s;
  let strand = strands[slot];
  let rod = rods[strand.rod];
  let node = strand.first + i;
  let dt = block.timeStep;
  let v = velocities[node];
  let drag = dt * rod.airDrag;
  let mass = masses[node].xxxy;
  var d = mass * (1.0 + drag);
  let outside = vec4f(dt * rod.gravityScale * block.gravity + drag * block.wind, 0.0);
  var y = (outside - drag * v + dt * forces[node] / mass) / (1.0 + drag);
  if (i == n - 1u) {
    d.w = HELD;
    y.w = -v.w;
  }
  if ((strand.flags & STRAND_CLAMP_START) != 0u && i < 2u) {
    let hold = holds[4u * slot + i];
    d = vec4f(vec3f(HELD), select(d.w, HELD, i == 0u));
    y = vec4f(hold.xyz - v.xyz, select(y.w, hold.w - v.w, i == 0u));
  }
  if ((strand.flags & STRAND_CLAMP_END) != 0u && i + 2u >= n) {
    let inner = i + 2u == n;
    let hold = holds[4u * slot + select(2u, 3u, inner)];
    d = vec4f(vec3f(HELD), select(d.w, HELD, inner));
    y = vec4f(hold.xyz - v.xyz, select(y.w, holds[4u * slot + 2u].w - v.w, inner));
  }
  let pin = pins[node];
  if (pin.w != 0.0) {
    d = vec4f(vec3f(HELD), d.w);
    y = vec4f(pin.xyz - v.xyz, y.w);
  }
  if ((strand.flags & STRAND_QUARANTINED) != 0u) {
    d = vec4f(HELD);
    y = -v;
  }
  inertias[at(i, 0u, 2u, s)] = d;
  inertias[at(i, 1u, 2u, s)] = y;
}
