// The demo gallery: joins player, view and panels, and runs the frame loop.
//
// The URL says what to show: `#pyramid` selects a scene, `#pyramid?gravity=0.5` with what a visitor set; `?quality=low`
// draws less for slow machines, `high` all even in software; `?engine=webgl2` or `?engine=webgpu` forces a renderer;
// `?strands=wasm` keeps strands off the graphics card; `?paused` starts paused.

import './style.css';
import './panel/panel.css';
// Last: what narrow screens change.
import './narrow.css';
import type { PhysicsSettings, Scene } from '../src/index';
import { openPanel, type Panel } from '../src/panel/index';
import { type Accelerator, createAccelerator } from './app/accelerator';
import { createAddress } from './app/address';
import { listenForOwnFiles } from './app/own-files';
import { createPlayer, type Player } from './app/player';
import { listenToPointer } from './app/pointer';
import type { Session } from './app/session';
import { listenToKeys, type Shortcuts } from './app/shortcuts';
import { createBudgetPanel, type FrameTimes } from './panel/budget-panel';
import type { Controls } from './panel/controls';
import { createDuel } from './panel/duel';
import { element } from './panel/element';
import { createHelp } from './panel/help';
import { createInstruments, type InstrumentPanel } from './panel/instruments';
import { createLateControls } from './panel/late-controls';
import { createLayout } from './panel/layout';
import { createLegend } from './panel/legend';
import { DEFAULT_OPTIONS, type Options } from './panel/options';
import { createSceneCard } from './panel/scene-card';
import { createToasts } from './panel/toast';
import { createTransport, SPEEDS, type TransportActions } from './panel/transport';
import { verdictOf } from './panel/verdict';
import type { Parameter, Values } from './scenes/demo-scene';
import { GROUPS, SCENES } from './scenes/index';
import { createView, type View } from './view/view';

/** Panels are read by people: this often is enough [ms]. */
const PANEL_INTERVAL = 160;

const query = new URLSearchParams(location.search);
const ui = document.getElementById('ui') as HTMLElement;
const canvas = document.getElementById('stage') as HTMLCanvasElement;

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  ui.append(element('div', { class: 'blank', 'data-testid': 'fatal' }, `The gallery cannot start: ${message}.`));
  console.error(error);
});

async function start(): Promise<void> {
  const wish = query.get('quality');
  const quality = wish === 'low' || wish === 'high' ? wish : null;
  const want = query.get('engine');
  const view = await createView(canvas, quality, want === 'webgl2' || want === 'webgpu' ? want : null);
  const options: Options = { ...DEFAULT_OPTIONS };
  const toasts = createToasts(ui);
  const instruments = createInstruments();
  const duel = createDuel(ui);
  const accelerator = createAccelerator(view.device, view.reason, query.get('strands') !== 'wasm');
  const player = createPlayer(
    (scene) => overridesOf(options, scene),
    () => {
      profiler.watch();
      view.open(player.session, player.demo, player.rival);
      instruments.show(player.demo, player.recorder);
      controls.showBare((view.strands?.hairs ?? 1) > 1);
      duel.show(player.rival ? player.demo : null);
      duel.place(view.split);
      card.show(player.demo?.id ?? null, player.title, player.description);
      document.title = `${player.title} · stiction`;
      // Not while the slider's own event is under way: it would be taken out from under it.
      setTimeout(sliders.show);
    },
    accelerator,
    () => options.duel,
  );
  player.paused = query.has('paused');
  const address = createAddress(player, options, () => controls.refresh(), toasts.clear);
  const own = listenForOwnFiles(player, toasts);

  // The scene stands in the middle of what is free: between the panels, above the buttons.
  const clearPanels = () => {
    view.clear(layout.taken(view.canvas));
    duel.place(view.split);
  };
  const layout = createLayout(ui, clearPanels, () => {
    clearPanels();
    panel.resize();
    profiler.show();
  });
  layout.chip.addEventListener('click', layout.toggle);
  const card = createSceneCard(layout.left, GROUPS, { select: address.select, openFiles: own.openFiles });
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
  const actions = { ...playActions(player), togglePanels: layout.toggle, help: () => help.toggle() };
  const transport = createTransport(ui, actions);
  const legend = createLegend(layout.left);
  listenToKeys({
    ...playKeys(player, actions),
    ...overlayKeys(options, () => {
      controls.refresh();
      address.update();
    }),
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

  clearPanels();
  address.open(location.hash);
  window.addEventListener('resize', () => {
    view.resize();
    panel.resize();
    clearPanels();
  });
  listenToPointer(view, player);
  runFrames(view, player, options, instruments, (frame) => {
    if (player.paused || player.session.physics.stepCount > 0) controls.load();
    transport.show(player.paused, player.rate);
    card.judge(verdictOf(player));
    legend.show(options);
    panel.update(player.session.physics, frame, accelerator.facts(player.session, player.demo));
    duel.update(player.session, player.rival);
  });
  showToTests({ player, view, options, scenes: SCENES, select: address.open, ...own }, player);
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

function runFrames(
  view: View,
  player: Player,
  options: Options,
  instruments: InstrumentPanel,
  updatePanels: (frame: FrameTimes) => void,
): void {
  let last = performance.now();
  let panelAt = 0;
  let shown: { session: Session; step: number } | null = null;
  // Smoothed, else nobody could read them.
  const renderer = view.kind === 'webgpu' ? 'WebGPU' : 'WebGL2';
  const frame: FrameTimes = { interval: 0, physics: 0, view: 0, renderer, hairs: 1 };
  const smooth = (old: number, value: number) => (old === 0 ? value : old + 0.1 * (value - old));

  const drawWorld = () => {
    const { session } = player;
    const { physics } = session;
    if (!player.paused) {
      physics.interpolate();
      player.rival?.physics.interpolate(physics.alpha);
      view.move(true);
    } else if (shown?.session !== session || shown.step !== physics.stepCount) {
      // A step by hand: the exact pose.
      physics.interpolate(1);
      player.rival?.physics.interpolate(1);
      view.move(false);
    }
    shown = { session, step: physics.stepCount };
    view.tint(options);
    instruments.update(player.values);
    view.render(
      {
        ...{
          contacts: options.contacts,
          impulses: options.impulses,
          cones: options.cones,
          thrust: options.thrust,
          tension: options.tension,
          labels: options.labels,
          joints: options.joints,
          boxes: options.boxes,
          islands: false,
          sleeping: false,
        },
        bare: options.strands,
      },
      [player.grab, player.rivalGrab],
    );
  };
  const draw = (now: number) => {
    requestAnimationFrame(draw);
    // The first frame's time may lie before the moment at which we began to count.
    const interval = Math.max(now - last, 0);
    last = now;
    const before = performance.now();
    player.grab.strength = options.pull;
    player.advance(interval / 1000);
    const stepped = performance.now();
    player.bill('drawing', drawWorld);
    const drawn = performance.now();
    if (interval > 0) frame.interval = smooth(frame.interval, interval);
    frame.physics = smooth(frame.physics, stepped - before);
    frame.view = smooth(frame.view, drawn - stepped);
    if (now - panelAt > PANEL_INTERVAL) {
      panelAt = now;
      frame.hairs = options.strands ? 1 : (view.strands?.hairs ?? 1);
      updatePanels(frame);
    }
  };
  requestAnimationFrame(draw);
}
