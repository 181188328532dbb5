/// <reference types="vite/client" />

// Tweakpane ships types that refer to a package of its own that it does not install; this is what we use of it.
declare module '@tweakpane/core' {
  export interface ChangeEvent {
    last: boolean;
    value: number;
  }
  export interface BindingApi {
    readonly element: HTMLElement;
    dispose(): void;
    on(event: 'change', handler: (event: ChangeEvent) => void): this;
  }
  export interface BindingOptions {
    label?: string;
    min?: number;
    max?: number;
    step?: number;
    index?: number;
    options?: Readonly<Record<string, string | number>>;
  }
  export class FolderApi {
    addFolder(options: { title: string; expanded?: boolean }): FolderApi;
    addBinding<T>(target: T, key: keyof T, options?: BindingOptions): BindingApi;
    on(event: 'change', handler: (event: ChangeEvent) => void): this;
    refresh(): void;
  }
  export class RootApi extends FolderApi {}
}
