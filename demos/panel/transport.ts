// Reset, pause, step, speed: the buttons at the bottom.

import { element, icon, iconButton, letGo } from './element';

export const SPEEDS: readonly { rate: number; label: string }[] = [
  { rate: 1, label: '1×' },
  { rate: 1 / 2, label: '½' },
  { rate: 1 / 4, label: '¼' },
  { rate: 1 / 10, label: '⅒' },
];

export interface TransportActions {
  reset(): void;
  togglePause(): void;
  step(): void;
  setSpeed(rate: number): void;
  togglePanels(): void;
  help(): void;
}

export interface Transport {
  show(paused: boolean, rate: number): void;
}

export function createTransport(parent: HTMLElement, actions: TransportActions): Transport {
  const pause = iconButton('pause', 'pause', 'Pause (space)', actions.togglePause);

  const speeds = SPEEDS.map(({ rate, label }) => {
    const button = element(
      'button',
      { 'data-testid': `speed-${Math.round(1 / rate)}`, title: `Speed ${label}` },
      label,
    );
    button.addEventListener('click', (event) => {
      actions.setSpeed(rate);
      letGo(event);
    });
    return button;
  });

  const panels = iconButton('gauge', 'toggle-panels', 'Panels (P)', actions.togglePanels);
  const help = iconButton('help', 'open-help', 'Keys (?)', actions.help);
  const gap = element('div', { class: 'gap wide' });

  // Narrow screens have no keys, and a chip of their own for the panels.
  for (const button of [panels, help]) button.classList.add('wide');

  parent.append(
    element(
      'section',
      { class: 'transport glass', 'aria-label': 'Time' },
      iconButton('reset', 'reset', 'Start again (R)', actions.reset),
      pause,
      iconButton('step', 'step', 'One step (.)', actions.step),
      element('div', { class: 'gap' }),
      ...speeds,
      gap,
      panels,
      help,
    ),
  );

  let shown: boolean | null = null;

  return {
    show(paused, rate) {
      if (paused !== shown) {
        shown = paused;
        pause.replaceChildren(icon(paused ? 'play' : 'pause'));
        pause.setAttribute('aria-pressed', String(paused));
        pause.setAttribute('aria-label', paused ? 'Go on (space)' : 'Pause (space)');
      }
      speeds.forEach((button, i) => {
        button.setAttribute('aria-pressed', String(SPEEDS[i].rate === rate));
      });
    },
  };
}
