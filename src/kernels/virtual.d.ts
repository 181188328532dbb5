declare module 'virtual:packer' {
  /** What packs modules for it (WebAssembly), in base64: for tests. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:unpacker' {
  /** What unpacks the others (WebAssembly), in base64. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:kernels' {
  /** The compiled kernels of bodies (WebAssembly), packed, in base64. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:strand-kernels' {
  /** The compiled kernels of strands, likewise. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:surface-kernels' {
  /** The compiled kernels of surfaces and solids, likewise. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:problem-kernels' {
  /** The compiled solvers of friction problems, likewise. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:shared-kernels' {
  /** The kernels of bodies once more, for a memory that threads share. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:shared-strand-kernels' {
  /** The kernels of strands, likewise. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:shared-surface-kernels' {
  /** The kernels of surfaces and solids, likewise. */
  const embedded: string;
  export default embedded;
}

declare module 'virtual:thread-worker' {
  /** The program of a worker (src/threads/worker.ts), bundled and minified. */
  const program: string;
  export default program;
}
