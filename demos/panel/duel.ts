// Over the halves of a duel: what each world is solved with, how far it is off now, and why the rival fails.

import { resultOf, type Session } from '../app/session';
import { type DemoScene, type Rival, worstDrift } from '../scenes/demo-scene';
import { BARE, type Cover, type Split } from '../view/split';
import { element } from './element';
import { metres, speed } from './units';

export interface DuelPanel {
  /** Shows the captions of a scene's duel, or none. */
  show(demo: DemoScene | null): void;
  /** Puts them over their halves, clear of what panels take to the right [CSS pixels]. */
  place(split: Split | null, right: number): void;
  /**
   * What they cover of the half of each world, at its upper and lower end, where `corner` of the first is covered
   * anyway [CSS pixels].
   */
  covers(corner: number): readonly [Cover, Cover];
  /** Reads both worlds. */
  update(session: Session, rival: Session | null): void;
}

interface Side {
  element: HTMLElement;
  read(session: Session): void;
}

/** Between captions and the line, as in duel.css [CSS pixels]. */
const GAP = 8;

export function createDuel(parent: HTMLElement): DuelPanel {
  const line = element('div', { class: 'duel-line' });
  const holder = element('section', { class: 'duel', 'data-testid': 'duel', 'aria-label': 'Duel' }, line);
  holder.hidden = true;
  parent.append(holder);
  const why = element('p', { class: 'duel-why glass' });
  holder.append(why);
  let sides: Side[] = [];

  return {
    show(demo) {
      for (const side of sides) side.element.remove();
      sides = [];
      why.textContent = demo?.rival?.why ?? '';
      why.hidden = why.textContent === '';
      const rival = demo?.rival;
      holder.hidden = !rival;
      if (!rival || rival.strands) return;
      sides = [createSide('exact', 'Exact friction', rival), createSide('rival', rival.label, rival)];
      holder.append(...sides.map((side) => side.element));
    },

    place(split, right) {
      holder.style.setProperty('--beside', `${right}px`);
      holder.dataset.direction = split?.direction ?? 'shared';
      if (!split) return;
      holder.style.setProperty('--at', `${split.at}px`);
    },

    covers(corner) {
      const [exact, rival] = sides.map((side) => side.element.offsetHeight + GAP);
      if (sides.length === 0) return [BARE, BARE];
      if (holder.dataset.direction === 'beside') {
        const top = Math.max(exact, rival, corner) + GAP;
        return [
          { top, bottom: 0 },
          { top, bottom: 0 },
        ];
      }
      return [
        { top: 0, bottom: exact },
        { top: rival, bottom: why.hidden ? 0 : why.offsetHeight + GAP },
      ];
    },

    update(session, rival) {
      if (!rival || sides.length === 0) return;
      sides[0].read(session);
      sides[1].read(rival);
    },
  };
}

function createSide(id: string, title: string, { counter }: Rival): Side {
  const cellOf = (label: string) => {
    const value = element('b', { 'data-testid': `duel-${id}-${label.replaceAll(' ', '-')}` });
    return { value, cell: element('span', {}, `${label} `, value) };
  };
  const drift = cellOf(counter?.label ?? 'drift');
  const overlap = cellOf('overlap');
  const error = cellOf('friction error');
  const box = element(
    'section',
    { class: `duel-side glass ${id}` },
    element('h2', {}, title),
    element('div', { class: 'duel-cells' }, drift.cell, overlap.cell, error.cell),
  );
  return {
    element: box,
    read(session) {
      const { report } = session.physics;
      const moving = (name: string) => !session.fixed.has(session.entities.get(name) as number);
      const result = resultOf(session);
      drift.value.textContent = metres(counter ? counter.read(result) : worstDrift(result, moving)[0]);
      overlap.value.textContent = metres(report.penetration);
      error.value.textContent = speed(Math.max(report.residual, report.strands.residual));
      // It is of bodies: where none moves it would say that nothing overlaps.
      overlap.cell.hidden = !result.names.some(moving);
    },
  };
}
