// Momentum of Algorithm 4 (Daviet 2020; Goldstein et al. 2014): how far p and λ go on in
// the direction of their last change.

export interface Momentum {
  theta: number;
  /** Combined residual of the last round. */
  residual: number;
}

/** No momentum yet. */
export function createMomentum(): Momentum {
  return { theta: 1, residual: Number.POSITIVE_INFINITY };
}

/** Share of the last change that the next round starts ahead by [-]; none where the residual did not shrink. */
export function nextGain(momentum: Momentum, residual: number): number {
  const { theta } = momentum;
  const isReset = residual >= momentum.residual;
  momentum.residual = residual;
  momentum.theta = isReset ? 1 : 0.5 * (1 + Math.sqrt(1 + 4 * theta * theta));
  return isReset ? 0 : (theta - 1) / momentum.theta;
}
