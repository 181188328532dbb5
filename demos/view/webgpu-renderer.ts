// What a first picture by WebGPU takes beside the program, as webgl2-renderer.ts does for WebGL2.

import '@babylonjs/core/ShadersWGSL/pbr.fragment';
import '@babylonjs/core/ShadersWGSL/pbr.vertex';
import '@babylonjs/core/ShadersWGSL/depthBoxBlur.fragment';
import '@babylonjs/core/ShadersWGSL/shadowMap.fragment';
import '@babylonjs/core/ShadersWGSL/shadowMap.vertex';
import '@babylonjs/core/ShadersWGSL/ShadersInclude/shadowMapFragmentSoftTransparentShadow';

export { WebGPUEngine } from '@babylonjs/core/Engines/webgpuEngine';
