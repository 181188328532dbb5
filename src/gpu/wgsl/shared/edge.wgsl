// What all kernels of the contact detection share: the question, the record of an edge,
// counters, lookups in the last list.
//
// An edge is named by its first node. Its record holds the edge as it is at the start of the step, from its
// strand's origin (f32 keeps a hair's width there wherever the strand is), and what it does within the step
// along the velocities asked about.

struct Detection {
  nodes: u32,
  strands: u32,
  colliders: u32,
  timeStep: f32,      // [s]
  near: f32,          // contacts are made up to this share of the sum of radii [-]
  continuous: u32,    // 1: also what meets within the step
  // 1: rows of the last list stay, what is new along these velocities comes to them; 2: only pairs are wanted
  further: u32,
  lastNodes: u32,     // nodes that the last list knew
  starts: u32,        // half of `starts` of this list, of the last
  lastStarts: u32,
  contactRoom: u32,
  pairRoom: u32,
  hitRoom: u32,
  spare: u32,
  reachable: u32,     // colliders kept a strand
  cells: u32,         // room for cells of the grid
}

@group(0) @binding(0) var<uniform> detection: Detection;

struct Edge {
  place: vec3f,       // of the first node, from the strand's origin [m]
  radius: f32,        // [m]
  along: vec3f,       // second node less first [m]
  arc: f32,           // rest length from the strand's start to the first node [m]
  way: vec3f,         // displacement of the first node within the step [m]
  strand: u32,        // place of its header, NOTHING: takes no part; HELD_BIT: clamped at both ends
  bend: vec3f,        // displacement of the second node less that of the first [m]
  mass: f32,          // mean of its nodes [kg]
  origin: vec3f,      // of the strand, from the cell [m]
  rod: u32,
}

const HELD_BIT = 0x80000000u;

// Third word of a pair: what there is to write; of an impact the bits of its feature, and from AGAIN on those above
// AGAIN_SHIFT; from RANK_SHIFT on the place of the first among the rows of its edge.
const NEAR_HIT = 1u;
const IMPACT_HIT = 2u;
const IMPACT_SECOND = 4u;
const AGAIN = 3u;
const HIT_BITS = 63u;
const RANK_SHIFT = 8u;

/// Place in `counters`: pairs that asked for room in this look; not the host's.
const PAIR_CURSOR = 9u;

/// What an impact is in the third word of its pair, by the second word of its feature.
fn impactOf(high: u32) -> u32 {
  return IMPACT_HIT | select(0u, IMPACT_SECOND, (high & IMPACT_BIT) != 0u) | ((high >> AGAIN_SHIFT) << AGAIN);
}

/// Second word of the feature of a pair's impact.
fn impactFeature(pair: vec4u) -> u32 {
  let again = (pair.z & HIT_BITS) >> AGAIN;
  return (again << AGAIN_SHIFT) | (pair.y << 1u) | select(0u, IMPACT_BIT, (pair.z & IMPACT_SECOND) != 0u);
}

/// Of the two bit masks of layers, whether they let each other touch.
fn layersMeet(a: u32, b: u32) -> bool {
  return ((a >> 16u) & b & 0xffffu) != 0u && ((b >> 16u) & a & 0xffffu) != 0u;
}

/// How soft a contact deeper than its reach is.
fn giveOf(gap: f32, reach: f32, mass: f32, timeStep: f32) -> f32 {
  let depth = -gap - reach;
  if (!(depth > 0.0) || !(mass > 0.0)) {
    return 0.0;
  }
  return DEEP_SOFTNESS * min(1.0, depth / reach) * timeStep * timeStep / mass;
}

/// When a height that changes at a rate is none, in steps; never: 2.
fn waitFor(height: f32, rate: f32) -> f32 {
  return select(2.0, min(2.0, max(height, 0.0) / -rate), rate < 0.0);
}
