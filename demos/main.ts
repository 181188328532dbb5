// The demo gallery: opens its first scene with the least that this takes, and fetches everything else while that moves
// (rest.ts). Any other scene waits for all of it. The page comes here by begin.ts.
//
// The URL says what to show: `#pyramid` selects a scene, `#pyramid?gravity=0.5` with what a visitor set; `?quality=low`
// draws less for slow machines, `high` all even in software; `?engine=webgl2` or `?engine=webgpu` forces a renderer;
// `?strands=wasm` keeps strands off the graphics card; `?paused` starts paused.

import type { PhysicsSettings, Scene } from '../src/index';
import { firstWorlds } from './app/first-session';
import { createFrames } from './app/frames';
import type { Opening } from './app/opening';
import { createPlayer, type Player } from './app/player';
import { createDuel } from './panel/duel';
import { element } from './panel/element';
import { createLayout } from './panel/layout';
import { DEFAULT_OPTIONS, type Options } from './panel/options';
import { createSceneCard } from './panel/scene-card';
import { createToasts } from './panel/toast';
import { createTransport } from './panel/transport';
import { verdictOf } from './panel/verdict';
import { arch } from './scenes/arch';
import { takeLoss } from './view/create-engine';
import { createView } from './view/view';

/** The scene that a visit begins with, by what the address says. */
const FIRST = /^#?(arch)?$/;

const query = new URLSearchParams(location.search);
const ui = document.getElementById('ui') as HTMLElement;
const canvas = document.getElementById('stage') as HTMLCanvasElement;

/** What works without a graphics card. */
const ELSEWHERE: readonly (readonly [address: string, name: string])[] = [
  ['lab.html', 'Solver lab'],
  ['validation.html', 'Validation lab'],
  ['sag-free.html', 'Sag-free lab'],
  ['examples/canvas/', 'Example on a plain canvas'],
  ['docs/', 'Documentation'],
];

/** Shows the gallery, or why it cannot start. */
export async function begin(): Promise<void> {
  try {
    await start();
  } catch (error) {
    showFailure(error);
  }
}

function showFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const links = ELSEWHERE.map(([href, name]) => element('li', {}, element('a', { href }, name)));
  ui.replaceChildren(
    element(
      'div',
      { class: 'blank', 'data-testid': 'fatal', role: 'alert' },
      element('p', {}, `The gallery cannot start: ${message}.`),
      element(
        'p',
        {},
        'It needs WebGL2: try another browser, or allow hardware acceleration in the settings of this one. ' +
          'What works without:',
      ),
      element('ul', {}, ...links),
    ),
  );
  console.error(error);
}

async function start(): Promise<void> {
  const opening = await open();
  const { player, frames, toasts } = opening;
  const { hash } = location;
  const isFirst = FIRST.test(hash);
  if (isFirst) {
    player.open(arch);
    frames.run();
    await frames.moving;
  }
  try {
    const { complete } = await import('./rest');
    complete(opening, isFirst ? hash : null);
  } catch (error) {
    if (!isFirst) throw error;
    toasts.show('The other scenes could not be fetched.', `Reload the page for them (${String(error)}).`);
  }
}

/** Everything that the first scene needs. */
async function open(): Promise<Opening> {
  const wish = query.get('quality');
  const quality = wish === 'low' || wish === 'high' ? wish : null;
  const want = query.get('engine');
  const isLost = takeLoss();
  const view = await createView(canvas, quality, want === 'webgl2' || want === 'webgpu' ? want : null, isLost);
  ui.replaceChildren();
  const options: Options = { ...DEFAULT_OPTIONS };
  const toasts = createToasts(ui);
  if (isLost)
    toasts.show(
      'The graphics device was lost.',
      'The scene begins anew, drawn by WebGL2 and with strands on the processor. Reload the page to try WebGPU again.',
    );
  const duel = createDuel(ui);
  const player = createPlayer(
    firstWorlds,
    (scene) => overridesOf(options, scene),
    () => {
      view.open(player.session, player.demo, player.rival);
      duel.show(player.rival ? player.demo : null);
      clearPanels();
      card.show(player.demo?.id ?? null, player.title, player.description);
      document.title = `${player.title} · stiction`;
      opening.opened();
    },
    null,
    () => options.duel,
  );
  player.paused = query.has('paused');
  // The scene stands in the middle of what is free: between the panels, above the buttons.
  const clearPanels = () => {
    // Where halves meet says how captions lie, and what these cover where scenes are.
    const taken = layout.taken(view.canvas);
    view.clear(taken);
    duel.place(view.split, taken.right);
    view.clear(layout.taken(view.canvas), duel.covers(layout.corner(view.canvas)));
  };
  const layout = createLayout(ui, clearPanels, () => {
    clearPanels();
    opening.toggled();
  });
  layout.chip.addEventListener('click', layout.toggle);
  const card = createSceneCard(layout.left);
  const actions = { ...playActions(player), togglePanels: layout.toggle, help: () => opening.help() };
  const transport = createTransport(ui, actions);
  const frames = createFrames(view, player, options, quality === null && !view.isSoftware, () => {
    transport.show(player.paused, player.rate);
    card.judge(verdictOf(player));
    duel.update(player.session, player.rival);
  });
  const nothing = () => {};
  const opening: Opening = {
    ...{ ui, query, view, options, toasts, player, layout, card, actions, frames, clearPanels },
    ...{ opened: nothing, toggled: nothing, help: nothing },
  };
  clearPanels();
  window.addEventListener('resize', () => {
    view.resize();
    opening.toggled();
    clearPanels();
  });
  return opening;
}

/** What the visitor changed of a scene's settings. */
function overridesOf(options: Options, scene: Scene): PhysicsSettings {
  return {
    ...(options.solver !== 'scene' && { solver: options.solver }),
    ...(!options.sleep && { sleeping: false }),
    ...(options.gravity !== 1 && {
      gravity: (scene.gravity ?? [0, -9.81, 0]).map((value) => value * options.gravity),
    }),
  };
}

/** What the buttons below the scene do. */
const playActions = (player: Player) => ({
  reset: () => player.reset(),
  togglePause: () => {
    player.paused = !player.paused;
  },
  step: () => player.stepOnce(),
  setSpeed: (rate: number) => {
    player.rate = rate;
  },
});
