// The page of keys and gestures; `?` opens it, anything closes it.

import { element } from './element';

const KEYS: [string, string][] = [
  ['Space', 'pause and go on'],
  ['.', 'one step'],
  ['R', 'start again'],
  ['S', 'speed: 1, ½, ¼, ⅒'],
  ['[ ]', 'scene before, scene after'],
  ['M', 'menu of scenes'],
  ['C', 'contacts with impulse arrows: green sticks, orange slips'],
  ['I', 'islands'],
  ['Z', 'sleeping bodies'],
  ['B', 'bounding boxes'],
  ['G', 'strands on WebGPU or on WebAssembly, where there is WebGPU'],
  ['P', 'panels'],
  ['F', 'the scene’s own point of view'],
  ['?', 'this page'],
];

export interface Help {
  toggle(show?: boolean): void;
  readonly open: boolean;
}

export function createHelp(parent: HTMLElement): Help {
  const list = element('dl');
  for (const [key, meaning] of KEYS)
    list.append(element('dt', {}, element('kbd', {}, key)), element('dd', {}, meaning));
  const page = element(
    'div',
    { class: 'help', 'data-testid': 'help', role: 'dialog', 'aria-label': 'Keys' },
    element(
      'div',
      { class: 'glass' },
      element('h2', {}, 'Drag anything that moves'),
      list,
      element(
        'p',
        {},
        'Drag the floor to look around, pinch or scroll to come closer. Drop a .scene.json file, or a groom ' +
          '(.hair, .data, .tfx), anywhere on the page to run it.',
      ),
    ),
  );
  page.hidden = true;
  page.addEventListener('click', () => {
    page.hidden = true;
  });
  parent.append(page);
  return {
    toggle(show = Boolean(page.hidden)) {
      page.hidden = !show;
    },
    get open() {
      return !page.hidden;
    },
  };
}
