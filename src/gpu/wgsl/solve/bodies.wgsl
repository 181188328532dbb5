// Bodies that contacts push, as the sweeps see them.

@reads(bodies)

/// π of a body at an arm [m/s].
fn velocityOfBody(body: u32, arm: vec3f) -> vec3f {
  let push = bodies[body].push;
  return push[0].xyz + cross(push[1].xyz, arm);
}
