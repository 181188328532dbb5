// The grid of edges: levels by size of their boxes, each with cells of its own; and the motion that all edges share.
//
// The CPU has the same boxes (kernels/assembly/proximity/edges.ts, with their proof) and a tree over them. A level's
// cells are as large as its largest box along each axis, so an edge, filed under the cell of its least corner, can
// only meet edges filed one cell away; the grid repeats itself (coordinates modulo powers of two) and needs no bounds:
// the box test refuses what only that brought together. Boxes are swept by what
// is left of the motion when the field d(x) = mean + G (x − center) is taken away. Coordinates are from the cell
// of the world; any field is right.

const CLASSES = 256u;
/// Numbers of a level in `extents`: largest box, least low corner, greatest low corner
/// (three each, ordered bits), edges.
const EXTENT = 10u;

struct Level {
  inverse: vec3f,     // of the cells' sides [1/m]
  first: u32,         // its first cell
  bits: vec3u,        // cells along each axis: powers of two
  edges: u32,
}

struct Grid {
  center: vec3f,      // [m]
  steepness: f32,     // norm of G [-]
  mean: vec3f,        // displacement [m]
  levelCount: u32,
  rows: array<vec4f, 3>, // of G
  levels: array<Level, GRID_LEVELS>,
  classes: array<atomic<u32>, CLASSES>,
  extents: array<atomic<u32>, 80>,
}

struct Box {
  low: vec3f,
  cell: u32,          // size class at first, then the cell; NOTHING: none
  high: vec3f,
  rank: u32,          // place within the cell
}

/// An edge where it is filed: what the walk over cells reads.
struct Filed {
  low: vec3f,
  edge: u32,
  high: vec3f,
  level: u32,
}

/// Order of f32 as order of u32, and back.
fn orderOf(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn fromOrder(order: u32) -> f32 {
  return bitcast<f32>(select(~order, order & 0x7fffffffu, (order & 0x80000000u) != 0u));
}

/// Cell coordinates. Beyond 10⁹ cells neighbours cannot be told apart; the box test still can.
fn cellAt(level: Level, x: vec3f) -> vec3i {
  return vec3i(clamp(floor(x * level.inverse), vec3f(-1e9), vec3f(1e9)));
}

fn wrap(level: Level, c: vec3i) -> vec3u {
  return vec3u(c) & ((vec3u(1u) << level.bits) - 1u);
}

fn cellIndex(level: Level, c: vec3u) -> u32 {
  return level.first + ((((c.z << level.bits.y) | c.y) << level.bits.x) | c.x);
}
