// Bodies as they would be had they felt the strands at once. One thread a mover; then one a collider.
//
// The impulse J of step k changes the velocity at the start of step m by J/mass, and the place by (m −
// k)·dt·J/mass. What the CPU had added on its own account (a guess, solve/coupling.ts) is taken off. The turn is
// for small angles: impulses of a few steps.

/// Of each step of the ring and each body: impulse [N·s], moment about the centre of mass [N·m·s].
@reads(ring)
/// Four a mover: velocity, spin, shift [m], turn [rad] that are guessed, as the body answers to it.
@reads(guesses: array<vec4f>)
@writes(movers)
/// Rows of eight: place, rotation, …, box min and max in the fourth and fifth with the mover's bits (body.wgsl).
@writes(colliders: array<array<vec4f, 7>>)
/// Two a mover: how it was shifted and turned.
@writes(shifts: array<vec4f>)
/// Two a body: place and rotation at the end of the step, which clamps follow (rod-holds.wgsl).
@writes(bodies: array<vec4f>)

/// What an impulse and its moment do to velocity and spin.
fn changeOf(mover: Mover, impulse: mat2x4f) -> mat2x4f {
  let inverse = symmetric(mover.inertia, mover.inertiaMore);
  return mat2x4f(vec4f(mover.position.w * impulse[0].xyz, 0.0), vec4f(inverse * impulse[1].xyz, 0.0));
}

fn turned(q: vec4f, angle: vec3f) -> vec4f {
  let h = 0.5 * angle;
  return normalize(q + vec4f(h * q.w + cross(h, q.xyz), -dot(h, q.xyz)));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= late.movers) {
    return;
  }
  var mover = movers[id.x];
  var shift = vec3f(0.0);
  var turn = vec3f(0.0);
  if (mover.position.w > 0.0) {
    let body = bitcast<u32>(mover.inertiaMore.z);
    var velocity = mat2x4f();
    var place = mat2x4f();
    for (var k = max(late.applied + 1u, late.step - min(late.step, LATE_RING - 1u)); k < late.step; k++) {
      let impulse = ring[(k % LATE_RING) * late.stride + body];
      velocity += impulse;
      place += (f32(late.step - k) * late.timeStep) * impulse;
    }
    let change = changeOf(mover, velocity);
    let guess = 4u * id.x;
    let faster = change[0].xyz - guesses[guess].xyz;
    let spin = change[1].xyz - guesses[guess + 1u].xyz;
    mover.velocity += vec4f(faster, 0.0);
    mover.spin += vec4f(spin, 0.0);
    if (mover.velocity.w == 0.0) {
      let way = changeOf(mover, place);
      shift = way[0].xyz - guesses[guess + 2u].xyz;
      turn = way[1].xyz - guesses[guess + 3u].xyz;
    }
    mover.position += vec4f(shift, 0.0);
    mover.rotation = turned(mover.rotation, turn);
    movers[id.x] = mover;
    if (2u * body + 1u < arrayLength(&bodies)) {
      bodies[2u * body] += vec4f(shift + late.timeStep * faster, 0.0);
      bodies[2u * body + 1u] = turned(bodies[2u * body + 1u], turn + late.timeStep * spin);
    }
  }
  shifts[2u * id.x] = vec4f(shift, 0.0);
  shifts[2u * id.x + 1u] = vec4f(turn, 0.0);
}

/// Colliders go along with their bodies.
@compute @workgroup_size(64)
fn follow(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= late.colliders) {
    return;
  }
  let m = bitcast<u32>(colliders[id.x][4].w);
  let shift = shifts[2u * m].xyz;
  let turn = shifts[2u * m + 1u].xyz;
  if (all(shift == vec3f(0.0)) && all(turn == vec3f(0.0))) {
    return;
  }
  let center = movers[m].position.xyz;
  let place = colliders[id.x][0];
  let arm = place.xyz - (center - shift);
  let way = shift + cross(turn, arm + 0.5 * cross(turn, arm));
  // No point of it is farther from the centre of mass than this.
  let reach = length(turn) * (length(arm) + length(colliders[id.x][4].xyz - colliders[id.x][3].xyz));
  colliders[id.x][0] = vec4f(place.xyz + way, place.w);
  colliders[id.x][1] = turned(colliders[id.x][1], turn);
  colliders[id.x][3] = vec4f(colliders[id.x][3].xyz + min(way, vec3f(0.0)) - reach, colliders[id.x][3].w);
  colliders[id.x][4] = vec4f(colliders[id.x][4].xyz + max(way, vec3f(0.0)) + reach, colliders[id.x][4].w);
}
