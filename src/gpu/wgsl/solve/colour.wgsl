// Colours of contacts: no two of a colour share a node that can move.
//
// A node has seven numbers in `claims`: the mask of its contacts' colours, and two sets that serve rounds in turn:
// colours claimed once, claimed more than once, and the largest priority among the claimants. Bits are or-ed and
// priorities maximised, so the outcome does not depend on the order of the threads. A claim stands where
// nobody else claims the colour, or its contact comes first of all that are without a colour at the
// node: each round some contact wins.

const SETS = 1u;        // place of the first set
const SET = 3u;         // numbers of a set
const NONE = 0xffu;
/// A colour that is only claimed.
const CLAIMED = 0x100u;

fn setOf(node: u32, round: u32) -> u32 {
  return CLAIMS * node + SETS + SET * (round & 1u);
}

/// Colours that this list uses: its length decides, which is the same whenever a run is repeated.
fn colourCount() -> u32 {
  return select(FEW_COLOURS, CROWD, min(counters[0], solver.capacity) <= MANY_CONTACTS);
}

/// Permutes the numbers from 1 on: no two contacts have the same priority.
fn priorityOf(contact: u32) -> u32 {
  var x = contact + 1u;
  x = (x ^ (x >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return x ^ (x >> 16u);
}

/// Claims a colour at the nodes of a contact.
fn claim(ends: vec4u, colour: u32, round: u32, priority: u32) {
  let bit = 1u << colour;
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] == NOWHERE) {
      continue;
    }
    let at = setOf(ends[k], round);
    if ((atomicOr(&claims[at], bit) & bit) != 0u) {
      atomicOr(&claims[at + 1u], bit);
    }
    atomicMax(&claims[at + 2u], priority);
  }
}

/// Whether the claim stands; then the colour is marked at the nodes.
fn settle(ends: vec4u, colour: u32, round: u32, priority: u32) -> bool {
  let bit = 1u << colour;
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] == NOWHERE) {
      continue;
    }
    let at = setOf(ends[k], round);
    let isShared = (atomicLoad(&claims[at + 1u]) & bit) != 0u;
    if (isShared && atomicLoad(&claims[at + 2u]) != priority) {
      return false;
    }
  }
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] != NOWHERE) {
      atomicOr(&claims[CLAIMS * ends[k]], bit);
    }
  }
  return true;
}

/// Empties the set that the next round will use: the last one to read it is over.
fn clearNext(ends: vec4u, round: u32) {
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] == NOWHERE) {
      continue;
    }
    let at = setOf(ends[k], round + 1u);
    for (var j = at; j < at + SET; j++) {
      atomicStore(&claims[j], 0u);
    }
  }
}

/// One of the `choices` lowest colours that are free at all nodes; NONE if there is none.
fn chooseColour(ends: vec4u, contact: u32, round: u32, choices: u32) -> u32 {
  var taken = 0u;
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] != NOWHERE) {
      taken |= atomicLoad(&claims[CLAIMS * ends[k]]);
    }
  }
  var free = ~taken & ((1u << colourCount()) - 1u);
  var colour = NONE;
  let skip = (priorityOf(contact) ^ (round * 0x9e3779b9u)) % choices;
  for (var k = 0u; k <= skip && free != 0u; k++) {
    colour = firstTrailingBit(free);
    free &= free - 1u;
  }
  return colour;
}
