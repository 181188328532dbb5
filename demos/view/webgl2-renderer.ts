// What a first picture by WebGL2 takes beside the program: the engine, and the shaders that Babylon's materials and
// shadows would otherwise ask for one after another, when they are first used.

import '@babylonjs/core/Shaders/pbr.fragment';
import '@babylonjs/core/Shaders/pbr.vertex';
import '@babylonjs/core/Shaders/depthBoxBlur.fragment';
import '@babylonjs/core/Shaders/shadowMap.fragment';
import '@babylonjs/core/Shaders/shadowMap.vertex';
import '@babylonjs/core/Shaders/ShadersInclude/shadowMapFragmentSoftTransparentShadow';

export { Engine } from '@babylonjs/core/Engines/engine';
