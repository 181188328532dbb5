// Pointer on the canvas: pressing on something that moves, or on the scene's tool, takes hold of it;
// pressing anywhere else is the camera's. Whether it is on strands that are on the device is known some
// frames later: until then the camera has it.

import { vec3 } from 'gl-matrix';
import { castRay } from '../../src/index';
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

/** Listens on the view's canvas, before the camera does. */
export function listenToPointer(view: View, player: Player): void {
  const { canvas } = view;
  // Of the half of the picture in which was pressed.
  let { camera } = view;
  let held: number | null = null; // pointer id
  let depth = 0; // of the grabbed point along the view
  let tool: ToolGrip | null = null;
  /** A press that may turn out to be on strands: its pointer, and where that is now. */
  let pending: { pointer: number; event: PointerEvent } | null = null;

  const place = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const release = () => {
    held = null;
    tool = null;
    pending = null;
    view.camera.enable(true);
    player.grab.release();
    canvas.classList.remove('holding');
  };

  const press = (event: PointerEvent) => {
    if (held !== null || pending) {
      // A second finger: let go.
      release();
      return;
    }
    if (event.button !== 0) return;
    const half = view.at(...place(event));
    camera = half.camera;
    const { origin, direction } = camera.ray(...place(event));
    const { session } = player;
    if (half.session && half.session !== session) {
      holdBody(event, half.session, origin, direction);
      return;
    }
    const hit = castRay(session.physics, origin, direction, REACH);
    const onTool = hit !== null && hit.entity === toolOf(player);
    const isOnDevice = session.gpu?.state === 'webgpu';
    // Hair lies on a head: what is fixed hides a strand only well behind it.
    const farthest = hit ? hit.distance * (session.fixed.has(hit.entity) ? 1.02 : 1) : Infinity;
    const strand = onTool || isOnDevice ? null : findStrand(session, origin, direction, farthest);
    const ahead = Math.min(strand?.distance ?? Infinity, hit?.distance ?? Infinity);
    const sheet = onTool ? null : findSheet(session, origin, direction, ahead);
    if (!sheet && !strand && !onTool && (!hit || session.fixed.has(hit.entity))) {
      if (isOnDevice) void askDevice(event, origin, direction, farthest);
      return;
    }
    const point = sheet?.point ?? strand?.point ?? (onTool ? hit?.point : undefined);
    if (!point) {
      holdBody(event, session, origin, direction);
      return;
    }
    takePointer(event, point);
    const { tool: kind } = player.demo ?? {};
    if (onTool && kind) {
      const taken = takeTool(session, kind);
      tool = taken;
      player.grab.holdGrip(() => taken, taken.anchor);
    } else if (sheet) player.grab.holdGrip((target) => gripSheet(session, sheet, target), sheet.point);
    else if (strand) player.grab.holdGrip((target) => gripStrands(session, strand, target), strand.point);
  };

  /** Takes hold of the body in sight, in whichever world of a duel, and in both. */
  const holdBody = (event: PointerEvent, seen: Session, origin: readonly number[], direction: readonly number[]) => {
    const hit = castRay(seen.physics, origin, direction, REACH);
    if (!hit || seen.fixed.has(hit.entity)) return;
    const entity = seen === player.session ? hit.entity : twinOf(seen, hit.entity, player.session);
    if (entity === undefined) return;
    takePointer(event, hit.point);
    player.grab.hold(entity, toBodyAxes(seen.physics, hit.entity, hit.point));
    player.grab.aim(...(hit.point as [number, number, number]));
  };

  /** The camera must not turn while something is dragged. */
  const takePointer = (event: PointerEvent, point: Readonly<vec3>) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add('holding');
    held = event.pointerId;
    setDepth(point);
  };

  const setDepth = (point: Readonly<vec3>) => {
    const forward = camera.forward();
    depth = vec3.dot(forward, vec3.subtract([0, 0, 0], point, camera.eye()));
  };

  /** Takes hold of strands on the device if the press was on any, and the pointer is still down when that is known. */
  const askDevice = async (
    event: PointerEvent,
    origin: readonly number[],
    direction: readonly number[],
    farthest: number,
  ) => {
    const { session } = player;
    const mine = { pointer: event.pointerId, event };
    pending = mine;
    const strand = await findOnDevice(session, origin, direction, farthest);
    if (pending !== mine) return;
    pending = null;
    if (player.session !== session || session.gpu?.state !== 'webgpu') return;
    if (!strand) return;
    camera.enable(false);
    canvas.setPointerCapture(mine.pointer);
    canvas.classList.add('holding');
    held = mine.pointer;
    setDepth(strand.point);
    player.grab.holdGrip((target) => gripOnDevice(session, strand, target), strand.point);
    move(mine.event);
  };

  const move = (event: PointerEvent) => {
    if (pending?.pointer === event.pointerId) pending.event = event;
    if (event.pointerId !== held) return;
    event.stopImmediatePropagation();
    const { origin, direction } = camera.ray(...place(event));
    if (tool) {
      tool.aim(origin, direction);
      // No band is drawn from the tool to itself.
      player.grab.aim(...(tool.anchor as [number, number, number]));
      return;
    }
    const forward = camera.forward();
    // In the plane through the grabbed point that faces the camera.
    const ahead = depth - vec3.dot(forward, vec3.subtract([0, 0, 0], origin, camera.eye()));
    const [x, y, z] = vec3.scaleAndAdd([0, 0, 0], origin, direction, ahead / vec3.dot(forward, direction));
    player.grab.aim(x, Math.max(y, 0), z);
  };

  const lift = (event: PointerEvent) => {
    if (pending?.pointer === event.pointerId) pending = null;
    if (event.pointerId !== held) return;
    event.stopImmediatePropagation();
    release();
  };

  const options = { capture: true };
  canvas.addEventListener('pointerdown', press, options);
  canvas.addEventListener('pointermove', move, options);
  canvas.addEventListener('pointerup', lift, options);
  canvas.addEventListener('pointercancel', lift, options);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
}

/** Entity of the scene's tool. */
function toolOf({ demo, session }: Player): number | undefined {
  return demo?.tool && session.entities.get(demo.tool.body);
}
