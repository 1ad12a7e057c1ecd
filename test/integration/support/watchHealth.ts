import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** What a process was like while `work` went on. */
export interface Watched {
  /** The longest that `/health` took to answer. */
  silenceMs: number;
  /** The most memory that the process held at any moment, in MiB. Linux only. */
  peakMiB: number;
}

/** Asks in a thread of its own, so that what the test itself computes is not taken for silence of the API. */
const WATCHER = `
  const { parentPort, workerData } = require('node:worker_threads');
  let silenceMs = 0;
  let over = false;
  parentPort.once('message', () => { over = true; });
  (async () => {
    for (let first = true; !over; first = false) {
      const asked = performance.now();
      await (await fetch(workerData)).arrayBuffer();
      if (first) parentPort.postMessage('watching');
      else silenceMs = Math.max(silenceMs, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    parentPort.postMessage(silenceMs);
    parentPort.close();
  })();`;

/** Asks the API's `/health` again and again until `work` has ended. */
export async function watchHealth(api: { url: string; pid: number }, work: () => Promise<unknown>): Promise<Watched> {
  const watcher = new Worker(WATCHER, { eval: true, workerData: `${api.url}/health` });
  try {
    await once(watcher, 'message');
    writeFileSync(`/proc/${api.pid}/clear_refs`, '5'); // the peak counts from now
    await work();
    watcher.postMessage('stop');
    const [silenceMs] = await once(watcher, 'message');
    const [, peakKiB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8')) ?? [];
    return { silenceMs: Number(silenceMs), peakMiB: Number(peakKiB) / 1024 };
  } finally {
    await watcher.terminate();
  }
}
