// The common motion of all strands over the step: a mean displacement and an affine field about it.
//
// In: node positions and velocities. Out: origin and mean of all sound nodes, the field d(x) = m + G x that fits the
// displacements of some of them at their places half-way through the step, and the norm of G. Boxes are swept by what
// is left when the field is taken away (proximity/edges says why that loses nothing). The field of the first detection
// of a step is kept for its further looks.

import {
  COORDINATE_ROUNDING,
  FARTHEST_COORDINATE,
  FIELD_SAMPLES,
  FIELD_STEEPEST,
} from '../../../core/elastic-constants';
import { continuous, dt, nodes, position, velocity } from './work';

/** Absolute error of coordinates in f32 [m]. */
export let recordError: f32 = 0;

// Least corner, mean displacement of all sound nodes; the field's gradient about `fieldX..Z` [-] and its norm.
export let originX: f64 = 0;
export let originY: f64 = 0;
export let originZ: f64 = 0;
export let meanX: f64 = 0;
export let meanY: f64 = 0;
export let meanZ: f64 = 0;
export let error: f64 = 0;
const FIELD: usize = memory.data(72, 16);
const MOMENTS: usize = memory.data(48, 16);
export let fieldX: f64 = 0;
export let fieldY: f64 = 0;
export let fieldZ: f64 = 0;
export let steepness: f64 = 0;

/** Whether a row of x y z has three ordinary numbers. */
function isSound(row: usize): bool {
  return (
    abs(load<f64>(row)) < FARTHEST_COORDINATE &&
    abs(load<f64>(row, 8)) < FARTHEST_COORDINATE &&
    abs(load<f64>(row, 16)) < FARTHEST_COORDINATE
  );
}

/** Measures origin, mean and field. */
export function measureAll(): void {
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  let speed: f64 = 0;
  let count = 0;
  meanX = 0;
  meanY = 0;
  meanZ = 0;
  for (let i = 0; i < nodes; i++) {
    const p = position + ((<usize>i) << 5);
    const v = velocity + ((<usize>i) << 5);
    if (!isSound(p) || !isSound(v)) continue;
    const x = load<f64>(p);
    const y = load<f64>(p, 8);
    const z = load<f64>(p, 16);
    const vx = load<f64>(v);
    const vy = load<f64>(v, 8);
    const vz = load<f64>(v, 16);
    lowX = min(lowX, x);
    lowY = min(lowY, y);
    lowZ = min(lowZ, z);
    highX = max(highX, x);
    highY = max(highY, y);
    highZ = max(highZ, z);
    meanX += vx;
    meanY += vy;
    meanZ += vz;
    speed = max(speed, max(abs(vx), max(abs(vy), abs(vz))));
    count++;
  }
  const scale = count > 0 ? dt / <f64>count : 0;
  meanX *= scale;
  meanY *= scale;
  meanZ *= scale;
  originX = count > 0 ? lowX : 0;
  originY = count > 0 ? lowY : 0;
  originZ = count > 0 ? lowZ : 0;
  const extent = max(highX - lowX, max(highY - lowY, highZ - lowZ));
  error = count > 0 ? COORDINATE_ROUNDING * (extent + 2 * dt * speed) : 0;
  recordError = <f32>error;
  fitField();
}

/** Fits G to the displacements of some nodes by least squares about their mean. */
function fitField(): void {
  memory.fill(FIELD, 0, 72);
  memory.fill(MOMENTS, 0, 48);
  steepness = 0;
  if (!continuous) return;
  const stride = max(1, nodes / FIELD_SAMPLES);
  let count: f64 = 0;
  fieldX = 0;
  fieldY = 0;
  fieldZ = 0;

  for (let i = 0; i < nodes; i += stride) {
    const p = position + ((<usize>i) << 5);
    const v = velocity + ((<usize>i) << 5);
    if (!isSound(p) || !isSound(v)) continue;
    fieldX += load<f64>(p) - originX + 0.5 * dt * load<f64>(v);
    fieldY += load<f64>(p, 8) - originY + 0.5 * dt * load<f64>(v, 8);
    fieldZ += load<f64>(p, 16) - originZ + 0.5 * dt * load<f64>(v, 16);
    count++;
  }
  if (count < 4) return;
  fieldX /= count;
  fieldY /= count;
  fieldZ /= count;

  for (let i = 0; i < nodes; i += stride) {
    const p = position + ((<usize>i) << 5);
    const v = velocity + ((<usize>i) << 5);
    if (!isSound(p) || !isSound(v)) continue;
    const dx = dt * load<f64>(v);
    const dy = dt * load<f64>(v, 8);
    const dz = dt * load<f64>(v, 16);
    const x = load<f64>(p) - originX + 0.5 * dx - fieldX;
    const y = load<f64>(p, 8) - originY + 0.5 * dy - fieldY;
    const z = load<f64>(p, 16) - originZ + 0.5 * dz - fieldZ;
    add(MOMENTS, x * x);
    add(MOMENTS + 8, y * y);
    add(MOMENTS + 16, z * z);
    add(MOMENTS + 24, x * y);
    add(MOMENTS + 32, x * z);
    add(MOMENTS + 40, y * z);
    addRow(FIELD, dx, x, y, z);
    addRow(FIELD + 24, dy, x, y, z);
    addRow(FIELD + 48, dz, x, y, z);
  }
  // G = (Σ d xᵀ) (Σ x xᵀ)⁻¹; a little of the trace keeps flat and straight grooms solvable.
  const trace = load<f64>(MOMENTS) + load<f64>(MOMENTS, 8) + load<f64>(MOMENTS, 16);
  const a = load<f64>(MOMENTS) + 1e-6 * trace;
  const b = load<f64>(MOMENTS, 8) + 1e-6 * trace;
  const c = load<f64>(MOMENTS, 16) + 1e-6 * trace;
  const f = load<f64>(MOMENTS, 24);
  const g = load<f64>(MOMENTS, 32);
  const h = load<f64>(MOMENTS, 40);
  const ia = b * c - h * h;
  const ib = a * c - g * g;
  const ic = a * b - f * f;
  const iff = g * h - f * c;
  const ig = f * h - g * b;
  const ih = f * g - a * h;
  const determinant = a * ia + f * iff + g * ig;

  if (!(determinant > 0) || determinant == Infinity) {
    memory.fill(FIELD, 0, 72);
    return;
  }
  let norm: f64 = 0;

  for (let row: usize = 0; row < 72; row += 24) {
    const x = load<f64>(FIELD + row) / determinant;
    const y = load<f64>(FIELD + row, 8) / determinant;
    const z = load<f64>(FIELD + row, 16) / determinant;
    const gx = x * ia + y * iff + z * ig;
    const gy = x * iff + y * ib + z * ih;
    const gz = x * ig + y * ih + z * ic;
    store<f64>(FIELD + row, gx);
    store<f64>(FIELD + row, gy, 8);
    store<f64>(FIELD + row, gz, 16);
    norm += gx * gx + gy * gy + gz * gz;
  }
  // The Frobenius norm bounds the operator's.
  steepness = sqrt(norm);
  const shrink = steepness <= FIELD_STEEPEST ? 1 : steepness < Infinity ? FIELD_STEEPEST / steepness : 0;
  for (let i: usize = 0; i < 72; i += 8) store<f64>(FIELD + i, shrink * load<f64>(FIELD + i));
  steepness = min(steepness, FIELD_STEEPEST);
}

function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

function addRow(at: usize, d: f64, x: f64, y: f64, z: f64): void {
  add(at, d * x);
  add(at + 8, d * y);
  add(at + 16, d * z);
}

/** Row of G times the place over the field's centre. */
export function fieldAlong(row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(FIELD + row) * x + load<f64>(FIELD + row, 8) * y + load<f64>(FIELD + row, 16) * z;
}
