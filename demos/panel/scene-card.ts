// The scene's name, what it shows and whether it kept its promise; opens the menu of all scenes (scene-menu.ts).

import { element, icon, letGo } from './element';
import { keepUnits } from './units';
import type { Verdict } from './verdict';

export interface SceneCard {
  /** What the menu stands in. */
  readonly menu: HTMLElement;
  show(id: string | null, title: string, description: string): void;
  /** What came of the scene's check, null to say nothing. */
  judge(verdict: Verdict): void;
  toggle(open?: boolean): void;
  readonly open: boolean;
  /** Called with the scene that is shown, at once and with each later one. */
  onMark: (id: string | null) => void;
  /** Called when the menu has been opened or shut. */
  onToggle: (isOpen: boolean) => void;
}

export function createSceneCard(parent: HTMLElement): SceneCard {
  const title = element('h1', { 'data-testid': 'scene-title' });

  const opener = element(
    'button',
    { class: 'scene-open', 'data-testid': 'scene-menu', 'aria-expanded': 'false', title: 'Scenes (M)' },
    title,
    icon('chevron'),
  );
  const description = element('div');
  const verdict = element('div', { class: 'verdict', 'data-testid': 'verdict' });
  const menu = element('div', { class: 'scene-menu' }, element('p', {}, 'The scenes are being fetched …'));
  menu.hidden = true;

  const root = element(
    'nav',
    { class: 'scene-card glass', 'aria-label': 'Scenes' },
    opener,
    element('div', { class: 'scene-note' }, description, verdict),
    menu,
  );

  parent.append(root);
  let shown: string | null = null;
  let mark: (id: string | null) => void = () => {};
  opener.addEventListener('click', (event) => {
    card.toggle();
    letGo(event);
  });

  const card: SceneCard = {
    menu,
    show(id, name, text) {
      title.textContent = name;
      description.textContent = keepUnits(text);
      shown = id;
      mark(id);
    },
    judge(next) {
      verdict.hidden = next === null;
      if (!next) return;
      verdict.dataset.state = next.state;
      verdict.textContent = keepUnits(next.text);
    },
    toggle(open = Boolean(menu.hidden)) {
      if (menu.hidden === !open) return;
      const wasInside = menu.contains(document.activeElement);
      menu.hidden = !open;
      root.classList.toggle('open', open);
      opener.setAttribute('aria-expanded', String(open));
      card.onToggle(open);
      if (!open && wasInside) opener.focus();
    },
    get open() {
      return !menu.hidden;
    },
    get onMark() {
      return mark;
    },
    set onMark(act) {
      mark = act;
      mark(shown);
    },
    onToggle: () => {},
  };

  return card;
}
