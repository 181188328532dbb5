// S μ = −u of one group of joints, by one workgroup: L D Lᵀ in place, kept until other rows hold, and the search for taut ropes.
//
// `system` of a group with n rows, from its place on: n × n numbers, S above the diagonal, L D below it, 1/D on it; the diagonal of S; the
// rows that were factored (1, 0; −1: none yet). The kernel binds it, loads `on`, `lack` and `held`, and takes the answer from `step`.

/// Four arrays of these fill the 16 kB of a workgroup.
const MOST_ROWS = 900u;
const THREADS = 128u;
/// A pivot below this share of its diagonal adds nothing to the rows before it but rounding.
const NEW_SHARE = 1e-5;
/// Rounds of the search for taut ropes, and the speed beyond its length that makes one taut [m/s].
const ROUNDS = 12u;
const SLACK = 1e-6;

/// C v + c of each row [m/s].
var<workgroup> lack: array<f32, MOST_ROWS>;
/// μ that the velocities have already, and what is added to it.
var<workgroup> held: array<f32, MOST_ROWS>;
var<workgroup> step: array<f32, MOST_ROWS>;
/// 1: the row holds; 2 besides: it is a rope's.
var<workgroup> on: array<u32, MOST_ROWS>;
var<workgroup> changes: atomic<u32>;
var<workgroup> heard: u32;

/// Whether a thread of the workgroup said that something is so; for all.
fn anySaid(thread: u32) -> bool {
  workgroupBarrier();
  if (thread == 0u) {
    heard = atomicExchange(&changes, 0u);
  }
  return workgroupUniformLoad(&heard) != 0u;
}

fn entry(base: u32, n: u32, i: u32, j: u32) -> f32 {
  if (i == j) {
    return system[base + n * n + i];
  }
  return system[base + n * min(i, j) + max(i, j)];
}

/// F_ik = S_ik − Σ F_ij F_kj / d_j, and 1/d_k on the diagonal. `step` is F_kj / d_j meanwhile.
fn factor(base: u32, n: u32, thread: u32) {
  for (var k = 0u; k < n; k++) {
    for (var j = thread; j < k; j += THREADS) {
      step[j] = system[base + n * k + j] * system[base + n * j + j];
    }
    workgroupBarrier();
    for (var i = k + thread; i < n; i += THREADS) {
      var sum = 0.0;
      if ((on[i] & on[k] & 1u) != 0u) {
        sum = entry(base, n, i, k);
        for (var j = 0u; j < k; j++) {
          sum -= system[base + n * i + j] * step[j];
        }
        if (i == k) {
          sum = select(0.0, 1.0 / sum, sum > NEW_SHARE * entry(base, n, k, k));
        }
      }
      system[base + n * i + k] = sum;
    }
    storageBarrier();
  }
  for (var i = thread; i < n; i += THREADS) {
    system[base + n * n + n + i] = f32(on[i] & 1u);
  }
  storageBarrier();
}

/// step := S⁻¹ step for the rows that hold.
fn divide(base: u32, n: u32, thread: u32) {
  for (var k = 0u; k < n; k++) {
    let y = step[k] * system[base + n * k + k];
    for (var i = k + 1u + thread; i < n; i += THREADS) {
      step[i] -= system[base + n * i + k] * y;
    }
    workgroupBarrier();
  }
  for (var i = thread; i < n; i += THREADS) {
    step[i] *= system[base + n * i + i];
  }
  workgroupBarrier();
  for (var k = n; k > 1u; k--) {
    let x = step[k - 1u];
    for (var i = thread; i + 1u < k; i += THREADS) {
      step[i] -= system[base + n * i + i] * system[base + n * (k - 1u) + i] * x;
    }
    workgroupBarrier();
  }
}

/// From `lack` and `held` to `step`; `on` is what holds then. `n` is the same for all threads.
fn solveRows(base: u32, n: u32, thread: u32) {
  for (var round = 0u; round < ROUNDS; round++) {
    for (var i = thread; i < n; i += THREADS) {
      if (system[base + n * n + n + i] != f32(on[i] & 1u)) {
        atomicOr(&changes, 1u);
      }
    }
    if (anySaid(thread)) {
      factor(base, n, thread);
    }
    for (var i = thread; i < n; i += THREADS) {
      var right = 0.0;
      if ((on[i] & 1u) != 0u) {
        right = -lack[i];
        for (var j = 0u; j < n; j++) {
          if ((on[j] & 1u) == 0u && held[j] != 0.0) {
            right += entry(base, n, i, j) * held[j];
          }
        }
      }
      step[i] = right;
    }
    workgroupBarrier();
    divide(base, n, thread);
    for (var i = thread; i < n; i += THREADS) {
      if ((on[i] & 1u) == 0u) {
        step[i] = -held[i];
      }
    }
    workgroupBarrier();
    // Taut ropes that push are let go, others that would be too long are taken in.
    for (var i = thread; i < n; i += THREADS) {
      if (on[i] == 3u && held[i] + step[i] < 0.0) {
        on[i] = 2u;
        atomicOr(&changes, 1u);
      } else if (on[i] == 2u) {
        var speed = lack[i];
        for (var j = 0u; j < n; j++) {
          speed += entry(base, n, i, j) * step[j];
        }
        if (speed < -SLACK) {
          on[i] = 3u;
          atomicOr(&changes, 1u);
        }
      }
    }
    if (!anySaid(thread)) {
      break;
    }
  }
}
