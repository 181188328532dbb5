// What the colours mean that are drawn over the scene: in view as long as they are.

import { element } from './element';
import type { Options } from './options';

/** Colour and meaning, by option (src/debug/draw-list.ts). */
const MEANINGS: Readonly<Partial<Record<keyof Options, readonly (readonly [string, string])[]>>> = {
  contacts: [
    ['#33d966', 'contact sticks'],
    ['#ff8c1a', 'slips'],
    ['#9999a6', 'does not carry'],
    ['#5973e6', 'sleeps'],
  ],
  impulses: [['#33d966', 'impulse of a step, the largest one metre']],
  cones: [['#f2d959', 'friction cone: within it a contact sticks, at its rim it slips']],
  thrust: [['#f2338c', 'line of thrust']],
  tension: [
    ['#4073f2', 'slack'],
    ['#fad940', 'two thirds of the largest pull'],
    ['#f23326', 'the largest pull of all ropes'],
  ],
  labels: [['#14161a', 'μ: friction; mass in g, kg, t']],
  joints: [
    ['#59ccff', 'joint'],
    ['#ffd94d', 'its axis'],
  ],
};

export interface Legend {
  show(options: Options): void;
}

export function createLegend(parent: HTMLElement): Legend {
  const list = element('ul', { class: 'overlay-legend glass', 'aria-label': 'Colours', 'data-testid': 'legend' });
  parent.append(list);
  let shown: string | null = null;
  return {
    show(options) {
      const keys = (Object.keys(MEANINGS) as (keyof Options)[]).filter((key) => options[key] === true);
      if (keys.join() === shown) return;
      shown = keys.join();
      const entries = keys.flatMap((key) => MEANINGS[key] ?? []);
      list.replaceChildren(
        ...entries.map(([color, text]) => element('li', {}, element('i', { style: `background:${color}` }), text)),
      );
      list.hidden = entries.length === 0;
    },
  };
}
