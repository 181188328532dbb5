// What the gallery plays: which scene, at which speed, paused or not. Knows the session and nothing of the page.

import type { PhysicsSettings, Scene } from '../../src/index';
import type { DemoScene } from '../scenes/demo-scene';
import { createGrab, type Grab } from './grab';
import { loadScene, openSession, resultOf, type Session } from './session';

export interface Player {
  readonly session: Session;
  readonly grab: Grab;
  /** The gallery scene, null for a file. */
  readonly demo: DemoScene | null;
  readonly title: string;
  readonly description: string;
  paused: boolean;
  /** Simulated over real time. */
  rate: number;
  /** Plays a scene of the gallery. */
  open(demo: DemoScene): void;
  /** Plays the contents of a scene file; throws SceneError and keeps on playing what it played. */
  openFile(text: string, name: string): void;
  /** Builds the world anew. */
  reset(): void;
  /** One step, and stays paused. */
  stepOnce(): void;
  /** A frame; returns the steps taken. */
  advance(seconds: number): number;
  /** The scene's check: null before its time, or when the visitor has had a hand in it. */
  verdict(): { failure: string | null } | null;
}

/** A longer frame is the browser's doing, not the scene's [s]. */
const LONGEST_FRAME = 0.1;

/** `settings` gives what the visitor changed for a scene; `opened` is called with each new session. */
export function createPlayer(settings: (scene: Scene) => PhysicsSettings, opened: () => void): Player {
  let session: Session | null = null;
  let grab: Grab | null = null;
  let scene: Scene | null = null;
  let demo: DemoScene | null = null;
  let [title, description] = ['', ''];
  let verdict: { failure: string | null } | null = null;
  let touched = false;

  const start = (next: Scene) => {
    // First the new one: if it cannot be built, the old one plays on.
    const overrides = settings(next);
    const fresh = openSession(next, overrides);
    session?.close();
    session = fresh;
    scene = next;
    grab = createGrab(fresh.physics);
    verdict = null;
    touched = Object.keys(overrides).length > 0;
  };

  const need = () => {
    if (!session || !grab) throw new Error('player: no scene is open');
    return { session, grab };
  };

  const afterSteps = () => {
    const { session: now } = need();
    if (grab?.entity !== null) touched = true;
    if (!demo || verdict || touched || now.physics.time < demo.seconds - 1e-6) return;
    verdict = { failure: demo.check(resultOf(now)) };
  };

  const player: Player = {
    get session() {
      return need().session;
    },
    get grab() {
      return need().grab;
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
    rate: 1,
    open(next) {
      start(loadScene(next.build()));
      demo = next;
      title = next.title;
      description = next.description;
      opened();
    },
    openFile(text, name) {
      const read = loadScene(text);
      start(read);
      demo = null;
      title = read.title ?? name;
      description = read.description ?? name;
      opened();
    },
    reset() {
      if (!scene) return;
      start(scene);
      opened();
    },
    stepOnce() {
      player.paused = true;
      need().session.physics.step();
      afterSteps();
    },
    advance(seconds) {
      if (player.paused) return 0;
      const steps = need().session.physics.advance(Math.min(seconds, LONGEST_FRAME) * player.rate);
      if (steps > 0) afterSteps();
      return steps;
    },
    verdict: () => verdict,
  };
  return player;
}
