// The scene's name, what it shows and whether it kept its promise; opens the menu of all scenes.

import type { DemoScene } from '../scenes/demo-scene';
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
  scenes: readonly DemoScene[],
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
  list.hidden = true;
  const card = element(
    'nav',
    { class: 'scene-card glass', 'aria-label': 'Scenes' },
    opener,
    element('div', { class: 'scene-note' }, description, verdict),
    list,
  );
  parent.append(card);

  const toggle = (open = Boolean(list.hidden)) => {
    list.hidden = !open;
    card.classList.toggle('open', open);
    opener.setAttribute('aria-expanded', String(open));
  };
  opener.addEventListener('click', () => {
    toggle();
    opener.blur();
  });

  const buttons = new Map<string, HTMLButtonElement>();
  for (const scene of scenes) {
    const button = element(
      'button',
      { 'data-testid': `scene-${scene.id}` },
      element('b', {}, scene.title),
      element('span', {}, scene.description),
    );
    button.addEventListener('click', () => {
      toggle(false);
      actions.select(scene.id);
    });
    buttons.set(scene.id, button);
    list.append(element('li', {}, button));
  }

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
      return !list.hidden;
    },
  };
}
