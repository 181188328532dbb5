// A walk over the contacts: colour after colour, then the crowd, then the nodes that the crowd was at. Within each of these turns the
// order makes no difference.
//
// Many workgroups do one turn, the next that there is something to do in: every thread takes rows until none are left. A single one, the
// tail, does all turns that are left, a barrier between two, and ends the walk. So it makes no difference how many dispatches come before
// it. Which turn is next is counted in the report: the last workgroup that is done with one goes on.
//
// `sweep`: Gauss–Seidel; `last`: the same, of a projection's last sweep; `spread`: the forces of the start go to the nodes.

const THREADS = 256u;
/// Turns: colours and crowd by number, then the nodes; of the last sweep of a projection without these, which are left to the elastic half.
const NODES = COLOURS;
const TURNS = COLOURS + 1u;

var<workgroup> solved: atomic<u32>;
var<workgroup> next: u32;

fn isEmpty(turn: u32) -> bool {
  let bucket = min(turn, CROWD);
  return order[bucket] == order[bucket + 1u];
}

/// The turn of so many that is next, for all threads of the workgroup; `turns`: none is left.
fn takeTurn(thread: u32, turns: u32) -> u32 {
  if (thread == 0u) {
    next = atomicLoad(&report[COLOUR]);
  }
  var turn = workgroupUniformLoad(&next);
  while (turn < turns && isEmpty(turn)) {
    turn++;
  }
  return turn;
}

/// Every `stride`th of a turn, from `first` on.
fn takePart(turn: u32, first: u32, stride: u32, isTired: bool, isSweep: bool) {
  if (turn == NODES) {
    for (var node = first; node < solver.nodes; node += stride) {
      settleNode(node);
    }
    return;
  }
  let isCrowd = turn == CROWD;
  let end = order[turn + 1u];
  for (var k = order[turn] + first; k < end; k += stride) {
    if (!isSweep) {
      spreadRow(k, isCrowd);
    } else if (!isTired || !sleeps(k)) {
      solveRow(k, isCrowd);
      atomicAdd(&solved, 1u);
    }
  }
}

/// Returns, to the first thread of the tail, that the walk is over.
fn walk(thread: u32, group: u32, groups: u32, isSweep: bool, turns: u32) -> bool {
  let isTired = maySleep();
  var turn = takeTurn(thread, turns);
  let isTail = groups == 1u;
  if (!isTail && turn < turns) {
    takePart(turn, THREADS * group + thread, THREADS * groups, isTired, isSweep);
  }
  for (; isTail && turn < turns; turn++) {
    if (!isEmpty(turn)) {
      takePart(turn, thread, THREADS, isTired, isSweep);
      storageBarrier();
    }
  }
  workgroupBarrier();
  if (thread > 0u) {
    return false;
  }
  if (atomicLoad(&solved) > 0u) {
    atomicAdd(&report[SOLVED], atomicLoad(&solved));
  }
  if (isTail) {
    atomicStore(&report[COLOUR], 0u);
  } else if (atomicAdd(&report[ARRIVED], 1u) + 1u == groups) {
    atomicStore(&report[ARRIVED], 0u);
    atomicStore(&report[COLOUR], min(turn + 1u, turns));
  }
  return isTail;
}

@compute @workgroup_size(256)
fn sweep(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (walk(thread, group.x, groups.x, true, TURNS)) {
    atomicAdd(&report[SWEEPS], 1u);
    atomicAdd(&report[SWEEP], 1u);
  }
}

@compute @workgroup_size(256)
fn last(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (walk(thread, group.x, groups.x, true, NODES)) {
    atomicAdd(&report[SWEEPS], 1u);
    atomicStore(&report[SWEEP], 0u);
    atomicAdd(&report[ITERATIONS], 1u);
  }
}

@compute @workgroup_size(256)
fn spread(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  _ = walk(thread, group.x, groups.x, false, TURNS);
}
