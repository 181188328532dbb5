// Pairs of a detection that would go through each other along the present velocities, or half of
// the way there, are pushed apart.
//
// CPU twins: meetCrossing in kernels/assembly/proximity/pairs.ts and dynamics/elastic/keep-apart.ts. An even number of
// workgroups pushes, one thread a pair at most: all at once, so what crowds the same nodes, as the round before saw it,
// shares the work. An odd number spreads what was pushed (spread.wgsl). Half that number, rounded down, is even or odd
// as the round is: so all rounds are one pipeline and one bind group, and cost the CPU little.

/// Edges that slide along each other at a small part of their radii need many bounds.
const BOUNDS = 256;
/// Nodes to either side of an edge whose pairs count with it.
const BESIDE = 4;
/// Most that one push changes a node by [m/s].
const FASTEST = 100.0;

@reads(edges, found, masses, strands)
@writes(atomic counters, predicted)
/// Eight whole numbers a node, four for even rounds, four for odd ones: change in GRAIN, pushes at the node's edge.
/// Zeros at first; the spread of a round clears those of the round before.
@writes(changes: array<atomic<i32>>)

/// Place of a node's changes of this round.
fn changesOf(node: u32, half: u32) -> u32 {
  return 8u * node + 4u * half;
}

/// The edge along the present velocities.
fn moving(edge: u32) -> Edge {
  var E = edges[edge];
  E.way = detection.timeStep * predicted[edge].xyz;
  E.bend = detection.timeStep * predicted[edge + 1u].xyz - E.way;
  return E;
}

/// What a unit impulse at the place of an edge does there [1/kg].
fn mobilityOf(edge: u32, range: vec2i, shares: vec2f) -> f32 {
  var sum = 0.0;
  for (var i = 0; i < 2; i++) {
    let node = i32(edge) + i;
    if (node < range.x || node > range.y) {
      continue;
    }
    for (var k = -FAR; k <= FAR; k++) {
      let other = mirrored(node + k, range);
      let j = other - i32(edge);
      if (j == 0 || j == 1) {
        sum += shares[i] * FADING[abs(k)] * shares[j] / masses[other].x;
      }
    }
  }
  return sum;
}

/// Pushes of the round before near an edge.
fn crowdOf(edge: u32, strand: Strand, half: u32) -> i32 {
  var sum = 0;
  let first = max(i32(edge) - BESIDE, i32(strand.first));
  let last = min(i32(edge) + BESIDE, i32(strand.first + strand.count) - 1);
  for (var node = first; node <= last; node++) {
    sum += atomicLoad(&changes[changesOf(u32(node), 1u - half) + 3u]);
  }
  return sum;
}

fn push(edge: u32, shares: vec2f, impulse: vec3f, half: u32) {
  atomicAdd(&changes[changesOf(edge, half) + 3u], 1);
  for (var i = 0u; i < 2u; i++) {
    let node = edge + i;
    let change = clamp(shares[i] * impulse / masses[node].x, vec3f(-FASTEST), vec3f(FASTEST));
    let grains = vec3i(round(change / GRAIN));
    for (var k = 0u; k < 3u; k++) {
      atomicAdd(&changes[changesOf(node, half) + k], grains[k]);
    }
  }
}

fn meet(a: u32, b: u32, half: u32) {
  let A = moving(a);
  let B = moving(b);
  let c = coupleOf(A, B);
  let change = changeOf(A, B);
  let reach = A.radius + B.radius;
  let now = closestOf(c, 0.0);
  if (!(now.distance > NO_DIRECTION * reach)) {
    return;
  }
  let goal = DEEPER * min(now.distance, DEEP * reach);
  if (mayNeed(c, change, now.apart / now.distance, goal) >= 1.0) {
    return;
  }
  let time = advance(c, change, goal, BOUNDS);
  if (time >= 1.0) {
    return;
  }
  let there = closestOf(coupleAt(c, change, time), 0.0);
  let n = there.apart / there.distance;
  let before = dot(there.s * c.a - there.t * c.b - c.middle, n);
  let after = before + dot(there.s * change.a - there.t * change.b - change.middle, n);
  // No more than it was along this normal: standing still to each other is always an answer.
  let lacking = min(min(now.distance, DEEP * reach), before) - after;
  let strandA = strands[A.strand & ~HELD_BIT];
  let strandB = strands[B.strand & ~HELD_BIT];
  let sharesA = vec2f(0.5 - 0.5 * there.s, 0.5 + 0.5 * there.s);
  let sharesB = vec2f(0.5 - 0.5 * there.t, 0.5 + 0.5 * there.t);
  let mobility = mobilityOf(a, freeNodes(strandA), sharesA) + mobilityOf(b, freeNodes(strandB), sharesB);
  if (!(lacking > 0.0) || !(mobility > 0.0)) {
    return;
  }
  atomicAdd(&counters[COUNTER_PUSHES], 1u);
  let crowd = max(1, max(crowdOf(a, strandA, half), crowdOf(b, strandB, half)));
  let impulse = lacking / (detection.timeStep * mobility * f32(crowd)) * n;
  push(a, sharesA, impulse, half);
  push(b, sharesB, -impulse, half);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let half = groups.x / 2u % 2u;
  if (groups.x % 2u == 1u) {
    if (id.x < detection.nodes) {
      spread(id.x, half);
    }
    return;
  }
  let wanted = atomicLoad(&counters[PAIR_CURSOR]);
  if (id.x == 0u && wanted > detection.pairRoom) {
    atomicMax(&counters[COUNTER_PAIRS_WANTED], wanted);
    atomicOr(&counters[COUNTER_FLAGS], OVERFLOW_PAIRS);
  }
  for (var p = id.x; p < min(wanted, detection.pairRoom); p += 64u * groups.x) {
    meet(found[p].x, found[p].y, half);
  }
}
