// In place of five modules of Babylon's (vite.config.ts), which weigh 12 kB with what they import: behaviours of its
// camera, blurred shadows, and textures packed as RGBD. The gallery uses none of them; whoever does is told.

class NeverAsked {
  constructor() {
    throw new Error('never-asked.ts: the gallery is built without this part of Babylon.js (vite.config.ts)');
  }
}

export {
  NeverAsked as AutoRotationBehavior,
  NeverAsked as BlurPostProcess,
  NeverAsked as BouncingBehavior,
  NeverAsked as FramingBehavior,
};

export const _UpdateRGBDAsync = () => Promise.reject(new NeverAsked());
