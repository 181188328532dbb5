// Bodies that contacts push, as the sweeps see them.

@group(0) @binding(6) var<storage, read> bodies: array<Body>;

/// π of a body at an arm [m/s].
fn velocityOfBody(body: u32, arm: vec3f) -> vec3f {
  let push = bodies[body].push;
  return push[0].xyz + cross(push[1].xyz, arm);
}
