// Where the panels stand: in columns at both sides of a wide page, in a sheet that opens over a narrow one. On all but
// the widest pages they open when they are asked for: the scene has the page.

import type { Sides } from '../view/orbit-camera';
import { element } from './element';

/** The same as in narrow.css. */
const NARROW = '(max-width: 900px), (max-height: 480px)';
const PHONE = '(max-width: 600px), (max-height: 480px)';
/** Where there is room for panels beside the scene from the first. */
const ROOMY = '(min-width: 1600px)';
/** A card that is lower than this share of the page stands in a corner of the picture, not beside it. */
const LOW = 0.3;

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
  /** Height of what stands in the upper left corner of the picture, 0 where nothing does [CSS pixels]. */
  corner(canvas: HTMLElement): number;
  toggle(): void;
}

/** `resized` is called when panels have changed their sizes, `toggled` when they have come or gone. */
export function createLayout(ui: HTMLElement, resized: () => void, toggled: () => void): Layout {
  const left = element('div', { class: 'left' });
  const side = element('aside', { class: 'side', 'aria-label': 'Panels' });
  const chip = element('button', { class: 'chip glass', 'data-testid': 'chip', title: 'Panels (P)' });
  ui.append(left, side, chip);
  let parts: [HTMLElement, HTMLElement] | null = null;
  const narrow = window.matchMedia(NARROW);
  const phone = window.matchMedia(PHONE);
  const close = (isClosed: boolean) => {
    for (const each of [side, chip, parts?.[1]]) each?.classList.toggle('closed', isClosed);
  };

  /** Lower end of the card and what stands below it on a narrow screen, while its menu is shut. */
  let shut = 0;

  const arrange = () => {
    if (!parts) return;
    const [instruments, settings] = parts;
    // On narrow screens the settings share the sheet with the budget, on phones the instruments, too.
    if (phone.matches) side.prepend(instruments);
    else left.append(instruments);
    (narrow.matches ? side : left).append(settings);
  };

  for (const each of [narrow, phone])
    each.addEventListener('change', () => {
      arrange();
      toggled();
    });

  // Panels have their sizes only when styles are there, and change them as they fill.
  const sizes = new ResizeObserver(resized);
  sizes.observe(left);
  sizes.observe(side);

  close(!window.matchMedia(ROOMY).matches);

  const layout: Layout = {
    left,
    side,
    chip,
    get isShown() {
      return narrow.matches ? side.classList.contains('open') : !side.classList.contains('closed');
    },
    place(instruments, settings) {
      parts = [instruments, settings];
      close(side.classList.contains('closed'));
      arrange();
    },
    taken(canvas) {
      const page = canvas.getBoundingClientRect();
      const column = left.getBoundingClientRect();
      const isBeside = !narrow.matches && layout.isShown;
      const isBelow = narrow.matches && layout.isShown;
      const bar = ui.querySelector('.transport')?.getBoundingClientRect();
      if (narrow.matches && !left.querySelector('.open')) shut = left.getBoundingClientRect().bottom;
      const cover = isBelow ? side.getBoundingClientRect().top : (bar?.top ?? page.bottom);
      return {
        left: narrow.matches || layout.corner(canvas) > 0 ? 0 : column.right,
        right: isBeside ? page.right - side.getBoundingClientRect().left : 0,
        top: narrow.matches ? Math.max(chip.getBoundingClientRect().bottom, shut) : 0,
        bottom: page.bottom - cover,
      };
    },
    corner(canvas) {
      const { bottom } = left.getBoundingClientRect();
      return !narrow.matches && bottom < LOW * canvas.clientHeight ? bottom : 0;
    },
    toggle() {
      // `open` counts on narrow screens, `closed` on wide ones.
      side.classList.toggle('open');
      close(!side.classList.contains('closed'));
      toggled();
    },
  };

  return layout;
}
