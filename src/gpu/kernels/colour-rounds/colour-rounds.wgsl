// Colours for contacts that have none, in rounds. `choose` and `judge`: one thread a contact, a dispatch each; what is left
// after the last wide round is listed, and `rest`, one workgroup, goes on with it until nothing is left or the rounds run out.
//
// How many rounds `rest` needs follows from the contacts alone. In a settled scene it finds a handful of new contacts.

/// Free colours that a contact draws from: more end sooner, fewer use fewer colours (tried on random graphs: 4 in the wide
/// rounds and 2 in the rest give as many colours as going through the contacts one by one, or up to a fifth more).
const WIDE_CHOICES = 4u;
const REST_CHOICES = 2u;
const MOST_ROUNDS = 256u;

@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read> ends: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> colours: array<u32>;
@group(0) @binding(4) var<storage, read_write> claims: array<atomic<u32>>;
/// Contacts without a colour; their order is of no matter.
@group(0) @binding(5) var<storage, read_write> waiting: array<u32>;
@group(0) @binding(6) var<storage, read_write> report: array<atomic<u32>>;

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
  atomicAdd(&report[UNCOLOURED], 1u);
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
fn choose(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < min(counters[0], solver.capacity) && colours[id.x] == NONE) {
    chooseFor(id.x, solver.index, WIDE_CHOICES);
  }
}

@compute @workgroup_size(256)
fn judge(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < min(counters[0], solver.capacity) && colours[id.x] >= NONE) {
    _ = judgeOver(id.x, solver.index);
  }
}

/// The last wide round.
@compute @workgroup_size(256)
fn judgeLast(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < min(counters[0], solver.capacity) && colours[id.x] >= NONE) {
    if (judgeOver(id.x, solver.index)) {
      waiting[atomicAdd(&report[WAITING], 1u)] = id.x;
    }
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
    let round = solver.index + k;
    for (var j = thread; j < all; j += 256u) {
      if (colours[waiting[j]] == NONE) {
        chooseFor(waiting[j], round, REST_CHOICES);
      }
    }
    if (thread == 0u) {
      atomicStore(&left, 0u);
    }
    storageBarrier();
    workgroupBarrier();
    for (var j = thread; j < all; j += 256u) {
      if (colours[waiting[j]] >= NONE && judgeOver(waiting[j], round)) {
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
  for (var j = thread; j < all; j += 256u) {
    if (colours[waiting[j]] >= NONE) {
      leave(waiting[j]);
    }
  }
}
