// The halves of a duel: where they meet, and what is free of each.

import type { OrbitCamera, Sides } from './orbit-camera';

/** Where the halves of a duel meet: in the middle of what the panels leave free [CSS pixels from left or top]. */
export interface Split {
  direction: 'beside' | 'below';
  at: number;
}

/** What captions cover at the upper and the lower end of a half [CSS pixels]. */
export interface Cover {
  top: number;
  bottom: number;
}

export const BARE: Cover = { top: 0, bottom: 0 };

/**
 * Gives each of two cameras its half of what the panels leave free, clear of its captions; returns where the halves
 * meet.
 */
export function halve(
  canvas: HTMLCanvasElement,
  taken: Sides,
  covers: readonly [Cover, Cover],
  [first, second]: readonly [OrbitCamera, OrbitCamera],
): Split {
  const { clientWidth: width, clientHeight: height } = canvas;
  const { left, right, top, bottom } = taken;
  if (width > height) {
    const at = left + (width - left - right) / 2;
    const share = at / Math.max(width, 1);
    first.share({ x: 0, y: 0, width: share, height: 1 });
    second.share({ x: share, y: 0, width: 1 - share, height: 1 });
    first.clear({ ...taken, right: 0, top: top + covers[0].top });
    second.clear({ ...taken, left: 0, top: top + covers[1].top });
    return { direction: 'beside', at };
  }
  const at = top + (height - top - bottom) / 2;
  const share = at / Math.max(height, 1);
  first.share({ x: 0, y: 1 - share, width: 1, height: share });
  second.share({ x: 0, y: 0, width: 1, height: 1 - share });
  first.clear({ ...taken, bottom: covers[0].bottom });
  second.clear({ ...taken, top: covers[1].top, bottom: bottom + covers[1].bottom });
  return { direction: 'below', at };
}

/** What panels take at each side of a canvas: what covers more than half of it is one that is not laid out yet. */
export function panelsBeside(canvas: HTMLCanvasElement, sides: Sides): Sides {
  const beside = (side: number, whole: number) => (side <= whole / 2 ? side : 0);
  const { clientWidth, clientHeight } = canvas;
  return {
    left: beside(sides.left, clientWidth),
    right: beside(sides.right, clientWidth),
    top: beside(sides.top, clientHeight),
    bottom: beside(sides.bottom, clientHeight),
  };
}
