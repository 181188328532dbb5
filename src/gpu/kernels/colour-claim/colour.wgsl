// Colours of contacts: no two of a colour share a node that can move.
//
// A node has twelve numbers in `claims`: the mask of its contacts' colours (two words), and two sets that serve rounds in turn:
// colours claimed once, claimed more than once (two words each), and the largest priority among the claimants. Bits are or-ed and
// priorities maximised, so the outcome does not depend on the order of the threads. A claim stands where nobody else claims the
// colour, or its contact comes first of all that are without a colour at the node: each round some contact wins.

const CLAIMS = 12u;
const SETS = 2u;        // place of the first set
const SET = 5u;         // numbers of a set
const NONE = 0xffu;
/// A colour that is only claimed.
const CLAIMED = 0x100u;

fn setOf(node: u32, round: u32) -> u32 {
  return CLAIMS * node + SETS + SET * (round & 1u);
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
  let word = colour >> 5u;
  let bit = 1u << (colour & 31u);
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] == NOWHERE) {
      continue;
    }
    let at = setOf(ends[k], round);
    if ((atomicOr(&claims[at + word], bit) & bit) != 0u) {
      atomicOr(&claims[at + 2u + word], bit);
    }
    atomicMax(&claims[at + 4u], priority);
  }
}

/// Whether the claim stands; then the colour is marked at the nodes.
fn settle(ends: vec4u, colour: u32, round: u32, priority: u32) -> bool {
  let word = colour >> 5u;
  let bit = 1u << (colour & 31u);
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] == NOWHERE) {
      continue;
    }
    let at = setOf(ends[k], round);
    let isShared = (atomicLoad(&claims[at + 2u + word]) & bit) != 0u;
    if (isShared && atomicLoad(&claims[at + 4u]) != priority) {
      return false;
    }
  }
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] != NOWHERE) {
      atomicOr(&claims[CLAIMS * ends[k] + word], bit);
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
  // The last colour is for what finds no other.
  var taken = vec2u(0u, 0x80000000u);
  for (var k = 0u; k < 4u; k++) {
    if (ends[k] != NOWHERE) {
      taken |= vec2u(atomicLoad(&claims[CLAIMS * ends[k]]), atomicLoad(&claims[CLAIMS * ends[k] + 1u]));
    }
  }
  var free = ~taken;
  var colour = NONE;
  let skip = (priorityOf(contact) ^ (round * 0x9e3779b9u)) % choices;
  for (var k = 0u; k <= skip && any(free != vec2u(0u)); k++) {
    if (free.x != 0u) {
      colour = firstTrailingBit(free.x);
      free.x &= free.x - 1u;
    } else {
      colour = 32u + firstTrailingBit(free.y);
      free.y &= free.y - 1u;
    }
  }
  return colour;
}
