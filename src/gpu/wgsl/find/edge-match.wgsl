// Rows without a predecessor take over that of a neighbouring edge: the point slid there. One thread a row, at most.
//
// CPU twin: claimNeighbour in kernels/assembly/proximity/hits.ts. `propose`: a row asks for the first row that
// is free; of several that ask, the one of least number gets it (on the CPU: the one that comes first);
// `accept`: it takes force and colour.

@reads(starts, last, counters)
@writes(contacts, atomic claims)

const PLACES = 8u;

/// Row of the last list with this feature if no row continues it and it pushed the same way.
fn freeRow(low: u32, high: u32, normal: vec3f) -> u32 {
  let i = findLast(low, high);
  if (i == NOTHING || last[i].key.w == CLAIMED || dot(last[i].normal.xyz, normal) <= 0.0) {
    return NOTHING;
  }
  return i;
}

/// On a body: the same edge or the next on either side, at any place.
fn findBodyRow(low: u32, high: u32, normal: vec3f) -> u32 {
  for (var d = 0u; d < 3u; d++) {
    let edge = low + select(d * 2u - 3u, 0u, d == 0u);
    for (var place = 0u; place < PLACES; place++) {
      let row = freeRow(edge, (high & ~(PLACES - 1u)) | place, normal);
      if (row != NOTHING) {
        return row;
      }
    }
  }
  return NOTHING;
}

/// On an edge: the other contact of the pair; the next edge of A, of B, or of both.
fn findPairRow(low: u32, high: u32, normal: vec3f) -> u32 {
  let other = high & ~IMPACT_BIT;
  var row = freeRow(low, high ^ IMPACT_BIT, normal);
  for (var k = 0u; k < 2u && row == NOTHING; k++) {
    let d = k * 2u - 1u;
    row = freeRow(low + d, other, normal);
    if (row == NOTHING) {
      row = freeRow(low, other + 2u * d, normal);
    }
  }
  for (var k = 0u; k < 2u && row == NOTHING; k++) {
    let d = k * 2u - 1u;
    row = freeRow(low + d, other + 2u * d, normal);
    if (row == NOTHING) {
      row = freeRow(low + d, other - 2u * d, normal);
    }
  }
  return row;
}

@compute @workgroup_size(64)
fn propose(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < counters[COUNTER_CONTACTS]; i += 64u * groups.x) {
    let key = contacts[i].key;
    if (key.w != NOTHING) {
      continue;
    }
    let normal = contacts[i].normal.xyz;
    var row = NOTHING;
    if ((key.y & BODY_BIT) != 0u) {
      row = findBodyRow(key.x, key.y, normal);
    } else {
      row = findPairRow(key.x, key.y, normal);
    }
    if (row != NOTHING) {
      atomicMin(&claims[row], i);
      contacts[i].key.w = row;
    }
  }
}

@compute @workgroup_size(64)
fn accept(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < counters[COUNTER_CONTACTS]; i += 64u * groups.x) {
    let row = contacts[i].key.w;
    if (row == NOTHING) {
      continue;
    }
    let winner = atomicLoad(&claims[row]);
    if (winner == i) {
      contacts[i].force = last[row].force;
      contacts[i].key.z = last[row].key.z;
    } else if (winner != NOTHING) {
      contacts[i].key.w = NOTHING;
    }
  }
}
