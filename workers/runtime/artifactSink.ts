import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { ExecutorTask } from '../../src/contracts/executorMessages.ts';
import type { ArtifactReport } from '../../src/contracts/reports.ts';
import { httpFailure, isFinalHttpFailure } from './httpFailure.ts';
import { retryUntilDone } from './retry.ts';

const answerSchema = z.object({ sha256: z.string(), sizeBytes: z.number() });

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
  const response = await fetch(`${sink.baseUrl}/${pathOf(report.name)}?attempt=${attempt}`, {
    method: 'PUT',
    headers: {
      ...sink.headers,
      'content-type': report.mediaType,
      'x-content-sha256': report.sha256,
    },
    body: Readable.toWeb(createReadStream(file)),
    duplex: 'half',
    signal,
  });
  if (!response.ok) throw await httpFailure(`artifact ${report.name} was not stored`, response);
  const answer = answerSchema.parse(await response.json());
  if (answer.sha256 !== report.sha256) {
    throw new WarrenError(
      'UNAVAILABLE',
      `artifact ${report.name} was stored as ${answer.sha256}, not ${report.sha256}`,
    );
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
  await retryUntilDone(() => put(file, report, options), { isFinal: isFinalHttpFailure, signal, onRetry });
}
