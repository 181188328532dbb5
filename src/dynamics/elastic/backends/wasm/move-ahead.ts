// Algorithm 4 of Daviet 2020 on the kernels' rows: π and ℓ go on by their momentum
// before the next solve. λ = λ₀ + ℓ and
// p = vRef + π, so increments have the same momentum. Once per round, in TypeScript: a setting that few use.

import type { AdmmProblem } from '../../../../solvers/admm/problem';
import { createMomentum, nextGain } from '../../../../solvers/elastic/momentum';
import { unsettle } from './admm-work';
import type { Wasm } from './wasm';

export interface Ahead {
  /** Moves π and ℓ ahead; the projection after that begins afresh from v − λ. */
  move(): void;
}

/** From π and ℓ as they are at the start: both 0. */
export function createAhead({ engine, work, problem }: Wasm): Ahead {
  const { arena } = engine;
  const momentum = createMomentum();
  const size = 4 * work.rows;
  const pLast = new Float32Array(size);
  const lambdaLast = new Float32Array(size);
  const pAhead = new Float32Array(size);
  const lambdaAhead = new Float32Array(size);
  const metric = createMetric(problem, size);
  return {
    move() {
      const { f32 } = arena;
      const [p, lambda, weight] = [work.projected >> 2, work.dual >> 2, work.weight >> 2];
      // ‖p − p̂‖²_W + ‖λ − λ̂‖²_W: by it momentum is dropped.
      let residual = 0;
      for (let i = 0; i < size; i++) {
        const dp = f32[p + i] - pAhead[i];
        const dl = f32[lambda + i] - lambdaAhead[i];
        residual += metric[i] * f32[weight + i] * (dp * dp + dl * dl);
      }

      const gain = nextGain(momentum, residual);
      for (let i = 0; i < size; i++) {
        const [pNow, lambdaNow] = [f32[p + i], f32[lambda + i]];
        f32[p + i] = pAhead[i] = pNow + gain * (pNow - pLast[i]);
        f32[lambda + i] = lambdaAhead[i] = lambdaNow + gain * (lambdaNow - lambdaLast[i]);
        pLast[i] = pNow;
        lambdaLast[i] = lambdaNow;
      }
      unsettle(work);
    },
  };
}

/** W over the rows' weight: a body's is a multiple of its mass matrix, a spin counts by the radius of gyration. */
function createMetric(
  { elasticCount, bodyCount, bodyInverseMass, bodyLength }: AdmmProblem,
  size: number,
): Float32Array {
  const metric = new Float32Array(size).fill(1);
  for (let body = 0; body < bodyCount; body++) {
    const at = elasticCount + 8 * body;
    const mass = 1 / bodyInverseMass[body];
    metric.fill(mass, at, at + 4);
    metric.fill(mass * bodyLength[body] * bodyLength[body], at + 4, at + 8);
  }
  return metric;
}
