// Lookups in the last list: rows are ordered by feature, `starts` says where those of an edge begin.

/// Mark in the last word of a row's key: a row of the new list continues it.
const CLAIMED = 0xfffffffeu;

/// Row of the last list with this feature, NOTHING none.
fn findLast(low: u32, high: u32) -> u32 {
  if (low >= detection.lastNodes) {
    return NOTHING;
  }
  let end = starts[detection.lastStarts + low + 1u];
  for (var i = starts[detection.lastStarts + low]; i < end; i++) {
    if (last[i].key.y == high) {
      return i;
    }
  }
  return NOTHING;
}
