// Rows by colour: the order of the sweeps.

@reads(colours)

fn bucketCount() -> u32 {
  return COLOURS;
}

fn keyOf(contact: u32) -> u32 {
  return colours[contact];
}
