// Pointer on the canvas: pressing on something that moves, or on the scene's tool, takes hold of it;
// pressing anywhere else is the camera's. Whether it is on strands that are on the device is known some
// frames later: until then the camera has it.

import { vec3 } from 'gl-matrix';
import { castRay } from '../../src/index';
import type { OrbitCamera } from '../view/orbit-camera';
import type { View } from '../view/view';
import { toBodyAxes } from './grab';
import { findStrand, gripStrands } from './grip';
import { findOnDevice, gripOnDevice } from './hand';
import type { Player } from './player';
import { type Session, twinOf } from './session';
import { findSheet, gripSheet } from './sheet-grip';
import { type ToolGrip, takeTool } from './tool';

/** How far the pointer reaches [m]. */
const REACH = 400;

type Point = readonly number[];

/** What the pointer does while it holds something. */
function createHand({ canvas, camera: main }: View, player: Player) {
  let pointer: number | null = null;
  /** Of the half of the picture in which was pressed. */
  let camera = main;
  let depth = 0; // of the grabbed point along the view
  let tool: ToolGrip | null = null;
  return {
    holds: () => pointer !== null,
    isOf: (event: PointerEvent) => event.pointerId === pointer,
    /** Has a pointer hold a point of what a camera shows. */
    take(id: number, seenBy: OrbitCamera, point: Readonly<vec3>) {
      canvas.setPointerCapture(id);
      canvas.classList.add('holding');
      pointer = id;
      camera = seenBy;
      depth = depthOf(camera, point);
    },
    takeTool() {
      tool = holdTool(player);
    },
    moveTo(place: readonly [number, number]) {
      const { origin, direction } = camera.ray(...place);
      if (tool) {
        tool.aim(origin, direction);
        // No band is drawn from the tool to itself.
        player.grab.aim(...(tool.anchor as [number, number, number]));
        return;
      }
      const [x, y, z] = pointAt(camera, origin, direction, depth);
      player.grab.aim(x, Math.max(y, 0), z);
    },
    release() {
      pointer = null;
      tool = null;
      main.enable(true);
      player.grab.release();
      canvas.classList.remove('holding');
    },
  };
}

/** Listens on the view's canvas, before the camera does. */
export function listenToPointer(view: View, player: Player): void {
  const { canvas } = view;
  const hand = createHand(view, player);

  /** A press that may turn out to be on strands: its pointer, and where that is now. */
  let pending: { pointer: number; event: PointerEvent } | null = null;

  const place = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  const press = (event: PointerEvent) => {
    if (hand.holds() || pending) {
      // A second finger: let go.
      pending = null;
      hand.release();
      return;
    }
    if (event.button !== 0) return;
    const { camera, session: seen } = view.at(...place(event));
    const { origin, direction } = camera.ray(...place(event));
    const { session } = player;

    /** The camera must not turn while something is dragged. */
    const take = (point: Readonly<vec3>) => {
      event.stopImmediatePropagation();
      event.preventDefault();
      hand.take(event.pointerId, camera, point);
    };

    /** Takes hold of the body in sight, in whichever world of a duel, and in both. */
    const takeBody = (world: Session) => {
      const point = holdBodyAt(player, world, origin, direction);
      if (point) take(point);
    };
    if (seen && seen !== session) {
      takeBody(seen);
      return;
    }
    const { hit, onTool, strand, sheet, farthest } = findUnder(player, origin, direction);
    if (!sheet && !strand && !onTool && (!hit || session.fixed.has(hit.entity))) {
      if (session.gpu?.state === 'webgpu') void askDevice(event, camera, farthest);
      return;
    }
    const point = sheet?.point ?? strand?.point ?? (onTool ? hit?.point : undefined);
    if (!point) {
      takeBody(session);
      return;
    }
    take(point);
    if (onTool) hand.takeTool();
    else if (sheet) player.grab.holdGrip((target) => gripSheet(session, sheet, target), sheet.point);
    else if (strand) player.grab.holdGrip((target) => gripStrands(session, strand, target), strand.point);
  };

  /** Takes hold of strands on the device if the press was on any, and the pointer is still down when that is known. */
  const askDevice = async (event: PointerEvent, camera: OrbitCamera, farthest: number) => {
    const { session } = player;
    const mine = { pointer: event.pointerId, event };
    pending = mine;
    const { origin, direction } = camera.ray(...place(event));
    const strand = await findOnDevice(session, origin, direction, farthest);
    if (pending !== mine) return;
    pending = null;
    if (player.session !== session || session.gpu?.state !== 'webgpu') return;
    if (!strand) return;
    camera.enable(false);
    hand.take(mine.pointer, camera, strand.point);
    player.grab.holdGrip((target) => gripOnDevice(session, strand, target), strand.point);
    move(mine.event);
  };

  const move = (event: PointerEvent) => {
    if (pending?.pointer === event.pointerId) pending.event = event;
    if (!hand.isOf(event)) return;
    event.stopImmediatePropagation();
    hand.moveTo(place(event));
  };

  const lift = (event: PointerEvent) => {
    if (pending?.pointer === event.pointerId) pending = null;
    if (!hand.isOf(event)) return;
    event.stopImmediatePropagation();
    hand.release();
  };

  const options = { capture: true };
  canvas.addEventListener('pointerdown', press, options);
  canvas.addEventListener('pointermove', move, options);
  canvas.addEventListener('pointerup', lift, options);
  canvas.addEventListener('pointercancel', lift, options);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
}

/** How far ahead of the camera a point is [m]. */
function depthOf(camera: OrbitCamera, point: Readonly<vec3>): number {
  return vec3.dot(camera.forward(), vec3.subtract([0, 0, 0], point, camera.eye()));
}

/** Where a ray is that far ahead of the camera: in the plane through a grabbed point that faces the camera. */
function pointAt(camera: OrbitCamera, origin: Readonly<vec3>, direction: Readonly<vec3>, depth: number): vec3 {
  const ahead = depth - depthOf(camera, origin);
  return vec3.scaleAndAdd([0, 0, 0], origin, direction, ahead / vec3.dot(camera.forward(), direction));
}

/** What a ray meets of the session: a body, the scene's tool, a strand or sheet before it. */
function findUnder(player: Player, origin: Point, direction: Point) {
  const { session } = player;
  const hit = castRay(session.physics, origin, direction, REACH);
  const onTool = hit !== null && hit.entity === toolOf(player);
  // Hair lies on a head: what is fixed hides a strand only well behind it.
  const farthest = hit ? hit.distance * (session.fixed.has(hit.entity) ? 1.02 : 1) : Infinity;
  const isOnDevice = session.gpu?.state === 'webgpu';
  const strand = onTool || isOnDevice ? null : findStrand(session, origin, direction, farthest);
  const ahead = Math.min(strand?.distance ?? Infinity, hit?.distance ?? Infinity);
  const sheet = onTool ? null : findSheet(session, origin, direction, ahead);
  return { hit, onTool, strand, sheet, farthest };
}

/** Takes hold of the scene's tool. */
function holdTool({ demo, session, grab }: Player): ToolGrip | null {
  if (!demo?.tool) return null;
  const taken = takeTool(session, demo.tool);
  grab.holdGrip(() => taken, taken.anchor);
  return taken;
}

/** Takes hold of the body that a ray meets in `seen`; returns where, null if it meets none that moves. */
function holdBodyAt({ session, grab }: Player, seen: Session, origin: Point, direction: Point): vec3 | null {
  const hit = castRay(seen.physics, origin, direction, REACH);
  if (!hit || seen.fixed.has(hit.entity)) return null;
  const entity = seen === session ? hit.entity : twinOf(seen, hit.entity, session);
  if (entity === undefined) return null;
  grab.hold(entity, toBodyAxes(seen.physics, hit.entity, hit.point));
  const [x, y, z] = hit.point;
  grab.aim(x, y, z);
  return [x, y, z];
}

/** Entity of the scene's tool. */
function toolOf({ demo, session }: Player): number | undefined {
  return demo?.tool && session.entities.get(demo.tool.body);
}
