// What the gallery plays: which scene, at which speed, paused or not. Knows the session and nothing of the page.

import type { PhysicsSettings, Scene } from '../../src/index';
import { type DemoScene, type Files, usualValues, type Values } from '../scenes/demo-scene';
import type { Accelerator } from './accelerator';
import { createGrab, type Grab, pairGrabs } from './grab';
import { createRecorder, type Recorder } from './recorder';
import { CHECK_INTERVAL, driveScene, judge, type Session, settingsOf, twinOf, type Worlds } from './session';

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
  /** What makes the worlds of its scenes. */
  worlds: Worlds;
  /** Takes strands to the device; null: they stay on the processor. */
  accelerator: Accelerator | null;
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
  /** What came of the scene's check so far: null before its time. */
  verdict(): Verdict | null;
  /** Whether the visitor had a hand in the scene: what its check says is then no verdict on the promise. */
  readonly touched: boolean;
}

/**
 * A scene's check: when it was made last [s], and what it said. One that fails is the last, unless the visitor had a
 * hand in it: then it goes on, for what fell may stand again.
 */
export interface Verdict {
  readonly time: number;
  readonly failure: string | null;
  readonly isTouched: boolean;
}

/** A longer frame is the browser's doing, not the scene's [s]. */
const LONGEST_FRAME = 0.1;

/** A scene with all that it takes to build it anew. */
interface Choice {
  readonly scene: Scene;
  readonly files: Files | undefined;
  /** Null for a file. */
  readonly demo: DemoScene | null;
  readonly amount: number | undefined;
  readonly values: Values;
  readonly title: string;
  readonly description: string;
}

/** The worlds of a choice, and what came of it so far. */
interface Played {
  choice: Choice | null;
  session: Session | null;
  rival: Session | null;
  recorder: Recorder | null;
  grab: Grab | null;
  rivalGrab: Grab | null;
  verdict: Verdict | null;
  touched: boolean;
  isJudging: boolean;
}

/** What is played; throws where nothing is yet. */
function need({ session, grab, recorder }: Played) {
  if (!session || !grab || !recorder) throw new Error('player: no scene is open');
  return { session, grab, recorder };
}

/** Plays a choice; `overrides` are what the visitor changed of its settings. */
function start(played: Played, worlds: Worlds, choice: Choice, overrides: PhysicsSettings, duels: boolean): void {
  const { scene, files, demo } = choice;
  // First the new one: if it cannot be built, the old one plays on.
  const settings = { ...settingsOf(demo), ...overrides };
  const session = worlds.open(scene, settings, files, demo?.join);
  const rival =
    demo?.rival && (demo.rival.strands || duels)
      ? worlds.open(scene, withSettings(settings, worlds.settings(scene), demo.rival.settings), files, demo.join)
      : null;
  const old = [played.session, played.rival];
  const values = () => played.choice?.values ?? choice.values;
  let grab = createGrab(session.physics);
  let rivalGrab: Grab | null = null;
  if (rival && !demo?.rival?.strands) {
    rivalGrab = createGrab(rival.physics);
    grab = pairGrabs(grab, rivalGrab, (entity) => twinOf(session, entity, rival));
  }
  Object.assign(played, { choice, session, rival, grab, rivalGrab, verdict: null, isJudging: false });
  // Not while they are the ones that are played: what a session tells as it ends concerns nobody.
  for (const each of old) each?.close();
  played.recorder = createRecorder(session, rival, demo, values);
  if (demo) for (const each of [session, rival]) if (each) driveScene(each, demo, values);
  played.touched = Object.keys(overrides).length > 0;
}

/** After steps: checks the scene when that is due. */
function judgeWhenDue(played: Played): void {
  const { session } = need(played);
  const demo = played.choice?.demo;
  if (played.grab?.active) played.touched = true;
  const due = played.verdict ? played.verdict.time + CHECK_INTERVAL : demo?.seconds;
  const { time } = session.physics;
  const isOver = played.isJudging || (played.verdict?.failure && !played.touched);
  if (!demo || isOver || due === undefined || time < due - 1e-6) return;
  const { gpu } = session;
  if (gpu?.state !== 'webgpu') {
    played.verdict = { time, failure: judge(demo, session), isTouched: played.touched };
    return;
  }
  // What is known of strands on the device is some steps old.
  played.isJudging = true;
  void gpu.settle().then(() => {
    if (played.session !== session) return;
    played.isJudging = false;
    const failure = judge(demo, session);
    played.verdict = { time: session.physics.time, failure, isTouched: played.touched };
  });
}

type Readings = Pick<
  Player,
  | ('session' | 'rival' | 'recorder' | 'grab' | 'rivalGrab' | 'demo' | 'title' | 'description')
  | ('amount' | 'values' | 'touched')
>;

/** What a player tells of what it plays. */
const readingsOf = (played: Played): Readings => ({
  get session() {
    return need(played).session;
  },
  get rival() {
    return played.rival;
  },
  get recorder() {
    return need(played).recorder;
  },
  get grab() {
    return need(played).grab;
  },
  get rivalGrab() {
    return played.rivalGrab;
  },
  get demo() {
    return played.choice?.demo ?? null;
  },
  get title() {
    return played.choice?.title ?? '';
  },
  get description() {
    return played.choice?.description ?? '';
  },
  get amount() {
    return played.choice?.amount;
  },
  get values() {
    return played.choice?.values ?? {};
  },
  get touched() {
    return played.touched;
  },
});

/**
 * `settings` gives what the visitor changed for a scene; `opened` is called with each new session. `accelerator` takes
 * strands to the device; without one they stay on the processor. `duels` says whether rivals are to be seen.
 */
export function createPlayer(
  worlds: Worlds,
  settings: (scene: Scene) => PhysicsSettings,
  opened: () => void,
  accelerator: Accelerator | null = null,
  duels: () => boolean = () => true,
): Player {
  const played: Played = {
    ...{ choice: null, session: null, rival: null, recorder: null, grab: null, rivalGrab: null },
    ...{ verdict: null, touched: false, isJudging: false },
  };

  /**
   * For the accelerator: whether a session is still played, and what follows when it is known where its strands are.
   */
  const watch = (mine: Session) => ({
    current: () => played.session === mine,
    /** On the processor again, the scene begins anew with as many strands as that can do. */
    settled() {
      const { demo, amount, values } = player;
      const slider = demo?.amount;
      if (mine.gpu?.state === 'webgpu' || !demo || !slider || amount === undefined || amount <= slider.most) return;
      player.open(demo, slider.usual, values);
    },
  });

  const play = (choice: Choice) => {
    start(played, player.worlds, choice, settings(choice.scene), duels());
    if (choice.demo) played.touched ||= isUnusual(choice.demo, choice.values);
    const { session } = need(played);
    const { current, settled } = watch(session);
    void player.accelerator?.start(session, choice.demo, current, settled);
    opened();
  };

  const actions: Omit<Player, keyof Readings> = {
    paused: false,
    worlds,
    accelerator,
    bill: (_, work) => work(),
    rate: 1,
    open(next, amount = usualAmount(next, player.accelerator), values = usualValues(next)) {
      const { title, description } = next;
      const files = next.files?.(amount, values);
      play({
        scene: player.worlds.load(next.build(amount, values)),
        files,
        demo: next,
        amount,
        values,
        title,
        description,
      });
    },
    tune(values) {
      if (played.choice) played.choice = { ...played.choice, values };
      const { demo, rival } = player;
      demo?.tune?.(values, player.session.tuner());
      if (rival) demo?.tune?.(values, rival.tuner());
      played.touched = true;
    },
    openFile(text, name, files) {
      const scene = player.worlds.load(text);
      const { title = name, description = name } = scene;
      play({ scene, files, demo: null, amount: undefined, values: {}, title, description });
    },
    reset() {
      const { demo, amount, values } = player;
      if (demo) player.open(demo, amount, values);
      else if (played.choice) play(played.choice);
    },
    stepOnce() {
      player.paused = true;
      if (player.session.isStarting) return;
      player.session.physics.step();
      player.recorder.follow();
      judgeWhenDue(played);
    },
    async toggleBackend() {
      const mine = player.session;
      const { current, settled } = watch(mine);
      await player.accelerator?.toggle(mine, current, settled);
    },
    advance(seconds) {
      if (player.paused || player.session.isStarting) return 0;
      const steps = player.session.physics.advance(Math.min(seconds, LONGEST_FRAME) * player.rate);
      if (player.rival) player.bill('rival', player.recorder.follow);
      if (steps > 0) judgeWhenDue(played);
      return steps;
    },
    verdict: () => played.verdict,
  };

  const player = Object.defineProperties(actions, Object.getOwnPropertyDescriptors(readingsOf(played))) as Player;
  return player;
}

/** Settings of the rival: the visitor's, the scene's own of the elastic solve, and what makes it a rival. */
function withSettings(overrides: PhysicsSettings, own: PhysicsSettings, settings: PhysicsSettings): PhysicsSettings {
  const elastic = { ...own.elastic, ...overrides.elastic, ...settings.elastic };
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
