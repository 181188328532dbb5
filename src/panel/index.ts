// The package entry `stiction/panel`: the profiler, to be put over a game in one line. No renderer, and none of the
// engine: it is given the physics.

export { openPanel, type Panel, type PanelOptions } from './panel';
export type { PanelTraceEvent } from './save';
