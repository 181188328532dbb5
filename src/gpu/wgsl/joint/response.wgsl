// How a body answers to an impulse: by its mass, or as solve/body-responses.ts says of one that bears others. The kernel binds `responses`.

/// (v, ω) = [linear, across; acrossᵀ, angular] (impulse, moment).
struct Response {
  linear: mat3x3f,
  across: mat3x3f,
  angular: mat3x3f,
}

/// Of inverse mass and inertia as in Mover.
fn responseOf(m: f32, p: vec4f, q: vec4f) -> Response {
  let own = bitcast<u32>(q.w);
  if (own > 0u) {
    return responses[own - 1u];
  }
  return Response(
    mat3x3f(m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m),
    mat3x3f(),
    mat3x3f(p.x, p.w, q.x, p.w, p.y, q.y, q.x, q.y, p.z),
  );
}

/// What an impulse and its moment do to velocity and spin.
fn answer(r: Response, impulse: vec3f, moment: vec3f) -> mat2x4f {
  return mat2x4f(vec4f(r.linear * impulse + r.across * moment, 0.0), vec4f(impulse * r.across + r.angular * moment, 0.0));
}
