// What rod-triangle.wgsl keeps between its two ways, in the strands' own buffer `reduced`, which the kernel binds.

fn putReduced(i: u32, s: u32, value: vec4f) {
  reduced[at(i, 0u, 1u, s)] = value;
}

fn takeReduced(i: u32, s: u32) -> vec4f {
  return reduced[at(i, 0u, 1u, s)];
}
