// Numbers for people, and the colours of what they stand for.

/** [ms], three digits. */
export function milliseconds(value: number): string {
  return value.toFixed(value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/** Whole numbers in threes, others to three digits. */
export function amount(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6 ? value.toExponential(1) : String(+value.toPrecision(3));
}

/** How many times as much; `new` where there was nothing, or hardly anything. */
export function times(value: number, of: number): string {
  if (!(of > 0)) return value > 0 ? 'new' : '';
  const ratio = value / of;
  if (ratio >= 1000) return 'new';
  return `${ratio >= 9.95 ? ratio.toFixed(0) : ratio.toFixed(1)} ×`;
}

/** The page's thread is number 0. */
export function threadName(thread: number): string {
  return thread === 0 ? 'thread 1 (page)' : `thread ${thread + 1}`;
}

/** Colours of the engine's own stages; a game's systems share the rest. */
const STAGE_COLORS: Readonly<Record<string, string>> = {
  'copy-in': '#7c8794',
  'predict-motion': '#5d9fb5',
  'find-pairs': '#58b09c',
  'find-contacts': '#a9c46c',
  'modify-contacts': '#c9c25e',
  'build-islands': '#e3c457',
  'solve-contacts': '#f0a95c',
  'integrate-motion': '#e2725b',
  'update-sleep': '#b0607f',
  'emit-events': '#8a6fae',
  'copy-out': '#6c7fb8',
};
const OTHER_COLORS = ['#c8b78e', '#9a9a93', '#b89b86', '#8fa39b'];

export const ENGINE_STAGES: ReadonlySet<string> = new Set(Object.keys(STAGE_COLORS));

export function stageColor(name: string, index: number): string {
  return STAGE_COLORS[name] ?? OTHER_COLORS[index % OTHER_COLORS.length];
}

/** Parts of a frame from the ground up, with their colours. */
export const LANE_COLORS: Readonly<Record<string, string>> = {
  physics: '#f0a95c',
  ecs: '#6c9fd8',
  systems: '#c8b78e',
  panel: '#b0607f',
  page: '#6d7177',
};
const MEASURED_COLORS = ['#62c98c', '#a98fd0', '#58b0b8', '#d0c060'];

/** Of what a game measures under the nth name. */
export function measuredColor(n: number): string {
  return MEASURED_COLORS[n % MEASURED_COLORS.length];
}
