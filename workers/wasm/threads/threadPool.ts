import { Worker } from 'node:worker_threads';
import { WarrenError } from '#src/contracts/errors.ts';
import { builtFile } from '#src/lib/projectRoot.ts';

export interface KernelThreadData {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}

/** One call of an exported kernel, with two addresses. */
export interface KernelCall {
  name: 'search' | 'rankItems';
  parameters: readonly [number, number];
}

export type KernelReply = { result: number } | { failure: string };

/** Threads that run compiled kernels on one shared memory. Whoever starts a pool closes it, whatever happens between. */
export class ThreadPool {
  readonly #workers: Worker[];

  constructor(count: number, data: KernelThreadData) {
    this.#workers = Array.from(
      { length: count },
      () => new Worker(builtFile('kernel-thread.js'), { workerData: data, name: 'kernels' }),
    );
  }

  /** Makes call i on thread i, all at once; the results in order. Rejects with the first failure. */
  async run(calls: readonly KernelCall[]): Promise<number[]> {
    return Promise.all(calls.map((call, index) => this.#runOn(index, call)));
  }

  /** Ends all threads, even in the midst of a call. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #runOn(index: number, call: KernelCall): Promise<number> {
    const worker = this.#workers[index];
    if (worker === undefined) throw new Error(`internal: no kernel thread ${index}`);
    return new Promise((resolve, reject) => {
      const settle = (reply: KernelReply) => {
        release();
        if ('failure' in reply) reject(new WarrenError('INTERNAL', `kernel ${call.name} failed: ${reply.failure}`));
        else resolve(reply.result);
      };
      const fail = (cause: unknown) => {
        release();
        reject(new WarrenError('INTERNAL', `a kernel thread ended in the midst of ${call.name}`, { cause }));
      };
      const release = () => {
        worker.off('message', settle);
        worker.off('error', fail);
        worker.off('exit', fail);
      };
      worker.on('message', settle);
      worker.on('error', fail);
      worker.on('exit', fail);
      worker.postMessage(call);
    });
  }
}
