import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ExecutorTask } from '#src/contracts/executorMessages.ts';
import type { ArtifactReport } from '#src/contracts/reports.ts';
import { httpFailure, isFinalHttpFailure } from './httpFailure.ts';
import { putFile } from './putFile.ts';
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

async function put(file: string, report: ArtifactReport, options: SinkOptions): Promise<void> {
  const { sink, attempt, signal } = options;
  if ('folder' in sink) throw new Error('internal: no address to put to');
  const answer = await putFile(`${sink.baseUrl}/${pathOf(report.name)}?attempt=${attempt}`, file, {
    headers: { ...sink.headers, 'content-type': report.mediaType, 'x-content-sha256': report.sha256 },
    signal,
  });
  if (answer.status < 200 || answer.status > 299) {
    throw httpFailure(`artifact ${report.name} was not stored`, answer);
  }
  const stored: unknown = JSON.parse(answer.body);
  const isStored = typeof stored === 'object' && stored !== null && 'sha256' in stored;
  if (!isStored || stored.sha256 !== report.sha256) {
    const expected = `expected the sha256 ${report.sha256}`;
    throw new WarrenError('UNAVAILABLE', `artifact ${report.name}: the API answered ${answer.body}, ${expected}`);
  }
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
  await retryUntilDone(() => put(file, report, options), {
    isFinal: isFinalHttpFailure,
    signal,
    onRetry,
    longestWaitMs: 2_000,
  });
}
