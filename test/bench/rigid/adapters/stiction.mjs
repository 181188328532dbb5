// Ours: the built library through its public face, default settings; the scene file goes in as it is.

import { createWorld } from 'bitecs';

let library;

export const stiction = {
  /** `job.library`: address of the library's entry. */
  async init(job) {
    library = await import(job.library);
    return '';
  },
  load(source, { sleep }) {
    const { addScene, createPhysics, readScene, sceneSettings } = library;
    const scene = readScene(source);
    const physics = createPhysics(createWorld(), { ...sceneSettings(scene), sleeping: sleep });
    const { entities } = addScene(physics, scene);
    const moving = [...entities.values()].filter((_, i) => source.bodies[i].type !== 'static');
    const { position, rotation } = physics.components.Transform;
    return {
      step: () => physics.step(),
      readPoses(out) {
        let k = 0;
        for (const eid of moving) {
          out[k++] = position.x[eid];
          out[k++] = position.y[eid];
          out[k++] = position.z[eid];
          out[k++] = rotation.x[eid];
          out[k++] = rotation.y[eid];
          out[k++] = rotation.z[eid];
          out[k++] = rotation.w[eid];
        }
      },
      describe: () => describe(physics.report),
      dispose: () => physics.dispose(),
    };
  },
};

/** The last step in a few words: which solver, how well, and what went wrong. */
function describe({ points, awake, residual, solvers, limits, quarantined }) {
  const words = [`${awake} awake`, `${points} points`];
  const { dantzig, contactAdmm, sweeps } = solvers;
  if (dantzig.islands > 0) words.push(`dantzig ${dantzig.islands}`);
  if (dantzig.fallbacks > 0) words.push(`fallbacks ${dantzig.fallbacks}`);
  if (contactAdmm.islands > 0) words.push(`settled ${contactAdmm.islands}`);
  if (sweeps.islands > 0) words.push(`sweeps ${sweeps.islands}`);
  words.push(`residual ${residual.toExponential(0)}`);
  if (limits.length > 0) words.push(`LIMITS ${limits.join(' ')}`);
  if (quarantined.length > 0) words.push(`QUARANTINED ${quarantined.length}`);
  return words.join(', ');
}
