// What the gallery plays: which scene, at which speed, paused or not. Knows the session and nothing of the page.

import { type PhysicsSettings, type Scene, sceneSettings } from '../../src/index';
import { type DemoScene, type Files, usualValues, type Values } from '../scenes/demo-scene';
import type { Accelerator } from './accelerator';
import { createGrab, type Grab, pairGrabs } from './grab';
import { createRecorder, type Recorder } from './recorder';
import {
  CHECK_INTERVAL,
  createTuner,
  driveScene,
  judge,
  loadScene,
  openSession,
  type Session,
  settingsOf,
  twinOf,
} from './session';

export interface Player {
  readonly session: Session;
  /** The same scene under other settings, where it has a rival. */
  readonly rival: Session | null;
  /** Readings of the scene's instruments. */
  readonly recorder: Recorder;
  readonly grab: Grab;
  /** In a duel, what is held in the rival. */
  readonly rivalGrab: Grab | null;
  /** The gallery scene, null for a file. */
  readonly demo: DemoScene | null;
  readonly title: string;
  readonly description: string;
  paused: boolean;
  /** Runs work that is no part of the scene's own steps, under a name to be told: what the page sets. */
  bill(name: string, work: () => void): void;
  /** Simulated over real time. */
  rate: number;
  /** How much of what the scene has a slider for; undefined if it has none. */
  readonly amount: number | undefined;
  /** What the visitor chose for the scene's parameters. */
  readonly values: Values;
  /** Plays a scene of the gallery; `amount` and `values` are for its sliders, without them the usual. */
  open(demo: DemoScene, amount?: number, values?: Values): void;
  /** Brings values into the running world. */
  tune(values: Values): void;
  /**
   * Plays the contents of a scene file, with the files of its grooms; throws SceneError and keeps on playing what it
   * played.
   */
  openFile(text: string, name: string, files?: Files): void;
  /** Builds the world anew. */
  reset(): void;
  /** One step, and stays paused. */
  stepOnce(): void;
  /**
   * Has the running strands advanced on the device instead of the processor, or the other
   * way round; resolves when they are.
   */
  toggleBackend(): Promise<void>;
  /** A frame; returns the steps taken: none while the device for the strands is being made ready. */
  advance(seconds: number): number;
  /** What came of the scene's check so far: null before its time, or where the visitor had a hand in it before that. */
  verdict(): Verdict | null;
  /** Whether the visitor had a hand in the scene: it is not checked any more. */
  readonly touched: boolean;
}

/** A scene's check: when it was made last [s], and what it said. One that fails is the last. */
export interface Verdict {
  readonly time: number;
  readonly failure: string | null;
}

/** A longer frame is the browser's doing, not the scene's [s]. */
const LONGEST_FRAME = 0.1;

/**
 * `settings` gives what the visitor changed for a scene; `opened` is called with each new session. `accelerator` takes
 * strands to the device; without one they stay on the processor. `duels` says whether rivals are to be seen.
 */
export function createPlayer(
  settings: (scene: Scene) => PhysicsSettings,
  opened: () => void,
  accelerator: Accelerator | null = null,
  duels: () => boolean = () => true,
): Player {
  let session: Session | null = null;
  let rival: Session | null = null;
  let recorder: Recorder | null = null;
  let grab: Grab | null = null;
  let rivalGrab: Grab | null = null;
  let scene: Scene | null = null;
  let demo: DemoScene | null = null;
  let amount: number | undefined;
  let values: Values = {};
  let files: Files | undefined;
  let [title, description] = ['', ''];
  let verdict: Verdict | null = null;
  let touched = false;
  let isJudging = false;

  const start = (next: Scene, nextFiles: Files | undefined, of: DemoScene | null) => {
    // First the new one: if it cannot be built, the old one plays on.
    const overrides = settings(next);
    const fresh = openSession(next, { ...settingsOf(of), ...overrides }, nextFiles, of?.join);
    const second =
      of?.rival && (of.rival.strands || duels())
        ? openSession(
            next,
            withSettings({ ...settingsOf(of), ...overrides }, next, of.rival.settings),
            nextFiles,
            of.join,
          )
        : null;
    const old = [session, rival];
    session = fresh;
    rival = second;
    // Not while they are the ones that are played: what a session tells as it ends concerns nobody.
    for (const each of old) each?.close();
    recorder = createRecorder(fresh, second, of, () => values);
    scene = next;
    files = nextFiles;
    grab = createGrab(fresh.physics);
    rivalGrab = null;
    if (second && !of?.rival?.strands) {
      rivalGrab = createGrab(second.physics);
      grab = pairGrabs(grab, rivalGrab, (entity) => twinOf(fresh, entity, second));
    }
    if (of) for (const each of [fresh, second]) if (each) driveScene(each, of, () => values);
    verdict = null;
    isJudging = false;
    touched = Object.keys(overrides).length > 0;
  };

  const need = () => {
    if (!session || !grab || !recorder) throw new Error('player: no scene is open');
    return { session, grab, recorder };
  };

  /**
   * For the accelerator: whether a session is still played, and what follows when it is known where its strands are.
   */
  const watch = (mine: Session) => ({
    current: () => session === mine,
    /** On the processor again, the scene begins anew with as many strands as that can do. */
    settled() {
      const slider = demo?.amount;
      if (mine.gpu?.state === 'webgpu' || !demo || !slider || amount === undefined || amount <= slider.most) return;
      player.open(demo, slider.usual, values);
    },
  });

  const accelerate = () => {
    const { session: mine } = need();
    const { current, settled } = watch(mine);
    void accelerator?.start(mine, demo, current, settled);
  };

  const afterSteps = () => {
    const { session: now } = need();
    if (grab?.active) touched = true;
    const due = verdict ? verdict.time + CHECK_INTERVAL : demo?.seconds;
    const { time } = now.physics;
    if (!demo || isJudging || touched || verdict?.failure || due === undefined || time < due - 1e-6) return;
    const { gpu } = now;
    if (gpu?.state !== 'webgpu') {
      verdict = { time, failure: judge(demo, now) };
      return;
    }
    // What is known of strands on the device is some steps old.
    isJudging = true;
    void gpu.settle().then(() => {
      if (session !== now || !demo) return;
      isJudging = false;
      if (!touched) verdict = { time: now.physics.time, failure: judge(demo, now) };
    });
  };

  const player: Player = {
    get session() {
      return need().session;
    },
    get rival() {
      return rival;
    },
    get recorder() {
      return need().recorder;
    },
    get grab() {
      return need().grab;
    },
    get rivalGrab() {
      return rivalGrab;
    },
    get demo() {
      return demo;
    },
    get title() {
      return title;
    },
    get description() {
      return description;
    },
    paused: false,
    bill: (_, work) => work(),
    rate: 1,
    get amount() {
      return amount;
    },
    get values() {
      return values;
    },
    open(next, wanted = usualAmount(next, accelerator), chosen = usualValues(next)) {
      start(loadScene(next.build(wanted, chosen)), next.files?.(wanted, chosen), next);
      demo = next;
      amount = wanted;
      values = chosen;
      touched ||= isUnusual(next, chosen);
      title = next.title;
      description = next.description;
      accelerate();
      opened();
    },
    tune(chosen) {
      values = chosen;
      demo?.tune?.(chosen, createTuner(need().session));
      if (rival) demo?.tune?.(chosen, createTuner(rival));
      touched = true;
    },
    openFile(text, name, given) {
      const read = loadScene(text);
      start(read, given, null);
      demo = null;
      amount = undefined;
      values = {};
      title = read.title ?? name;
      description = read.description ?? name;
      accelerate();
      opened();
    },
    reset() {
      if (demo) return player.open(demo, amount, values);
      if (!scene) return;
      start(scene, files, null);
      accelerate();
      opened();
    },
    stepOnce() {
      player.paused = true;
      if (need().session.isStarting) return;
      need().session.physics.step();
      need().recorder.follow();
      afterSteps();
    },
    async toggleBackend() {
      const { session: mine } = need();
      const { current, settled } = watch(mine);
      await accelerator?.toggle(mine, current, settled);
    },
    advance(seconds) {
      if (player.paused || need().session.isStarting) return 0;
      const steps = need().session.physics.advance(Math.min(seconds, LONGEST_FRAME) * player.rate);
      if (rival) player.bill('rival', need().recorder.follow);
      if (steps > 0) afterSteps();
      return steps;
    },
    verdict: () => verdict,
    get touched() {
      return touched;
    },
  };
  return player;
}

/** Settings of the rival: the visitor's, the scene's own of the elastic solve, and what makes it a rival. */
function withSettings(overrides: PhysicsSettings, scene: Scene, settings: PhysicsSettings): PhysicsSettings {
  const elastic = { ...sceneSettings(scene).elastic, ...overrides.elastic, ...settings.elastic };
  return { ...overrides, ...settings, elastic };
}

/** How much of a scene is shown at first. */
function usualAmount(demo: DemoScene, accelerator: Accelerator | null): number | undefined {
  return (accelerator?.amounts(demo) ?? demo.amount)?.usual;
}

/** Whether a visitor chose something that the scene's promise does not cover. */
function isUnusual(demo: DemoScene, values: Values): boolean {
  const usual = usualValues(demo);
  return Object.keys(usual).some((key) => values[key] !== usual[key]);
}
