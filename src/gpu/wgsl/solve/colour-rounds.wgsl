// Colours of contacts, in rounds of two dispatches: each contact claims a colour, then it is judged whether the
// claim stands. In the first round, 0, it is the colour from the last list. `wide`: one thread a contact; a
// dispatch has as many workgroups more than that takes as dispatches came before it, so that one pipeline and one
// bind group serve all. What is left after the last is listed, and `rest`, one workgroup, goes on with it until
// nothing is left or the rounds run out.
//
// How many rounds `rest` needs follows from the contacts alone. In a settled scene it finds a handful of new contacts.

/// Free colours that a contact draws from: more end sooner, fewer use fewer colours (tried on random graphs: 4 in the
/// wide rounds and 2 in the rest give as many colours as going through the contacts one by one, or up to a fifth more).
const WIDE_CHOICES = 4u;
const REST_CHOICES = 2u;
const MOST_ROUNDS = 256u;

@reads(counters, contacts, weights)
@writes(colours, atomic claims, atomic report)
/// Nodes that can move, else NOWHERE: two contacts at a root do not disturb each other.
@writes(ends: array<vec4u>)
/// Contacts without a colour; their order is of no matter.
@writes(waiting: array<u32>)

/// The colour from the last list, if it is one that this list uses.
fn claimOld(c: u32) {
  var own = contacts[c].nodes;
  for (var k = 0u; k < 4u; k++) {
    if (own[k] != NOTHING) {
      own[k] = select(NOWHERE, own[k], weights[own[k]] > 0.0);
    }
  }
  ends[c] = own;
  let colour = contacts[c].key.z;
  if (colour < colourCount()) {
    colours[c] = colour | CLAIMED;
    claim(own, colour, 0u, priorityOf(c));
  } else {
    colours[c] = NONE;
  }
}

fn chooseFor(c: u32, round: u32, choices: u32) {
  clearNext(ends[c], round);
  let colour = chooseColour(ends[c], c, round, choices);
  if (colour == NONE) {
    leave(c);
    return;
  }
  colours[c] = colour | CLAIMED;
  claim(ends[c], colour, round, priorityOf(c));
}

/// No colour: one of the crowd.
fn leave(c: u32) {
  colours[c] = CROWD;
  atomicAdd(&report[REPORT_UNCOLOURED], 1u);
  for (var k = 0u; k < 4u; k++) {
    if (ends[c][k] != NOWHERE) {
      atomicAdd(&claims[CLAIMS * ends[c][k] + MET], 1u);
    }
  }
}

/// Returns whether contact c is still without a colour.
fn judgeOver(c: u32, round: u32) -> bool {
  let colour = colours[c] & NONE;
  let isSettled = settle(ends[c], colour, round, priorityOf(c));
  colours[c] = select(NONE, colour, isSettled);
  return !isSettled;
}

@compute @workgroup_size(256)
fn wide(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let c = id.x;
  if (c >= min(counters[0], solver.capacity)) {
    return;
  }
  let phase = groups.x - (solver.capacity + SWEEP_THREADS - 1u) / SWEEP_THREADS;
  let number = phase / 2u;
  if (phase == 0u) {
    claimOld(c);
  } else if (phase % 2u == 0u) {
    if (colours[c] == NONE) {
      chooseFor(c, number, WIDE_CHOICES);
    }
  } else if ((colours[c] & CLAIMED) != 0u && judgeOver(c, number) && number == WIDE_ROUNDS) {
    waiting[atomicAdd(&report[WAITING], 1u)] = c;
  }
}

var<workgroup> count: u32;
var<workgroup> left: atomic<u32>;
var<workgroup> stillLeft: u32;

@compute @workgroup_size(256)
fn rest(@builtin(local_invocation_index) thread: u32) {
  if (thread == 0u) {
    count = atomicLoad(&report[WAITING]);
  }
  let all = workgroupUniformLoad(&count);
  var remaining = all;
  for (var k = 1u; k <= MOST_ROUNDS && remaining > 0u; k++) {
    let number = WIDE_ROUNDS + k;
    for (var j = thread; j < all; j += SWEEP_THREADS) {
      if (colours[waiting[j]] == NONE) {
        chooseFor(waiting[j], number, REST_CHOICES);
      }
    }
    if (thread == 0u) {
      atomicStore(&left, 0u);
    }
    storageBarrier();
    workgroupBarrier();
    for (var j = thread; j < all; j += SWEEP_THREADS) {
      if (colours[waiting[j]] >= NONE && judgeOver(waiting[j], number)) {
        atomicAdd(&left, 1u);
      }
    }
    storageBarrier();
    workgroupBarrier();
    if (thread == 0u) {
      stillLeft = atomicLoad(&left);
    }
    remaining = workgroupUniformLoad(&stillLeft);
  }
  for (var j = thread; j < all; j += SWEEP_THREADS) {
    if (colours[waiting[j]] >= NONE) {
      leave(waiting[j]);
    }
  }
}
