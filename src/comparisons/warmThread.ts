import { Worker } from 'node:worker_threads';
import { builtFile } from '#src/base/lib/projectRoot.ts';

/** Of the thread's own heap, in MiB; files come beside it. */
const HEAP = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16 };
/** A study has dozens of tests one after another, and to start a thread costs more than most of them. */
const LONGEST_IDLE_MS = 10_000;

/** The id of a thread that has ended. */
const ENDED = -1;

let kept: { worker: Worker; timer: NodeJS.Timeout } | null = null;

/** The thread of user tests that has nothing to do, or a new one. */
export function takeThread(): Worker {
  if (kept === null) return newThread();
  const { worker } = kept;
  forget(worker);
  worker.ref();
  return worker;
}

/** Lets a thread that has done its task wait for the next one, for a while; it keeps no process from its end. */
export function keepThread(worker: Worker): void {
  if (worker.threadId === ENDED) return;
  worker.unref();
  const timer = setTimeout(() => {
    forget(worker);
    void worker.terminate();
  }, LONGEST_IDLE_MS).unref();
  kept = { worker, timer };
}

function newThread(): Worker {
  const worker = new Worker(builtFile('user-tests-thread.js'), { resourceLimits: HEAP, name: 'user tests' });
  // one that ends by itself, however, is not given out again
  worker.on('error', () => forget(worker));
  worker.once('exit', () => forget(worker));
  return worker;
}

function forget(worker: Worker): void {
  if (kept?.worker !== worker) return;
  clearTimeout(kept.timer);
  kept = null;
}
