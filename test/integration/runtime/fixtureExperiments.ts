import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Experiment, ExperimentContext } from '#workers/experiments/experiment.ts';

type Context = ExperimentContext<Record<string, unknown>>;

/** Computes without ever looking at the cancel flag. */
function stubborn({ reporter }: Context): Promise<void> {
  reporter.metric('test/value', 0, 1);
  for (let turn = 0; ; turn++) if (turn < 0) return Promise.resolve();
}

async function polite({ reporter, cancellation }: Context): Promise<void> {
  for (let step = 0; ; step++) {
    reporter.metric('test/value', step, step);
    cancellation.throwIfCancelled();
    await delay(10);
  }
}

/**
 * Counts to `points`, one point every `delayMs`, with a checkpoint after every `checkpointEvery` points (0: never). Where
 * there was no checkpoint to go on from, it stays at `holdAt` until it is stopped.
 */
async function counter({ reporter, cancellation, parameters, checkpoint }: Context): Promise<void> {
  const [points, delayMs, every] = [parameters.points, parameters.delayMs, parameters.checkpointEvery].map(Number);
  for (let step = (checkpoint?.step ?? 0) + 1; step <= points!; step++) {
    cancellation.throwIfCancelled();
    reporter.metric('train/count', step, 2 * step);
    if (every! > 0 && step % every! === 0) reporter.checkpoint(step, new TextEncoder().encode(String(step)));
    while (checkpoint === null && step === parameters.holdAt) {
      cancellation.throwIfCancelled();
      await delay(10);
    }
    if (delayMs! > 0) await delay(delayMs);
  }
  reporter.log('info', 'counted');
}

async function numbers({ reporter, seed, data }: Context): Promise<void> {
  await data.sequences();
  reporter.metric('test/seed', 0, seed);
  reporter.metric('test/odd', 0, Number.NaN);
  reporter.metric('test/odd', 2 ** 53 - 1, Number.POSITIVE_INFINITY);
  reporter.log('info', 'a line');
  reporter.progress(0.5, 'half way');
  reporter.timing('compute', 1.5);
  reporter.timing('compute', 0.5);
  reporter.note('share', 0.25);
}

/** Computes with tensors, and leaves closing to the runtime; `hugeMebibytes` asks for a tensor of that size. */
async function tensors({ reporter, parameters, compute: { openTensorBackend } }: Context): Promise<void> {
  const backend = await openTensorBackend();
  reporter.metric('test/opened', 0, backend === (await openTensorBackend()) ? 1 : 0);
  const { tf } = await import('#workers/tensor/tf.ts');
  const huge = Number(parameters.hugeMebibytes ?? 0);
  if (huge > 0) tf.fill([huge, 2 ** 18], 1);
  const product = tf.matMul(tf.fill([64, 64], 0.5), tf.fill([64, 64], 2));
  reporter.metric('test/product', 0, (await product.data())[0] ?? Number.NaN);
}

async function output(): Promise<void> {
  console.log('written to stdout');
  console.error('written to stderr');
  process.stdout.write('no newline at the end');
}

async function flood({ reporter, parameters }: Context): Promise<void> {
  for (let step = 0; step < Number(parameters.points); step++) reporter.metric('test/flood', step, step);
}

async function artifacts({ reporter, checkpoint, data: { inputs } }: Context): Promise<void> {
  reporter.metric('train/loss', 1, 0.5);
  reporter.checkpoint(1, new TextEncoder().encode('state 1'));
  reporter.artifact('folder/result.txt', new TextEncoder().encode('result'), 'text/plain');
  reporter.log('info', `checkpoint: ${checkpoint === null ? 'none' : new TextDecoder().decode(checkpoint.bytes)}`);
  for (const [name, bytes] of inputs) reporter.log('info', `input ${name}: ${new TextDecoder().decode(bytes)}`);
}

function heapHog(): Promise<void> {
  const kept: unknown[] = [];
  for (;;) kept.push(new Array(10_000).fill({}));
}

/** What V8 says when memory outside of its heap cannot be had. */
async function bufferHog(): Promise<void> {
  throw new RangeError('Array buffer allocation failed');
}

async function throws(): Promise<void> {
  throw new TypeError('the experiment is wrong');
}

async function rejects({ reporter }: Context): Promise<void> {
  reporter.metric('test/value', 0, 1);
  void Promise.reject(new Error('nobody waits for this'));
  await delay(10_000);
}

async function exits(): Promise<void> {
  process.exit(3);
}

/** The whole process disappears. */
async function vanishes({ reporter }: Context): Promise<void> {
  reporter.metric('test/value', 0, 1);
  await delay(50);
  process.kill(process.pid, 'SIGKILL');
  await delay(10_000);
}

/** Ends well, but leaves a thread that goes on. */
async function leavesThread(): Promise<void> {
  new Worker('setInterval(() => undefined, 1_000)', { eval: true });
}

/** Ends well, and fails when nobody waits for it any more. */
async function failsLater(): Promise<void> {
  setTimeout(() => {
    throw new Error('too late');
  }, 50);
}

export const fixtureExperiments: Readonly<Record<string, Experiment<Record<string, unknown>>>> = {
  stubborn,
  polite,
  counter,
  numbers,
  tensors,
  output,
  flood,
  artifacts,
  heapHog,
  bufferHog,
  throws,
  rejects,
  exits,
  vanishes,
  leavesThread,
  failsLater,
};
