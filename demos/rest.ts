// All of the gallery beyond its first scene: every scene and what their worlds and pictures take, panels, keys, files,
// the pointer that drags.

import { openPanel, type Panel } from '../src/panel/index';
import { type Accelerator, createAccelerator } from './app/accelerator';
import { createAddress } from './app/address';
import { worlds } from './app/open-session';
import type { Opening } from './app/opening';
import { listenForOwnFiles } from './app/own-files';
import type { Player } from './app/player';
import { listenToPointer } from './app/pointer';
import { listenToKeys, type Shortcuts } from './app/shortcuts';
import { createBudgetPanel } from './panel/budget-panel';
import type { Controls } from './panel/controls';
import { createDragHint } from './panel/drag-hint';
import { createHelp } from './panel/help';
import { createInstruments } from './panel/instruments';
import { createLateControls } from './panel/late-controls';
import { createLegend } from './panel/legend';
import type { Options } from './panel/options';
import { fillMenu } from './panel/scene-menu';
import { SPEEDS, type TransportActions } from './panel/transport';
import type { Parameter, Values } from './scenes/demo-scene';
import { GROUPS, SCENES } from './scenes/index';
import { LATE_PARTS } from './view/late';

/** Adds it to what stands. `played`: the address's hash by which the first scene is played already; null: none is. */
export function complete(opening: Opening, played: string | null): void {
  const { ui, query, view, options, toasts, player, layout, card, actions, frames } = opening;
  player.worlds = worlds;
  view.equip(LATE_PARTS);
  const accelerator = createAccelerator(view.device, view.reason, query.get('strands') !== 'wasm');
  player.accelerator = accelerator;
  const instruments = createInstruments();
  // What is said as the page opens stays.
  let isOpening = played === null;
  const address = createAddress(
    player,
    options,
    () => controls.refresh(),
    () => {
      if (!isOpening) toasts.clear();
      isOpening = false;
    },
  );
  const own = listenForOwnFiles(player, toasts);
  fillMenu(card, GROUPS, { select: address.select, openFiles: own.openFiles });
  const toggleBackend = async () => {
    await player.toggleBackend();
    sliders.show();
  };
  const panel = createBudgetPanel(layout.side, layout.chip, {
    setFrameBudget: (budget) => profiler.setBudget(budget),
    setBudget(budget) {
      accelerator.budget = budget;
      if (player.session.gpu) player.session.gpu.budget = budget;
    },
    toggleBackend: () => void toggleBackend(),
  });
  const profiler = createProfiler(player, accelerator, panel.profiler, () => layout.isShown);
  const controls = createLateControls(options, () => player.reset(), address.update, toasts);
  const sliders = createSliders(player, accelerator, controls);
  layout.place(instruments.element, controls.element);
  const help = createHelp(ui);
  const legend = createLegend(layout.left);
  opening.help = () => help.toggle();
  opening.toggled = () => {
    panel.resize();
    profiler.show();
  };
  opening.opened = () => {
    profiler.watch();
    instruments.show(player.demo, player.recorder);
    controls.showBare((view.strands?.hairs ?? 1) > 1);
    // Not while the slider's own event is under way: it would be taken out from under it.
    setTimeout(sliders.show);
  };
  const changed = () => {
    controls.refresh();
    address.update();
  };
  listenToKeys({
    ...playKeys(player, actions),
    ...overlayKeys(options, changed),
    '[': () => address.neighbour(-1),
    ']': () => address.neighbour(1),
    m: () => card.toggle(),
    f: () => view.reframe(),
    g: () => void toggleBackend(),
    escape: () => {
      help.toggle(false);
      card.toggle(false);
    },
  });
  opening.clearPanels();
  if (played !== null) opening.opened();
  // The visitor may have gone elsewhere meanwhile.
  if (played !== location.hash) address.open(location.hash);
  if (played === null) frames.run();
  listenToPointer(view, player);
  const hint = createDragHint(ui, view, player);
  frames.onDraw = () => {
    instruments.update(player.values);
    hint.update();
  };
  frames.onPanels = (frame) => {
    if (player.paused || player.session.physics.stepCount > 0) controls.load();
    legend.show(options);
    panel.update(player.session.physics, frame, accelerator.facts(player.session, player.demo));
  };
  showToTests({ player, view, options, scenes: SCENES, select: address.open, ...own }, player);
}

/** The profiler, which looks at what is played as long as it is to be seen. */
function createProfiler(player: Player, accelerator: Accelerator, parent: HTMLElement, isShown: () => boolean) {
  let profiler: Panel | null = null;
  /** Whether the visitor had paused before a step was looked at: then it stays so. */
  let wasPaused = false;
  player.bill = (name, work) => (profiler ? profiler.measure(name, work) : work());
  const show = () => {
    if (isShown()) profiler?.open();
    else profiler?.close();
  };
  return {
    show,
    setBudget: (budget: number) => profiler?.setBudget(budget),
    watch() {
      const { physics } = player.session;
      profiler?.watch(physics);
      profiler ??= openPanel(physics, {
        parent,
        gpu: () => accelerator.facts(player.session, player.demo)?.stages ?? null,
        onFreeze: (isFrozen) => {
          if (isFrozen) wasPaused = player.paused;
          player.paused = isFrozen || wasPaused;
        },
      });
      show();
    },
  };
}

/** The sliders of the scene that is played. */
function createSliders(player: Player, accelerator: Accelerator, controls: Controls) {
  const setAmount = (amount: number) => {
    if (player.demo && amount !== player.amount) player.open(player.demo, amount, player.values);
  };
  const setValues = (values: Values, changed: Parameter) => {
    if (changed.live) player.tune(values);
    else if (player.demo) player.open(player.demo, player.amount, values);
  };
  return {
    show() {
      const { demo } = player;
      const slider = demo?.amount && { ...demo.amount, ...accelerator.amounts(demo) };
      controls.showAmount(slider, player.amount, setAmount);
      controls.showParameters(demo?.parameters ?? [], player.values, setValues);
    },
  };
}

const playKeys = (player: Player, actions: TransportActions): Shortcuts => ({
  ' ': actions.togglePause,
  '.': actions.step,
  n: actions.step,
  r: actions.reset,
  s: () => {
    const at = SPEEDS.findIndex(({ rate }) => rate === player.rate);
    player.rate = SPEEDS[(at + 1) % SPEEDS.length].rate;
  },
  p: actions.togglePanels,
  '?': actions.help,
});

/** Keys of what is drawn over the scene; `changed` is called after each. */
function overlayKeys(options: Options, changed: () => void): Shortcuts {
  const flip = (key: 'islands' | 'sleeping' | 'boxes') => () => {
    options[key] = !options[key];
    changed();
  };
  return {
    c: () => {
      options.contacts = options.impulses = !options.contacts;
      changed();
    },
    i: flip('islands'),
    z: flip('sleeping'),
    b: flip('boxes'),
  };
}

/** For tests and for the curious at the console. */
function showToTests(known: object, player: Player): void {
  const stiction = {
    get physics() {
      return player.session.physics;
    },
    get session() {
      return player.session;
    },
  };
  Object.assign(window, { stiction: Object.assign(stiction, known) });
}
