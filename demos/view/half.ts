// A session on a stage of its own, with a camera: all of the picture, or half of it where two worlds run side by side.

import type { AbstractEngine } from '@babylonjs/core/Engines/abstractEngine';
import type { DrawOptions } from '../../src/index';
import type { Grab } from '../app/grab';
import type { Session } from '../app/session';
import type { DemoScene } from '../scenes/demo-scene';
import { type BodyView, createBodyView } from './bodies';
import type { CordView } from './cords';
import type { Quality } from './create-engine';
import type { Labels } from './labels';
import type { LateParts } from './late';
import { createOrbitCamera, type OrbitCamera } from './orbit-camera';
import type { Overlay } from './overlay';
import type { ShellView } from './shell-view';
import type { SolidView } from './solid-view';
import { createStage, type Stage } from './stage';
import type { StrandView } from './strand-view';

/** How much is drawn. */
export interface Detail {
  quality: Quality;
  isSoftware: boolean;
  /** Whether shadows blur with the distance from what throws them. */
  softShadows: boolean;
  /** Hairs drawn where a strand stands for a lock, of the usual number. */
  fullness: number;
}

export interface Half {
  readonly stage: Stage;
  readonly camera: OrbitCamera;
  readonly session: Session | null;
  readonly bodies: BodyView | null;
  readonly cords: CordView | null;
  readonly strands: StrandView | null;
  readonly shells: ShellView | null;
  /** Shows from now on what is more than bodies, too. */
  equip(parts: LateParts): void;
  /** Shows a session in place of the one before; `clock` is the session whose frames are shown. */
  open(session: Session, demo: DemoScene | null, clock?: Session): void;
  /** Takes what it shows off the stage. */
  close(): void;
  /** Brings what is drawn to where it is, `bare` hair without the hairs beside the strands, and draws it. */
  draw(options: HalfOptions, bare: boolean, grab: Grab): void;
}

/** `labels`: friction and mass written at bodies. */
export type HalfOptions = DrawOptions & { labels?: boolean };

/** `isSecond`: drawn into what another has cleared, and led by its camera. */
export function createHalf(
  engine: AbstractEngine,
  canvas: HTMLCanvasElement,
  { quality, isSoftware, softShadows, fullness }: Detail,
  isSecond = false,
): Half {
  const stage = createStage(engine, quality, softShadows);
  const camera = createOrbitCamera(stage.scene, canvas, isSecond);
  let parts: LateParts | null = null;
  let overlay: Overlay | null = null;
  if (isSecond) stage.scene.autoClear = stage.scene.autoClearDepthAndStencil = false;
  let session: Session | null = null;
  let bodies: BodyView | null = null;
  let cords: CordView | null = null;
  let strands: StrandView | null = null;
  let shells: ShellView | null = null;
  let solids: SolidView | null = null;
  let labels: Labels | null = null;

  const half: Half = {
    stage,
    camera,
    get session() {
      return session;
    },
    get bodies() {
      return bodies;
    },
    get cords() {
      return cords;
    },
    get strands() {
      return strands;
    },
    get shells() {
      return shells;
    },
    equip(all) {
      parts = all;
      overlay = all.createOverlay(stage.scene);
    },
    open(next, demo, clock = next) {
      half.close();
      session = next;
      bodies = createBodyView(stage, next, demo, quality === 'high' ? 1 : 0.5);
      if (parts) {
        cords = parts.createCordView(stage, next);
        cords.move(false);
        strands = parts.createStrandView(stage, next, demo, clock, fullness);
        shells = parts.createShellView(stage, next, demo, quality === 'high' && !isSoftware);
        solids = parts.createSolidView(stage, next, demo);
        labels = parts.createLabels(stage.scene, next, demo);
      }
      stage.setGround(bodies.groundHeight);
    },
    close() {
      for (const each of [bodies, cords, strands, shells, solids, labels]) each?.dispose();
      session = bodies = cords = strands = shells = solids = labels = null;
    },
    draw({ labels: hasLabels = false, ...options }, bare, grab) {
      if (!session) return;
      strands?.update(camera.eye(), camera.pixel(), bare);
      shells?.update();
      solids?.update();
      overlay?.update(session.physics, options, grab, camera.eye());
      labels?.update(hasLabels, camera.eye(), camera.forward());
      stage.scene.render();
    },
  };

  return half;
}
