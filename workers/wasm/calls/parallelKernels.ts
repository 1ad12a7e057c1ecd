import { Worker } from 'node:worker_threads';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { kernelImports } from './kernelImports.ts';
import { compileKernels, productLibraryInUse } from './kernelModule.ts';
import * as control from '../threads/laneControl.ts';
import { processorLoad } from '../threads/processorLoad.ts';
import { inOrder, type KernelName, type KernelParameters, type LaneKernel } from './kernels.ts';

export interface LaneThreadData {
  module: WebAssembly.Module;
  /** File of the library that multiplies matrices; null: the kernels do. */
  library: string | null;
  memory: WebAssembly.Memory;
  lane: number;
  lanes: number;
}

/**
 * Synchronous fork-join over one shared memory: the caller is lane 0, a thread each the others. Not re-entrant: one call
 * at a time. Whoever starts it closes it.
 */
export class ParallelKernels {
  readonly lanes: number;
  /** File of the library that multiplies matrices; null: the kernels do. */
  readonly library: string | null;
  readonly #threads: readonly Worker[];
  readonly #kernels = new Map<string, { index: number; kernel: LaneKernel }>();
  readonly #words: Int32Array;
  readonly #parameters: Float64Array;
  readonly #memory: WebAssembly.Memory;
  readonly #load = processorLoad();
  #closed = false;

  /** Starts `lanes` - 1 threads on `memory` and waits until they are ready. */
  static async start(memory: WebAssembly.Memory, lanes: number): Promise<ParallelKernels> {
    const module = await compileKernels();
    const library = productLibraryInUse();
    const instance = await WebAssembly.instantiate(module, kernelImports(memory, library));
    const threads: Worker[] = [];
    try {
      for (let lane = 1; lane < lanes; lane++) threads.push(startLane({ module, library, memory, lane, lanes }));
      await Promise.all(threads.map(untilReady));
    } catch (cause) {
      await Promise.all(threads.map((thread) => thread.terminate()));
      throw new WarrenError('INTERNAL', 'a compute thread of the tensor kernels did not start', { cause });
    }
    return new ParallelKernels(instance, { memory, threads, library });
  }

  private constructor(
    instance: WebAssembly.Instance,
    { memory, threads, library }: { memory: WebAssembly.Memory; threads: readonly Worker[]; library: string | null },
  ) {
    this.library = library;
    this.lanes = threads.length + 1;
    this.#threads = threads;
    this.#memory = memory;
    this.#words = new Int32Array(memory.buffer, control.CONTROL_ADDRESS, control.CONTROL_WORDS);
    this.#words[control.NEXT_PART] = this.lanes;
    this.#words[control.SPINS] = control.MOST_SPINS;
    this.#parameters = new Float64Array(memory.buffer, control.PARAMETERS_ADDRESS, control.MAXIMUM_PARAMETERS);
    for (const [index, [name, exported]] of Object.entries(instance.exports).entries()) {
      if (typeof exported === 'function') this.#kernels.set(name, { index, kernel: exported as LaneKernel });
    }
  }

  /**
   * Calls the kernel `name` once for each lane; returns when all are done. A part that no lane has begun when the caller has done its own is done
   * by the caller, so that nobody waits for a thread that other programs keep from the processor. Throws INTERNAL when one traps.
   */
  run<Name extends KernelName>(name: Name, ...given: KernelParameters<Name>): void {
    const parameters = inOrder(name, given);
    const { index, kernel } = this.#kernel(name, parameters);
    if (this.lanes === 1) {
      this.#alone(name, kernel, parameters);
      return;
    }
    const words = this.#words;
    this.#parameters.set(parameters);
    words[control.SPINS] = this.#load.isHigh() ? control.FEWEST_SPINS : control.MOST_SPINS;
    words[control.KERNEL] = index;
    words[control.FAILURE] = 0;
    Atomics.store(words, control.PENDING, this.lanes - 1);
    Atomics.store(words, control.NEXT_PART, 1);
    this.#callLanes();
    let failure: unknown = null;
    for (let part = 0; part < this.lanes; part = Atomics.add(words, control.NEXT_PART, 1)) {
      try {
        kernel(part, this.lanes, ...parameters);
      } catch (thrown) {
        failure ??= thrown;
      }
      if (part > 0) Atomics.sub(words, control.PENDING, 1);
    }
    this.#waitForLanes();
    const failureBytes = Atomics.load(words, control.FAILURE);
    if (failure === null && failureBytes > 0) failure = new Error(this.#failureText(failureBytes));
    if (failure !== null) throw kernelFailure(name, failure);
  }

  /** The calling thread does all of the kernel `name`: for work that is too small to be shared. */
  runAlone<Name extends KernelName>(name: Name, ...given: KernelParameters<Name>): void {
    const parameters = inOrder(name, given);
    this.#alone(name, this.#kernel(name, parameters).kernel, parameters);
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    Atomics.store(this.#words, control.STOP, 1);
    this.#callLanes();
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #kernel(name: KernelName, parameters: readonly number[]): { index: number; kernel: LaneKernel } {
    const found = this.#kernels.get(name);
    if (found === undefined) {
      throw new Error(`internal: dist/kernels.wasm has no kernel ${name}; npm run build makes it anew`);
    }
    if (found.kernel.length !== parameters.length + 2 || parameters.length > control.MAXIMUM_PARAMETERS) {
      throw new Error(
        `internal: kernel ${name} takes ${found.kernel.length - 2} parameters beside the lanes, not ${parameters.length}`,
      );
    }
    if (this.#closed) throw new Error(`internal: kernel ${name} was called after close`);
    return found;
  }

  #alone(name: KernelName, kernel: LaneKernel, parameters: readonly number[]): void {
    try {
      kernel(0, 1, ...parameters);
    } catch (thrown) {
      throw kernelFailure(name, thrown);
    }
  }

  #callLanes(): void {
    Atomics.add(this.#words, control.CALL, 1);
    if (Atomics.load(this.#words, control.ASLEEP) > 0) Atomics.notify(this.#words, control.CALL);
  }

  #waitForLanes(): void {
    const words = this.#words;
    const spins = words[control.SPINS]!;
    for (let spin = 0; spin < spins; spin++) if (Atomics.load(words, control.PENDING) === 0) return;
    Atomics.store(words, control.CALLER_ASLEEP, 1);
    let pending = Atomics.load(words, control.PENDING);
    while (pending !== 0) {
      Atomics.wait(words, control.PENDING, pending);
      pending = Atomics.load(words, control.PENDING);
    }
    Atomics.store(words, control.CALLER_ASLEEP, 0);
  }

  #failureText(bytes: number): string {
    return new TextDecoder().decode(new Uint8Array(this.#memory.buffer, control.FAILURE_ADDRESS, bytes).slice());
  }
}

function startLane(data: LaneThreadData): Worker {
  const thread = new Worker(builtFile('lane-thread.js'), { workerData: data, name: `lane ${data.lane}` });
  // An idle lane must not keep the process alive.
  thread.unref();
  return thread;
}

async function untilReady(thread: Worker): Promise<void> {
  thread.ref();
  try {
    await new Promise<unknown>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', (code) => reject(new Error(`it ended with exit code ${code}`)));
    });
  } finally {
    thread.removeAllListeners();
    thread.unref();
  }
}

function kernelFailure(name: string, cause: unknown): WarrenError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new WarrenError('INTERNAL', `kernel ${name} failed: ${message}`, { cause });
}
