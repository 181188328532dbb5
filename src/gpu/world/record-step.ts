// A step of the strands on the device, recorded and submitted: which kernels follow which.
//
//   late bodies, pins → predict → (find → solve) a look → (the same from where they led: solve/newton) →
//   apart → what clamps do → integrate → end → what bodies felt
// It is all one compute pass but where the step is timed (timestamps are a pass's) or linearised again (columns are
// copied between): then each stage is one.

import type { BudgetController, StepPlan } from '../../solvers/elastic/device-budget';
import type { GpuContext } from '../device/device';
import { type ComputePass, economical } from '../device/pipelines';
import { createTimestamps } from '../device/timestamps';
import type { GpuWorldOptions, Parts } from './parts';
import { type GpuStage, gpuPasses, sumOfStage } from './report';

/** More steps than times can be on their way for. */
const PLANS_KEPT = 64;
/** Without a budget one of so many steps is timed: passes of their own, timestamps and their way back cost the CPU. */
const TIMED_STEPS = 4;

type InPass = (name: string, encode: (pass: ComputePass) => void) => void;

/** Records and submits steps; tells the controller how long they took. */
export function createStepRecorder(
  context: GpuContext,
  options: GpuWorldOptions,
  parts: Parts,
  controller: BudgetController,
) {
  const { device } = context;
  const { strands, contacts, solver, apart } = parts;
  const { plan: most, newtonIterations = 1 } = options;
  /** What a step did, null where nothing may touch. */
  const plans: (StepPlan | null)[] = [];
  const timestamps = createTimestamps(context, gpuPasses(most.looks, newtonIterations), (times, work) => {
    const done = plans[work];
    const sum = (stage: GpuStage) => sumOfStage(stage, timestamps.groups, times);
    if (!done) return;
    controller.learn({ fixed: sum('predict') + sum('integrate'), looks: sum('find'), iterations: sum('solve') }, done);
  });

  return {
    timestamps,
    /** `hasBudget`: every step is timed. `copyReport` records the way back of what the step reports. */
    submit(plan: StepPlan, hasBudget: boolean, copyReport: (encoder: GPUCommandEncoder) => void): void {
      const encoder = device.createCommandEncoder({ label: 'strands' });
      const { mayTouch } = contacts;
      const keepsApart = options.keepApart && contacts.canMeet;
      if (!mayTouch) {
        contacts.encodeNone(encoder);
        solver.encodeNone(encoder);
      }
      if (keepsApart) apart.encodeOpen(encoder);
      const isTimed = timestamps.isAvailable && (hasBudget || strands.steps % TIMED_STEPS === 1);
      const writesOf = isTimed ? timestamps.writesOf : () => undefined;
      const { inPass, end } = openPasses(encoder, !isTimed && !parts.newton, writesOf);
      encodePredict(parts, encoder, inPass);
      if (mayTouch) encodeLooks(parts, inPass, plan);
      encodeFurther(parts, encoder, inPass, plan, newtonIterations);
      if (keepsApart) inPass('find apart', apart.encode);
      inPass('integrate', (pass) => encodeIntegrate(parts, pass));
      end();
      strands.encodeEnd(encoder);
      encodeFelt(parts, encoder);
      copyReport(encoder);
      const place = strands.steps % PLANS_KEPT;
      plans[place] = mayTouch ? plan : null;
      if (isTimed) timestamps.resolve(encoder, place);
      device.queue.submit([encoder.finish()]);
      timestamps.flush();
    },
  };
}

/** Passes by name, or one whole pass for all of them. */
function openPasses(
  encoder: GPUCommandEncoder,
  isOne: boolean,
  writesOf: (name: string) => GPUComputePassTimestampWrites | undefined,
): { inPass: InPass; end: () => void } {
  const whole = isOne ? encoder.beginComputePass({ label: 'strands' }) : null;
  const inWhole = whole && economical(whole);
  const inPass: InPass = (label, encode) => {
    if (inWhole) {
      encode(inWhole);
      return;
    }
    const pass = encoder.beginComputePass({ label, timestampWrites: writesOf(label) });
    encode(economical(pass));
    pass.end();
  };
  return { inPass, end: () => whole?.end() };
}

function encodePredict(parts: Parts, encoder: GPUCommandEncoder, inPass: InPass): void {
  const { strands, contacts, coupling, pins, newton } = parts;
  const encodeLate = (pass: ComputePass): void => {
    coupling.encodeLate(pass, contacts.buffers, contacts.colliders.colliders, strands.buffers.columns.bodies);
  };
  if (newton) inPass('predict', encodeLate);
  newton?.encodeSave(encoder);
  inPass('predict', (pass) => {
    if (!newton) encodeLate(pass);
    pins.encode(pass);
    strands.encodePredict(pass);
  });
}

function encodeFind({ strands, contacts, pins }: Parts, pass: ComputePass, look: number): void {
  contacts.encodeFind(pass, strands.buffers.columns.predicted, look);
  pins.encodeMute(pass);
}

function encodeLooks(parts: Parts, inPass: InPass, { iterations, sweeps, looks }: StepPlan): void {
  for (let look = 0; look < looks; look++) {
    inPass(`find ${look}`, (pass) => encodeFind(parts, pass, look));
    inPass(`solve ${look}`, (pass) => parts.solver.encodeSolve(pass, { iterations, sweeps, look }));
  }
}

/** Further linearisations; the first detection of each goes on from the list that there is. */
function encodeFurther(
  parts: Parts,
  encoder: GPUCommandEncoder,
  inPass: InPass,
  { iterations, sweeps, looks }: StepPlan,
  linearisations: number,
): void {
  const { newton, strands, contacts, solver } = parts;
  for (let k = 1; newton && k < linearisations; k++) {
    newton.encodeCopies(encoder);
    inPass(`solve again ${k}`, (pass) => {
      newton.encodeGuess(pass);
      strands.encodePredict(pass, newton.columns);
      for (let look = 0; contacts.mayTouch && look < looks; look++) {
        if (look > 0) encodeFind(parts, pass, look);
        solver.encodeSolve(pass, { iterations, sweeps, look });
      }
    });
  }
}

function encodeIntegrate({ strands, clamps, solver, newton, sleep }: Parts, pass: ComputePass): void {
  clamps.encode(pass, solver.reference, newton?.columns);
  strands.encodeIntegrate(pass);
  sleep.encode(pass, strands.steps);
}

function encodeFelt({ coupling, contacts, clamps, solver }: Parts, encoder: GPUCommandEncoder): void {
  const { starts, reactions, points, carried } = clamps;
  const felt = { impulses: solver.bodyImpulses, starts, reactions, points, carried };
  coupling.encodeNote(encoder, contacts.buffers, felt);
}
