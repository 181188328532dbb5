// What the joints of a strand change in it. The kernel binds `joints`, `ties` and `columns`.

/// At node i of the strand whose first joint is given.
fn changeAt(own: Joint, i: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var j = own.own; j < own.own + own.ownCount; j++) {
    let push = ties[j].push.xyz;
    let at = joints[j].columns + i;
    sum += columns[at] * push.x + columns[at + own.count] * push.y + columns[at + 2u * own.count] * push.z;
  }
  return sum;
}
