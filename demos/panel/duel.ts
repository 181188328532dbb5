// Over the halves of a duel: what each world is solved with, how far it is off now, and why the rival fails.

import './duel.css';
import { resultOf, type Session } from '../app/session';
import { type DemoScene, worstDrift } from '../scenes/demo-scene';
import type { Split } from '../view/view';
import { element } from './element';
import { metres, speed } from './units';

export interface DuelPanel {
  /** Shows the captions of a scene's duel, or none. */
  show(demo: DemoScene | null): void;
  /** Puts them over their halves. */
  place(split: Split | null): void;
  /** Reads both worlds. */
  update(session: Session, rival: Session | null): void;
}

interface Side {
  element: HTMLElement;
  read(session: Session): void;
}

export function createDuel(parent: HTMLElement): DuelPanel {
  const line = element('div', { class: 'duel-line' });
  const holder = element('section', { class: 'duel', 'data-testid': 'duel', 'aria-label': 'Duel' }, line);
  holder.hidden = true;
  parent.append(holder);
  let sides: Side[] = [];

  return {
    show(demo) {
      for (const side of sides) side.element.remove();
      sides = [];
      const rival = demo?.rival;
      holder.hidden = !rival || rival.strands !== undefined;
      if (!rival || rival.strands) return;
      sides = [createSide('exact', 'Exact friction', ''), createSide('rival', rival.label, rival.why ?? '')];
      holder.append(...sides.map((side) => side.element));
    },
    place(split) {
      if (!split) return;
      holder.dataset.direction = split.direction;
      holder.style.setProperty('--at', `${split.at}px`);
    },
    update(session, rival) {
      if (!rival || sides.length === 0) return;
      sides[0].read(session);
      sides[1].read(rival);
    },
  };
}

function createSide(id: string, title: string, why: string): Side {
  const cells = ['drift', 'overlap', 'friction error'].map((label) => {
    const value = element('b', { 'data-testid': `duel-${id}-${label.replace(' ', '-')}` });
    return { value, cell: element('span', {}, `${label} `, value) };
  });
  const box = element(
    'section',
    { class: `duel-side glass ${id}` },
    element('h2', {}, title),
    element('div', { class: 'duel-cells' }, ...cells.map(({ cell }) => cell)),
    ...(why ? [element('p', {}, why)] : []),
  );
  return {
    element: box,
    read(session) {
      const { report } = session.physics;
      const moving = (name: string) => !session.fixed.has(session.entities.get(name) as number);
      const values = [
        metres(worstDrift(resultOf(session), moving)[0]),
        metres(report.penetration),
        speed(report.residual),
      ];
      cells.forEach(({ value }, i) => {
        value.textContent = values[i];
      });
    },
  };
}
