// The engines: one row each. A new one is a file beside this one and a row here.
//
// An adapter is an object with
//   init(job)              loads the engine; returns its version, '' when it does not say
//   load(scene, { sleep }) makes a world of a scene file (gravity, time step, bodies); engine defaults for all else,
//                          damping and restitution 0, sleeping off unless asked for. Returns
//     step()               advances by the scene's time step
//     readPoses(out)       x y z qx qy qz qw of every moving body in the order of the scene
//     describe()           optional: a few words on what the engine did
//     dispose()

/** Engines by name: the npm package they come from (none for ours), and how to get the adapter. */
export const ENGINES = {
  rapier: { package: '@dimforge/rapier3d-compat', import: async () => (await import('./rapier.mjs')).rapier },
  'rapier-simd': {
    package: '@dimforge/rapier3d-simd-compat',
    import: async () => (await import('./rapier.mjs')).rapierSimd,
  },
  jolt: { package: 'jolt-physics', import: async () => (await import('./jolt.mjs')).jolt },
  'jolt-simd': { package: 'jolt-physics', import: async () => (await import('./jolt.mjs')).joltSimd },
  'jolt-mt': { package: 'jolt-physics', import: async () => (await import('./jolt.mjs')).joltThreads },
  havok: { package: '@babylonjs/havok', import: async () => (await import('./havok.mjs')).havok },
  physx: { package: 'physx-js-webidl', import: async () => (await import('./physx.mjs')).physx },
  'physx-tgs': { package: 'physx-js-webidl', import: async () => (await import('./physx.mjs')).physxTgs },
  crashcat: { package: 'crashcat', import: async () => (await import('./crashcat.mjs')).crashcat },
  'cannon-es': { package: 'cannon-es', import: async () => (await import('./cannon.mjs')).cannon },
  stiction: { import: async () => (await import('./stiction.mjs')).stiction },
};

/** Engines that run when none is named: those left out are slower builds of one that is in. */
export const DEFAULT_ENGINES = Object.keys(ENGINES).filter((name) => name !== 'jolt-mt' && name !== 'cannon-es');

/** The engine that ratios refer to. */
export const REFERENCE = 'rapier';
