// How a strand's share of the contact weights follows what a solve lacked: `balance` in solvers/admm/weights.ts.

/// UNBALANCED and DONE there; GROW and SHRINK in sixteenths of an octave, and the most there are.
const UNBALANCED = 2.0;
const DONE = 0.3;
const GROW = 9u;
const SHRINK = 5u;
const MOST_STEPS = 48u;

/// The next share, in sixteenths of an octave: where forces are missing it grows, where the motion is it shrinks.
fn balanced(share: u32, gap: f32, way: f32, tolerance: f32) -> u32 {
  let left = gap + way;
  if (left > tolerance && gap > UNBALANCED * way) {
    return min(share + GROW, MOST_STEPS);
  }
  if (gap < way || left < DONE * tolerance) {
    return max(share, SHRINK) - SHRINK;
  }
  return share;
}
