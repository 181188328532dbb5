/**
 * The two sides of an elastic solve, each by its owner: the elastic equations, and the contacts. The loop between them
 * (loop.ts) knows neither matrices nor vectors; a backend keeps them where it likes.
 *
 *   v := argmin of the elastic energy + ½‖v − (p + λ)‖²_W:   (A + W) v = f + W (p + λ)         ElasticSide
 *   p := v − λ projected on the feasible set,   λ := λ + p − v                                ContactSide
 */

/** A of the elastic objects, W of what contacts look at, A + W factored. Bodies and joints go with it. */
export interface ElasticSide {
  /**
   * v of the objects that neither rest nor wait, or of `all`: (A + W) v = f + W (p + λ), and so that it obeys the
   * joints.
   */
  solve(all: boolean): void;
  /**
   * Algorithm 4 of Daviet 2020: the next solve and projection start from p and λ moved on by their momentum, which is
   * dropped whenever the residual grew.
   */
  moveAhead(): void;
}

/**
 * The contacts of a solve, and p and λ, which live on the unknowns that they look at. Islands by their numbers
 * (islands.ts), which the owner is given: of the list it reads sweeps, sleepBelow and rest, and writes reached.
 */
export interface ContactSide {
  /**
   * Adds the contacts that the velocities would bring (`projected`: those that the projection would end the step with)
   * and makes their objects take part: returns how many. Objects with new contacts are weighed and factored anew, and
   * islands that they touch are linked and go on.
   */
  look(projected: boolean): number;
  /**
   * p := v − λ of the islands that go on, projected by so many `times` their sweeps; with `sleeps` changes below
   * sleepBelow [m/s] put a contact to sleep. Returns contacts solved.
   */
  project(times: number, sleeps: boolean): number;
  /**
   * λ := λ + p − v of the islands that go on; reached := ‖vˡ − vˡ⁻¹‖∞ + ‖vˡ − p‖∞ [m/s].
   * Objects whose own sum is below their island's `rest` [m/s] rest until their contacts move them; 0: none does.
   */
  update(): void;
  /** The island takes part, and no object of it rests until the next update. */
  rouse(island: number): void;
  /** The island is neither solved nor projected until it is roused. */
  leave(island: number): void;
  /** Objects of the island that take part, and do not rest; and those that do. */
  movingCount(island: number): number;
  restingCount(island: number): number;
}
