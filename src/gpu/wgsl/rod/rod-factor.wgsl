// The factor of A, and the first half of the step without contacts; or, once that is there, contact weights and the
// factor of A + W. One thread a strand.

@group(0) @binding(1) var<storage, read_write> strands: array<Strand>;
@group(0) @binding(2) var<storage, read> elements: array<vec4f>;
@group(0) @binding(3) var<storage, read> inertias: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> weights: array<f32>;
/// Factor of A, for the weights.
@group(0) @binding(5) var<storage, read> plain: array<vec4f>;
/// Ten a node: 1/D; L below the diagonal within the node (yx zx θx zy), (θy θz 0 0); rows x y z θ of the next node;
/// rows x y z of the one after. Columns of a row: x y z θ of the node.
@group(0) @binding(6) var<storage, read_write> factors: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> reduced: array<vec4f>;

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
