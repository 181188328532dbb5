declare module 'virtual:kernels' {
  /** The compiled engine room (WebAssembly), base64. */
  const base64: string;
  export default base64;
}

declare module 'virtual:problem-kernels' {
  /** The compiled solvers of friction problems (WebAssembly), base64. */
  const base64: string;
  export default base64;
}
