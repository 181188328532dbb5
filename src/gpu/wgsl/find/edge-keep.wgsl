// Rows of the last list go over into the new one, in a further look. One thread a row, at most.

@reads(starts, last)
@writes(contacts)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = starts[detection.lastStarts + detection.lastNodes];
  for (var i = id.x; i < count; i += 64u * groups.x) {
    var row = last[i];
    let place = starts[detection.starts + row.key.x] + row.key.w;
    if (place >= detection.contactRoom) {
      continue;
    }
    row.key.w = i;
    contacts[place] = row;
  }
}
