// Rest shape and stiffness that differ along a strand: what a game may set by hand and a
// static equilibrium solver finds.
//
// Every array has an entry for each node of the strand (curvatures: four), strand after strand in a groom, as
// `positions` has them. What belongs to an edge stands at its first node, and the last node's entry has no effect; what
// belongs to an inner node stands there, and the entries of both ends have no effect. The engine keeps the same numbers
// in NODE_REST and NODE_STIFFNESS.
//
// Energies (mechanics/rod/elements.ts), with the strand's k_s A, EI and GJ:
//   stretch  ½ α k_s A (|e|/l̄ − 1)² l̄ on edges
//   bending ½ β EI/(2ℓ) Σⱼ (κⱼ − κ̄ⱼ)² on inner nodes, the four curvatures κ = (κb·m2⁰,
//   −κb·m1⁰, κb·m2¹, −κb·m1¹) twist ½ γ GJ/ℓ (m − m̄)² on inner nodes
// Masses and the Voronoi lengths ℓ stay those of the shape that the strand was drawn in (restPoints, or points).

/** All optional: without one, the strand's own rest shape, and factors of 1. */
export interface StrandRest {
  /** l̄, rest length of each edge [m]. */
  readonly lengths?: ArrayLike<number>;
  /**
   * κ̄, four rest curvatures of each inner node [1]: in the material directors of the edge before, then of the
   * edge after, which in the drawn shape are its natural frame (`normalTo` the first tangent, carried along
   * without twist), turned by `twist`.
   */
  readonly curvatures?: ArrayLike<number>;
  /** m̄, rest twist at each inner node [rad]. */
  readonly twists?: ArrayLike<number>;
  /** α, stretch stiffness of each edge, of the strand's [1]. */
  readonly stretchFactors?: ArrayLike<number>;
  /** β, bending stiffness of each inner node, of the strand's [1]. */
  readonly bendFactors?: ArrayLike<number>;
  /** γ, twist stiffness of each inner node, of the strand's [1]. */
  readonly twistFactors?: ArrayLike<number>;
}
