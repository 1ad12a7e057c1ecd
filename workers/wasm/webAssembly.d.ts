/** The part of the WebAssembly JavaScript API that Warren uses; TypeScript has it in its browser library only. */
declare namespace WebAssembly {
  class Module {
    /** For small modules: the thread waits. */
    constructor(bytes: Uint8Array);
    private readonly module: never;
  }

  class Instance {
    constructor(module: Module);
    readonly exports: Record<string, unknown>;
  }

  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: boolean });
    readonly buffer: SharedArrayBuffer;
    /** Pages of 64 KiB before; throws a RangeError where there are no more. */
    grow(pages: number): number;
  }

  /** Whether this engine takes the module. */
  function validate(bytes: Uint8Array): boolean;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Record<string, Record<string, unknown>>): Promise<Instance>;
}
