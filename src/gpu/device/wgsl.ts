// The parts that kernels are put together from: files of WGSL, by their names, which are unlike in all folders.

const files = import.meta.glob<string>('../wgsl/**/*.wgsl', { query: '?raw', import: 'default', eager: true });
const parts = new Map(Object.entries(files).map(([path, source]) => [path.replace(/.*\/|\.wgsl$/g, ''), source]));

/** Sources of kernels, each given as the names of its parts; what several share comes first. */
export function joinParts<N extends string>(kernels: Readonly<Record<N, string>>): Readonly<Record<N, string>> {
  const join = (names: string) => names.split(' ').reduce((source, name) => source + partOf(name), '');
  return Object.fromEntries(Object.entries<string>(kernels).map(([name, list]) => [name, join(list)])) as never;
}

function partOf(name: string): string {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`stiction: internal error: no ${name}.wgsl`);
  return part;
}
