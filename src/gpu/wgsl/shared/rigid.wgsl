// Rigid motion: what several kernels need of it.

/// v turned by a unit quaternion.
fn rotate(q: vec4f, v: vec3f) -> vec3f {
  let t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

/// A symmetric matrix from (xx yy zz xy), (xz yz): inertia as Mover, Body and Carrier keep it.
fn symmetric(a: vec4f, b: vec4f) -> mat3x3f {
  return mat3x3f(a.x, a.w, b.x, a.w, a.y, b.y, b.x, b.y, a.z);
}
