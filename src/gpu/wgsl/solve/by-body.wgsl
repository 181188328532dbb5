// Rows by the body that they push; the last bucket takes those that push none.

@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read> contacts: array<Contact>;
@group(0) @binding(6) var<storage, read> movers: array<Mover>;

fn bucketCount() -> u32 {
  return solver.pushable + 1u;
}

fn keyOf(row: u32) -> u32 {
  let contact = order[LIST + row];
  let mover = contacts[contact].mover;
  if (contacts[contact].nodes.z != NOTHING || mover >= solver.pushable || movers[mover].position.w == 0.0) {
    return solver.pushable;
  }
  return mover;
}
