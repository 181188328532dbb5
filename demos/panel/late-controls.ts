// The settings pane, fetched once the scene moves: its library is a part of what a visitor would wait for.

import type { Controls } from './controls';
import { element } from './element';
import type { Options } from './options';
import type { Toasts } from './toast';

export interface LateControls extends Controls {
  readonly element: HTMLElement;
  /** Fetches the pane, the first time. */
  load(): void;
}

/** Controls (`createControls`) whose pane comes after `load`: what they have been told until then it is told then. */
export function createLateControls(
  options: Options,
  rebuild: () => void,
  changed: () => void,
  toasts: Toasts,
): LateControls {
  const holder = element('section', { class: 'controls glass', 'aria-label': 'Settings', 'data-testid': 'controls' });
  let pane: Controls | null = null;
  let isAsked = false;
  /** The last call of each method. */
  const last: Partial<Record<keyof Controls, (controls: Controls) => void>> = {};
  const tell = (name: keyof Controls, call: (controls: Controls) => void) => {
    if (pane) call(pane);
    else last[name] = call;
  };
  return {
    element: holder,
    // A pane that comes later shows the values of then.
    refresh: () => pane?.refresh(),
    showBare: (areHairs) => tell('showBare', (controls) => controls.showBare(areHairs)),
    showAmount: (...what) => tell('showAmount', (controls) => controls.showAmount(...what)),
    showParameters: (...what) => tell('showParameters', (controls) => controls.showParameters(...what)),
    load() {
      if (isAsked) return;
      isAsked = true;
      import('./controls').then(
        ({ createControls }) => {
          pane = createControls(holder, options, rebuild, changed);
          last.showBare?.(pane);
          last.showAmount?.(pane);
          last.showParameters?.(pane);
        },
        (error: Error) =>
          toasts.show('The settings pane could not be fetched.', `Reload the page for it (${error.message}).`),
      );
    },
  };
}
