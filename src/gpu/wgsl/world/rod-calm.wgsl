// How fast the fastest strand is at the end of a step, for world/sleep.ts. One thread a strand. CPU twin: rodCalm in
// kernels/assembly/elastic/sleep.ts. Strands gone bad do not count; those that never sleep are never slow.

@reads(strands, rods, predicted)
@writes(atomic report)

var<workgroup> fastest: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (id.x < block.strands) {
    let strand = strands[block.firstStrand + id.x];
    var most = 0u;
    for (var node = strand.first; node < strand.first + strand.count; node++) {
      most = max(most, bitcast<u32>(length(predicted[node].xyz)));
    }
    most = select(most, bitcast<u32>(3e38), (rods[strand.rod].flags & ROD_NEVER_SLEEPS) != 0u);
    atomicMax(&fastest, select(most, 0u, (strand.flags & STRAND_QUARANTINED) != 0u));
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicMax(&report[REPORT_SPEED], atomicLoad(&fastest));
  }
}
