// A body was put somewhere else, and strands go along as if they were part of it.

struct Move {
  start: vec3f,       // the body's centre of mass before, from the cell [m]
  strands: u32,
  end: vec3f,         // and after
  body: u32,          // slot in the tables
  turn: vec4f,
  velocity: vec3f,    // of the body [m/s]
  rows: u32,          // contacts that there is room for
  spin: vec3f,        // [rad/s]
}

@group(0) @binding(0) var<uniform> motion: Move;

fn rotated(v: vec3f) -> vec3f {
  return rotate(motion.turn, v);
}
