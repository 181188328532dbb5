// A new row takes over force and colour of the row of the last list with its feature.

/// Takes them unless that row pushed the other way, and marks it. Features are unique: no two rows want the same.
fn continueRow(row: ptr<function, Contact>) {
  let before = findLast((*row).key.x, (*row).key.y);
  if (before == NOTHING || dot(last[before].normal.xyz, (*row).normal.xyz) <= 0.0) {
    return;
  }
  (*row).force = last[before].force;
  (*row).key.z = last[before].key.z;
  (*row).key.w = before;
  last[before].key.w = CLAIMED;
}
