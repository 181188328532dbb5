// Exclusive prefix sum of u32, in place, in two dispatches: sums of the parts, one a workgroup; then each
// workgroup adds those before its own part and spreads within it. The second has a workgroup more than there are
// parts: so one pipeline serves both.
//
// In: numbers at values[first .. first + count]; each counts at most `most`. Out: sums before each, at
// most `room`; the whole, likewise, at values[first + count], in counters[kept], and without the limit
// `room` as a maximum in counters[wanted].

struct Sum {
  first: u32,
  count: u32,
  most: u32,
  room: u32,
  kept: u32,          // place in counters
  wanted: u32,
  flag: u32,          // bit set when the whole is more than `room`
  flags: u32,         // place in counters
}

const THREADS = 256u;
const EACH = SUM_PART / THREADS;

@group(0) @binding(0) var<uniform> sum: Sum;
@writes(values: array<u32>, parts: array<u32>, counters)

var<workgroup> totals: array<u32, THREADS>;

/// Sum of the values of the threads up to and with this one.
fn scanThreads(thread: u32, value: u32) -> u32 {
  totals[thread] = value;
  for (var reach = 1u; reach < THREADS; reach *= 2u) {
    workgroupBarrier();
    let before = select(0u, totals[max(thread, reach) - reach], thread >= reach);
    workgroupBarrier();
    totals[thread] += before;
  }
  workgroupBarrier();
  return totals[thread];
}

fn valueAt(i: u32) -> u32 {
  return select(0u, min(values[sum.first + min(i, sum.count)], sum.most), i < sum.count);
}

fn sumUp(group: u32, thread: u32) {
  var total = 0u;
  for (var k = 0u; k < EACH; k++) {
    total += valueAt(group * SUM_PART + k * THREADS + thread);
  }
  let whole = scanThreads(thread, total);
  if (thread == THREADS - 1u) {
    parts[group] = whole;
  }
}

fn spread(group: u32, thread: u32, isLast: bool) {
  var total = 0u;
  for (var i = thread; i < group; i += THREADS) {
    total += parts[i];
  }
  _ = scanThreads(thread, total);
  var before = totals[THREADS - 1u];
  workgroupBarrier();
  let first = group * SUM_PART + thread * EACH;
  total = 0u;
  for (var k = 0u; k < EACH; k++) {
    total += valueAt(first + k);
  }
  before += scanThreads(thread, total) - total;
  for (var i = first; i < min(first + EACH, sum.count); i++) {
    let value = valueAt(i);
    values[sum.first + i] = min(before, sum.room);
    before += value;
  }
  if (isLast && thread == THREADS - 1u) {
    values[sum.first + sum.count] = min(before, sum.room);
    counters[sum.kept] = min(before, sum.room);
    counters[sum.wanted] = max(counters[sum.wanted], before);
    if (before > sum.room) {
      counters[sum.flags] |= sum.flag;
    }
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = (sum.count + SUM_PART - 1u) / SUM_PART;
  if (group.x >= count) {
    return;
  }
  if (groups.x == count) {
    sumUp(group.x, thread);
  } else {
    spread(group.x, thread, group.x + 1u == count);
  }
}
