// A large colour of a sweep, over as many workgroups as the host thinks it needs: every thread takes rows until none are left.
//
// `sweep`: Gauss–Seidel; `spread`: the forces of the start go to the nodes. The colour is solver.index.

var<workgroup> solved: atomic<u32>;

@compute @workgroup_size(64)
fn sweep(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let limit = sleepLimit();
  let end = order[solver.index + 1u];
  for (var k = order[solver.index] + id.x; k < end; k += 64u * groups.x) {
    if (sweepRow(k, limit)) {
      atomicAdd(&solved, 1u);
    }
  }
  workgroupBarrier();
  if (thread == 0u && atomicLoad(&solved) > 0u) {
    atomicAdd(&report[SOLVED], atomicLoad(&solved));
  }
}

@compute @workgroup_size(64)
fn spread(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let end = order[solver.index + 1u];
  for (var k = order[solver.index] + id.x; k < end; k += 64u * groups.x) {
    spreadRow(k);
  }
}
