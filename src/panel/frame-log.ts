// The last frames of the page: what of each went into physics, into the ECS, into the game's own systems, into what
// the game has measured (drawing), into the rest of the page, and what was left.
//
// A frame begins at the time that requestAnimationFrame tells and ends when the next one begins. The page was busy in
// it until a message that was posted from a callback arrives: browsers deliver it after the picture has been handed on.

import type { StepLog } from './step-log';

/** Frames kept: five seconds at 60 Hz. */
export const FRAMES_KEPT = 300;

/** Stages of a step that copy between the tables and the ECS. */
const ECS_STAGES: readonly string[] = ['copy-in', 'emit-events', 'copy-out'];

/** What a frame is made of, from the ground up; what the game measures has lanes of its own before `page`. */
export type Lane = 'physics' | 'ecs' | 'systems' | 'panel' | 'page' | 'gpu';

/** Lanes that are there without anybody's measuring. */
export const OWN_LANES: readonly string[] = ['physics', 'ecs', 'systems', 'panel', 'page', 'gpu'] satisfies Lane[];

export interface FrameLog {
  /** The frame that is going on: those before are complete. */
  readonly now: number;
  has(frame: number): boolean;
  /** When it began [ms], how long it lasted, and how long of that the page was busy. */
  began(frame: number): number;
  interval(frame: number): number;
  busy(frame: number): number;
  /** A lane, or what the game measures under a name [ms]. */
  part(frame: number, lane: string): number;
  /** First step of the profile in it, and how many. */
  firstStep(frame: number): number;
  stepCount(frame: number): number;
  /** Names under which the game has measured. */
  readonly measured: readonly string[];
  /** A frame begins at `time`; steps must be read by now. */
  begin(time: number, steps: StepLog, engineStages: ReadonlySet<string>): void;
  /** The page was busy until now. */
  settle(time: number): void;
  /** Counts towards the frame that is going on [ms]. */
  add(lane: string, milliseconds: number): void;
  clear(): void;
}

export function createFrameLog(): FrameLog {
  const rows = () => new Float64Array(FRAMES_KEPT);
  const [starts, intervals, busy, firstSteps, stepCounts] = [rows(), rows(), rows(), rows(), rows()];
  const lanes = new Map<string, Float64Array>();
  const measured: string[] = [];
  let now = 0;
  let first = 0;
  let nextStep = -1;

  const laneOf = (name: string) => {
    let lane = lanes.get(name);
    if (!lane) {
      lane = rows();
      lanes.set(name, lane);
      if (!OWN_LANES.includes(name)) measured.push(name);
    }
    return lane;
  };

  for (const name of OWN_LANES) laneOf(name);

  /** Bills the steps that began before `time` to the frame that ends now. */
  const billSteps = (row: number, time: number, steps: StepLog, engineStages: ReadonlySet<string>) => {
    if (nextStep < 0 || nextStep > steps.end) nextStep = steps.end;
    firstSteps[row] = nextStep;
    while (nextStep < steps.end && (!steps.has(nextStep) || steps.began(nextStep) < time)) {
      if (steps.has(nextStep)) {
        for (const name of steps.stages) {
          const lane = ECS_STAGES.includes(name) ? 'ecs' : engineStages.has(name) ? 'physics' : 'systems';
          laneOf(name === 'panel' ? 'panel' : lane)[row] += steps.stage(nextStep, name);
        }
      }
      nextStep++;
    }
    stepCounts[row] = nextStep - firstSteps[row];
  };

  const isKept = (frame: number) => frame >= first && frame < now && frame >= now - FRAMES_KEPT + 1;
  const at = (frame: number) => frame % FRAMES_KEPT;

  return {
    get now() {
      return now;
    },
    measured,
    has: isKept,
    began: (frame) => starts[at(frame)],
    interval: (frame) => intervals[at(frame)],
    busy: (frame) => busy[at(frame)],
    part: (frame, lane) => lanes.get(lane)?.[at(frame)] ?? 0,
    firstStep: (frame) => firstSteps[at(frame)],
    stepCount: (frame) => stepCounts[at(frame)],

    begin(time, steps, engineStages) {
      const row = at(now);
      if (starts[row] > 0) {
        intervals[row] = Math.max(time - starts[row], 0);
        billSteps(row, time, steps, engineStages);
        let known = 0;
        for (const [name, lane] of lanes) if (name !== 'page' && name !== 'gpu') known += lane[row];
        busy[row] = Math.max(busy[row], known);
        laneOf('page')[row] = busy[row] - known;
        now++;
      } else nextStep = steps.end;
      const next = at(now);
      for (const lane of lanes.values()) lane[next] = 0;
      busy[next] = stepCounts[next] = 0;
      starts[next] = time;
    },

    settle(time) {
      const row = at(now);
      if (starts[row] > 0) busy[row] = Math.max(time - starts[row], 0);
    },
    add(lane, milliseconds) {
      laneOf(lane)[at(now)] += milliseconds;
    },
    clear() {
      first = ++now;
      starts[at(now)] = 0;
    },
  };
}
