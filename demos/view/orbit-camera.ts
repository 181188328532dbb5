// A camera that orbits a target: mouse, wheel, right drag, one and two fingers. Portrait screens stand further back.

import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera';
import { Vector3 } from '@babylonjs/core/Maths/math.vector';
import { Viewport } from '@babylonjs/core/Maths/math.viewport';
import type { Scene } from '@babylonjs/core/scene';
import type { CameraFile } from '../scenes/camera';

export interface OrbitCamera {
  camera: ArcRotateCamera;
  /** Goes to a scene's point of view at once. */
  show(view: CameraFile): void;
  /** Goes along for `seconds` with a body that has come this far over the ground since `show` [m]. */
  go(x: number, z: number, seconds: number): void;
  /** Turns slowly to and fro about where `show` put it, for as long as it is called and nobody has touched it. */
  sway(seconds: number): void;
  /** Whether it still stands where it was put: nobody has turned, moved or zoomed it. */
  readonly isAsShown: boolean;
  /** Point on the ray through a pixel (CSS pixels of the canvas). */
  ray(x: number, y: number): { origin: [number, number, number]; direction: [number, number, number] };
  /** Pixel (CSS pixels of the canvas) of a point. */
  project(point: ArrayLike<number>): [number, number];
  /** Size of a pixel one metre away, in pixels of the screen [m]. */
  pixel(): number;
  /** Unit vector into the picture. */
  forward(): [number, number, number];
  eye(): [number, number, number];
  /** Whether the pointer turns it; it stands at once. */
  enable(isOn: boolean): void;
  /** Puts the target in the middle of what panels leave free: what each side takes of the canvas [CSS pixels]. */
  clear(taken: Sides): void;
  /** Draws into a part of the canvas only. */
  share(part: Part): void;
  /** Stands where another stands. */
  follow(other: OrbitCamera): void;
}

/** CSS pixels at each side of the canvas. */
export type Sides = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

/** Part of the canvas, in shares of its size, from its lower left corner. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const WHOLE: Part = { x: 0, y: 0, width: 1, height: 1 };

/** In this time it comes nearer to the body that it follows by a factor of e [s]. */
const PURSUIT = 0.27;
/** How far it sways to each side [rad], and how long that takes to and fro [s]. */
const [SWAY, TO_AND_FRO] = [0.07, 26];
/** Share of the free width that what must be in sight takes at most. */
const BREADTH = 0.94;
/** Share of the height that is free on a wide page without captions. */
const FREE = 0.9;
/** Width over height below which the camera steps back so that the scene still fits. */
const NARROW = 1.35;

/** Babylon's camera with the limits and the inertia of the gallery. */
function createArcCamera(scene: Scene): ArcRotateCamera {
  const camera = new ArcRotateCamera('orbit', 0, 1, 20, Vector3.Zero(), scene);
  camera.fov = 0.74;
  camera.minZ = 0.1;
  camera.maxZ = 600;
  camera.lowerRadiusLimit = 1.5;
  camera.upperRadiusLimit = 120;
  camera.lowerBetaLimit = 0.05;
  camera.upperBetaLimit = Math.PI / 2 - 0.01;
  camera.inertia = 0.82;
  camera.panningInertia = 0.82;
  camera.wheelDeltaPercentage = 0.012;
  camera.pinchDeltaPercentage = 0.004;
  camera.panningSensibility = 900;
  camera.angularSensibilityX = 620;
  camera.angularSensibilityY = 620;
  camera.useNaturalPinchZoom = true;
  return camera;
}

/** Turns the camera to a point of view, from the given distance. */
function turnTo(camera: ArcRotateCamera, view: CameraFile, distance: number): void {
  camera.inertialAlphaOffset = camera.inertialBetaOffset = camera.inertialRadiusOffset = 0;
  // Setting a target derives the angles from where the camera was: set them afterwards.
  camera.setTarget(new Vector3(view.target[0], view.target[1], view.target[2]));
  camera.alpha = Math.PI / 2 - view.yaw;
  camera.beta = Math.PI / 2 - view.pitch;
  camera.radius = distance;
}

function rayThrough(scene: Scene, camera: ArcRotateCamera, x: number, y: number): ReturnType<OrbitCamera['ray']> {
  const ray = scene.createPickingRay(x, y, null, camera);
  return {
    origin: [ray.origin.x, ray.origin.y, ray.origin.z],
    direction: [ray.direction.x, ray.direction.y, ray.direction.z],
  };
}

/** Where a point is on a canvas of which the camera has a part [CSS pixels]. */
function project(camera: ArcRotateCamera, part: Part, canvas: HTMLCanvasElement, point: ArrayLike<number>) {
  const clip = Vector3.TransformCoordinates(
    new Vector3(point[0], point[1], point[2]),
    camera.getViewMatrix().multiply(camera.getProjectionMatrix()),
  );
  const [x, y] = [part.x + (part.width * (clip.x + 1)) / 2, part.y + (part.height * (clip.y + 1)) / 2];
  return [x * canvas.clientWidth, (1 - y) * canvas.clientHeight] as [number, number];
}

/** By what share it stands further back on a narrow picture, `aspect` wide for its height. */
function stepBack(aspect: number, isUpright = false): number {
  return aspect < NARROW ? (NARROW / aspect) ** (isUpright ? 0.45 : 0.82) : 1;
}

/** Has a camera stand where another stands, with the reach that this has. */
function copyStand(camera: ArcRotateCamera, { target, alpha, beta, radius, minZ, lowerRadiusLimit }: ArcRotateCamera) {
  camera.target.copyFrom(target);
  Object.assign(camera, { lowerRadiusLimit, alpha, beta, radius, minZ });
}

/** Turns a camera slowly to and fro. */
function createSway() {
  /** By what it has turned it [rad], and for how long it has been at it [s]. */
  let [turned, time] = [0, 0];
  return {
    get turned() {
      return turned;
    },
    begin() {
      [turned, time] = [0, 0];
    },
    on(camera: ArcRotateCamera, seconds: number) {
      time += seconds;
      const turn = SWAY * Math.sin((2 * Math.PI * time) / TO_AND_FRO);
      camera.alpha += turn - turned;
      turned = turn;
    },
  };
}

/** `isLed`: it takes no orders from the pointer, it follows another. */
export function createOrbitCamera(scene: Scene, canvas: HTMLCanvasElement, isLed = false): OrbitCamera {
  const camera = createArcCamera(scene);
  if (!isLed) camera.attachControl(true);
  let isEnabled = !isLed;

  let taken: Sides = { left: 0, right: 0, top: 0, bottom: 0 };
  let part = WHOLE;

  /** Where `show` put it: two angles, the distance and the target. */
  let shown: readonly number[] = [];

  /** How far it has gone along with a body over the ground [m]. */
  let [goneX, goneZ] = [0, 0];
  const sway = createSway();
  const stand = () => {
    const { x, y, z } = camera.target;
    return [camera.alpha - sway.turned, camera.beta, camera.radius, x - goneX, y, z - goneZ];
  };
  const width = () => canvas.clientWidth * part.width;
  const height = () => canvas.clientHeight * part.height;

  // Follows the zoom: the offset is in metres, at the target's distance.
  const place = () => {
    const seen = 2 * camera.radius * Math.tan(camera.fov / 2);
    const metres = seen / Math.max(height(), 1);
    // A shift by half of the view is none that panels ask for: the page is not laid out yet.
    const little = (shift: number) => (Math.abs(shift) < 0.3 * seen ? shift : 0);
    camera.targetScreenOffset.x = little((metres * (taken.left - taken.right)) / 2);
    camera.targetScreenOffset.y = little((metres * (taken.bottom - taken.top)) / 2);
  };

  scene.onBeforeCameraRenderObservable.add(place);

  /** Least distance from which `width` is in sight between the panels [m]. */
  const reach = (wanted: number) => {
    const free = Math.max(BREADTH * (width() - taken.left - taken.right), 1);
    return (wanted * height()) / (2 * free * Math.tan(camera.fov / 2));
  };

  /** By what share it stands further back where less of the height is free than cameras are made for. */
  const crowded = () => Math.max(1, (FREE * height()) / Math.max(height() - taken.top - taken.bottom, 1));

  return {
    camera,

    show(view) {
      const aside = stepBack(width() / Math.max(height(), 1), view.upright);
      const distance = view.distance * (view.upright ? aside * crowded() : Math.max(aside, crowded()));
      const beside = view.width === undefined ? distance : reach(view.width);
      turnTo(camera, view, Math.max(view.distance * crowded(), beside));
      place();
      // A head of hair wants another reach than a yard of boulders.
      camera.minZ = Math.min(0.1, 0.05 * view.distance);
      camera.lowerRadiusLimit = Math.min(1.5, 0.15 * view.distance);
      camera.panningSensibility = 900 * Math.max(1, 8 / view.distance);
      [goneX, goneZ] = [0, 0];
      sway.begin();
      shown = stand();
    },

    go(x, z, seconds) {
      const share = 1 - Math.exp(-seconds / PURSUIT);
      const [dx, dz] = [share * (x - goneX), share * (z - goneZ)];
      camera.target.addInPlaceFromFloats(dx, 0, dz);
      goneX += dx;
      goneZ += dz;
    },
    sway: (seconds) => sway.on(camera, seconds),
    get isAsShown() {
      return stand().every((value, i) => Math.abs(value - shown[i]) < 1e-9);
    },
    ray: (x, y) => rayThrough(scene, camera, x, y),
    project: (point) => project(camera, part, canvas, point),
    pixel: () => (2 * Math.tan(camera.fov / 2)) / Math.max(part.height * scene.getEngine().getRenderHeight(), 1),
    forward() {
      const d = camera.target.subtract(camera.globalPosition).normalize();
      return [d.x, d.y, d.z];
    },
    enable(isOn) {
      if (isOn === isEnabled) return;
      isEnabled = isOn;
      camera.inertialAlphaOffset = camera.inertialBetaOffset = 0;
      if (isOn) camera.attachControl(true);
      else camera.detachControl();
    },
    clear(sides) {
      taken = sides;
      place();
    },
    share(next) {
      part = next;
      camera.viewport = new Viewport(next.x, next.y, next.width, next.height);
    },
    follow: (leader) => copyStand(camera, leader.camera),
    eye() {
      const p = camera.globalPosition;
      return [p.x, p.y, p.z];
    },
  };
}
