// Signed distance from a point to a shape in the shape's own frame: negative inside;
// gradient = unit normal away from it.
//
// CPU twin: `measure` in kernels/assembly/proximity/shape.ts. Hulls and meshes: body-faces.wgsl.

fn measureBall(x: vec3f, radius: f32) -> Measure {
  let distance = length(x);
  // At the very middle any direction across the axis is as good.
  let gradient = select(vec3f(1.0, 0.0, 0.0), x / max(distance, 1e-30), distance > 1e-7 * radius);
  return Measure(gradient, distance - radius);
}

fn signOf(x: vec3f) -> vec3f {
  return select(vec3f(1.0), vec3f(-1.0), x < vec3f(0.0));
}

fn measureBox(x: vec3f, size: vec3f) -> Measure {
  let d = abs(x) - size;
  if (any(d > vec3f(0.0))) {
    let e = max(d, vec3f(0.0));
    let distance = length(e);
    return Measure(e * signOf(x) / max(distance, 1e-30), distance);
  }
  if (d.x >= d.y && d.x >= d.z) {
    return Measure(vec3f(signOf(x).x, 0.0, 0.0), d.x);
  }
  if (d.y >= d.z) {
    return Measure(vec3f(0.0, signOf(x).y, 0.0), d.y);
  }
  return Measure(vec3f(0.0, 0.0, signOf(x).z), d.z);
}

/// Cylinder, cone (axis y): distance to the profile in the half-plane through the point.
fn measureTurned(x: vec3f, size: vec3f, isCone: bool) -> Measure {
  let out = length(x.xz);
  let u = select(vec2f(1.0, 0.0), x.xz / max(out, 1e-30), out > 0.0);
  let radius = size.x;
  let half = size.y;
  var distance = 0.0;
  var n = vec2f(0.0);
  if (!isCone) {
    let side = out - radius;
    let cap = abs(x.y) - half;
    let up = select(1.0, -1.0, x.y < 0.0);
    if (side > 0.0 && cap > 0.0) {
      distance = length(vec2f(side, cap));
      n = vec2f(side, up * cap) / distance;
    } else if (side >= cap) {
      distance = side;
      n = vec2f(1.0, 0.0);
    } else {
      distance = cap;
      n = vec2f(0.0, up);
    }
  } else {
    let height = 2.0 * half;
    let slant = length(vec2f(radius, height));
    let side = (out * height + (x.y - half) * radius) / slant;
    let base = -half - x.y;
    // Place along the side from the rim (0) to the apex (1).
    let along = ((x.y + half) * height - (out - radius) * radius) / (slant * slant);
    let isInside = side <= 0.0 && base <= 0.0;
    if (select(side > 0.0 && along >= 0.0 && along <= 1.0, side >= base, isInside)) {
      distance = side;
      n = vec2f(height, radius) / slant;
    } else if (select(out <= radius, side <= 0.0, base <= 0.0)) {
      distance = base;
      n = vec2f(0.0, -1.0);
    } else {
      let corner = select(vec2f(out - radius, x.y + half), vec2f(out, x.y - half), along > 1.0);
      distance = length(corner);
      n = corner / max(distance, 1e-30);
    }
  }
  return Measure(vec3f(n.x * u.x, n.y, n.x * u.y), distance);
}

/// Distance to the shape; meshes: no farther than `most`, and what shares a closest point within `same` is one.
fn measure(collider: ptr<function, Collider>, x: vec3f, most: f32, same: f32) -> Measure {
  let size = (*collider).size;
  switch (*collider).kind {
    case SHAPE_SPHERE: { return measureBall(x, size.x); }
    case SHAPE_CAPSULE: { return measureBall(x - vec3f(0.0, clamp(x.y, -size.y, size.y), 0.0), size.x); }
    case SHAPE_BOX_KIND: { return measureBox(x, size); }
    case SHAPE_PLANE: { return Measure(size, dot(size, x)); }
    case SHAPE_CYLINDER, SHAPE_CONE: { return measureTurned(x, size, (*collider).kind == SHAPE_CONE); }
    default: { return measureFaces(collider, x, select(3e38, most, (*collider).kind == SHAPE_MESH), same); }
  }
}
