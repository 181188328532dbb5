// Files of the visitor's own: scenes, and grooms that are seated on a head.

import type { Toasts } from '../panel/toast';
import type { Files } from '../scenes/demo-scene';
import { droppedGroom, isGroomFile } from '../scenes/groom';
import { listenForFiles } from './drop-file';
import type { Player } from './player';

export interface OwnFiles {
  openText(text: string, name: string, files?: Files): void;
  openGroom(bytes: Uint8Array, name: string): void;
  /** Opens what was picked, as what is dropped on the page. */
  openFiles(files: Iterable<File>): Promise<void>;
}

/** What can be dropped. */
const WANTED = 'Drop a scene (.scene.json), together with the grooms it names, or a groom alone (.hair, .data, .tfx).';

/** Whether a file could be a scene: text, so without a byte of zero among the first ones. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4096).includes(0);
}

/** Has the player play files that are dropped on the page; toasts say what was found in them, or what is wrong. */
export function listenForOwnFiles(player: Player, toasts: Toasts): OwnFiles {
  const openOwn = (name: string, kind: string, open: () => string) => {
    try {
      const done = open();
      // A hash would claim that this is a scene of the gallery.
      history.replaceState(null, '', location.pathname + location.search);
      toasts.show(name, done, 'plain');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      toasts.show(`${name} is not a ${kind} that can be run`, `${why}\n${WANTED}`);
    }
  };

  const openText = (text: string, name: string, files?: Files) =>
    openOwn(name, 'scene', () => {
      player.openFile(text, name, files);
      const { entities, physics, shells, solids } = player.session;
      const { strandCount } = physics.strands;
      const strands = strandCount > 0 ? `, ${strandCount} strands` : '';
      const sheets = shells.size > 0 ? `, ${shells.size} sheets` : '';
      return `${entities.size} bodies${strands}${sheets}${solids.size > 0 ? `, ${solids.size} solids` : ''}`;
    });

  const openGroom = (bytes: Uint8Array, name: string) =>
    openOwn(name, 'groom', () => {
      player.open(droppedGroom(bytes, name));
      return `${player.session.physics.strands.strandCount} strands`;
    });
  const refuse = (name: string, error: unknown) =>
    toasts.show(`${name} cannot be read`, `Is it a folder, or has it been moved? (${String(error)})\n${WANTED}`);

  const openFiles = listenForFiles((files) => {
    const names = [...files.keys()];
    const scene = names.find((name) => !isGroomFile(name));
    const name = scene ?? names[0];
    if (scene !== undefined && !isText(files.get(scene) as Uint8Array)) {
      toasts.show(`${scene} is neither a scene nor a groom`, WANTED);
      return;
    }
    const bytes = files.get(name) as Uint8Array;
    if (scene === undefined) openGroom(bytes, name);
    else openText(new TextDecoder().decode(bytes), name, files);
  }, refuse);

  return { openText, openGroom, openFiles };
}
