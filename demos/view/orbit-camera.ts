// A camera that orbits a target: mouse, wheel, right drag, one and two fingers. Portrait screens stand further back.

import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera';
import { Vector3 } from '@babylonjs/core/Maths/math.vector';
import type { Scene } from '@babylonjs/core/scene';
import type { CameraFile } from '../scenes/demo-scene';

export interface OrbitCamera {
  camera: ArcRotateCamera;
  /** Goes to a scene's point of view at once. */
  show(view: CameraFile): void;
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
  clear(taken: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>): void;
}

/** Width over height below which the camera steps back so that the scene still fits. */
const NARROW = 1.35;

export function createOrbitCamera(scene: Scene, canvas: HTMLCanvasElement): OrbitCamera {
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
  camera.attachControl(true);
  let isEnabled = true;

  const taken = { left: 0, right: 0, top: 0, bottom: 0 };
  // Follows the zoom: the offset is in metres, at the target's distance.
  const place = () => {
    const metres = (2 * camera.radius * Math.tan(camera.fov / 2)) / Math.max(canvas.clientHeight, 1);
    // A shift by half of the view is none that panels ask for: the page is not laid out yet.
    const height = 2 * camera.radius * Math.tan(camera.fov / 2);
    const little = (shift: number) => (Math.abs(shift) < 0.3 * height ? shift : 0);
    camera.targetScreenOffset.x = little((metres * (taken.left - taken.right)) / 2);
    camera.targetScreenOffset.y = little((metres * (taken.bottom - taken.top)) / 2);
  };
  scene.onBeforeCameraRenderObservable.add(place);

  /** Least distance from which `width` is in sight between the panels [m]. */
  const reach = (width: number) => {
    const free = Math.max(canvas.clientWidth - taken.left - taken.right, 1);
    return (width * canvas.clientHeight) / (2 * free * Math.tan(camera.fov / 2));
  };

  const stepBack = (isUpright: boolean) => {
    const aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1);
    return aspect < NARROW ? (NARROW / aspect) ** (isUpright ? 0.45 : 0.82) : 1;
  };

  return {
    camera,
    show(view) {
      camera.inertialAlphaOffset = camera.inertialBetaOffset = camera.inertialRadiusOffset = 0;
      // Setting a target derives the angles from where the camera was: set them afterwards.
      camera.setTarget(new Vector3(view.target[0], view.target[1], view.target[2]));
      camera.alpha = Math.PI / 2 - view.yaw;
      camera.beta = Math.PI / 2 - view.pitch;
      const distance = view.distance * stepBack(view.upright ?? false);
      camera.radius = view.width === undefined ? distance : Math.max(view.distance, reach(view.width));
      place();
      // A head of hair wants another reach than a yard of boulders.
      camera.minZ = Math.min(0.1, 0.05 * view.distance);
      camera.lowerRadiusLimit = Math.min(1.5, 0.15 * view.distance);
      camera.panningSensibility = 900 * Math.max(1, 8 / view.distance);
    },
    ray(x, y) {
      const ray = scene.createPickingRay(x, y, null, camera);
      return {
        origin: [ray.origin.x, ray.origin.y, ray.origin.z],
        direction: [ray.direction.x, ray.direction.y, ray.direction.z],
      };
    },
    project(point) {
      const clip = Vector3.TransformCoordinates(
        new Vector3(point[0], point[1], point[2]),
        camera.getViewMatrix().multiply(camera.getProjectionMatrix()),
      );
      return [((clip.x + 1) / 2) * canvas.clientWidth, ((1 - clip.y) / 2) * canvas.clientHeight];
    },
    pixel: () => (2 * Math.tan(camera.fov / 2)) / Math.max(scene.getEngine().getRenderHeight(), 1),
    forward() {
      const d = camera.getForwardRay(1).direction;
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
      // What covers more than half of the page is no panel beside the scene, but one that is not laid out yet.
      const beside = (side: number, whole: number) => (side <= whole / 2 ? side : 0);
      taken.left = beside(sides.left, canvas.clientWidth);
      taken.right = beside(sides.right, canvas.clientWidth);
      taken.top = beside(sides.top, canvas.clientHeight);
      taken.bottom = beside(sides.bottom, canvas.clientHeight);
      place();
    },
    eye() {
      const p = camera.globalPosition;
      return [p.x, p.y, p.z];
    },
  };
}
