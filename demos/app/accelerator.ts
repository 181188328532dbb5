// Who advances the strands of a session: the renderer's device where there is one, else the processor.
//
// Scenes ask for the device by `amount.onGpu`. Starting takes a moment (kernels are compiled); where it fails, now or when a
// device is lost for good, the scene goes on on the processor, and the panel says why.

import { enableGpuStrands } from '../../src/index';
import { factsOf, type GpuFacts } from '../panel/gpu-facts';
import type { DemoScene } from '../scenes/demo-scene';
import type { LentDevice } from '../view/create-engine';
import type { Session } from './session';

export interface Accelerator {
  /** How many strands a scene has on the device, at first and at most; null if it does not go there. */
  amounts(demo: DemoScene | null): { usual: number; most: number } | null;
  /**
   * Takes the strands of a session there. `settled` is called when the session can step, on the device or not, and whenever that
   * changes; not for a session that is no longer `current`.
   */
  start(session: Session, current: () => boolean, settled: () => void): Promise<void>;
  /** GPU time of a step that the visitor allows [ms], null none. */
  budget: number | null;
  /** What the panel shows; null for scenes that never ask. */
  facts(session: Session, demo: DemoScene | null): GpuFacts | null;
}

/** `device` is null where the renderer has none, `reason` then says why. `wanted` false: the visitor refused. */
export function createAccelerator(device: LentDevice | null, reason: string | null, wanted: boolean): Accelerator {
  let refusal = wanted ? reason : 'WebAssembly was asked for';
  let budget: number | null = null;
  if (refusal !== null) console.info(`Strands are advanced by WebAssembly: ${refusal}`);

  return {
    amounts(demo) {
      const { amount } = demo ?? {};
      if (!amount?.onGpu || !device || refusal !== null) return null;
      return device.isSoftware ? { usual: amount.usual, most: amount.onGpu.most } : amount.onGpu;
    },
    async start(session, current, settled) {
      if (!device) return;
      session.isStarting = true;
      const tell = (why: string | null) => {
        if (!current()) return;
        refusal = why;
        settled();
      };
      try {
        const handle = await enableGpuStrands(session.physics, { device: () => device.get(), budget });
        session.isStarting = false;
        if (!current()) return handle.dispose();
        session.gpu = handle;
        handle.onChange(() => tell(handle.reason));
        tell(handle.reason);
      } catch (error) {
        session.isStarting = false;
        tell(error instanceof Error ? error.message : String(error));
      }
    },
    get budget() {
      return budget;
    },
    set budget(value) {
      budget = value;
    },
    facts({ gpu, isStarting }, demo) {
      if (demo?.amount?.onGpu === undefined) return null;
      if (gpu) return factsOf(gpu);
      return { ...NOTHING, reason: isStarting ? 'WebGPU is starting' : (refusal ?? 'without WebGPU') };
    },
  };
}

const NOTHING: GpuFacts = {
  ...{ backend: 'wasm', reason: '', adapterName: '', isSoftware: false, stages: [], cpu: 0, budget: null },
  ...{ contacts: 0, iterations: 0, wanted: 0, delta: 0, undone: [], bytes: 0 },
};
