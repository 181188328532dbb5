// Rows by the body that they push; the last bucket takes those that push none.

@reads(order, contacts, movers)

fn bucketCount() -> u32 {
  return solver.pushable + 1u;
}

fn keyOf(row: u32) -> u32 {
  let contact = order[LIST_HEAD + row];
  let mover = contacts[contact].mover;
  if (contacts[contact].nodes.z != NOTHING || mover >= solver.pushable || movers[mover].position.w == 0.0) {
    return solver.pushable;
  }
  return mover;
}
