// Directions and angles, f32. CPU twins: mechanics/rod/frames.ts, math/trigonometry.ts.
//
// WGSL's own sin, cos and atan2 may be wrong by 2⁻¹¹; these series are good to rounding.

const QUARTER = 1.5707963267948966;
/// QUARTER in two parts, the first with few digits: k·QUARTER_HIGH is exact for the turns that matter.
const QUARTER_HIGH = 1.5703125;
const QUARTER_LOW = 4.8382679489661923e-4;
/// Two unit tangents with 1 + t0·t1 below this are taken as opposite: f32 has no axis between them.
const OPPOSITE = 1e-6;
/// Below this share of its rest length an edge has no direction of its own.
const COLLAPSED = 1e-6;

/// Sine and cosine of any angle [rad].
fn sineCosine(angle: f32) -> vec2f {
  let k = floor(angle / QUARTER + 0.5);
  let x = (angle - k * QUARTER_HIGH) - k * QUARTER_LOW;
  let y = x * x;
  let s = x * (1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0))));
  let c = 1.0 - y / 2.0 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0)));
  switch (i32(k) & 3) {
    case 0: { return vec2f(s, c); }
    case 1: { return vec2f(c, -s); }
    case 2: { return vec2f(-s, -c); }
    default: { return vec2f(-c, s); }
  }
}

fn arctangentOfUnit(x: f32) -> f32 {
  // A halving of the angle where the series would be slow.
  let large = x > 0.2;
  let h = select(x, x / (1.0 + sqrt(1.0 + x * x)), large);
  let t = select(h, h / (1.0 + sqrt(1.0 + h * h)), large);
  let y = t * t;
  let sum = 1.0 - y * (1.0 / 3.0 - y * (1.0 / 5.0 - y * (1.0 / 7.0 - y * (1.0 / 9.0 - y / 11.0))));
  return select(1.0, 4.0, large) * t * sum;
}

/// Angle of the point (x, y), −π to π; 0 for the origin.
fn arctangent(y: f32, x: f32) -> f32 {
  let a = abs(x);
  let b = abs(y);
  if (a == 0.0 && b == 0.0) {
    return 0.0;
  }
  var angle = arctangentOfUnit(min(a, b) / max(a, b));
  if (b > a) {
    angle = QUARTER - angle;
  }
  if (x < 0.0) {
    angle = 2.0 * QUARTER - angle;
  }
  return select(angle, -angle, y < 0.0);
}

/// Of all turns of `angle` the one nearest to `last`.
fn nearestTurn(angle: f32, last: f32) -> f32 {
  return angle + 4.0 * QUARTER * floor((last - angle) / (4.0 * QUARTER) + 0.5);
}

/// A unit vector normal to unit vector v: its cross product with the axis it is farthest from.
fn normalTo(v: vec3f) -> vec3f {
  let a = abs(v);
  if (a.x <= a.y && a.x <= a.z) {
    return normalize(vec3f(0.0, v.z, -v.y));
  }
  if (a.y <= a.z) {
    return normalize(vec3f(-v.z, 0.0, v.x));
  }
  return normalize(vec3f(v.y, -v.x, 0.0));
}

/// Unit tangent of edge vector e of rest length `rest`; a collapsed edge gets a direction normal to its director d.
fn tangentOf(e: vec3f, rest: f32, d: vec3f) -> vec3f {
  let length = sqrt(dot(e, e));
  if (length > COLLAPSED * rest) {
    return e / length;
  }
  return normalTo(d);
}

/// d carried by the smallest rotation from unit tangent t0 to unit tangent t1; unit and normal to t1.
fn carryDirector(d: vec3f, t0: vec3f, t1: vec3f) -> vec3f {
  let axis = cross(t0, t1);
  let c = dot(t0, t1);
  var x = d;
  if (1.0 + c > OPPOSITE) {
    x = c * d + cross(axis, d) + axis * (dot(axis, d) / (1.0 + c));
  }
  x -= dot(x, t1) * t1;
  let square = dot(x, x);
  if (square > 0.0) {
    return x / sqrt(square);
  }
  return normalTo(t1);
}

/// Angle about t from unit director a to unit director b, both normal to t.
fn directorAngle(a: vec3f, b: vec3f, t: vec3f) -> f32 {
  return arctangent(dot(t, cross(a, b)), dot(a, b));
}
