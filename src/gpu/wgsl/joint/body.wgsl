// What joints and bodies do to each other. The kernel binds `joints` and `ties`, and has response.wgsl.

/// Writes C v + c of joint j from the velocity of its node against its point, and μ that it has already.
fn askRows(j: u32, speed: vec3f, share: f32) {
  let tie = ties[j];
  var lack = vec3f(dot(speed, tie.row.xyz) + tie.row.w, 0.0, 0.0);
  if (joints[j].length == 0.0) {
    lack = speed + tie.row.xyz;
  }
  ties[j].lack = vec4f(lack, 0.0);
  ties[j].held = vec4f(tie.base.xyz + share * tie.more.xyz, 0.0);
}

/// What the joints of a body, the first of which is j, make of it by what their nodes got last.
fn changeBy(j: u32, response: Response) -> mat2x4f {
  var impulse = vec3f(0.0);
  var moment = vec3f(0.0);
  let first = joints[j];
  for (var i = j; i < first.group + first.groupCount; i++) {
    if (joints[i].pulled == j) {
      impulse -= ties[i].push.xyz;
      moment -= cross(ties[i].arm.xyz, ties[i].push.xyz);
    }
  }
  return answer(response, impulse, moment);
}
