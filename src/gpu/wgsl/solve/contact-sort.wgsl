// Sorts rows by a small number that `keyOf` gives, in three dispatches: a list of the rows, bucket by bucket, and where
// each bucket starts. Rows of a bucket keep their order, so the list depends on the keys alone.
//
// Counting and placing each workgroup takes solver.sortRows rows, 256 at a time; the scan between them is one
// workgroup. The second dispatch has one workgroup more than these, the third two: so one pipeline serves all.

@reads(counters)
@writes(list)
/// Rows of a bucket by workgroup, then where the workgroup's next row of the bucket goes.
@writes(counts: array<atomic<u32>>)

var<workgroup> keys: array<u32, SWEEP_THREADS>;
var<workgroup> sums: array<u32, SWEEP_THREADS>;
var<workgroup> total: u32;

fn rowCount() -> u32 {
  return min(counters[0], solver.capacity);
}

fn count(group: u32, thread: u32) {
  for (var b = thread; b < bucketCount(); b += SWEEP_THREADS) {
    atomicStore(&counts[b * solver.sortGroups + group], 0u);
  }
  storageBarrier();
  let start = group * solver.sortRows;
  let end = min(start + solver.sortRows, rowCount());
  for (var i = start + thread; i < end; i += SWEEP_THREADS) {
    atomicAdd(&counts[keyOf(i) * solver.sortGroups + group], 1u);
  }
}

fn scan(thread: u32) {
  let groups = solver.sortGroups;
  let all = bucketCount() * groups;
  let share = (all + SWEEP_THREADS - 1u) / SWEEP_THREADS;
  let start = min(thread * share, all);
  let end = min(start + share, all);
  var own = 0u;
  for (var k = start; k < end; k++) {
    own += atomicLoad(&counts[k]);
  }
  sums[thread] = own;
  workgroupBarrier();
  if (thread == 0u) {
    var before = 0u;
    for (var k = 0u; k < SWEEP_THREADS; k++) {
      let sum = sums[k];
      sums[k] = before;
      before += sum;
    }
    list[bucketCount()] = before;
  }
  workgroupBarrier();
  var at = sums[thread];
  for (var k = start; k < end; k++) {
    let size = atomicLoad(&counts[k]);
    atomicStore(&counts[k], at);
    if (k % groups == 0u) {
      list[k / groups] = at;
    }
    at += size;
  }
}

fn place(group: u32, thread: u32) {
  if (thread == 0u) {
    total = rowCount();
  }
  let start = group * solver.sortRows;
  let end = min(start + solver.sortRows, workgroupUniformLoad(&total));
  for (var chunk = start; chunk < end; chunk += SWEEP_THREADS) {
    let i = chunk + thread;
    let isRow = i < end;
    var key = NOWHERE;
    if (isRow) {
      key = keyOf(i);
    }
    keys[thread] = key;
    workgroupBarrier();
    if (isRow) {
      var before = 0u;
      for (var k = 0u; k < thread; k++) {
        before += select(0u, 1u, keys[k] == key);
      }
      list[LIST_HEAD + atomicLoad(&counts[key * solver.sortGroups + group]) + before] = i;
    }
    storageBarrier();
    if (isRow) {
      atomicAdd(&counts[key * solver.sortGroups + group], 1u);
    }
    storageBarrier();
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let phase = groups.x - solver.sortGroups;
  if (group.x >= select(solver.sortGroups, 1u, phase == 1u)) {
    return;
  }
  if (phase == 0u) {
    count(group.x, thread);
  } else if (phase == 1u) {
    scan(thread);
  } else {
    place(group.x, thread);
  }
}
