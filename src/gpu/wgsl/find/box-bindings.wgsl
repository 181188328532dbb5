// What edge-field.wgsl and edge-boxes.wgsl share.

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
/// Of an edge: its strand and HELD_BIT, or NOTHING; bits of arc [m], of mass [kg].
@group(0) @binding(3) var<storage, read> statics: array<vec4u>;
@group(0) @binding(4) var<storage, read> origins: array<vec4f>;
@group(0) @binding(5) var<storage, read> strands: array<Strand>;
@group(0) @binding(6) var<storage, read_write> grid: Grid;
@group(0) @binding(7) var<storage, read_write> edges: array<Edge>;
@group(0) @binding(8) var<storage, read_write> boxes: array<Box>;
