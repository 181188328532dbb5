// The demo gallery: joins player, view and panels, and runs the frame loop.
//
// The URL says what to show: `#pyramid` selects a scene, `#pyramid?gravity=0.5` with what a visitor set; `?quality=low`
// draws less for slow machines, `high` all even in software; `?engine=webgl2` or `?engine=webgpu` forces a renderer;
// `?strands=wasm` keeps strands off the graphics card; `?paused` starts paused.

import './style.css';
import './panel/panel.css';
// Last: what narrow screens change.
import './narrow.css';
import { openPanel, type Panel } from '../src/panel/index';
import { createAccelerator } from './app/accelerator';
import { listenForFiles } from './app/drop-file';
import { readLink, writeLink } from './app/link';
import { createPlayer } from './app/player';
import { listenToPointer } from './app/pointer';
import type { Session } from './app/session';
import { listenToKeys } from './app/shortcuts';
import { createBudgetPanel, type FrameTimes } from './panel/budget-panel';
import { createControls, DEFAULT_OPTIONS, type Options } from './panel/controls';
import { createDuel } from './panel/duel';
import { element } from './panel/element';
import { createHelp } from './panel/help';
import { createInstruments, type InstrumentPanel } from './panel/instruments';
import { createSceneCard } from './panel/scene-card';
import { createToasts } from './panel/toast';
import { createTransport, SPEEDS } from './panel/transport';
import { type Files, type Parameter, usualValues, type Values } from './scenes/demo-scene';
import { droppedGroom, isGroomFile } from './scenes/groom';
import { GROUPS, SCENES } from './scenes/index';
import { createView, type View } from './view/view';

/** Panels are read by people: this often is enough [ms]. */
const PANEL_INTERVAL = 160;

/** The same as in narrow.css. */
const NARROW = '(max-width: 760px), (max-height: 480px)';

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
  const help = createHelp(ui);
  const duel = createDuel(ui);
  const accelerator = createAccelerator(view.device, view.reason, query.get('strands') !== 'wasm');

  const player = createPlayer(
    (scene) => ({
      ...(options.solver !== 'scene' && { solver: options.solver }),
      ...(!options.sleep && { sleeping: false }),
      ...(options.gravity !== 1 && {
        gravity: (scene.gravity ?? [0, -9.81, 0]).map((value) => value * options.gravity),
      }),
    }),
    () => {
      watch();
      view.open(player.session, player.demo, player.rival);
      instruments.show(player.demo, player.recorder);
      controls.showBare((view.strands?.hairs ?? 1) > 1);
      duel.show(player.rival ? player.demo : null);
      duel.place(view.split);
      card.show(player.demo?.id ?? null, player.title, player.description);
      document.title = `${player.title} · stiction`;
      // Not while the slider's own event is under way: it would be taken out from under it.
      setTimeout(showSliders);
    },
    accelerator,
    () => options.duel,
  );
  player.paused = query.has('paused');

  let profiler: Panel | null = null;
  /** Has the profiler look at what is played, as long as it is to be seen. */
  const watch = () => {
    const { physics } = player.session;
    profiler?.watch(physics);
    profiler ??= openPanel(physics, {
      parent: panel.profiler,
      gpu: () => accelerator.facts(player.session, player.demo)?.stages ?? null,
      onFreeze: (isFrozen) => {
        player.paused = isFrozen;
      },
    });
    showProfiler();
  };
  const showProfiler = () => {
    const isShown = narrow.matches ? side.classList.contains('open') : !side.classList.contains('closed');
    if (isShown) profiler?.open();
    else profiler?.close();
  };
  player.bill = (name, work) => (profiler ? profiler.measure(name, work) : work());

  const showSliders = () => {
    const { demo } = player;
    const slider = demo?.amount && { ...demo.amount, ...accelerator.amounts(demo) };
    controls.showAmount(slider, player.amount, setAmount);
    controls.showParameters(demo?.parameters ?? [], player.values, setValues);
  };
  const setAmount = (amount: number) => {
    if (player.demo && amount !== player.amount) player.open(player.demo, amount, player.values);
  };
  const setValues = (values: Values, changed: Parameter) => {
    if (changed.live) player.tune(values);
    else if (player.demo) player.open(player.demo, player.amount, values);
  };
  /** Opens what a hash says: a scene, its sliders, what is drawn over it, how it is solved. */
  const openLink = (hash: string) => {
    const { id, amount, values, options: asked } = readLink(hash, SCENES);
    Object.assign(options, asked);
    controls.refresh();
    player.open(SCENES.find((scene) => scene.id === id) ?? SCENES[0], amount, values);
    toasts.clear();
  };
  /** Options stay from one scene to the next. */
  const select = (id: string) => {
    const demo = SCENES.find((scene) => scene.id === id) ?? SCENES[0];
    const hash = writeLink(demo, demo.amount?.usual, usualValues(demo), options);
    if (location.hash.slice(1) === hash) openLink(hash);
    else location.hash = hash; // and the listener below opens it
  };
  /** Has the address say what is seen, so that it can be passed on. */
  const updateLink = () => {
    if (!player.demo) return;
    history.replaceState(null, '', `#${writeLink(player.demo, player.amount, player.values, options)}`);
  };
  const openOwn = (name: string, kind: string, open: () => string) => {
    try {
      const done = open();
      // A hash would claim that this is a scene of the gallery.
      history.replaceState(null, '', location.pathname + location.search);
      toasts.show(name, done, 'plain');
    } catch (error) {
      toasts.show(`${name} is not a ${kind} that can be run`, error instanceof Error ? error.message : String(error));
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
  const openFiles = listenForFiles((files) => {
    const names = [...files.keys()];
    const scene = names.find((name) => !isGroomFile(name));
    const name = scene ?? names[0];
    const bytes = files.get(name) as Uint8Array;
    if (scene === undefined) openGroom(bytes, name);
    else openText(new TextDecoder().decode(bytes), name, files);
  });
  const left = element('div', { class: 'left' });
  ui.append(left);
  const card = createSceneCard(left, GROUPS, { select, openFiles });
  const neighbour = (offset: number) => {
    const at = player.demo ? SCENES.indexOf(player.demo) : 0;
    select(SCENES[(at + offset + SCENES.length) % SCENES.length].id);
  };

  const side = element('aside', { class: 'side', 'aria-label': 'Panels' });
  const chip = element('button', { class: 'chip glass', 'data-testid': 'chip', title: 'Panels (P)' });
  ui.append(side, chip);
  // The scene stands in the middle of what is free: between the panels, above the buttons.
  const clearPanels = () => {
    const page = view.canvas.getBoundingClientRect();
    const isBeside = !narrow.matches && !side.classList.contains('closed');
    const isBelow = narrow.matches && side.classList.contains('open');
    const bar = ui.querySelector('.transport')?.getBoundingClientRect();
    const cover = isBelow ? side.getBoundingClientRect().top : (bar?.top ?? page.bottom);
    view.clear({
      left: narrow.matches ? 0 : left.getBoundingClientRect().right,
      right: isBeside ? page.right - side.getBoundingClientRect().left : 0,
      top: narrow.matches ? chip.getBoundingClientRect().bottom : 0,
      bottom: page.bottom - cover,
    });
    duel.place(view.split);
  };
  const togglePanels = () => {
    // `open` counts on narrow screens, `closed` on wide ones.
    side.classList.toggle('open');
    side.classList.toggle('closed');
    pane.classList.toggle('closed');
    clearPanels();
    panel.resize();
    showProfiler();
  };
  chip.addEventListener('click', togglePanels);
  const panel = createBudgetPanel(side, chip, {
    setFrameBudget: (budget) => profiler?.setBudget(budget),
    setBudget(budget) {
      accelerator.budget = budget;
      if (player.session.gpu) player.session.gpu.budget = budget;
    },
    toggleBackend: () => void toggleBackend(),
  });
  const toggleBackend = async () => {
    await player.toggleBackend();
    showSliders();
  };
  const pane = element('section', { class: 'controls glass', 'aria-label': 'Settings', 'data-testid': 'controls' });
  const controls = createControls(pane, options, () => player.reset(), updateLink);
  // On narrow screens the settings share the sheet with the budget.
  const narrow = window.matchMedia(NARROW);
  const place = () => {
    if (narrow.matches) side.prepend(instruments.element);
    else left.append(instruments.element);
    (narrow.matches ? side : left).append(pane);
  };
  narrow.addEventListener('change', () => {
    place();
    showProfiler();
    clearPanels();
  });
  place();

  const actions = {
    reset: () => player.reset(),
    togglePause: () => {
      player.paused = !player.paused;
    },
    step: () => player.stepOnce(),
    setSpeed: (rate: number) => {
      player.rate = rate;
    },
    togglePanels,
    help: () => help.toggle(),
  };
  const transport = createTransport(ui, actions);
  const flip = (key: 'islands' | 'sleeping' | 'boxes') => () => {
    options[key] = !options[key];
    controls.refresh();
    updateLink();
  };
  listenToKeys({
    ' ': actions.togglePause,
    '.': actions.step,
    n: actions.step,
    r: actions.reset,
    s: () => {
      const at = SPEEDS.findIndex(({ rate }) => rate === player.rate);
      player.rate = SPEEDS[(at + 1) % SPEEDS.length].rate;
    },
    '[': () => neighbour(-1),
    ']': () => neighbour(1),
    m: () => card.toggle(),
    c: () => {
      options.contacts = options.impulses = !options.contacts;
      controls.refresh();
      updateLink();
    },
    i: flip('islands'),
    z: flip('sleeping'),
    b: flip('boxes'),
    p: togglePanels,
    f: () => view.reframe(),
    g: () => void toggleBackend(),
    '?': () => help.toggle(),
    escape: () => {
      help.toggle(false);
      card.toggle(false);
    },
  });

  // Panels have their sizes only when styles are there, and change them as they fill.
  const sizes = new ResizeObserver(clearPanels);
  sizes.observe(left);
  sizes.observe(side);
  clearPanels();
  openLink(location.hash);
  window.addEventListener('hashchange', () => openLink(location.hash));
  window.addEventListener('resize', () => {
    view.resize();
    panel.resize();
    clearPanels();
  });
  listenToPointer(view, player);
  runFrames(view, player, options, instruments, (frame) => {
    transport.show(player.paused, player.rate);
    card.judge(verdictOf(player));
    panel.update(player.session.physics, frame, accelerator.facts(player.session, player.demo));
    duel.update(player.session, player.rival);
  });

  // For tests and for the curious at the console.
  Object.assign(window, {
    stiction: {
      player,
      view,
      options,
      scenes: SCENES,
      select: openLink,
      openText,
      openGroom,
      get physics() {
        return player.session.physics;
      },
      get session() {
        return player.session;
      },
    },
  });
}

type Player = ReturnType<typeof createPlayer>;

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

function verdictOf(player: Player): { state: 'waiting' | 'holds' | 'fails'; text: string } | null {
  const { demo } = player;
  if (!demo) return null;
  const verdict = player.verdict();
  if (!verdict) {
    if (player.touched) return { state: 'waiting', text: 'not checked: you had a hand in it' };
    return { state: 'waiting', text: `promised: ${demo.promise} (checked from ${demo.seconds} s on)` };
  }
  const time = `${verdict.time.toFixed(1)} s`;
  if (verdict.failure) return { state: 'fails', text: `at ${time}: ${verdict.failure}` };
  return { state: 'holds', text: `as promised after ${time}: ${demo.promise}` };
}
