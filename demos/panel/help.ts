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
    {
      class: 'help',
      'data-testid': 'help',
      role: 'dialog',
      'aria-modal': 'true',
      'aria-label': 'Keys',
      tabindex: '-1',
    },
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

  /** What had the focus before. */
  let before: Element | null = null;

  const toggle = (show = Boolean(page.hidden)) => {
    if (page.hidden === !show) return;
    if (show) before = document.activeElement;
    page.hidden = !show;
    if (show) page.focus();
    else if (before instanceof HTMLElement && before !== document.body) before.focus();
  };

  page.addEventListener('click', () => toggle(false));
  page.addEventListener('keydown', (event) => {
    // Nothing in it can be reached, and nothing behind it should.
    if (event.key === 'Tab') event.preventDefault();
  });
  parent.append(page);

  return {
    toggle,
    get open() {
      return !page.hidden;
    },
  };
}
