// Short messages above the transport: what went wrong with a file, in the reader's own words.

import { element, iconButton } from './element';

/** How long a message stays [s]. */
const STAYS = 14;

export interface Toasts {
  show(title: string, detail: string, kind?: 'bad' | 'plain'): void;
  clear(): void;
}

export function createToasts(parent: HTMLElement): Toasts {
  const list = element('div', { class: 'toasts', role: 'alert' });
  parent.append(list);
  return {
    show(title, detail, kind = 'bad') {
      const toast = element(
        'div',
        { class: `toast glass ${kind}`, 'data-testid': 'toast' },
        element('b', {}, title),
        iconButton('close', 'toast-close', 'Close', () => toast.remove()),
        element('pre', {}, detail),
      );
      list.replaceChildren(toast);
      setTimeout(() => toast.remove(), STAYS * 1000);
    },
    clear() {
      list.replaceChildren();
    },
  };
}
