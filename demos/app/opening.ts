// What stands before all of the gallery is there (main.ts), for what comes later (rest.ts).

import type { Layout } from '../panel/layout';
import type { Options } from '../panel/options';
import type { SceneCard } from '../panel/scene-card';
import type { Toasts } from '../panel/toast';
import type { TransportActions } from '../panel/transport';
import type { View } from '../view/view';
import type { Frames } from './frames';
import type { Player } from './player';

export interface Opening {
  readonly ui: HTMLElement;
  /** Of the page's address. */
  readonly query: URLSearchParams;
  readonly view: View;
  readonly options: Options;
  readonly toasts: Toasts;
  readonly player: Player;
  readonly layout: Layout;
  readonly card: SceneCard;
  readonly actions: TransportActions;
  readonly frames: Frames;
  /** Puts the scene between the panels. */
  clearPanels(): void;
  /** Called with each new session. */
  opened: () => void;
  /** Called when panels have come, gone or another size. */
  toggled: () => void;
  /** Opens and shuts the help. */
  help: () => void;
}
