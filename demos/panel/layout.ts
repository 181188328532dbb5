// Where the panels stand: in columns at both sides of a wide page, in a sheet that opens over a narrow one.

import type { Sides } from '../view/orbit-camera';
import { element } from './element';

/** The same as in narrow.css. */
const NARROW = '(max-width: 760px), (max-height: 480px)';

export interface Layout {
  readonly left: HTMLElement;
  readonly side: HTMLElement;
  /** Opens and closes the panels at the side. */
  readonly chip: HTMLElement;
  /** Whether the panels at the side are to be seen. */
  readonly isShown: boolean;
  /** Puts the instruments and the settings where there is room for them. */
  place(instruments: HTMLElement, settings: HTMLElement): void;
  /** What panels take at each side of the canvas [CSS pixels]. */
  taken(canvas: HTMLElement): Sides;
  toggle(): void;
}

/** `resized` is called when panels have changed their sizes, `toggled` when they have come or gone. */
export function createLayout(ui: HTMLElement, resized: () => void, toggled: () => void): Layout {
  const left = element('div', { class: 'left' });
  const side = element('aside', { class: 'side', 'aria-label': 'Panels' });
  const chip = element('button', { class: 'chip glass', 'data-testid': 'chip', title: 'Panels (P)' });
  ui.append(left, side, chip);
  const narrow = window.matchMedia(NARROW);
  let parts: [HTMLElement, HTMLElement] | null = null;
  /** Lower end of the card and what stands below it on a narrow screen, while its menu is shut. */
  let shut = 0;

  const arrange = () => {
    if (!parts) return;
    const [instruments, settings] = parts;
    // On narrow screens the settings share the sheet with the budget.
    if (narrow.matches) side.prepend(instruments);
    else left.append(instruments);
    (narrow.matches ? side : left).append(settings);
  };
  narrow.addEventListener('change', () => {
    arrange();
    toggled();
  });
  // Panels have their sizes only when styles are there, and change them as they fill.
  const sizes = new ResizeObserver(resized);
  sizes.observe(left);
  sizes.observe(side);

  const layout: Layout = {
    left,
    side,
    chip,
    get isShown() {
      return narrow.matches ? side.classList.contains('open') : !side.classList.contains('closed');
    },
    place(instruments, settings) {
      parts = [instruments, settings];
      arrange();
    },
    taken(canvas) {
      const page = canvas.getBoundingClientRect();
      const isBeside = !narrow.matches && layout.isShown;
      const isBelow = narrow.matches && layout.isShown;
      const bar = ui.querySelector('.transport')?.getBoundingClientRect();
      if (narrow.matches && !left.querySelector('.open')) shut = left.getBoundingClientRect().bottom;
      const cover = isBelow ? side.getBoundingClientRect().top : (bar?.top ?? page.bottom);
      return {
        left: narrow.matches ? 0 : left.getBoundingClientRect().right,
        right: isBeside ? page.right - side.getBoundingClientRect().left : 0,
        top: narrow.matches ? Math.max(chip.getBoundingClientRect().bottom, shut) : 0,
        bottom: page.bottom - cover,
      };
    },
    toggle() {
      // `open` counts on narrow screens, `closed` on wide ones.
      side.classList.toggle('open');
      side.classList.toggle('closed');
      parts?.[1].classList.toggle('closed');
      toggled();
    },
  };
  return layout;
}
