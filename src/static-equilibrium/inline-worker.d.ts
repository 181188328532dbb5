declare module '*?worker&inline' {
  /** Starts the worker from text that is part of the bundle: no file to be found beside it. */
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
