// Where contacts push no bodies, rows have none: a binding less in most of the dispatches of a step.

fn velocityOfBody(body: u32, arm: vec3f) -> vec3f {
  return vec3f(0.0);
}
