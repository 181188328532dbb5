// The frame loop: steps, drawing, and, some times a second, the panels.

import type { FrameTimes } from '../panel/budget-panel';
import type { Options } from '../panel/options';
import { createPace } from '../view/pace';
import type { View } from '../view/view';
import type { Player } from './player';
import type { Session } from './session';

/** Panels are read by people: this often is enough [ms]. */
const PANEL_INTERVAL = 160;

export interface Frames {
  /** Begins; once. */
  run(): void;
  /** Resolves with the first frame that shows a scene in motion, or paused. */
  readonly moving: Promise<void>;
  /** Called in each frame after the world is where it is drawn. */
  onDraw: () => void;
  /** Called some times a second with what a frame takes. */
  onPanels: (frame: FrameTimes) => void;
}

/** `canLower`: fewer pixels may be drawn where frames come late. `showPlay` is called some times a second. */
export function createFrames(
  view: View,
  player: Player,
  options: Options,
  canLower: boolean,
  showPlay: () => void,
): Frames {
  let last = performance.now();
  let panelAt = 0;
  let shown: { session: Session; step: number } | null = null;
  let [isReady, isMoving] = [false, false];
  let begun: () => void;
  const moving = new Promise<void>((resolve) => {
    begun = resolve;
  });

  // Smoothed, else nobody could read them.
  const renderer = view.kind === 'webgpu' ? 'WebGPU' : 'WebGL2';
  const pace = createPace();
  const frame: FrameTimes = { interval: 0, physics: 0, view: 0, renderer, hairs: 1 };
  const smooth = (old: number, value: number) => (old === 0 ? value : old + 0.1 * (value - old));

  const touch = listenForTouch();

  const drawWorld = (seconds: number) => {
    const { session } = player;
    const { physics } = session;
    if (!player.paused) {
      physics.interpolate();
      player.rival?.physics.interpolate(physics.alpha);
      view.move(true, seconds);
    } else if (shown?.session !== session || shown.step !== physics.stepCount) {
      // A step by hand: the exact pose.
      physics.interpolate(1);
      player.rival?.physics.interpolate(1);
      view.move(false, seconds);
    }
    shown = { session, step: physics.stepCount };
    view.tint(options);
    frames.onDraw();
    const { contacts, impulses, cones, thrust, tension, labels, joints, boxes } = options;
    const drawn = { contacts, impulses, cones, thrust, tension, labels, joints, boxes };
    view.render({ ...drawn, islands: false, sleeping: false, bare: options.strands }, [player.grab, player.rivalGrab]);
  };

  /** Whether the world may move: not before there is a picture of it, and the shaders for that are on their way. */
  const mayMove = () => {
    isReady ||= view.isReady;
    if (isReady && !isMoving && (player.paused || player.session.physics.stepCount > 1)) {
      isMoving = true;
      performance.mark('gallery-moving');
      begun();
    }
    return isReady;
  };

  const draw = (now: number) => {
    requestAnimationFrame(draw);
    // The first frame's time may lie before the moment at which we began to count.
    const interval = Math.max(now - last, 0);
    last = now;
    const before = performance.now();
    player.grab.strength = options.pull;
    if (mayMove()) player.advance(interval / 1000);
    // A longer frame is the browser's doing.
    const seconds = Math.min(interval / 1000, 0.05);
    if (!player.paused && !touch.isOver && isReady) view.camera.sway(seconds);
    const stepped = performance.now();
    player.bill('drawing', () => drawWorld(seconds));
    const drawn = performance.now();
    // What a visitor asks for, and pages drawn in software, stay as they are.
    if (canLower && isReady && pace.note(interval, drawn - before)) view.lower();
    if (interval > 0) frame.interval = smooth(frame.interval, interval);
    frame.physics = smooth(frame.physics, stepped - before);
    frame.view = smooth(frame.view, drawn - stepped);
    if (now - panelAt > PANEL_INTERVAL) {
      panelAt = now;
      frame.renderer = `${renderer}, ${+view.density.toPrecision(2)} × ${+view.density.toPrecision(2)} px a point`;
      frame.hairs = options.strands ? 1 : (view.strands?.hairs ?? 1);
      showPlay();
      frames.onPanels(frame);
    }
  };

  const frames: Frames = {
    run() {
      last = performance.now();
      requestAnimationFrame(draw);
    },
    moving,
    onDraw: () => {},
    onPanels: () => {},
  };

  return frames;
}

/** Whether the visitor has taken the scene in hand, or wants no motion but the scene's own. */
function listenForTouch(): { readonly isOver: boolean } {
  const state = { isOver: window.matchMedia('(prefers-reduced-motion: reduce)').matches };
  const end = () => {
    state.isOver = true;
  };
  for (const name of ['pointerdown', 'wheel', 'keydown'])
    window.addEventListener(name, end, { once: true, capture: true });
  return state;
}
