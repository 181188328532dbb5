// The page's address and what is played, each as the other says: links to a scene with all that is seen of it.

import type { Options } from '../panel/options';
import { usualValues } from '../scenes/demo-scene';
import { SCENES } from '../scenes/index';
import { readLink, writeLink } from './link';
import type { Player } from './player';

export interface Address {
  /** Opens what a hash says: a scene, its sliders, what is drawn over it, how it is solved. */
  open(hash: string): void;
  /** Goes to a scene as it opens at first; options stay from one scene to the next. */
  select(id: string): void;
  /** Goes to the scene `offset` places on. */
  neighbour(offset: number): void;
  /** Has the address say what is seen, so that it can be passed on. */
  update(): void;
}

const sceneOf = (id: string) => SCENES.find((scene) => scene.id === id) ?? SCENES[0];

/** `read` is called with what a link says of the options before its scene is opened, `opened` afterwards. */
export function createAddress(player: Player, options: Options, read: () => void, opened: () => void): Address {
  const open = (hash: string) => {
    const { id, amount, values, options: asked } = readLink(hash, SCENES);
    Object.assign(options, asked);
    read();
    player.open(sceneOf(id), amount, values);
    opened();
  };
  const select = (id: string) => {
    const demo = sceneOf(id);
    const hash = writeLink(demo, demo.amount?.usual, usualValues(demo), options);
    if (location.hash.slice(1) === hash) open(hash);
    else location.hash = hash; // and the listener below opens it
  };
  window.addEventListener('hashchange', () => open(location.hash));
  return {
    open,
    select,
    neighbour(offset) {
      const at = player.demo ? SCENES.indexOf(player.demo) : 0;
      select(SCENES[(at + offset + SCENES.length) % SCENES.length].id);
    },
    update() {
      if (!player.demo) return;
      history.replaceState(null, '', `#${writeLink(player.demo, player.amount, player.values, options)}`);
    },
  };
}
