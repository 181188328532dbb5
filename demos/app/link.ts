// A link to what a visitor sees: the hash names the scene and all that differs from how it opens, such as
// `#sag-free?amount=500&wind=2&solver=gauss-seidel`. What a link says and nobody knows is passed over.

import { DEFAULT_OPTIONS, type Options } from '../panel/options';
import { type DemoScene, usualValues, type Values } from '../scenes/demo-scene';

export interface LinkState {
  /** Of the scene; empty: the first. */
  id: string;
  /** Of the scene's slider; undefined where the link does not say. */
  amount?: number;
  /** Of the scene's parameters, all of them. */
  values: Values;
  options: Options;
}

/** Options by their type, as a link has them. Those that change nothing but what is drawn count, too. */
const OPTIONS = Object.keys(DEFAULT_OPTIONS) as (keyof Options)[];
const SOLVERS: readonly string[] = ['scene', 'auto', 'dantzig', 'gauss-seidel'];
/** Ends of the sliders of options. */
const RANGES: Readonly<Record<'gravity' | 'pull', readonly [number, number]>> = { gravity: [0, 2], pull: [0.2, 4] };

/** What a hash says, with or without its `#`; numbers beyond the ends of their sliders are taken to them. */
export function readLink(hash: string, scenes: readonly DemoScene[]): LinkState {
  const [id, query = ''] = hash.replace(/^#/, '').split('?');
  const asked = new URLSearchParams(query);
  const demo = scenes.find((scene) => scene.id === id) ?? scenes[0];
  const options: Options = { ...DEFAULT_OPTIONS };
  for (const key of OPTIONS) {
    const text = asked.get(key);
    if (text === null) continue;
    if (key === 'solver') {
      if (SOLVERS.includes(text)) options.solver = text as Options['solver'];
    } else if (key === 'gravity' || key === 'pull') options[key] = within(text, ...RANGES[key]) ?? options[key];
    else options[key] = text !== '0';
  }
  const values: Record<string, number | boolean> = { ...usualValues(demo) };
  for (const { key, usual, least, most, options: list } of demo.parameters ?? []) {
    const text = asked.get(key);
    if (text === null) continue;
    if (typeof usual === 'boolean') values[key] = text !== '0';
    else if (list) values[key] = Object.values(list).includes(+text) ? +text : usual;
    else values[key] = within(text, least, most) ?? usual;
  }
  const amount = demo.amount && within(asked.get('amount'), demo.amount.least, mostOf(demo.amount));
  return { id, values, options, ...(amount !== undefined && { amount }) };
}

/** The hash of what is seen, without its `#`. */
export function writeLink(demo: DemoScene, amount: number | undefined, values: Values, options: Options): string {
  const said = new URLSearchParams();
  if (amount !== undefined && amount !== demo.amount?.usual) said.set('amount', String(amount));
  const usual = usualValues(demo);
  for (const key of Object.keys(usual)) if (values[key] !== usual[key]) said.set(key, plain(values[key]));
  for (const key of OPTIONS) if (options[key] !== DEFAULT_OPTIONS[key]) said.set(key, plain(options[key]));
  const query = said.toString();
  return query ? `${demo.id}?${query}` : demo.id;
}

function mostOf({ most, onGpu }: NonNullable<DemoScene['amount']>): number {
  return Math.max(most, onGpu?.most ?? 0);
}

/** A number between two ends; undefined if it is none. */
function within(text: string | null, least = -Infinity, most = Infinity): number | undefined {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? Math.min(Math.max(value, least), most) : undefined;
}

function plain(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  // Sliders make 0.49999999999999994 of 0.5.
  return String(typeof value === 'number' ? +value.toPrecision(9) : value);
}
