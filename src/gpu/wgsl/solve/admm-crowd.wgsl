// Rows of the crowd, before the first walk: each sees its nodes with a share of their weights, as many
// shares as contacts of the crowd are at the node (Tonge 2012; Daviet 2023 solves side by side within
// a batch, too). One thread a row.
//
// s = Σ n b²/w bounds what all of them together do, so that a sweep goes down the same energy to
// the same answer, in smaller steps.

@reads(order, claims)
@writes(rows, forces)

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let k = order[CROWD] + id.x;
  if (k >= order[COLOURS]) {
    return;
  }
  let row = rows[k];
  let isPair = (row.nodes.y & BODY) == 0u;
  let second = select(row.nodes.x, row.nodes.y, isPair);
  let nodes = vec4u(row.nodes.x, row.nodes.x + 1u, second, second + 1u);
  let s = bitcast<f32>(row.nodes.z);
  let t = bitcast<f32>(row.nodes.w);
  let b = vec4f(1.0 - s, s, t - 1.0, -t);
  // s over what it was.
  var more = 1.0;
  for (var j = 0u; j < select(2u, 4u, isPair); j++) {
    let met = claims[CLAIMS * nodes[j] + MET];
    if (row.gamma[j] != 0.0 && met > 1u) {
      more += f32(met - 1u) * b[j] * row.gamma[j];
    }
  }
  let less = 1.0 / more;
  rows[k].gamma = row.gamma * select(vec4f(less, less, 1.0, 1.0), vec4f(less), isPair);
  rows[k].offset.w = row.offset.w * less;
  forces[k] *= more;
  let rest = forces[solver.capacity + k];
  forces[solver.capacity + k] = vec4f(more * rest.xy, rest.zw);
}
