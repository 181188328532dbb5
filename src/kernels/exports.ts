// The kernels' exported functions, as TypeScript sees them. Each group is declared beside its typed entry point.

/** All exported functions of the module; see the files in assembly/ for what each does. */
export interface KernelExports {
  findContacts(): void;
}
