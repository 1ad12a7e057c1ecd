import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';
import { httpFailure, isFinalHttpFailure } from './httpFailure.ts';
import { type PutAnswer, putFile } from './putFile.ts';
import { retryUntilDone } from './retry.ts';

export interface SinkOptions {
  sink: ExecutorTask['artifactSink'];
  attempt: number;
  signal: AbortSignal;
  onRetry(error: Error, failures: number, waitMs: number): void;
}

function pathOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** From this size on an upload that broke off goes on where it was. */
const RESUMED_BYTES = 16 * 1024 ** 2;
const BAD_REQUEST = 400;

const receivedSchema = z.object({ received: z.int().nonnegative() });
const storedSchema = z.object({ sha256: z.string() });

/** Sends the file: all of it as one, what follows from byte `start` on, or nothing, to hear what the API has. */
async function send(
  file: string,
  report: ArtifactReport,
  { sink, attempt, signal, part }: SinkOptions & { part: 'all' | 'none' | number },
): Promise<PutAnswer> {
  if ('folder' in sink) throw new Error('internal: no address to put to');
  const { name, mediaType, sha256, sizeBytes } = report;
  const headers = { ...sink.headers, 'content-type': mediaType, 'x-content-sha256': sha256 };
  const range = typeof part === 'number' ? `${part}-${sizeBytes - 1}` : '*';
  return await putFile(`${sink.baseUrl}/${pathOf(name)}?attempt=${attempt}`, file, {
    headers: part === 'all' ? headers : { ...headers, 'content-range': `bytes ${range}/${sizeBytes}` },
    signal,
    start: part === 'all' ? 0 : part === 'none' ? sizeBytes : part,
  });
}

function checkStored(report: ArtifactReport, answer: PutAnswer): void {
  if (answer.status < 200 || answer.status > 299) {
    throw httpFailure(`artifact ${report.name} was not stored`, answer);
  }
  const stored: unknown = JSON.parse(answer.body);
  if (storedSchema.safeParse(stored).data?.sha256 !== report.sha256) {
    const expected = `expected the sha256 ${report.sha256}`;
    throw new WarrenError('UNAVAILABLE', `artifact ${report.name}: the API answered ${answer.body}, ${expected}`);
  }
}

/** One try at a large file after another: each goes on where the last broke off. An API that cannot do that gets all of it. */
function resumingPut(file: string, report: ArtifactReport, options: SinkOptions): () => Promise<void> {
  let isFirst = true;
  let asWhole = report.sizeBytes < RESUMED_BYTES;
  return async () => {
    if (asWhole) return checkStored(report, await send(file, report, { ...options, part: 'all' }));
    let start = 0;
    if (!isFirst) {
      const told = await send(file, report, { ...options, part: 'none' });
      const received = told.status === 202 ? receivedSchema.safeParse(JSON.parse(told.body)).data?.received : undefined;
      if (received === undefined && told.status !== BAD_REQUEST) return checkStored(report, told);
      asWhole = received === undefined;
      start = received ?? 0;
    }
    isFirst = false;
    const answer = await send(file, report, { ...options, part: asWhole ? 'all' : start });
    if (answer.status === BAD_REQUEST && start > 0) {
      asWhole = true; // what had come was not right
      throw new WarrenError(
        'UNAVAILABLE',
        `artifact ${report.name}: the API answered ${answer.body}; all of it is sent again`,
      );
    }
    checkStored(report, answer);
  };
}

/**
 * Brings the file of an artifact where it is kept: a folder, or the API's store, trying again for as long as the API is
 * away. Throws what the API refuses for good, and the signal's reason when aborted.
 */
export async function storeArtifact(file: string, report: ArtifactReport, options: SinkOptions): Promise<void> {
  const { sink, signal, onRetry } = options;
  if ('folder' in sink) {
    const target = join(sink.folder, report.name);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, `${target}.partial`);
    await rename(`${target}.partial`, target);
    return;
  }
  await retryUntilDone(resumingPut(file, report, options), {
    isFinal: isFinalHttpFailure,
    signal,
    onRetry,
    longestWaitMs: 2_000,
  });
}
