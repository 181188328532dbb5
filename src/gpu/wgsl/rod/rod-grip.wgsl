// A hand in the hair: nodes within its sphere are drawn along with it. One thread a node, after rod-inertia.wgsl.
//
// As drag in air that moves with the hand, and thins out towards the rim, taken implicitly: the rows of M, d
// (x − y)², become heavier, and the change y that they ask for the hand's. What is held already stays so.
// CPU twin: test/gpu/grip.test.ts.

struct Grip {
  centre: vec3f,    // at the start of the step, from the cell [m]
  radius: f32,      // [m]
  velocity: vec3f,  // [m/s]
  rate: f32,        // how quickly hair in the middle takes on its velocity [1/s]
  gather: f32,      // how quickly it comes to the middle [1/s]
}

@group(0) @binding(1) var<uniform> grip: Grip;
@reads(strands, origins, positions, velocities)
/// Two a node: d, then y.
@writes(inertias)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands * block.nodes) {
    return;
  }
  let s = id.x % block.strands;
  let i = id.x / block.strands;
  let slot = block.firstStrand + s;
  let node = strands[slot].first + i;
  let way = grip.centre - origins[slot].xyz - positions[node].xyz;
  let share = 1.0 - dot(way, way) / (grip.radius * grip.radius);
  let d = inertias[at(i, 0u, 2u, s)];
  // Not so that NaN would pass.
  if (!(share > 0.0) || d.x >= HELD) {
    return;
  }
  let more = block.timeStep * grip.rate * share;
  let wanted = grip.velocity + grip.gather * way - velocities[node].xyz;
  let y = inertias[at(i, 1u, 2u, s)];
  inertias[at(i, 0u, 2u, s)] = vec4f(d.xyz * (1.0 + more), d.w);
  inertias[at(i, 1u, 2u, s)] = vec4f((y.xyz + more * wanted) / (1.0 + more), y.w);
}
