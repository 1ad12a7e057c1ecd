import { parentPort, workerData } from 'node:worker_threads';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import * as control from './laneControl.ts';
import { kernelImports } from '../calls/kernelImports.ts';
import type { LaneThreadData } from '../calls/parallelKernels.ts';
import type { LaneKernel } from '../calls/kernels.ts';

/** Entry of one lane: does parts of every call until it is told to stop. It never returns to the event loop. */
invariant(parentPort !== null, 'the lane thread was started as a program of its own');
const { module, library, memory, lanes } = workerData as LaneThreadData;
const instance = await WebAssembly.instantiate(module, kernelImports(memory, library));
const kernels = Object.values(instance.exports) as LaneKernel[];
const words = new Int32Array(memory.buffer, control.CONTROL_ADDRESS, control.CONTROL_WORDS);
const given = new Float64Array(memory.buffer, control.PARAMETERS_ADDRESS, control.MAXIMUM_PARAMETERS);

function waitForCall(seen: number): number {
  const spins = words[control.SPINS]!;
  for (let spin = 0; spin < spins; spin++) {
    const call = Atomics.load(words, control.CALL);
    if (call !== seen) return call;
  }
  Atomics.add(words, control.ASLEEP, 1);
  while (Atomics.load(words, control.CALL) === seen) Atomics.wait(words, control.CALL, seen);
  Atomics.sub(words, control.ASLEEP, 1);
  return Atomics.load(words, control.CALL);
}

function reportFailure(message: string): void {
  const text = new TextEncoder().encode(message).subarray(0, control.FAILURE_BYTES);
  if (Atomics.compareExchange(words, control.FAILURE, 0, text.length) === 0) {
    new Uint8Array(memory.buffer, control.FAILURE_ADDRESS, text.length).set(text);
  }
}

function nextPart(): number {
  return Atomics.add(words, control.NEXT_PART, 1);
}

let seen = Atomics.load(words, control.CALL);
parentPort.postMessage('ready');
while (true) {
  seen = waitForCall(seen);
  if (Atomics.load(words, control.STOP) === 1) break;
  // Whoever comes first takes a part. What a part is given stays until it is finished, so it may be that of a later call.
  for (let part = nextPart(); part < lanes; part = nextPart()) {
    try {
      const kernel = kernels[words[control.KERNEL]!]!;
      kernel(part, lanes, ...given.subarray(0, kernel.length - 2));
    } catch (thrown) {
      reportFailure(coerceError(thrown).message || 'unknown');
    }
    if (Atomics.sub(words, control.PENDING, 1) === 1 && Atomics.load(words, control.CALLER_ASLEEP) === 1) {
      Atomics.notify(words, control.PENDING);
    }
  }
}
parentPort.close();
