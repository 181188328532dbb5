// Sine, cosine and arc tangent that give the same bits in every JavaScript engine.
//
// The language leaves its own trigonometric functions to the engine, so their last digits differ between
// browsers; these use only + - * / and square roots, which IEEE 754 fixes. In and out: radians.
// Method: reduction to a small interval, then the Taylor series in nested form up to a term below 1e-17, written out:
// as loops they take twice as long.
// Accuracy: absolute error below 4e-16 for sine and cosine while |angle| < 1e5 rad (beyond that the reduction
// loses |angle| * 1e-16), relative error below 1e-15 for the arc tangent.

import { HALF_PI, HALF_PI_HIGH, HALF_PI_LOW } from '../core/number-constants';

/** Sine of a small angle, |x| <= pi/4 [rad]. */
function sineSeries(x: number): number {
  const y = x * x;
  let sum = 1 - y / (16 * 17);
  sum = 1 - (y / (14 * 15)) * sum;
  sum = 1 - (y / (12 * 13)) * sum;
  sum = 1 - (y / (10 * 11)) * sum;
  sum = 1 - (y / (8 * 9)) * sum;
  sum = 1 - (y / (6 * 7)) * sum;
  sum = 1 - (y / (4 * 5)) * sum;
  return x * (1 - (y / (2 * 3)) * sum);
}

/** Cosine of a small angle, |x| <= pi/4 [rad]. */
function cosineSeries(x: number): number {
  const y = x * x;
  let sum = 1 - y / (17 * 18);
  sum = 1 - (y / (15 * 16)) * sum;
  sum = 1 - (y / (13 * 14)) * sum;
  sum = 1 - (y / (11 * 12)) * sum;
  sum = 1 - (y / (9 * 10)) * sum;
  sum = 1 - (y / (7 * 8)) * sum;
  sum = 1 - (y / (5 * 6)) * sum;
  sum = 1 - (y / (3 * 4)) * sum;
  return 1 - 0.5 * y * sum;
}

function sineOfQuadrant(angle: number, shift: number): number {
  const k = Math.floor(angle / HALF_PI + 0.5);
  const x = angle - k * HALF_PI_HIGH - k * HALF_PI_LOW;
  const quadrant = k === 0 ? shift : (((k + shift) % 4) + 4) % 4;
  if (quadrant === 0) return sineSeries(x);
  if (quadrant === 1) return cosineSeries(x);
  return quadrant === 2 ? -sineSeries(x) : -cosineSeries(x);
}

/** Sine of `angle` [rad]. */
export function sine(angle: number): number {
  return sineOfQuadrant(angle, 0);
}

/** Cosine of `angle` [rad]. */
export function cosine(angle: number): number {
  return sineOfQuadrant(angle, 1);
}

/** Arc tangent of 0 <= x <= 1 [rad]. */
function arctangentOfUnit(x: number): number {
  // Two halvings of the angle, tan(a/2) = t / (1 + sqrt(1 + t^2)), bring t below tan(pi/16) = 0.199.
  let t = x / (1 + Math.sqrt(1 + x * x));
  t = t / (1 + Math.sqrt(1 + t * t));
  const y = t * t;
  let sum = 1 / 21 - y * (1 / 23);
  sum = 1 / 19 - y * sum;
  sum = 1 / 17 - y * sum;
  sum = 1 / 15 - y * sum;
  sum = 1 / 13 - y * sum;
  sum = 1 / 11 - y * sum;
  sum = 1 / 9 - y * sum;
  sum = 1 / 7 - y * sum;
  sum = 1 / 5 - y * sum;
  sum = 1 / 3 - y * sum;
  return 4 * t * (1 - y * sum);
}

/** Angle of the point (x, y) from the x axis, -pi to pi [rad]; 0 for the origin. */
export function arctangent(y: number, x: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  if (a === 0 && b === 0) return 0;
  let angle = b <= a ? arctangentOfUnit(b / a) : HALF_PI - arctangentOfUnit(a / b);
  if (x < 0) angle = 2 * HALF_PI - angle;
  return y < 0 ? -angle : angle;
}

const TWO_PI = 2 * Math.PI;

/** The same angle but for whole turns, within half a turn of `near` [rad]. */
export function nearestAngle(angle: number, near: number): number {
  return angle - TWO_PI * Math.floor((angle - near) / TWO_PI + 0.5);
}
