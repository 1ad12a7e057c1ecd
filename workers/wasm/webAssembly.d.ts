/** The part of the WebAssembly JavaScript API that Warren uses; TypeScript has it in its browser library only. */
declare namespace WebAssembly {
  interface Module {
    readonly __module: unique symbol;
  }

  interface Instance {
    readonly exports: Record<string, unknown>;
  }

  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: boolean });
    readonly buffer: SharedArrayBuffer;
    /** Pages of 64 KiB before; throws a RangeError where there are no more. */
    grow(pages: number): number;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Record<string, Record<string, unknown>>): Promise<Instance>;
}
