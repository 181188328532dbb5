import { createWorld } from 'bitecs';
import { createPhysics } from 'stiction';

// #region threads
const physics = createPhysics(createWorld(), { threads: 'auto' });
void physics.threadsReady.then(() => {
  const { count, reason } = physics.report.threads;
  console.log(count > 1 ? `${count} threads` : `one thread: ${reason}`);
});

// #endregion threads

export { physics };
