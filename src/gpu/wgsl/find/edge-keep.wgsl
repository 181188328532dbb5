// Rows of the last list go over into the new one, in a further look. One thread a row, at most.

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> last: array<Contact>;
@group(0) @binding(3) var<storage, read_write> contacts: array<Contact>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = starts[search.lastStarts + search.lastNodes];
  for (var i = id.x; i < count; i += 64u * groups.x) {
    var row = last[i];
    let place = starts[search.starts + row.key.x] + row.key.w;
    if (place >= search.contactRoom) {
      continue;
    }
    row.key.w = i;
    contacts[place] = row;
  }
}
