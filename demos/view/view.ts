// Everything that is drawn, behind one door: stage, bodies of the running session, overlay, camera.

import '@babylonjs/core/Culling/ray';
import type { DrawOptions } from '../../src/index';
import type { Grab } from '../app/grab';
import type { Session } from '../app/session';
import type { CameraFile, DemoScene } from '../scenes/demo-scene';
import { type BodyView, createBodyView } from './bodies';
import { createEngine, type EngineKind, type LentDevice, type Quality, setDensity } from './create-engine';
import { createOrbitCamera, type OrbitCamera } from './orbit-camera';
import { createOverlay } from './overlay';
import { createShellView, type ShellView } from './shell-view';
import { createSolidView, type SolidView } from './solid-view';
import { createStage } from './stage';
import { createStrandView, type StrandView } from './strand-view';

/** What is drawn over the scene, and whether strands are drawn without the hairs beside them. */
export interface ViewOptions extends DrawOptions {
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
  /** Shows a session in place of the one before; of a rival only its strands. */
  open(session: Session, demo: DemoScene | null, rival?: Session | null): void;
  /** Goes to the point of view of the scene, or one that shows all of an unknown scene. */
  reframe(): void;
  /** Draws a frame. */
  render(options: ViewOptions, grab: Grab): void;
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
  const stage = createStage(engine, quality);
  const camera = createOrbitCamera(stage.scene, choice.canvas);
  const overlay = createOverlay(stage.scene);
  const detail = quality === 'high' ? 1 : 0.5;
  const fullness = quality === 'low' ? 0.1 : asked === null && choice.isSoftware ? 0.15 : 1;
  let session: Session | null = null;
  let demo: DemoScene | null = null;
  let bodies: BodyView | null = null;
  let strands: StrandView | null = null;
  let rivals: StrandView | null = null;
  let shells: ShellView | null = null;
  let solids: SolidView | null = null;

  const reframe = () => {
    if (!session) return;
    const shot = demo?.camera ?? fit(session, strands);
    camera.show(shot);
    stage.frame(shot.target, shot.distance * 0.85);
  };

  return {
    kind: choice.kind,
    device: choice.device,
    reason: choice.reason,
    canvas: choice.canvas,
    camera,
    get bodies() {
      return bodies;
    },
    get strands() {
      return strands;
    },
    get shells() {
      return shells;
    },
    open(next, of, rival = null) {
      bodies?.dispose();
      strands?.dispose();
      rivals?.dispose();
      shells?.dispose();
      solids?.dispose();
      const same = of !== null && of === demo;
      session = next;
      demo = of;
      bodies = createBodyView(stage, next, of, detail);
      strands = createStrandView(stage, next, of, next, fullness);
      rivals = rival && of?.rival ? createStrandView(stage, rival, { ...of, strands: of.rival.strands }, next) : null;
      shells = createShellView(stage, next, of, quality === 'high' && !choice.isSoftware);
      solids = createSolidView(stage, next, of);
      stage.setGround(bodies.groundHeight);
      // Starting the same scene again keeps the point of view.
      if (!same) reframe();
    },
    reframe,
    render(options, grab) {
      if (!session) return;
      const { bare, ...drawn } = options;
      strands?.update(camera.eye(), camera.pixel(), bare);
      rivals?.update(camera.eye(), camera.pixel(), bare);
      shells?.update();
      solids?.update();
      overlay.update(session.physics, drawn, grab, camera.eye());
      // The loop is ours, so the frame is as well: WebGPU submits its commands at the end of it.
      engine.beginFrame();
      stage.scene.render();
      engine.endFrame();
    },
    resize() {
      setDensity(engine, quality);
      engine.resize();
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
