import { WarrenError } from '#src/contracts/errors.ts';

const PAGE_BYTES = 65536;
/** WebAssembly addresses have 32 bits. */
const MAXIMUM_PAGES = 65536;
/** Below this, in the first page, the compiled modules keep constants of their own, written anew by every instance. */
const FIRST_ADDRESS = PAGE_BYTES;

type NumberArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/**
 * Memory that WebAssembly threads share, given out from the bottom and never taken back: it lives as long as one job.
 * Addresses are multiples of 16. The buffer is replaced when the memory grows, so views are made when they are needed.
 */
export class MemoryArena {
  readonly memory: WebAssembly.Memory;
  #top = FIRST_ADDRESS;

  constructor() {
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: MAXIMUM_PAGES, shared: true });
  }

  /** First free address. */
  get top(): number {
    return this.#top;
  }

  /** Address of `bytes` zeros. Throws OUT_OF_MEMORY. */
  reserve(bytes: number): number {
    const address = this.#top;
    this.#top = Math.ceil((address + bytes) / 16) * 16;
    const missing = Math.ceil((this.#top - this.memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      try {
        this.memory.grow(missing);
      } catch (cause) {
        throw new WarrenError('OUT_OF_MEMORY', `no memory for ${Math.ceil(this.#top / 2 ** 20)} MiB of kernel data`, {
          cause,
        });
      }
    }
    return address;
  }

  /** Address of a copy of `array`. */
  place(array: NumberArray): number {
    const address = this.reserve(array.byteLength);
    new Uint8Array(this.memory.buffer, address, array.byteLength).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return address;
  }

  /** Words that all threads see, for `Atomics`. */
  words(address: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, address, count);
  }

  doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.memory.buffer, address, count);
  }
}
