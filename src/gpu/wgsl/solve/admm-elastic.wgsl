// The elastic half of an ADMM iteration: ℓ += π, (A + W) δ = W (π + ℓ), then π += 1.6 (δ − π)
// and ℓ −= π, over-relaxed as in kernels/assembly/elastic/admm.ts: ℓ waits for what the projection
// makes of π. One thread a strand.
//
// `main`: between two projections; `last`: after the last one: what the projection had besides δ goes to `projected`,
// and the strand's share of the weights follows what the solve lacked (balance in solvers/admm/weights.ts). Both note
// δ∞ (Daviet 2020, Algorithm 2) by iteration: how far δ moved, how far π was from it.

@reads(factors)
@writes(strands, reduced, projected, delta, atomic claims, atomic report)
/// ℓ; W.
@writes(duals)

/// Bits of the workgroup's largest.
var<workgroup> apart: atomic<u32>;
var<workgroup> moved: atomic<u32>;

fn largest(v: vec3f) -> f32 {
  return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

/// Right-hand sides from the last projection, of which the crowd's part is still to be added, and the way
/// forth. Returns how far π was from δ.
fn forward(s: u32, first: u32) -> f32 {
  var window = Forward();
  var most = 0.0;
  for (var i = 0u; i < block.nodes; i++) {
    let node = first + i;
    settleNode(node);
    let dual = duals[node];
    let p = projected[node].xyz;
    var l = vec3f(0.0);
    if (dual.w > 0.0) {
      most = max(most, largest(p - delta[node].xyz));
      l = dual.xyz + p;
      duals[node] = vec4f(l, dual.w);
    }
    forwardNode(&window, i, s, vec4f(dual.w * (p + l), 0.0));
  }
  atomicMax(&apart, bitcast<u32>(most));
  return most;
}

/// The way back. Returns how far δ moved.
fn backward(s: u32, first: u32, isLast: bool) -> f32 {
  var x1 = vec4f(0.0);
  var x2 = vec4f(0.0);
  var most = 0.0;
  for (var k = block.nodes; k > 0u; k--) {
    let i = k - 1u;
    let node = first + i;
    let x = backwardNode(i, s, x1, x2);
    x2 = x1;
    x1 = x;
    let dual = duals[node];
    let takesPart = dual.w > 0.0;
    let p = projected[node].xyz;
    if (takesPart) {
      most = max(most, largest(x.xyz - delta[node].xyz));
    }
    delta[node] = x;
    if (isLast) {
      projected[node] = select(vec4f(0.0), vec4f(p - x.xyz, 0.0), takesPart);
      continue;
    }
    var next = x.xyz;
    if (takesPart) {
      next = p + STRAND_RELAXATION * (x.xyz - p);
      duals[node] = vec4f(dual.xyz - next, dual.w);
    }
    projected[node] = vec4f(next, 0.0);
  }
  atomicMax(&moved, bitcast<u32>(most));
  return most;
}

/// The strand's share of the weights, for the next look.
fn balance(slot: u32, gap: f32, way: f32) {
  let tolerance = bitcast<f32>(atomicLoad(&report[TOLERANCE]));
  let flags = strands[slot].flags;
  let share = balanced((flags & SHARE_BITS) >> SHARE_SHIFT, gap, way, tolerance);
  strands[slot].flags = (flags & ~SHARE_BITS) | (share << SHARE_SHIFT);
}

/// What the strand lacks, for the sweeps (row.wgsl) [m/s].
fn tell(first: u32, left: f32) {
  for (var node = first; node < first + block.nodes; node++) {
    projected[node].w = left;
  }
}

fn advance(s: u32, thread: u32, isLast: bool) {
  if (s < block.strands) {
    let strand = strands[block.firstStrand + s];
    if ((strand.flags & IDLE) == 0u) {
      let gap = forward(s, strand.first);
      let way = backward(s, strand.first, isLast);
      if (isLast) {
        balance(block.firstStrand + s, gap, way);
      } else {
        tell(strand.first, gap + way);
      }
    }
  }
  workgroupBarrier();
  let done = atomicLoad(&report[REPORT_ITERATIONS]);
  if (thread > 0u || done == 0u || done > REPORT_SLOTS) {
    return;
  }
  atomicMax(&report[REPORT_GAPS + done - 1u], atomicLoad(&apart));
  if (!isLast && done < REPORT_SLOTS) {
    atomicMax(&report[REPORT_MOVED + done], atomicLoad(&moved));
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  advance(id.x, thread, false);
}

@compute @workgroup_size(64)
fn last(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  advance(id.x, thread, true);
}
