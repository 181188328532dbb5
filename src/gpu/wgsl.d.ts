declare module '*.wgsl?raw' {
  /** Source of a WGSL module, as it stands in the file. */
  const source: string;
  export default source;
}

interface ImportMeta {
  /** What files of a pattern export, by their paths, put in by Vite. */
  glob<T>(pattern: string, options: { query: string; import: string; eager: true }): Record<string, T>;
}
