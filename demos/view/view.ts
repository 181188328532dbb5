// Everything that is drawn, behind one door: the running session, and beside it its rival in a duel.

import type { AbstractEngine } from '@babylonjs/core/Engines/abstractEngine';
import { vec3 } from 'gl-matrix';
import type { Grab } from '../app/grab';
import type { Session } from '../app/session';
import { type CameraFile, cameraFor } from '../scenes/camera';
import type { DemoScene } from '../scenes/demo-scene';
import type { BodyView, Tints } from './bodies';
import {
  createEngine,
  type EngineChoice,
  type EngineKind,
  type LentDevice,
  type Quality,
  setDensity,
} from './create-engine';
import { createHalf, type Detail, type Half, type HalfOptions } from './half';
import type { LateParts } from './late';
import { type OrbitCamera, type Sides, WHOLE } from './orbit-camera';
import type { ShellView } from './shell-view';
import { BARE, type Cover, halve, panelsBeside, type Split } from './split';
import type { StrandView } from './strand-view';

/** What is drawn over the scene, and whether strands are drawn without the hairs beside them. */
export interface ViewOptions extends HalfOptions {
  bare: boolean;
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
  /** Whether it is drawn on the processor. */
  readonly isSoftware: boolean;
  /** Device pixels drawn for each CSS pixel. */
  readonly density: number;
  /** Draws shadows that cost less, and after that fewer pixels, down to a least: for a machine that cannot do more. */
  lower(): void;
  /** Whether the next frame shows the scene: until then its shaders are compiled. */
  readonly isReady: boolean;
  /** Shows from now on what is more than bodies, too. Only bodies of what is shown by then are. */
  equip(parts: LateParts): void;
  /** What is drawn at a place of the canvas [CSS pixels]: the session's own half, or its rival's. */
  at(x: number, y: number): { camera: OrbitCamera; session: Session | null };
  /** Shows a session in place of the one before, and its rival: in a half of its own, or of it only its strands. */
  open(session: Session, demo: DemoScene | null, rival?: Session | null): void;
  /** Goes to the point of view of the scene, or one that shows all of an unknown scene. */
  reframe(): void;
  /** Keeps the scene clear of what panels take at each side, and in a duel of what captions cover of its halves. */
  clear(taken: Sides, covers?: readonly [Cover, Cover]): void;
  /** Moves bodies to where they are, `interpolated` between steps; `seconds` have gone by since the last frame. */
  move(interpolated: boolean, seconds: number): void;
  /** Colours bodies by island or sleep, or as they are. */
  tint(tints: Tints): void;
  /** Draws a frame; `grabs` of the session and of its rival. */
  render(options: ViewOptions, grabs: readonly [Grab, Grab | null]): void;
  resize(): void;
}

/**
 * Starts the renderer, with high quality unless another is asked for. Throws if the
 * browser has neither WebGPU nor WebGL2. `isLost`: WebGPU has lost its device before.
 */
export async function createView(
  canvas: HTMLCanvasElement,
  asked: Quality | null,
  want: EngineKind | null,
  isLost: boolean,
): Promise<View> {
  const quality = asked ?? 'high';
  const choice = await createEngine(canvas, want, quality, isLost);
  const fullness = quality === 'low' ? 0.1 : asked === null && choice.isSoftware ? 0.15 : 1;
  const softShadows = quality === 'high' && (asked === 'high' || !choice.isSoftware);
  return viewWith(choice, { quality, isSoftware: choice.isSoftware, softShadows, fullness });
}

/** By how much fewer pixels are drawn at a time, to each side, and the least share of them. */
const [LOWER, LEAST] = [0.8, 0.4];

function viewWith(choice: EngineChoice, detail: Detail): View {
  const { engine } = choice;
  const halves = createHalves(engine, choice.canvas, detail);
  const { first } = halves;
  let demo: DemoScene | null = null;

  /** The rival's strands in the one picture. */
  let rivals: StrandView | null = null;

  /** Of the pixels to each side that are drawn where a machine manages. */
  let share = 1;
  const framing = createFraming(choice.canvas, halves, () => demo);

  return {
    kind: choice.kind,
    device: choice.device,
    reason: choice.reason,
    isSoftware: choice.isSoftware,
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
      return framing.split;
    },
    get density() {
      return 1 / engine.getHardwareScalingLevel();
    },

    lower() {
      if (detail.softShadows) {
        detail.softShadows = false;
        halves.hardenShadows();
        return;
      }
      if (share * LOWER < LEAST) return;
      share *= LOWER;
      setDensity(engine, detail.quality, share);
    },

    get isReady() {
      return halves.shown.every(({ stage }) => stage.scene.isReady());
    },
    equip: halves.equip,

    at(x, y) {
      const { split } = framing;
      const isSecond = split && (split.direction === 'beside' ? x : y) > split.at;
      return (isSecond && halves.rival) || first;
    },

    open(next, of, rival = null) {
      rivals?.dispose();
      rivals = null;
      const same = of !== null && of === demo && (rival !== null) === (halves.rival !== null);
      demo = of;
      first.open(next, of);
      const shared = rival && of?.rival?.strands;
      if (rival && shared)
        rivals = halves.parts?.createStrandView(first.stage, rival, { ...of, strands: shared }, next) ?? null;
      halves.showRival(shared ? null : rival, of, next);
      framing.layOut();
      // Starting the same scene again keeps the point of view.
      if (!same) framing.reframe();
    },

    reframe: framing.reframe,
    clear: framing.clear,
    move(interpolated, seconds) {
      for (const { bodies, cords } of halves.shown) {
        bodies?.update(interpolated);
        cords?.move(interpolated);
      }
      pursue(first.camera, first.session, demo?.camera.follow, seconds);
    },
    tint(tints) {
      for (const { bodies } of halves.shown) bodies?.tint(tints);
    },
    render(options, grabs) {
      if (!first.session) return;
      rivals?.update(first.camera.eye(), first.camera.pixel(), options.bare);
      // The loop is ours, so the frame is as well: WebGPU submits its commands at the end of it.
      engine.beginFrame();
      drawHalves(halves.shown, options, grabs);
      engine.endFrame();
    },
    resize() {
      setDensity(engine, detail.quality, share);
      engine.resize();
      framing.layOut();
    },
  };
}

type Halves = ReturnType<typeof createHalves>;

/** Puts what is shown where panels and captions leave room for it. */
function createFraming(canvas: HTMLCanvasElement, halves: Halves, demo: () => DemoScene | null) {
  const { first } = halves;
  let taken: Sides = { left: 0, right: 0, top: 0, bottom: 0 };
  let covers: readonly [Cover, Cover] = [BARE, BARE];
  let split: Split | null = null;
  const layOut = () => {
    const second = halves.rival;
    split = second ? halve(canvas, taken, covers, [first.camera, second.camera]) : null;
    if (split) return;
    first.camera.share(WHOLE);
    first.camera.clear(taken);
  };
  const reframe = () => {
    if (!first.session) return;
    const { clientWidth, clientHeight } = canvas;
    const isPortrait = clientHeight > clientWidth && split === null;
    const shot = cameraFor(demo()?.camera ?? fit(first.session, first.strands), isPortrait);
    first.camera.show(shot);
    for (const { stage } of halves.shown) stage.frame(shot.target, shot.distance * 0.85, shot.yaw, shot.sun);
  };
  return {
    get split() {
      return split;
    },
    layOut,
    reframe,
    clear(sides: Sides, hidden: readonly [Cover, Cover] = [BARE, BARE]) {
      taken = panelsBeside(canvas, sides);
      covers = hidden;
      layOut();
      // What has to be in sight may need another distance now.
      if (first.camera.isAsShown) reframe();
    },
  };
}

/** The picture, and the half of a rival, which is made for the first duel. */
function createHalves(engine: AbstractEngine, canvas: HTMLCanvasElement, detail: Detail) {
  const first = createHalf(engine, canvas, detail);
  let second: Half | null = null;
  let parts: LateParts | null = null;
  const createSecond = () => {
    const half = createHalf(engine, canvas, detail, true);
    if (parts) half.equip(parts);
    return half;
  };
  return {
    first,
    get parts() {
      return parts;
    },
    /** Null where there is one picture. */
    get rival() {
      return second?.session ? second : null;
    },
    get shown(): readonly Half[] {
      return second?.session ? [first, second] : [first];
    },
    equip(all: LateParts) {
      parts = all;
      first.equip(all);
      second?.equip(all);
    },
    hardenShadows() {
      first.stage.hardenShadows();
      second?.stage.hardenShadows();
    },
    showRival(rival: Session | null, demo: DemoScene | null, clock: Session) {
      if (rival) {
        second ??= createSecond();
        second.open(rival, demo, clock);
      } else second?.close();
    },
  };
}

/** Takes the camera along with a body, wherever it began. */
function pursue(camera: OrbitCamera, session: Session | null, name: string | undefined, seconds: number): void {
  if (!session || name === undefined) return;
  const { position } = session.physics.components.Interpolated;
  const eid = session.entities.get(name) as number;
  const [x, , z] = session.starts.get(name)?.position ?? [0, 0, 0];
  camera.go(position.x[eid] - x, position.z[eid] - z, seconds);
}

/** Draws the one picture, or both of a duel, the second one as the first one's camera stands. */
function drawHalves(halves: readonly Half[], options: ViewOptions, grabs: readonly [Grab, Grab | null]): void {
  const { bare, ...drawn } = options;
  halves.forEach((half, i) => {
    if (i > 0) half.camera.follow(halves[0].camera);
    half.draw(drawn, bare, grabs[i] ?? grabs[0]);
  });
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
  const size = vec3.distance(high, low);
  const nearest = strands?.bounds ? 0.3 : 5;
  return {
    target: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
    distance: Math.min(Math.max(1.7 * size, nearest), 110),
    yaw: 0.5,
    pitch: 0.24,
  };
}
