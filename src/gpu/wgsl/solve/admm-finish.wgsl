// The answer of a look: reference + δ, which becomes the reference, put right by what the last projection had besides,
// to `predicted`. One thread a node.
//
// Twin of correctionOf in kernels/assembly/elastic/gather.ts: p obeys the contacts but knows no
// elasticity, and what it stretched, where the solve was cut short, would come back as speed; so only its
// part across the strand counts, and not far.

struct Finish {
  timeStep: f32,
  rate: f32,           // edges a second that a node may be put right by; 0: v is the answer
}

@group(0) @binding(1) var<uniform> finish: Finish;
@reads(strands, rods, positions, rests, delta)
/// p − v
@reads(projected)
@writes(reference, predicted)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands * block.nodes) {
    return;
  }
  let s = id.x % block.strands;
  let i = id.x / block.strands;
  let strand = strands[block.firstStrand + s];
  let last = strand.first + block.nodes - 1u;
  let node = strand.first + i;
  var jump = projected[node].xyz;
  var share = 0.0;
  if (any(jump != vec3f(0.0))) {
    let after = positions[min(node + 1u, last)].xyz;
    let before = positions[max(node, strand.first + 1u) - 1u].xyz;
    let tangent = after - before;
    let square = dot(tangent, tangent);
    if (square > 0.0) {
      jump -= dot(tangent, jump) / square * tangent;
    }
    let far = length(jump);
    let most = finish.rate * rests[3u * min(node, last - 1u)].x;
    let over = far - HARMLESS_OF_RADIUS * rods[strand.rod].radius / finish.timeStep;
    if (over > 0.0) {
      share = min(over, most) / far;
    }
  }
  var v = reference[node];
  if ((strand.flags & IDLE) == 0u) {
    v += delta[node];
    reference[node] = v;
  }
  predicted[node] = v + vec4f(share * jump, 0.0);
}
