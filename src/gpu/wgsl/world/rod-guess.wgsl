// What a further linearisation of the step starts from. One thread a node.
//
// With the guess g in place of the velocities u at the step's start, x = v − g: the inertia pulls back by M (g −
// u), here a force; and the elastic forces, taken where g leads to, hold dt² K g already, so of K g only the damping's
// part is left: dt·damping/(dt² + dt·damping) of what elements take from their velocities (rod-elements.wgsl). CPU
// twin: assemble-strand.ts with a guess.

@reads(strands, rods, masses, velocities, forces)
/// g.
@reads(guess: array<vec4f>)
@writes(damped: array<vec4f>, pushed: array<vec4f>)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands * block.nodes) {
    return;
  }
  let strand = strands[block.firstStrand + id.x % block.strands];
  let node = strand.first + id.x / block.strands;
  let damping = rods[strand.rod].damping;
  let g = guess[node];
  damped[node] = damping / (block.timeStep + damping) * g;
  pushed[node] = forces[node] + masses[node].xxxy * ((velocities[node] - g) / block.timeStep);
}
