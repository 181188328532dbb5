// The settings pane (Tweakpane): what to draw over the scene, how to solve, how to drag.

import { Pane } from 'tweakpane';

export interface Options {
  contacts: boolean;
  impulses: boolean;
  islands: boolean;
  sleeping: boolean;
  boxes: boolean;
  /** 'scene' takes what the scene file asks for. */
  solver: 'scene' | 'auto' | 'dantzig' | 'gauss-seidel';
  sleep: boolean;
  /** Times the scene's gravity. */
  gravity: number;
  /** Of the drag spring. */
  pull: number;
}

export const DEFAULT_OPTIONS: Readonly<Options> = {
  contacts: false,
  impulses: false,
  islands: false,
  sleeping: false,
  boxes: false,
  solver: 'scene',
  sleep: true,
  gravity: 1,
  pull: 1,
};

export interface Controls {
  /** Shows values that were changed elsewhere, such as by a key. */
  refresh(): void;
}

/** `rebuild` is called when a change needs the world to be made anew. */
export function createControls(holder: HTMLElement, options: Options, rebuild: () => void): Controls {
  const pane = new Pane({ container: holder });

  const overlay = pane.addFolder({ title: 'Look inside' });
  overlay.addBinding(options, 'contacts');
  overlay.addBinding(options, 'impulses');
  overlay.addBinding(options, 'islands');
  overlay.addBinding(options, 'sleeping');
  overlay.addBinding(options, 'boxes');

  const world = pane.addFolder({ title: 'World', expanded: false });
  world
    .addBinding(options, 'solver', {
      options: { 'as the scene': 'scene', auto: 'auto', 'Dantzig pivoting': 'dantzig', sweeps: 'gauss-seidel' },
    })
    .on('change', rebuild);
  world.addBinding(options, 'sleep').on('change', rebuild);
  world.addBinding(options, 'gravity', { min: 0, max: 2, step: 0.05 }).on('change', (event) => {
    if (event.last) rebuild();
  });
  world.addBinding(options, 'pull', { min: 0.2, max: 4, step: 0.1, label: 'drag force' });
  return { refresh: () => pane.refresh() };
}
