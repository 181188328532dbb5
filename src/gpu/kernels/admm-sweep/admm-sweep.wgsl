// A large colour of a sweep, over as many workgroups as the host thinks it needs: every thread takes rows until none are left.
//
// `sweep`: Gauss–Seidel; `spread`: the forces of the start go to the nodes. The colour is counted in the report: the last workgroup that
// is done with it goes on to the next, and admm-tail.wgsl, which ends every walk, back to the first.

var<workgroup> solved: atomic<u32>;

/// All threads of the workgroup are done with the present colour.
fn leaveColour(groups: u32) {
  if (atomicAdd(&report[ARRIVED], 1u) + 1u == groups) {
    atomicStore(&report[ARRIVED], 0u);
    atomicAdd(&report[COLOUR], 1u);
  }
}

@compute @workgroup_size(64)
fn sweep(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let limit = sleepLimit();
  let colour = atomicLoad(&report[COLOUR]);
  let end = order[colour + 1u];
  for (var k = order[colour] + id.x; k < end; k += 64u * groups.x) {
    if (sweepRow(k, limit)) {
      atomicAdd(&solved, 1u);
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    if (atomicLoad(&solved) > 0u) {
      atomicAdd(&report[SOLVED], atomicLoad(&solved));
    }
    leaveColour(groups.x);
  }
}

@compute @workgroup_size(64)
fn spread(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let colour = atomicLoad(&report[COLOUR]);
  let end = order[colour + 1u];
  for (var k = order[colour] + id.x; k < end; k += 64u * groups.x) {
    spreadRow(k);
  }
  workgroupBarrier();
  if (thread == 0u) {
    leaveColour(groups.x);
  }
}
