// How a strand's share of the contact weights follows what a solve lacked: `balance` in solvers/admm/weights.ts.

/// GROW and SHRINK of the balance (BALANCE_GROW, BALANCE_SHRINK) in sixteenths of an octave, and the most there are.
const GROW = 9u;
const SHRINK = 5u;
const MOST_STEPS = 48u;

/// The next share, in sixteenths of an octave: where forces are missing it grows, where the motion is it shrinks.
fn balanced(share: u32, gap: f32, way: f32, tolerance: f32) -> u32 {
  let left = gap + way;
  if (left > tolerance && gap > BALANCE_UNBALANCED * way) {
    return min(share + GROW, MOST_STEPS);
  }
  if (gap < way || left < BALANCE_DONE * tolerance) {
    return max(share, SHRINK) - SHRINK;
  }
  return share;
}
