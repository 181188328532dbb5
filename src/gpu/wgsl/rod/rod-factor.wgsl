// The factor of A, and the first half of the step without contacts; or, once that is there, contact weights and the
// factor of A + W. One thread a strand.

@reads(elements, inertias)
/// Factor of A, for the weights.
@reads(plain: array<vec4f>)
@writes(strands, weights, reduced)
/// Ten a node: 1/D; L below the diagonal within the node (yx zx θx zy), (θy θz 0 0); rows x y z θ of the next node;
/// rows x y z of the one after. Columns of a row: x y z θ of the node.
@writes(factors)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands) {
    return;
  }
  if (block.weighted != 0u) {
    weigh(id.x);
  }
  factorise(id.x);
}
