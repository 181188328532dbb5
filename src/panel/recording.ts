// Records frames and steps of a world, frame by frame, while it is running and not held.

import type { Physics } from '../index';
import { createFrameLog, FRAMES_KEPT, type FrameLog } from './frame-log';
import { createReplayer, type Replayer } from './replay';
import { openStepLog, STEPS_KEPT, type StepLog } from './step-log';
import { ENGINE_STAGES } from './words';

export interface Recording {
  readonly frames: FrameLog;
  /** Null while it does not run. */
  readonly steps: StepLog | null;
  readonly replayer: Replayer;
  /** Nothing is recorded while it is held; what has been is kept. */
  readonly isHeld: boolean;
  /** What recording and showing take of a second [ms]. */
  readonly cost: number;
  start(): void;
  /** From then on it costs nothing. */
  stop(): void;
  hold(): void;
  release(): void;
  watch(physics: Physics): void;
  measure<T>(name: string, work: () => T): T;
  dispose(): void;
}

/** Over so long its own cost is counted [ms]. */
const COUNTED = 2000;

/** `gpu` tells the GPU's times of the last frame; `show` is called in each frame that is recorded. */
export function createRecording(
  physics: Physics,
  gpu: () => readonly (readonly [string, number])[] | null,
  show: (now: number) => void,
): Recording {
  const frames = createFrameLog();
  let steps: StepLog | null = null;
  let replayer = createReplayer(physics);
  let [request, cost, spent, since] = [0, 0, 0, performance.now()];
  let isHeld = false;

  // The message comes when the picture has been handed on.
  const settled = new MessageChannel();
  settled.port1.onmessage = () => frames.settle(performance.now());

  const look = (time: number) => {
    request = requestAnimationFrame(look);
    if (isHeld || !steps) return;
    const begin = performance.now();
    settled.port2.postMessage(0);
    steps.read();
    frames.begin(time, steps, ENGINE_STAGES);
    for (const [, milliseconds] of gpu() ?? []) frames.add('gpu', milliseconds);
    replayer.keep();
    show(begin);
    const took = performance.now() - begin;
    frames.add('panel', took);
    if (begin - since > COUNTED) [cost, spent, since] = [(1000 * spent) / (begin - since), 0, begin];
    spent += took;
  };

  const recording: Recording = {
    frames,
    get steps() {
      return steps;
    },
    get replayer() {
      return replayer;
    },
    get isHeld() {
      return isHeld;
    },
    get cost() {
      return cost;
    },
    start() {
      if (steps) return;
      steps = openStepLog(physics);
      request = requestAnimationFrame(look);
    },
    stop() {
      recording.release();
      cancelAnimationFrame(request);
      steps?.close();
      steps = null;
      frames.clear();
    },
    hold() {
      isHeld = true;
      steps?.skip();
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      [spent, since] = [0, performance.now()];
      steps?.skip();
      frames.clear();
    },
    watch(next) {
      recording.release();
      physics = next;
      replayer = createReplayer(next);
      frames.clear();
      if (!steps) return;
      steps.close();
      steps = openStepLog(next);
    },
    measure(name, work) {
      if (!steps || isHeld) return work();
      const begin = performance.now();
      try {
        return work();
      } finally {
        frames.add(name, performance.now() - begin);
      }
    },
    dispose() {
      recording.stop();
      settled.port1.close();
    },
  };

  return recording;
}

/** The slower of two steps; one that is not kept, as -1, does not count. */
function slower(steps: StepLog, step: number, than: number): number {
  return steps.has(step) && (than < 0 || steps.total(step) > steps.total(than)) ? step : than;
}

/** The slowest step that is kept, and the frame it was in; -1: none. */
export function slowestStep(steps: StepLog, frames: FrameLog): { step: number; frame: number } {
  let [step, frame] = [-1, -1];
  for (let i = Math.max(steps.last + 1 - STEPS_KEPT, 0); i <= steps.last; i++) step = slower(steps, i, step);
  for (let i = Math.max(frames.now - FRAMES_KEPT, 0); i < frames.now; i++) {
    const after = step - frames.firstStep(i);
    if (frames.has(i) && after >= 0 && after < frames.stepCount(i)) frame = i;
  }
  return { step, frame };
}

/** The slowest step of a frame; -1: it had none. */
export function slowestOf(frame: number, steps: StepLog, frames: FrameLog): number {
  let step = -1;
  for (let i = 0; i < frames.stepCount(frame); i++) step = slower(steps, frames.firstStep(frame) + i, step);
  return step;
}
