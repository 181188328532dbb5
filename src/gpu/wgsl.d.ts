declare module '*.wgsl?raw' {
  /** Source of a WGSL module, as it stands in the file. */
  const source: string;
  export default source;
}
