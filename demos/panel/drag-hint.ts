// A hand beside a body of the first scene, which says that it can be dragged; gone once anything has been touched.

import type { Player } from '../app/player';
import { poseOf } from '../app/session';
import type { View } from '../view/view';
import { element, icon } from './element';

export interface DragHint {
  /** Brings it to where the body is. */
  update(): void;
}

export function createDragHint(parent: HTMLElement, view: View, player: Player): DragHint {
  const hint = element(
    'div',
    { class: 'drag-hint', role: 'status', 'data-testid': 'drag-hint' },
    icon('hand'),
    'drag me',
  );
  hint.hidden = true;
  parent.append(hint);
  let isOver = false;
  const end = () => {
    isOver = true;
    hint.remove();
  };
  view.canvas.addEventListener('pointerdown', end, { once: true, capture: true });
  return {
    update() {
      if (isOver) return;
      const { demo, session } = player;
      const entity = demo?.handle === undefined ? undefined : session.entities.get(demo.handle);
      hint.hidden = entity === undefined;
      if (entity === undefined) return;
      const [x, y] = view.camera.project(poseOf(session.physics, entity).position);
      hint.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    },
  };
}
