// The menu of all scenes, in groups, with pictures and a search; below them the labs, and files of the visitor's own.

import type { SceneGroup } from '../scenes/index';
import { element } from './element';
import type { SceneCard } from './scene-card';

/** Pages beside the gallery: file, name, what is there. */
const LABS: readonly (readonly [string, string, string])[] = [
  ['lab', 'Solver lab', 'friction problems, every solver, residual against time'],
  ['validation', 'Validation lab', 'rods against exact results, point by point'],
  ['sag-free', 'Sag-free lab', 'strands that stay as drawn: solvers, forces left'],
];

interface SceneList {
  /** By the scenes' ids. */
  readonly buttons: ReadonlyMap<string, HTMLButtonElement>;
  /** Shows the scenes with all of the words, and the headings that have some. */
  filter(words: string): void;
  /** Opens the first one that is shown. */
  openFirst(): void;
}

/** Appends the scenes in their groups to a list. */
function listScenes(list: HTMLElement, groups: readonly SceneGroup[], select: (id: string) => void): SceneList {
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
      button.addEventListener('click', () => select(scene.id));
      buttons.set(scene.id, button);
      const item = element('li', {}, button);
      list.append(item);
      return { item, words: `${group.title} ${scene.title} ${scene.description} ${scene.id}`.toLowerCase() };
    });
    listed.push({ heading, items });
  }
  return {
    buttons,
    filter(words) {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      for (const { heading, items } of listed) {
        for (const { item, words } of items) item.hidden = !wanted.every((word) => words.includes(word));
        heading.hidden = items.every(({ item }) => item.hidden);
      }
    },
    openFirst() {
      const first = listed.flatMap(({ items }) => items).find(({ item }) => !item.hidden);
      first?.item.querySelector('button')?.click();
    },
  };
}

/** The entry that asks for files of the visitor's own. */
function createFileEntry(openFiles: (files: Iterable<File>) => void): HTMLElement {
  const picker = element('input', {
    type: 'file',
    multiple: '',
    accept: '.json,application/json,.hair,.data,.tfx',
    'data-testid': 'scene-file',
  });
  picker.hidden = true;
  picker.addEventListener('change', () => {
    openFiles([...(picker.files ?? [])]);
    picker.value = '';
  });
  const open = element(
    'button',
    {},
    element('b', {}, 'Open a scene or groom …'),
    element('span', {}, 'or drop it on the page: .json, .hair, .data, .tfx'),
  );
  open.addEventListener('click', () => picker.click());
  return element('li', {}, open, picker);
}

/** Fills the card's menu. */
export function fillMenu(
  card: SceneCard,
  groups: readonly SceneGroup[],
  actions: { select(id: string): void; openFiles(files: Iterable<File>): void },
): void {
  const list = element('ul', { class: 'scene-list', 'data-testid': 'scene-list' });

  const search = element('input', {
    type: 'search',
    placeholder: 'Search scenes',
    'aria-label': 'Search scenes',
    'data-testid': 'scene-search',
  });
  const scenes = listScenes(list, groups, (id) => {
    card.toggle(false);
    actions.select(id);
  });
  search.addEventListener('input', () => scenes.filter(search.value));
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') card.toggle(false);
    if (event.key === 'Enter') scenes.openFirst();
  });
  list.append(element('li', { class: 'scene-group' }, element('h2', {}, 'Labs and files')));

  list.append(
    createFileEntry((files) => {
      card.toggle(false);
      actions.openFiles(files);
    }),
  );

  for (const [page, name, text] of LABS)
    list.append(
      element(
        'li',
        {},
        element('a', { href: `${page}.html`, 'data-testid': page }, element('b', {}, name), element('span', {}, text)),
      ),
    );

  card.menu.replaceChildren(search, list);
  card.onMark = (id) => {
    for (const [key, button] of scenes.buttons) button.setAttribute('aria-current', String(key === id));
  };

  card.onToggle = (isOpen) => {
    search.value = '';
    scenes.filter('');
    // On a phone the keyboard would cover what was opened.
    if (isOpen && matchMedia('(pointer: fine)').matches) search.focus();
  };
}

// Files of their own, however small: a menu that nobody opens then costs nothing.
const PICTURES = import.meta.glob<string>('../pictures/scenes/*.jpg', {
  eager: true,
  query: '?url&no-inline',
  import: 'default',
});

/** Address of a scene's small picture; undefined if there is none. */
function pictureOf(id: string): string | undefined {
  return PICTURES[`../pictures/scenes/${id}.jpg`];
}
