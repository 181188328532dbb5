// The share of the start's forces, from the sums of admm-share.wgsl, which the kernel binds as `work`.

/// α = −h₀ / (h₁ − h₀), 0 to 1; 1 where there are no forces.
fn shareOf() -> f32 {
  var sum = vec2f(0.0);
  for (var k = 0u; k < 64u; k++) {
    sum += work[k];
  }
  let gain = sum.y - sum.x;
  if (!(gain > 0.0)) {
    return select(0.0, 1.0, sum.x < 0.0 || gain == 0.0);
  }
  return clamp(-sum.x / gain, 0.0, 1.0);
}
