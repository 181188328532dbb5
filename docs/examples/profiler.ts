import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics } from 'stiction';
// #region open
import { openPanel } from 'stiction/panel';

const physics = createPhysics(createWorld());
const panel = openPanel(physics);
// #endregion open

addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
for (let i = 0; i < 20; i++) addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] });

// #region measure
export function frame(seconds: number, draw: () => void): void {
  physics.advance(seconds);
  physics.interpolate();
  panel.measure('drawing', draw); // a colour of its own in the timeline
}
// #endregion measure

// #region tools
export function developerTools(game: { paused: boolean }, corner: HTMLElement) {
  const tools = openPanel(physics, {
    parent: corner, // instead of floating
    budget: 1000 / 120, // [ms] of a frame
    onFreeze: (isFrozen) => {
      game.paused = isFrozen;
    },
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'F8') tools.isOpen ? tools.close() : tools.open(); // closed, it costs nothing
  });
  return tools;
}
// #endregion tools
export { panel, physics };
