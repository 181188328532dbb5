// L and D of A = L D Lᵀ and the first half of its solution, from the rows of the elements: A itself is
// never formed. One thread a strand.
//
// A = M + Σ w z zᵀ of a hair has w z² up to 10⁷ times the mass: the sum in f32 would lose the mass. So rows
// are rotated in one at a time (Givens without square roots; the UD update of Bierman 1977): pivots only grow, d'
// = d + w z², and what a stiff row leaves for the next column is w d/d', the compliance form. No entry ever
// cancels more than its row did. A window of three nodes, twelve columns, slides along the strand; why and at
// what cost: rod/strand-kernels.ts.


/// Column `k` of node i, as it is before any element: it stands last in the window.
fn open(i: u32, k: u32, s: u32, weight: f32) -> Column {
  let d = inertias[at(i, 0u, 2u, s)][k];
  let y = inertias[at(i, 1u, 2u, s)][k];
  var unit = vec4f(0.0);
  unit[k] = 1.0;
  return Column(vec4f(0.0), vec4f(0.0), unit, d + select(0.0, weight, k < 3u), y);
}

/// Writes node i, whose columns x y z t are done; returns whether a number is bad.
fn store(i: u32, s: u32, x: Column, y: Column, z: Column, t: Column) -> bool {
  let d = vec4f(x.d, y.d, z.d, t.d);
  factors[at(i, 0u, FACTOR_VALUES, s)] = 1.0 / d;
  factors[at(i, 1u, FACTOR_VALUES, s)] = vec4f(x.a.yzw, y.a.z);
  factors[at(i, 2u, FACTOR_VALUES, s)] = vec4f(y.a.w, z.a.w, 0.0, 0.0);
  for (var k = 0u; k < 4u; k++) {
    factors[at(i, 3u + k, FACTOR_VALUES, s)] = vec4f(x.b[k], y.b[k], z.b[k], t.b[k]);
  }
  for (var k = 0u; k < 3u; k++) {
    factors[at(i, 7u + k, FACTOR_VALUES, s)] = vec4f(x.c[k], y.c[k], z.c[k], t.c[k]);
  }
  let right = vec4f(x.y, y.y, z.y, t.y);
  if (block.weighted == 0u) {
    reduced[at(i, 0u, 1u, s)] = right;
  }
  return isBad4(d) || isBad4(right);
}

/// Of strand s.
fn factorise(s: u32) {
  let slot = block.firstStrand + s;
  let first = strands[slot].first;
  let isWeighted = block.weighted != 0u;
  if (isWeighted && (strands[slot].flags & IDLE) != 0u) {
    return;
  }
  var weight = select(0.0, weights[first], isWeighted);
  var ax = Column(vec4f(0.0), vec4f(0.0), vec4f(0.0), 1.0, 0.0);
  var ay = ax;
  var az = ax;
  var aw = ax;
  var bx = shift(open(0u, 0u, s, weight));
  var by = shift(open(0u, 1u, s, weight));
  var bz = shift(open(0u, 2u, s, weight));
  var bt = shift(open(0u, 3u, s, weight));
  var bad = false;
  for (var i = 0u; i + 1u < block.nodes; i++) {
    weight = select(0.0, weights[first + i + 1u], isWeighted);
    var cx = open(i + 1u, 0u, s, weight);
    var cy = open(i + 1u, 1u, s, weight);
    var cz = open(i + 1u, 2u, s, weight);
    let ct = open(i + 1u, 3u, s, weight);
    var row: Row;
    // Curvatures (0 to 3) and the twist (4) of node i.
    for (var j = select(0u, 5u, i == 0u); j < 5u; j++) {
      let scale = elements[at(i, 9u, ELEMENT_VALUES, s)];
      let e0 = elements[at(i, 2u * j, ELEMENT_VALUES, s)];
      if (j < 4u) {
        let e1 = elements[at(i, 2u * j + 1u, ELEMENT_VALUES, s)];
        row.a = vec4f(-e0.xyz, select(0.0, e0.w, j < 2u));
        row.b = vec4f(e0.xyz - e1.xyz, select(e0.w, 0.0, j < 2u));
        row.c = vec4f(e1.xyz, 0.0);
        row.w = scale.z;
        row.rho = e1.w;
      } else {
        row.a = vec4f(-scale.x * e0.xyz, -1.0);
        row.b = vec4f((scale.x - scale.y) * e0.xyz, 1.0);
        row.c = vec4f(scale.y * e0.xyz, 0.0);
        row.w = scale.w;
        row.rho = e0.w;
      }
      take(&ax, row.a.x, &row, 0u);
      take(&ay, row.a.y, &row, 0u);
      take(&az, row.a.z, &row, 0u);
      take(&aw, row.a.w, &row, 0u);
      take(&bx, row.b.x, &row, 1u);
      take(&by, row.b.y, &row, 1u);
      take(&bz, row.b.z, &row, 1u);
      take(&bt, row.b.w, &row, 1u);
      take(&cx, row.c.x, &row, 2u);
      take(&cy, row.c.y, &row, 2u);
      take(&cz, row.c.z, &row, 2u);
    }
    // Edge i: stretch along it (0); across it (1, 2) only while it is pulled.
    let tangent = elements[at(i, 10u, ELEMENT_VALUES, s)];
    let director = elements[at(i, 11u, ELEMENT_VALUES, s)];
    let scale = elements[at(i, 12u, ELEMENT_VALUES, s)];
    for (var j = 0u; j < select(1u, 3u, scale.y > 0.0); j++) {
      var z = tangent;
      if (j > 0u) {
        z = select(vec4f(cross(tangent.xyz, director.xyz), scale.z), director, j == 1u);
      }
      row = Row(vec4f(0.0), vec4f(-z.xyz, 0.0), vec4f(z.xyz, 0.0), select(scale.y, scale.x, j == 0u), z.w);
      take(&bx, row.b.x, &row, 1u);
      take(&by, row.b.y, &row, 1u);
      take(&bz, row.b.z, &row, 1u);
      take(&bt, row.b.w, &row, 1u);
      take(&cx, row.c.x, &row, 2u);
      take(&cy, row.c.y, &row, 2u);
      take(&cz, row.c.z, &row, 2u);
    }
    if (i > 0u) {
      bad = store(i - 1u, s, ax, ay, az, aw) || bad;
    }
    ax = shift(bx);
    ay = shift(by);
    az = shift(bz);
    aw = shift(bt);
    bx = shift(cx);
    by = shift(cy);
    bz = shift(cz);
    bt = shift(ct);
  }
  bad = store(block.nodes - 2u, s, ax, ay, az, aw) || bad;
  bad = store(block.nodes - 1u, s, shift(bx), shift(by), shift(bz), shift(bt)) || bad;
  if (bad) {
    strands[slot].flags |= STRAND_QUARANTINED;
  }
}
