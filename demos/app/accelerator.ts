// Who advances the strands of a session: the renderer's device where there is one, else the processor.
//
// Scenes of many strands ask for the device by `amount.onGpu`; the visitor's choice overrules that in every scene with
// strands. Starting takes a moment (kernels are compiled); where it fails, now or when a device is lost for good, the
// scene goes on on the processor, and the panel says why.

import { enableGpuStrands } from '../../src/index';
import { factsOf, type GpuFacts } from '../panel/gpu-facts';
import type { DemoScene } from '../scenes/demo-scene';
import type { LentDevice } from '../view/create-engine';
import type { Session } from './session';

export interface Accelerator {
  /**
   * How many strands a scene has on the device, at first and at most; null if it does
   * not go there or has no such slider.
   */
  amounts(demo: DemoScene | null): { usual: number; most: number } | null;
  /**
   * Takes the strands of a session there, if that is where they go. `settled` is called when the session can step, on
   * the device or not, and whenever that changes; not for a session that is no longer `current`.
   */
  start(session: Session, demo: DemoScene | null, current: () => boolean, settled: () => void): Promise<void>;
  /**
   * The visitor's choice: takes the running strands to the device, or back to the processor, as do all scenes from now
   * on. Resolves when that is done, at once where there is no choice. `current`, `settled`: as with `start`.
   */
  toggle(session: Session, current: () => boolean, settled: () => void): Promise<void>;
  /** GPU time of a step that the visitor allows [ms], null none. */
  budget: number | null;
  /** What the panel shows; null where there is nothing to say of the device. */
  facts(session: Session, demo: DemoScene | null): GpuFacts | null;
}

/** `device` is null where the renderer has none, `reason` then says why. `wanted` false: the visitor refused. */
export function createAccelerator(device: LentDevice | null, reason: string | null, wanted: boolean): Accelerator {
  let refusal = wanted ? reason : 'WebAssembly was asked for';
  let budget: number | null = null;
  let choice: 'webgpu' | 'wasm' | null = null;
  if (refusal !== null) console.info(`Strands are advanced by WebAssembly: ${refusal}`);

  const isOffered = () => device !== null && refusal === null;
  const wants = (demo: DemoScene | null) =>
    isOffered() && (choice === 'webgpu' || (choice === null && demo?.amount?.onGpu !== undefined));

  const enable = async (session: Session, current: () => boolean, settled: () => void) => {
    if (!device || session.physics.strands.strandCount === 0) return;
    session.isStarting = true;
    try {
      const handle = await enableGpuStrands(session.physics, { device: () => device.get(), budget });
      if (!current()) return handle.dispose();
      session.gpu = handle;
      // A device that cannot be had is not asked for again; what hinders one scene may not hinder the next.
      refusal = handle.reason;
      handle.onChange(() => {
        if (current()) settled();
      });
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
    }
    session.isStarting = false;
    if (current()) settled();
  };

  return {
    amounts(demo) {
      const { amount } = demo ?? {};
      if (!amount?.onGpu || !device || !wants(demo)) return null;
      return device.isSoftware ? { usual: amount.usual, most: amount.onGpu.most } : amount.onGpu;
    },
    async start(session, demo, current, settled) {
      if (wants(demo)) await enable(session, current, settled);
    },

    async toggle(session, current, settled) {
      if (!isOffered() || session.isStarting) return;
      const { gpu } = session;
      choice = gpu ? 'wasm' : 'webgpu';
      if (!gpu) return enable(session, current, settled);
      // Not from where the strands were read back last, but from where they are.
      session.isStarting = true;
      await gpu.settle();
      session.isStarting = false;
      if (!current()) return;
      gpu.dispose();
      session.gpu = null;
      settled();
    },

    get budget() {
      return budget;
    },
    set budget(value) {
      budget = value;
    },

    facts({ gpu, isStarting, physics }, demo) {
      const canSwitch = isOffered() && !isStarting;
      if (gpu) return { ...factsOf(gpu), canSwitch };
      const asks = demo?.amount?.onGpu !== undefined;
      if (physics.strands.strandCount === 0 || !(asks || canSwitch || isStarting)) return null;
      return { ...NOTHING, reason: isStarting ? 'WebGPU is starting' : (refusal ?? ''), canSwitch };
    },
  };
}

const NOTHING: Omit<GpuFacts, 'canSwitch'> = {
  ...{ backend: 'wasm', reason: '', adapterName: '', isSoftware: false, stages: [], cpu: 0, budget: null },
  ...{ contacts: 0, iterations: 0, wanted: 0, delta: 0, undone: [], bytes: 0 },
};
