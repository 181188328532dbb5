import { createWorld } from 'bitecs';
import {
  addGroom,
  addRigidBody,
  createPhysics,
  enableGpuStrands,
  enableSagFree,
  readGroom,
  resampleGroom,
} from 'stiction';

const physics = createPhysics(createWorld());
const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 }, position: [0, 1.7, 0] });

// #region wig
/** `bytes` of a .hair, .data or .tfx file, as fetch gives them. */
export function addWig(bytes: ArrayBuffer): number {
  enableSagFree(physics); // once; games without it carry none of it
  const strands = resampleGroom(readGroom(bytes), { vertices: 32, maxStrands: 500, scale: 'head' });
  return addGroom(physics, { strands, attach: head, radius: 4e-5, friction: 0.2, sagFree: true });
}
// #endregion wig

// #region device
/** `show` tells the player where hair runs. */
export async function useDevice(show: (text: string) => void, device?: GPUDevice): Promise<void> {
  const gpu = await enableGpuStrands(physics, { device, budget: 6 }); // [ms] a step; never rejects for lack of WebGPU
  if (gpu.state === 'wasm') show(gpu.reason ?? 'wasm');
  gpu.onChange(({ state, reason }) => show(reason ?? state));
}
// #endregion device
export { physics };
