// What a visitor may set in the settings pane, and with which values a visit begins.

export interface Options {
  contacts: boolean;
  impulses: boolean;
  cones: boolean;
  thrust: boolean;
  tension: boolean;
  labels: boolean;
  joints: boolean;
  islands: boolean;
  sleeping: boolean;
  boxes: boolean;
  /** Hair without the hairs that are drawn beside the strands. */
  strands: boolean;
  /** 'scene' takes what the scene file asks for. */
  solver: 'scene' | 'auto' | 'dantzig' | 'gauss-seidel';
  sleep: boolean;
  /** Scenes that make a claim run beside a rival. */
  duel: boolean;
  /** Times the scene's gravity. */
  gravity: number;
  /** Of the drag spring. */
  pull: number;
}

export const DEFAULT_OPTIONS: Readonly<Options> = {
  contacts: false,
  impulses: false,
  cones: false,
  thrust: false,
  tension: false,
  labels: false,
  joints: false,
  islands: false,
  sleeping: false,
  boxes: false,
  strands: false,
  solver: 'scene',
  sleep: true,
  duel: true,
  gravity: 1,
  pull: 1,
};
