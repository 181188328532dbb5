// What all the forces of the start change: δ₀ = A⁻¹ W λ₀ to `reference`, from λ₀ in `projected`, and the
// fastest node without contacts. One thread a strand.

@reads(strands, weights, projected, free)
/// Of A.
@reads(factors)
@writes(reduced, reference, atomic report)

/// Bits of the workgroup's fastest [m/s].
var<workgroup> fastest: atomic<u32>;

fn solveFor(s: u32, first: u32) {
  var window = Forward();
  for (var i = 0u; i < block.nodes; i++) {
    forwardNode(&window, i, s, weights[first + i] * projected[first + i]);
  }
  var x1 = vec4f(0.0);
  var x2 = vec4f(0.0);
  for (var k = block.nodes; k > 0u; k--) {
    let x = backwardNode(k - 1u, s, x1, x2);
    x2 = x1;
    x1 = x;
    reference[first + k - 1u] = x;
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (id.x < block.strands) {
    let strand = strands[block.firstStrand + id.x];
    var most = 0u;
    for (var node = strand.first; node < strand.first + block.nodes; node++) {
      most = max(most, bitcast<u32>(length(free[node].xyz)));
    }
    atomicMax(&fastest, most);
    if ((strand.flags & IDLE) == 0u) {
      solveFor(id.x, strand.first);
    } else {
      for (var node = strand.first; node < strand.first + block.nodes; node++) {
        reference[node] = vec4f(0.0);
      }
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicMax(&report[FASTEST], atomicLoad(&fastest));
  }
}
