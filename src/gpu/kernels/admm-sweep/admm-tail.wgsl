// The small colours of a sweep, from where the large ones ended: one workgroup walks them, a barrier between two. Last come, one by
// one, the contacts that found no colour. The order is that of admm-sweep.wgsl, so where the tail begins makes no difference.
//
// `sweep`, `last`: the last one of a projection; `spread`: the forces of the start.

const THREADS = 256u;

var<workgroup> solved: atomic<u32>;
var<workgroup> next: u32;

/// First colour of the tail, for all threads; the next walk begins at the first.
fn takeColour(thread: u32) -> u32 {
  if (thread == 0u) {
    next = atomicLoad(&report[COLOUR]);
    atomicStore(&report[COLOUR], 0u);
  }
  return workgroupUniformLoad(&next);
}

fn sweepAll(thread: u32) {
  let limit = sleepLimit();
  for (var colour = takeColour(thread); order[colour] < order[LAST_COLOUR]; colour++) {
    let start = order[colour];
    let end = order[colour + 1u];
    for (var k = start + thread; k < end; k += THREADS) {
      if (sweepRow(k, limit)) {
        atomicAdd(&solved, 1u);
      }
    }
    if (start < end) {
      storageBarrier();
    }
  }
  if (thread == 0u) {
    for (var k = order[LAST_COLOUR]; k < order[COLOURS]; k++) {
      if (sweepRow(k, limit)) {
        atomicAdd(&solved, 1u);
      }
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicAdd(&report[SOLVED], atomicLoad(&solved));
    atomicAdd(&report[SWEEPS], 1u);
  }
}

@compute @workgroup_size(256)
fn sweep(@builtin(local_invocation_index) thread: u32) {
  sweepAll(thread);
  if (thread == 0u) {
    atomicAdd(&report[SWEEP], 1u);
  }
}

@compute @workgroup_size(256)
fn last(@builtin(local_invocation_index) thread: u32) {
  sweepAll(thread);
  if (thread == 0u) {
    atomicStore(&report[SWEEP], 0u);
    atomicAdd(&report[ITERATIONS], 1u);
  }
}

@compute @workgroup_size(256)
fn spread(@builtin(local_invocation_index) thread: u32) {
  for (var colour = takeColour(thread); order[colour] < order[LAST_COLOUR]; colour++) {
    let start = order[colour];
    let end = order[colour + 1u];
    for (var k = start + thread; k < end; k += THREADS) {
      spreadRow(k);
    }
    if (start < end) {
      storageBarrier();
    }
  }
  if (thread == 0u) {
    for (var k = order[LAST_COLOUR]; k < order[COLOURS]; k++) {
      spreadRow(k);
    }
  }
}
