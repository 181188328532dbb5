// The settings pane (Tweakpane): what to draw over the scene, how to solve, how to drag.

import { Pane } from 'tweakpane';
import type { DemoScene, Parameter, Values } from '../scenes/demo-scene';
import { element } from './element';
import type { Options } from './options';

export interface Controls {
  /** Shows values that were changed elsewhere, such as by a key. */
  refresh(): void;
  /** Offers to show the strands alone, where further hairs are drawn beside them. */
  showBare(areHairs: boolean): void;
  /**
   * Shows the slider of a scene, or none, and none of the scene before; `chosen` is called with what the visitor sets.
   */
  showAmount(slider: DemoScene['amount'], value: number | undefined, chosen: (amount: number) => void): void;
  /** Shows the parameters of a scene below it; `chosen` is called with all values when one has changed. */
  showParameters(
    list: readonly Parameter[],
    values: Values,
    chosen: (values: Values, changed: Parameter) => void,
  ): void;
}

/** Tweakpane's fields have their labels beside them: names for those who hear the page. */
function nameFields(holder: HTMLElement): void {
  for (const row of holder.querySelectorAll('.tp-lblv')) {
    const label = row.querySelector('.tp-lblv_l')?.textContent ?? '';
    for (const field of row.querySelectorAll('input, select')) field.setAttribute('aria-label', label);
  }
}

/**
 * `rebuild` is called when a change needs the world to be made anew, `changed` with every change, also those of a
 * scene's sliders.
 */
export function createControls(
  holder: HTMLElement,
  options: Options,
  rebuild: () => void,
  changed: () => void,
): Controls {
  const pane = new Pane({ container: holder });

  // What others changed and the pane only shows is no wish of the visitor's.
  let isRefreshing = false;
  const wish = (act: () => void) => () => {
    if (!isRefreshing) act();
  };

  // After what the change itself brings about.
  pane.on(
    'change',
    wish(() => setTimeout(changed)),
  );

  const overlay = pane.addFolder({ title: 'Look inside' });
  overlay.addBinding(options, 'contacts');
  overlay.addBinding(options, 'impulses');
  overlay.addBinding(options, 'cones', { label: 'friction cones' });
  overlay.addBinding(options, 'thrust', { label: 'lines of thrust' });
  overlay.addBinding(options, 'tension', { label: 'tension of ropes' });
  overlay.addBinding(options, 'labels', { label: 'friction, mass' });
  overlay.addBinding(options, 'joints');
  overlay.addBinding(options, 'islands');
  overlay.addBinding(options, 'sleeping');
  overlay.addBinding(options, 'boxes');
  const bare = overlay.addBinding(options, 'strands', { label: 'strands alone' });

  const world = pane.addFolder({ title: 'World', expanded: false });

  world
    .addBinding(options, 'solver', {
      options: { 'as the scene': 'scene', auto: 'auto', 'Dantzig pivoting': 'dantzig', sweeps: 'gauss-seidel' },
    })
    .on('change', wish(rebuild));
  world.addBinding(options, 'sleep').on('change', wish(rebuild));
  world.addBinding(options, 'duel', { label: 'duels' }).on('change', wish(rebuild));
  world.addBinding(options, 'gravity', { min: 0, max: 2, step: 0.05 }).on('change', (event) => {
    if (event.last && !isRefreshing) rebuild();
  });
  world.addBinding(options, 'pull', { min: 0.2, max: 4, step: 0.1, label: 'drag force' });
  nameFields(holder);

  // The sliders of a scene have a pane of their own, which goes with them: what is taken out of one that stays leaves
  // its listeners behind.
  const place = element('div');
  holder.prepend(place);
  let scenePane: Pane | null = null;

  const paneOfScene = () => {
    if (scenePane) return scenePane;
    scenePane = new Pane({ container: place });
    scenePane.on('change', () => setTimeout(changed));
    return scenePane;
  };

  return {
    refresh() {
      isRefreshing = true;
      pane.refresh();
      isRefreshing = false;
    },
    showBare(areHairs) {
      bare.element.style.display = areHairs ? '' : 'none';
    },

    showAmount(slider, value, chosen) {
      scenePane?.dispose();
      scenePane = null;
      place.replaceChildren();
      if (!slider || value === undefined) return;
      const { label, least: min, most: max, step } = slider;
      const binding = paneOfScene().addBinding({ value }, 'value', { label, min, max, step });
      // Once the visitor lets go: a world of thousands is not made anew for every pixel.
      binding.on('change', (event) => {
        if (event.last) chosen(event.value);
      });
      binding.element.dataset.testid = 'amount';
      nameFields(place);
    },
    showParameters(list, values, chosen) {
      const now = { ...values };
      for (const parameter of list) {
        const { key, label, least: min, most: max, step, options, live } = parameter;
        const range = options ? { options } : typeof parameter.usual === 'number' ? { min, max, step } : {};
        const binding = paneOfScene().addBinding(now, key, { label, ...range });
        binding.on('change', (event) => {
          if (live || event.last) chosen({ ...now }, parameter);
        });
        binding.element.dataset.testid = `parameter-${key}`;
      }
      nameFields(place);
    },
  };
}
