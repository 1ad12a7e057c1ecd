import { WarrenError } from '#src/base/contracts/errors.ts';
import { FreeBlocks } from './freeBlocks.ts';

const PAGE_BYTES = 65_536;
/** WebAssembly addresses have 32 bits. The last page stays free, so that no end of a block is 2³². */
const MAXIMUM_BYTES = (65_536 - 1) * PAGE_BYTES;
/** The compiled modules' own data and the lanes' control block lie below. */
const FIRST_ADDRESS = PAGE_BYTES;
/** Blocks up to this size come from free lists by size class, larger ones from `FreeBlocks`. */
const SMALL_BYTES = 8192;
const SLAB_BYTES = 262_144;
const ALIGNMENT = 64;
/** The memory grows by at least this, since growing costs a system call. */
const GROWTH_BYTES = 16 * 2 ** 20;

/**
 * An allocator over one WebAssembly memory that threads share; only the thread that made it allocates. Addresses are
 * multiples of 64; contents are undefined. The buffer object is replaced when the memory grows, but the shared bytes stay
 * where they are: older views remain valid.
 */
export class TensorHeap {
  readonly memory: WebAssembly.Memory;
  readonly limitBytes: number;
  readonly #small = new Map<number, number[]>();
  readonly #large = new FreeBlocks();
  #top = FIRST_ADDRESS;
  #inUse = 0;
  #peak = 0;

  /** `limitBytes`: the most that all blocks may take together; at most 4 GiB less 64 KiB. */
  constructor(limitBytes = MAXIMUM_BYTES) {
    this.limitBytes = Math.min(limitBytes, MAXIMUM_BYTES);
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });
  }

  /** Bytes of all blocks that are allocated, each rounded up to its size class. */
  get bytesInUse(): number {
    return this.#inUse;
  }

  /** The greatest `bytesInUse` so far. */
  get peakBytes(): number {
    return this.#peak;
  }

  /** Address of a block of at least `bytes`. Throws OUT_OF_MEMORY, saying what is needed, in use and allowed. */
  allocate(bytes: number): number {
    const size = blockBytes(bytes);
    if (this.#inUse + size > this.limitBytes) throw this.#outOfMemory(bytes);
    const address = size <= SMALL_BYTES ? this.#allocateSmall(size, bytes) : this.#allocateLarge(size, bytes);
    this.#inUse += size;
    if (this.#inUse > this.#peak) this.#peak = this.#inUse;
    return address;
  }

  /** Gives back the block at `address`, which was allocated for `bytes`. */
  release(address: number, bytes: number): void {
    const size = blockBytes(bytes);
    this.#inUse -= size;
    if (size > SMALL_BYTES) this.#large.give(address, size);
    else this.#freeList(size).push(address);
  }

  #freeList(size: number): number[] {
    let list = this.#small.get(size);
    if (list === undefined) {
      list = [];
      this.#small.set(size, list);
    }
    return list;
  }

  #allocateSmall(size: number, bytes: number): number {
    const list = this.#freeList(size);
    const known = list.pop();
    if (known !== undefined) return known;
    const slab = this.#allocateLarge(SLAB_BYTES, bytes);
    for (let address = slab + SLAB_BYTES - size; address > slab; address -= size) list.push(address);
    return list.pop()!;
  }

  #allocateLarge(size: number, bytes: number): number {
    const reused = this.#large.take(size);
    if (reused !== null) return reused;
    const address = this.#top;
    const end = address + size;
    if (end > MAXIMUM_BYTES) throw this.#outOfMemory(bytes);
    // A kernel may read a vector past the end of a block: some bytes stay free.
    const missing = end + ALIGNMENT - this.memory.buffer.byteLength;
    if (missing > 0) {
      const wanted = Math.min(
        Math.max(missing, GROWTH_BYTES),
        MAXIMUM_BYTES + PAGE_BYTES - this.memory.buffer.byteLength,
      );
      try {
        this.memory.grow(Math.ceil(wanted / PAGE_BYTES));
      } catch (cause) {
        throw this.#outOfMemory(bytes, cause);
      }
    }
    this.#top = end;
    return address;
  }

  #outOfMemory(bytes: number, cause?: unknown): WarrenError {
    const [needed, inUse, limit] = [bytes, this.#inUse, this.limitBytes].map(mebibytes);
    const message = `out of tensor memory: ${needed} more are needed, ${inUse} are in use, the limit is ${limit}`;
    return new WarrenError('OUT_OF_MEMORY', message, cause === undefined ? {} : { cause });
  }
}

function blockBytes(bytes: number): number {
  return Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
}

function mebibytes(bytes: number): string {
  const value = bytes / 2 ** 20;
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} MiB`;
}
