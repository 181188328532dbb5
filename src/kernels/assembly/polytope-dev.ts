import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  COLLIDER_SHAPE,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  SHAPE_BOX_KIND,
  SHAPE_KIND,
} from '../../state/layout';
import { collideBoxBox } from './collide-box';
import { collideHulls } from './collide-hull';
import { cell, column, getI32 } from './memory';
export function findContacts(): void {
  const list = column(ACTIVE_LIST);
  for (let i = 0; i < cell(ACTIVE_COUNT); i++) {
    const pair = getI32(list, i);
    const a = getI32(column(PAIR_COLLIDER_A), pair);
    const b = getI32(column(PAIR_COLLIDER_B), pair);
    const kinds = column(SHAPE_KIND);
    const shapes = column(COLLIDER_SHAPE);
    if (getI32(kinds, getI32(shapes, a)) == SHAPE_BOX_KIND && getI32(kinds, getI32(shapes, b)) == SHAPE_BOX_KIND)
      collideBoxBox(pair, a, b);
    else collideHulls(pair, a, b);
  }
}
