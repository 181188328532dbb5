declare module 'virtual:kernels' {
  /** The compiled kernels of bodies (WebAssembly), deflated, in base64. */
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
