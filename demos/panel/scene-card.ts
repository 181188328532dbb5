// The scene's name, what it shows and whether it kept its promise; opens the menu of all scenes.

import type { SceneGroup } from '../scenes/index';
import { element, icon } from './element';

export type Verdict = { state: 'waiting' | 'holds' | 'fails'; text: string } | null;

export interface SceneCard {
  show(id: string | null, title: string, description: string): void;
  /** What came of the scene's check, null to say nothing. */
  judge(verdict: Verdict): void;
  toggle(open?: boolean): void;
  readonly open: boolean;
}

export function createSceneCard(
  parent: HTMLElement,
  groups: readonly SceneGroup[],
  actions: { select(id: string): void; openFiles(files: Iterable<File>): void },
): SceneCard {
  const title = element('h1', { 'data-testid': 'scene-title' });
  const opener = element(
    'button',
    { class: 'scene-open', 'data-testid': 'scene-menu', 'aria-expanded': 'false', title: 'Scenes (M)' },
    title,
    icon('chevron'),
  );
  const description = element('div');
  const verdict = element('div', { class: 'verdict', 'data-testid': 'verdict' });
  const list = element('ul', { class: 'scene-list', 'data-testid': 'scene-list' });
  const search = element('input', {
    type: 'search',
    placeholder: 'Search scenes',
    'aria-label': 'Search scenes',
    'data-testid': 'scene-search',
  });
  const menu = element('div', { class: 'scene-menu' }, search, list);
  menu.hidden = true;
  const card = element(
    'nav',
    { class: 'scene-card glass', 'aria-label': 'Scenes' },
    opener,
    element('div', { class: 'scene-note' }, description, verdict),
    menu,
  );
  parent.append(card);

  const toggle = (open = Boolean(menu.hidden)) => {
    if (menu.hidden === !open) return;
    menu.hidden = !open;
    card.classList.toggle('open', open);
    opener.setAttribute('aria-expanded', String(open));
    search.value = '';
    filter();
    // On a phone the keyboard would cover what was opened.
    if (open && matchMedia('(pointer: fine)').matches) search.focus();
    else if (!open && menu.contains(document.activeElement)) opener.focus();
  };
  opener.addEventListener('click', () => {
    toggle();
    opener.blur();
  });

  const buttons = new Map<string, HTMLButtonElement>();
  /** Of each group its heading and its scenes with the words to find them by. */
  const listed: { heading: HTMLElement; items: { item: HTMLElement; words: string }[] }[] = [];
  for (const group of groups) {
    const heading = element('li', { class: 'scene-group' }, element('h2', {}, group.title));
    list.append(heading);
    const items = group.scenes.map((scene) => {
      const picture = pictureOf(scene.id);
      const button = element(
        'button',
        { 'data-testid': `scene-${scene.id}` },
        picture ? element('img', { src: picture, alt: '', loading: 'lazy', width: '66', height: '44' }) : '',
        element('div', {}, element('b', {}, scene.title), element('span', {}, scene.description)),
      );
      button.addEventListener('click', () => {
        toggle(false);
        actions.select(scene.id);
      });
      buttons.set(scene.id, button);
      const item = element('li', {}, button);
      list.append(item);
      return { item, words: `${group.title} ${scene.title} ${scene.description} ${scene.id}`.toLowerCase() };
    });
    listed.push({ heading, items });
  }
  const filter = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { heading, items } of listed) {
      for (const { item, words } of items) item.hidden = !wanted.every((word) => words.includes(word));
      heading.hidden = items.every(({ item }) => item.hidden);
    }
  };
  search.addEventListener('input', filter);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') toggle(false);
    const first = listed.flatMap(({ items }) => items).find(({ item }) => !item.hidden);
    if (event.key === 'Enter') first?.item.querySelector('button')?.click();
  });

  const picker = element('input', {
    type: 'file',
    multiple: '',
    accept: '.json,application/json,.hair,.data,.tfx',
    'data-testid': 'scene-file',
  });
  picker.hidden = true;
  picker.addEventListener('change', () => {
    toggle(false);
    actions.openFiles([...(picker.files ?? [])]);
    picker.value = '';
  });
  const open = element(
    'button',
    {},
    element('b', {}, 'Open a scene or groom …'),
    element('span', {}, 'or drop it on the page: .json, .hair, .data, .tfx'),
  );
  open.addEventListener('click', () => picker.click());
  list.append(element('li', { class: 'scene-group' }, element('h2', {}, 'Labs and files')));
  list.append(element('li', {}, open, picker));
  const lab = element(
    'a',
    { href: 'lab.html', 'data-testid': 'lab' },
    element('b', {}, 'Solver lab'),
    element('span', {}, 'friction problems, every solver, residual against time'),
  );
  const validation = element(
    'a',
    { href: 'validation.html', 'data-testid': 'validation' },
    element('b', {}, 'Validation lab'),
    element('span', {}, 'rods against exact results, point by point'),
  );
  const sagFree = element(
    'a',
    { href: 'sag-free.html', 'data-testid': 'sag-free' },
    element('b', {}, 'Sag-free lab'),
    element('span', {}, 'strands that stay as drawn: solvers, forces left'),
  );
  for (const entry of [lab, validation, sagFree]) list.append(element('li', {}, entry));

  return {
    show(id, name, text) {
      title.textContent = name;
      description.textContent = text;
      for (const [key, button] of buttons) button.setAttribute('aria-current', String(key === id));
    },
    judge(next) {
      verdict.hidden = next === null;
      if (!next) return;
      verdict.dataset.state = next.state;
      verdict.textContent = next.text;
    },
    toggle,
    get open() {
      return !menu.hidden;
    },
  };
}

const PICTURES = import.meta.glob<string>('../pictures/scenes/*.jpg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Address of a scene's small picture; undefined if there is none. */
function pictureOf(id: string): string | undefined {
  return PICTURES[`../pictures/scenes/${id}.jpg`];
}
