// What edge-field.wgsl and edge-boxes.wgsl share.

@reads(positions, velocities, origins, strands)
/// Of an edge: its strand and HELD_BIT, or NOTHING; bits of arc [m], of mass [kg].
@reads(statics: array<vec4u>)
@writes(grid, edges, boxes)
