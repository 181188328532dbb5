// Hair drawn with WebGPU: ribbons by vertex pulling from storage buffers. Either from the solver's own, no copy and no
// work per strand on the processor; or from buffers that are filled each frame with what the processor computed.
//
// In: the buffers (`StrandSource`), looks by rod, the stage. Strands of equal length are one mesh (hair-mesh.ts).
// Limits: everything is a ribbon that faces the eye, rope too.

import type { StorageBuffer } from '@babylonjs/core/Buffers/storageBuffer';
import type { WebGPUEngine } from '@babylonjs/core/Engines/webgpuEngine';
import { ShaderLanguage } from '@babylonjs/core/Materials/shaderLanguage';
import { WebGPUDataBuffer } from '@babylonjs/core/Meshes/WebGPU/webgpuDataBuffer';
import hairSource from './gpu-hair.wgsl?raw';
import vertexSource from './gpu-ribbon.wgsl?raw';
import { type HairLook, packLooks } from './hair-look';
import { createHairMesh, type HairProgram, type StrandRange } from './hair-mesh';
import type { ColumnHair, HairColumns } from './hair-source';
import type { Stage } from './stage';

/** Where strands lie on the device: what `GpuStrandsHandle.buffers` gives. */
export interface StrandSource {
  /** vec4f a node, from the strand's origin [m]. */
  readonly positions: GPUBuffer;
  readonly previous: GPUBuffer;
  /** vec4f a strand, from the cell [m]. */
  readonly origins: GPUBuffer;
  /** vec4u a strand: first node, count, flags, rod. */
  readonly headers: GPUBuffer;
  readonly blocks: readonly StrandRange[];
  /** [m] */
  readonly cell: ArrayLike<number>;
}

export interface GpuStrandMeshes {
  /**
   * Follows the steps: `alpha` = place between the last two, `pixel` = size of a pixel one metre away [m], `hairs`
   * drawn a strand. Buffers may have been replaced since the last time; blocks may not.
   */
  update(source: StrandSource, alpha: number, eye: readonly number[], pixel: number, hairs: number): void;
  dispose(): void;
}

type BufferName = 'positions' | 'previous' | 'origins' | 'headers';
const BUFFERS: readonly BufferName[] = ['positions', 'previous', 'origins', 'headers'];

const PROGRAM: HairProgram = {
  language: ShaderLanguage.WGSL,
  vertex: vertexSource,
  color: hairSource,
  // A shadow map wants no colour, but Babylon a fragment stage.
  depth: `
@fragment
fn main(input : FragmentInputs) -> FragmentOutputs {
  fragmentOutputs.color = vec4f(1.0);
}
`,
  samplers: [],
  storageBuffers: [...BUFFERS, 'looks'],
};

/**
 * `density` = how much the hair dims the sun [1/m] (see `opticalDensity`); `hairs` at most are drawn for each strand;
 * `looks` by rod of the headers. The device of the source must be the engine's.
 */
export function createGpuStrandMeshes(
  stage: Stage,
  source: StrandSource,
  looks: ReadonlyMap<number, HairLook>,
  density: number,
  hairs: number,
): GpuStrandMeshes {
  const lookBuffer = upload(deviceOf(stage), 'looks of strands', packLooks(looks));
  const held = new Map<string, StorageBuffer>([['looks', wrap(lookBuffer)]]);
  const meshes = source.blocks.map((block) => createHairMesh(stage, block, density, hairs, PROGRAM));
  const bound: Partial<Record<BufferName, GPUBuffer>> = {};

  return {
    update(now, alpha, eye, pixel, shown) {
      for (const name of BUFFERS) {
        if (bound[name] === now[name]) continue;
        bound[name] = now[name];
        held.set(name, wrap(now[name]));
      }
      for (const mesh of meshes) {
        for (const material of mesh.materials)
          for (const [name, buffer] of held) material.setStorageBuffer(name, buffer);
        mesh.update(alpha, now.cell, eye, pixel, shown);
      }
    },
    dispose() {
      for (const mesh of meshes) mesh.dispose();
      lookBuffer.destroy();
    },
  };
}

/** Hair from columns of the processor: uploaded whenever `positions` has changed. */
export function createUploadedHair(stage: Stage, columns: HairColumns, density: number, hairs: number): ColumnHair {
  const device = deviceOf(stage);
  const strands = columns.first.length;
  const headers = new Uint32Array(4 * strands);
  for (let s = 0; s < strands; s++) headers.set([columns.first[s], columns.counts[s], 0, columns.look[s]], 4 * s);
  const positions = upload(device, 'nodes of strands', new Float32Array(4 * columns.nodeCount));
  const source: StrandSource = {
    positions,
    // The processor has put them between the steps already.
    previous: positions,
    origins: upload(device, 'origins of strands', new Float32Array(4 * strands)),
    headers: upload(device, 'strands', headers),
    blocks: [{ firstStrand: 0, strands, nodes: columns.longest }],
    cell: [0, 0, 0],
  };
  const meshes = createGpuStrandMeshes(stage, source, columns.looks, density, hairs);
  return {
    update(nodes, eye, pixel, shown) {
      if (nodes) device.queue.writeBuffer(positions, 0, nodes.buffer, nodes.byteOffset, 16 * columns.nodeCount);
      meshes.update(source, 1, eye, pixel, shown);
    },
    dispose() {
      meshes.dispose();
      for (const name of BUFFERS) source[name].destroy();
    },
  };
}

const deviceOf = ({ scene }: Stage) => (scene.getEngine() as WebGPUEngine)._device;

/** Babylon takes a storage buffer of its own making; of ours it needs no more than this. */
function wrap(buffer: GPUBuffer): StorageBuffer {
  const data = new WebGPUDataBuffer(buffer, buffer.size);
  return { getBuffer: () => data } as unknown as StorageBuffer;
}

function upload(
  device: GPUDevice,
  label: string,
  data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
): GPUBuffer {
  const size = Math.max(data.byteLength, 16);
  const buffer = device.createBuffer({ label, size, usage: 0x80 | 0x08 }); // STORAGE, COPY_DST
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
