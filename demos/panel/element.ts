// Icons, and buttons with them.

import { element } from '../../src/panel/element';

export { element };

const ICONS = {
  play: '<path d="M7 4.5v15l12-7.5z" fill="currentColor"/>',
  pause: '<path d="M8 5v14M16 5v14" stroke-width="3"/>',
  step: '<path d="M6 5v14l9-7zM18.5 5v14" />',
  reset: '<path d="M4 4v5h5M4.6 9A8 8 0 1 1 4 13"/>',
  chevron: '<path d="m6 9 6 6 6-6"/>',
  gauge: '<path d="M4 18a9 9 0 1 1 16 0M12 14l4-5"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  help: '<path d="M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.6v.1"/>',
  hand:
    '<path d="M8 12.5V5.2a1.6 1.6 0 0 1 3.2 0V11m0-.6V9.6a1.6 1.6 0 0 1 3.1 0V11m0-.5a1.5 1.5 0 0 1 3 0v1m0 ' +
    '.3a1.4 1.4 0 0 1 2.7.4v3.3c0 3.6-2.4 6-6 6-2.9 0-4.3-1.2-5.6-3.3l-3-4.8a1.6 1.6 0 0 1 2.6-1.8z"/>',
  eye:
    '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" ' +
    'r="2.6"/>',
} as const;

export type IconName = keyof typeof ICONS;

/** An icon of 20 px that takes the text's colour. */
export function icon(name: IconName): SVGSVGElement {
  const holder = document.createElement('div');
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${ICONS[name]}</svg>`;
  return holder.firstChild as SVGSVGElement;
}

/** A button with an icon, a name for screen readers and tests, and a tooltip. */
export function iconButton(name: IconName, testId: string, label: string, act: () => void): HTMLButtonElement {
  const button = element('button', { 'data-testid': testId, 'aria-label': label, title: label }, icon(name));
  button.addEventListener('click', (event) => {
    act();
    letGo(event);
  });
  return button;
}

/**
 * Takes the focus from a button that the pointer has pressed: the space bar must go on pausing, not press it again. Who
 * came to it by keys stays there.
 */
export function letGo({ detail, currentTarget }: MouseEvent): void {
  if (detail > 0) (currentTarget as HTMLElement).blur();
}
