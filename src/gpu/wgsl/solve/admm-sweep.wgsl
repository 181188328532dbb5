// A walk over the contacts: colour after colour, then the crowd, then the nodes that the crowd was at. Within each of
// these turns the order makes no difference.
//
// A dispatch does one turn, the next that there is something to do in: every thread takes rows until none are left. An
// odd number of workgroups ends the walk: where more turns than one are left the first workgroup does them all, a
// barrier between two. So it makes no difference how many dispatches come before it. Which turn is next is counted in
// the report: the last workgroup that is done goes on.
//
// `sweep`: Gauss–Seidel; `last`: the same, of a projection's last sweep; `spread`: the
// forces of the start go to the nodes.

/// Turns: colours and crowd by number, then the nodes; of the last sweep of a projection without these,
/// which are left to the elastic half.
const NODES = COLOURS;
const TURNS = COLOURS + 1u;

var<workgroup> solved: atomic<u32>;
var<workgroup> next: u32;

/// First row of a bucket.
fn startOf(bucket: u32) -> u32 {
  return rows[solver.capacity + bucket].nodes.x;
}

fn isEmpty(turn: u32) -> bool {
  let bucket = min(turn, CROWD);
  return startOf(bucket) == startOf(bucket + 1u);
}

/// The turn, from one on, that there is something to do in; `turns`: none is left.
fn turnFrom(start: u32, turns: u32) -> u32 {
  var turn = min(start, turns);
  while (turn < turns && isEmpty(turn)) {
    turn++;
  }
  return turn;
}

/// The turn that is next, for all threads of the workgroup.
fn takeTurn(thread: u32, turns: u32) -> u32 {
  if (thread == 0u) {
    next = atomicLoad(&report[COLOUR]);
  }
  return turnFrom(workgroupUniformLoad(&next), turns);
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
  let end = startOf(turn + 1u);
  for (var k = startOf(turn) + first; k < end; k += stride) {
    if (!isSweep) {
      spreadRow(k, isCrowd);
    } else if (!isTired || !sleeps(k)) {
      solveRow(k, isCrowd);
      atomicAdd(&solved, 1u);
    }
  }
}

/// Returns, to one thread of all, that the walk is over.
fn walk(thread: u32, group: u32, groups: u32, isSweep: bool, turns: u32) -> bool {
  let isTired = maySleep();
  var turn = takeTurn(thread, turns);
  let isEnd = groups % 2u == 1u;
  let isAlone = isEnd && turnFrom(turn + 1u, turns) < turns;
  let first = select(SWEEP_THREADS * group + thread, thread, isAlone);
  let stride = select(SWEEP_THREADS * groups, SWEEP_THREADS, isAlone);
  for (; (!isAlone || group == 0u) && turn < turns; turn = turnFrom(turn + 1u, turns)) {
    takePart(turn, first, stride, isTired, isSweep);
    if (!isAlone) {
      break;
    }
    storageBarrier();
  }
  workgroupBarrier();
  if (thread > 0u) {
    return false;
  }
  if (atomicLoad(&solved) > 0u) {
    atomicAdd(&report[REPORT_SOLVED], atomicLoad(&solved));
  }
  if (atomicAdd(&report[ARRIVED], 1u) + 1u < groups) {
    return false;
  }
  atomicStore(&report[ARRIVED], 0u);
  atomicStore(&report[COLOUR], select(min(turn + 1u, turns), 0u, isEnd));
  return isEnd;
}

@compute @workgroup_size(256)
fn sweep(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (walk(thread, group.x, groups.x, true, TURNS)) {
    atomicAdd(&report[REPORT_SWEEPS], 1u);
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
    atomicAdd(&report[REPORT_SWEEPS], 1u);
    atomicStore(&report[SWEEP], 0u);
    atomicAdd(&report[REPORT_ITERATIONS], 1u);
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
