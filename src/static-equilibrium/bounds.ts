// What the parameters of a strand may be, and what a change of them costs.

/** Bounds and weights, the same for every edge and node of a strand. */
export interface EquilibriumBounds {
  /** Most a rest curvature may differ from the drawn curvature, μ [1]. */
  readonly curvatureChange: number;
  /** Most a rest twist may be [rad]. */
  readonly twistChange: number;
  /** Rest length over drawn length, least and most [1]; an edge pressed beyond its stiffness gets the most. */
  readonly shortest: number;
  readonly longest: number;
  /** Factors on the three stiffnesses, least and most [1]. */
  readonly softest: number;
  readonly stiffest: number;
  /** Cost of a changed stiffness factor over that of a changed rest shape [1]. */
  readonly stiffnessWeight: number;
}

/** The paper's bounds: μ = 1, twist a quarter of it; factors as the engine takes them (state/strand-rest). */
export const DEFAULT_BOUNDS: EquilibriumBounds = {
  curvatureChange: 1,
  twistChange: 0.25,
  shortest: 1e-10,
  longest: 1e3,
  softest: 1e-6,
  stiffest: 1e6,
  stiffnessWeight: 1e3,
};
