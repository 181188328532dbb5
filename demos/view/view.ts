// Everything that is drawn, behind one door: the running session, and beside it its rival in a duel.

import '@babylonjs/core/Culling/ray';
import type { DrawOptions } from '../../src/index';
import type { Grab } from '../app/grab';
import type { Session } from '../app/session';
import type { CameraFile, DemoScene } from '../scenes/demo-scene';
import type { BodyView, Tints } from './bodies';
import { createEngine, type EngineKind, type LentDevice, type Quality, setDensity } from './create-engine';
import { createHalf, type Half } from './half';
import { type OrbitCamera, type Sides, WHOLE } from './orbit-camera';
import type { ShellView } from './shell-view';
import { createStrandView, type StrandView } from './strand-view';

/** What is drawn over the scene, and whether strands are drawn without the hairs beside them. */
export interface ViewOptions extends DrawOptions {
  bare: boolean;
}

/** Where the halves of a duel meet: in the middle of what the panels leave free [CSS pixels from left or top]. */
export interface Split {
  direction: 'beside' | 'below';
  at: number;
}

export interface View {
  readonly kind: EngineKind;
  /** What strands can be computed on, and drawn without a copy; null with WebGL2. */
  readonly device: LentDevice | null;
  /** Why it does not draw with WebGPU, one line; null if it does. */
  readonly reason: string | null;
  readonly canvas: HTMLCanvasElement;
  readonly camera: OrbitCamera;
  readonly bodies: BodyView | null;
  readonly strands: StrandView | null;
  readonly shells: ShellView | null;
  /** In a duel, where its halves meet. */
  readonly split: Split | null;
  /** What is drawn at a place of the canvas [CSS pixels]: the session's own half, or its rival's. */
  at(x: number, y: number): { camera: OrbitCamera; session: Session | null };
  /** Shows a session in place of the one before, and its rival: in a half of its own, or of it only its strands. */
  open(session: Session, demo: DemoScene | null, rival?: Session | null): void;
  /** Goes to the point of view of the scene, or one that shows all of an unknown scene. */
  reframe(): void;
  /** Keeps the scene clear of what panels take at each side. */
  clear(taken: Sides): void;
  /** Moves bodies to where they are, `interpolated` between steps. */
  move(interpolated: boolean): void;
  /** Colours bodies by island or sleep, or as they are. */
  tint(tints: Tints): void;
  /** Draws a frame; `grabs` of the session and of its rival. */
  render(options: ViewOptions, grabs: readonly [Grab, Grab | null]): void;
  resize(): void;
}

/**
 * Starts the renderer, with high quality unless another is asked for. Throws if the
 * browser has neither WebGPU nor WebGL2.
 */
export async function createView(
  canvas: HTMLCanvasElement,
  asked: Quality | null,
  want: EngineKind | null,
): Promise<View> {
  const quality = asked ?? 'high';
  const choice = await createEngine(canvas, want, quality);
  const { engine } = choice;
  const fullness = quality === 'low' ? 0.1 : asked === null && choice.isSoftware ? 0.15 : 1;
  const detail = { quality, isSoftware: choice.isSoftware, fullness };
  const first = createHalf(engine, choice.canvas, detail);
  // Made for the first duel.
  let second: Half | null = null;
  let demo: DemoScene | null = null;
  /** The rival's strands in the one picture. */
  let rivals: StrandView | null = null;
  let taken: Sides = { left: 0, right: 0, top: 0, bottom: 0 };
  let split: Split | null = null;

  const halves = () => (second?.session ? [first, second] : [first]);

  const layOut = () => {
    const { clientWidth: width, clientHeight: height } = choice.canvas;
    const { left, right, top, bottom } = taken;
    split = null;
    if (!second?.session) {
      first.camera.share(WHOLE);
      first.camera.clear(taken);
      return;
    }
    const free = [width - left - right, height - top - bottom];
    const direction = width > height ? 'beside' : 'below';
    if (direction === 'beside') {
      const at = left + free[0] / 2;
      const share = at / Math.max(width, 1);
      first.camera.share({ x: 0, y: 0, width: share, height: 1 });
      second.camera.share({ x: share, y: 0, width: 1 - share, height: 1 });
      first.camera.clear({ ...taken, right: 0 });
      second.camera.clear({ ...taken, left: 0 });
      split = { direction, at };
    } else {
      const at = top + free[1] / 2;
      const share = at / Math.max(height, 1);
      first.camera.share({ x: 0, y: 1 - share, width: 1, height: share });
      second.camera.share({ x: 0, y: 0, width: 1, height: 1 - share });
      first.camera.clear({ ...taken, bottom: 0 });
      second.camera.clear({ ...taken, top: 0 });
      split = { direction, at };
    }
  };

  const reframe = () => {
    if (!first.session) return;
    const shot = demo?.camera ?? fit(first.session, first.strands);
    first.camera.show(shot);
    for (const { stage } of halves()) stage.frame(shot.target, shot.distance * 0.85, shot.yaw);
  };

  return {
    kind: choice.kind,
    device: choice.device,
    reason: choice.reason,
    canvas: choice.canvas,
    camera: first.camera,
    get bodies() {
      return first.bodies;
    },
    get strands() {
      return first.strands;
    },
    get shells() {
      return first.shells;
    },
    get split() {
      return split;
    },
    at(x, y) {
      const isSecond = split && (split.direction === 'beside' ? x : y) > split.at;
      return isSecond && second ? second : first;
    },
    open(next, of, rival = null) {
      rivals?.dispose();
      rivals = null;
      const same = of !== null && of === demo && (rival !== null) === (second?.session != null);
      demo = of;
      first.open(next, of);
      const shared = rival && of?.rival?.strands;
      if (rival && shared) rivals = createStrandView(first.stage, rival, { ...of, strands: shared }, next);
      if (rival && !shared) {
        second ??= createHalf(engine, choice.canvas, detail, true);
        second.open(rival, of, next);
      } else second?.close();
      layOut();
      // Starting the same scene again keeps the point of view.
      if (!same) reframe();
    },
    reframe,
    clear(sides) {
      // What covers more than half of the page is no panel beside the scene, but one that is not laid out yet.
      const beside = (side: number, whole: number) => (side <= whole / 2 ? side : 0);
      const { clientWidth, clientHeight } = choice.canvas;
      taken = {
        left: beside(sides.left, clientWidth),
        right: beside(sides.right, clientWidth),
        top: beside(sides.top, clientHeight),
        bottom: beside(sides.bottom, clientHeight),
      };
      layOut();
      // What has to be in sight may need another distance now.
      if (first.camera.isAsShown) reframe();
    },
    move(interpolated) {
      for (const { bodies, cords } of halves()) {
        bodies?.update(interpolated);
        cords?.move(interpolated);
      }
    },
    tint(tints) {
      for (const { bodies } of halves()) bodies?.tint(tints);
    },
    render(options, grabs) {
      if (!first.session) return;
      const { bare, ...drawn } = options;
      rivals?.update(first.camera.eye(), first.camera.pixel(), bare);
      // The loop is ours, so the frame is as well: WebGPU submits its commands at the end of it.
      engine.beginFrame();
      first.draw(drawn, bare, grabs[0]);
      if (second?.session) {
        second.camera.follow(first.camera);
        second.draw(drawn, bare, grabs[1] ?? grabs[0]);
      }
      engine.endFrame();
    },
    resize() {
      setDensity(engine, quality);
      engine.resize();
      layOut();
    },
  };
}

/** A camera that shows everything that moves in an unknown scene. */
function fit(session: Session, strands: StrandView | null): CameraFile {
  const low = [...(strands?.bounds?.[0] ?? [Infinity, Infinity, Infinity])];
  const high = [...(strands?.bounds?.[1] ?? [-Infinity, -Infinity, -Infinity])];
  for (const [name, eid] of session.entities) {
    if (session.fixed.has(eid)) continue;
    const position = session.starts.get(name)?.position ?? [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], position[i]);
      high[i] = Math.max(high[i], position[i]);
    }
  }
  if (!(low[0] <= high[0])) return { target: [0, 1, 0], distance: 12, yaw: 0.5, pitch: 0.25 };
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const nearest = strands?.bounds ? 0.3 : 5;
  return {
    target: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
    distance: Math.min(Math.max(1.7 * size, nearest), 110),
    yaw: 0.5,
    pitch: 0.24,
  };
}
