/// <reference types="vite/client" />

// Tweakpane ships types that refer to a package of its own that it does not install; this is what we use of it.
declare module '@tweakpane/core' {
  export interface ChangeEvent {
    last: boolean;
  }
  export interface BindingApi {
    on(event: 'change', handler: (event: ChangeEvent) => void): this;
  }
  export interface BindingOptions {
    label?: string;
    min?: number;
    max?: number;
    step?: number;
    options?: Record<string, string>;
  }
  export class FolderApi {
    addFolder(options: { title: string; expanded?: boolean }): FolderApi;
    addBinding<T>(target: T, key: keyof T, options?: BindingOptions): BindingApi;
    refresh(): void;
  }
  export class RootApi extends FolderApi {}
}
