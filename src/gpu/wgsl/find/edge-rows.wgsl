// How many rows each edge has in the new list, and the place of each among them. One thread an edge.
//
// In: outcomes of pairs, hits on bodies; in a further look the rows that stay. Out: starts[edge]: the number; ranks: in
// pairs, in hits, and for rows that stay in the last word of their key. Features of pairs come before those of bodies.

@reads(pairStarts, heads)
@writes(pairs, hits, starts, last, counters)

/// Rows of the last list from start to end − 1 that come before a feature.
fn rowsBefore(start: u32, end: u32, high: u32) -> u32 {
  var count = 0u;
  for (var i = start; i < end; i++) {
    count += select(0u, 1u, last[i].key.y < high);
  }
  return count;
}

/// Hits of a chain that come before a feature.
fn hitsBefore(head: u32, high: u32) -> u32 {
  var count = 0u;
  for (var i = head; i != NOTHING; i = hits.rows[i].next) {
    count += select(0u, 1u, hits.rows[i].rank != NOTHING && hits.rows[i].high < high);
  }
  return count;
}

fn hitsOf(pair: vec4u) -> u32 {
  return countOneBits(pair.z & (NEAR_HIT | IMPACT_HIT));
}

/// Second word of the feature of the first hit of a pair.
fn featureOf(pair: vec4u) -> u32 {
  return select(impactFeature(pair), pair.y << 1u, (pair.z & NEAR_HIT) != 0u);
}

/// Whether its only hit is a further contact of the pair: their features come after those of all other pairs.
fn isAgain(pair: vec4u) -> bool {
  return (pair.z & HIT_BITS) >> AGAIN != 0u;
}

/// Such hits from `start` to end − 1 that come before a feature.
fn againBefore(start: u32, end: u32, high: u32) -> u32 {
  var count = 0u;
  for (var p = start; p < end; p++) {
    count += select(0u, 1u, isAgain(pairs[p]) && featureOf(pairs[p]) < high);
  }
  return count;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let edge = id.x;
  if (edge == 0u && hits.count.x > detection.hitRoom) {
    counters[COUNTER_HITS_WANTED] = max(counters[COUNTER_HITS_WANTED], hits.count.x);
    counters[COUNTER_FLAGS] |= OVERFLOW_HITS;
  }
  if (edge >= detection.nodes) {
    return;
  }
  let head = heads[edge];
  let end = pairStarts[edge + 1u];
  var stay = vec2u(0u);
  if (detection.further != 0u) {
    stay = vec2u(starts[detection.lastStarts + edge], starts[detection.lastStarts + edge + 1u]);
    // Hits that the list has already are none.
    for (var i = head; i != NOTHING; i = hits.rows[i].next) {
      if (findLast(edge, hits.rows[i].high) != NOTHING) {
        hits.rows[i].rank = NOTHING;
      }
    }
    for (var i = stay.x; i < stay.y; i++) {
      let high = last[i].key.y;
      var rank = i - stay.x + hitsBefore(head, high);
      for (var p = pairStarts[edge]; p < end; p++) {
        rank += select(0u, hitsOf(pairs[p]), featureOf(pairs[p]) < high);
      }
      last[i].key.w = rank;
    }
  }
  var count = 0u;
  var again = 0u;
  for (var p = pairStarts[edge]; p < end; p++) {
    let pair = pairs[p];
    if (isAgain(pair)) {
      again++;
    } else if (hitsOf(pair) > 0u) {
      let rank = count + rowsBefore(stay.x, stay.y, featureOf(pair));
      pairs[p].z = (pair.z & HIT_BITS) | (rank << RANK_SHIFT);
      count += hitsOf(pair);
    }
  }
  for (var p = pairStarts[edge]; again > 0u && p < end; p++) {
    let pair = pairs[p];
    if (isAgain(pair)) {
      let high = featureOf(pair);
      let rank = count + againBefore(pairStarts[edge], end, high) + rowsBefore(stay.x, stay.y, high);
      pairs[p].z = (pair.z & HIT_BITS) | (rank << RANK_SHIFT);
    }
  }
  count += again;
  // A chain is walked from its end; ranks are worked out from features that do not change.
  var found = 0u;
  for (var i = head; i != NOTHING; i = hits.rows[i].next) {
    let hit = hits.rows[i];
    if (hit.rank != NOTHING) {
      found++;
      hits.rows[i].rank = count + hitsBefore(head, hit.high) + rowsBefore(stay.x, stay.y, hit.high);
    }
  }
  starts[detection.starts + edge] = count + found + stay.y - stay.x;
}
