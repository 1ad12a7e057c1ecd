import { parentPort, workerData } from 'node:worker_threads';
import { coerceError } from '#src/lib/coerceError.ts';
import { invariant } from '#src/lib/invariant.ts';
import { instantiateKernels } from '../calls/kernelModule.ts';
import type { KernelCall, KernelReply, KernelThreadData } from './threadPool.ts';

/** Entry of a compute thread: an instance of the kernels on the shared memory, which does one call at a time. */
invariant(parentPort !== null, 'the kernel thread was started as a program of its own');
const port = parentPort;
const { module, memory } = workerData as KernelThreadData;
const kernels = await instantiateKernels(module, memory);

port.on('message', ({ name, parameters: [first, second] }: KernelCall) => {
  let reply: KernelReply;
  try {
    reply = { result: kernels[name](first, second) };
  } catch (thrown) {
    reply = { failure: coerceError(thrown).message };
  }
  port.postMessage(reply);
});
