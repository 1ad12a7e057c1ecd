import type { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { type ErrorRecord, toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { createCapacity } from '#src/base/lib/capacity.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { UserTestsTask } from './computeUserTests.ts';
import type { ConfigurationTest } from '#src/runs/configurationTest.ts';
import { keepThread, takeThread } from './warmThread.ts';

/** What the thread asks for, one question at a time, and how a task ends. */
export type FromUserTests =
  | { type: 'size'; sha256: string }
  /** The first bytes, at most `limit`. */
  | { type: 'read'; sha256: string; limit: number }
  | { type: 'done'; tests: ConfigurationTest[][] }
  | { type: 'failed'; error: ErrorRecord };

export type ToUserTests =
  | { type: 'task'; task: UserTestsTask }
  | { type: 'size'; sizeBytes: number | null }
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'failed'; error: ErrorRecord };

/** One thread in this process, so that many requests together take no more memory than one. */
const turns = createCapacity({ total: 1, mostWaiting: 50 });
const LONGEST_MS = 60_000;

/**
 * Makes the tests over users in a thread, so that this one goes on answering.
 * @param signal Ends the thread, or the waiting for it.
 * @returns For each configuration one test per metric.
 * @throws WarrenError UNAVAILABLE where too many wait, TOO_LARGE where it takes too long or too much memory, CANCELLED by
 * `signal`.
 */
export async function startUserTests(
  store: ArtifactStore,
  task: UserTestsTask,
  signal: AbortSignal = new AbortController().signal,
): Promise<ConfigurationTest[][]> {
  const giveBack = await turns.take(1, signal).catch(() => {
    throw cancelled();
  });
  if (giveBack === null) {
    throw new WarrenError('UNAVAILABLE', 'too many tests per user wait already; try again in a minute');
  }
  const worker = takeThread();
  try {
    const tests = await resultOf(worker, { store, task, signal });
    keepThread(worker);
    return tests;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    giveBack();
  }
}

function resultOf(
  worker: Worker,
  { store, task, signal }: { store: ArtifactStore; task: UserTestsTask; signal: AbortSignal },
): Promise<ConfigurationTest[][]> {
  const over = new AbortController();
  const result = new Promise<ConfigurationTest[][]>((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `tests per user took more than ${LONGEST_MS / 1_000} s; compare fewer runs, or name fewer metrics`;
      reject(new WarrenError('TOO_LARGE', message));
    }, LONGEST_MS);
    const hear = (message: FromUserTests): void => {
      switch (message.type) {
        case 'size':
        case 'read':
          void answer(store, message).then((reply) => worker.postMessage(reply, transferred(reply)));
          return;
        case 'done':
          resolve(message.tests);
          return;
        case 'failed':
          reject(new WarrenError(message.error.code, message.error.message));
          return;
        default:
          assertNever(message);
      }
    };
    const fail = (error: NodeJS.ErrnoException) => reject(endOf(error));
    const stop = () => reject(new WarrenError('INTERNAL', 'the thread for per-user tests stopped unexpectedly'));
    worker.on('message', hear).on('error', fail).on('exit', stop);
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      worker.off('message', hear).off('error', fail).off('exit', stop);
    });
    signal.addEventListener('abort', () => reject(cancelled()), { once: true, signal: over.signal });
    if (signal.aborted) reject(cancelled());
  });
  worker.postMessage({ type: 'task', task } satisfies ToUserTests);
  return result.finally(() => over.abort());
}

function cancelled(): WarrenError {
  return new WarrenError('CANCELLED', 'the request was closed before its per-user tests had been computed');
}

function endOf(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const message = 'what the runs left of each user takes too much memory; compare fewer runs, or name fewer metrics';
  return new WarrenError('TOO_LARGE', message);
}

function transferred(reply: ToUserTests): ArrayBuffer[] {
  return reply.type === 'bytes' && reply.bytes.buffer instanceof ArrayBuffer ? [reply.bytes.buffer] : [];
}

async function answer(
  store: ArtifactStore,
  question: Extract<FromUserTests, { type: 'size' | 'read' }>,
): Promise<ToUserTests> {
  try {
    const sizeBytes = await store.size(question.sha256);
    if (question.type === 'size') return { type: 'size', sizeBytes };
    return { type: 'bytes', bytes: await firstBytes(store, question.sha256, Math.min(question.limit, sizeBytes ?? 0)) };
  } catch (thrown) {
    return { type: 'failed', error: toErrorRecord(thrown) };
  }
}

async function firstBytes(store: ArtifactStore, sha256: string, count: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(count);
  let filled = 0;
  if (count === 0) return bytes;
  for await (const chunk of await store.read(sha256, { start: 0, end: count - 1 })) {
    const piece = z.instanceof(Uint8Array).parse(chunk);
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes.subarray(0, filled);
}
