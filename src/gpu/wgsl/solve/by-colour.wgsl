// Rows by colour: the order of the sweeps.

@group(0) @binding(4) var<storage, read> colours: array<u32>;

fn bucketCount() -> u32 {
  return COLOURS;
}

fn keyOf(contact: u32) -> u32 {
  return colours[contact];
}
