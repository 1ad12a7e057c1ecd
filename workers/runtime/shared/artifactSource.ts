import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactSource } from '#src/base/contracts/executorMessages.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import { downloadFailure, finalDownloadFailures } from './httpFailure.ts';
import { retryUntilDone } from './retry.ts';

export interface SourceOptions {
  headers: Record<string, string>;
  onRetry(error: Error, failures: number, waitMs: number): void;
}

async function download(source: ArtifactSource, headers: Record<string, string>): Promise<Uint8Array> {
  const response = await fetch(source.url, { headers });
  if (!response.ok) throw await downloadFailure(`artifact ${source.name} cannot be read`, source.url, response);
  return new Uint8Array(await response.arrayBuffer());
}

async function readLocal({ name, url }: ArtifactSource): Promise<Uint8Array> {
  return await readFile(fileURLToPath(url)).catch((thrown: unknown) => {
    const message = `artifact ${name} cannot be read: ${coerceError(thrown).message}`;
    throw new WarrenError('NOT_FOUND', message, { cause: thrown });
  });
}

/** Writes an artifact to a file, checked against its sha256; tries again for as long as the API is away. */
export async function saveArtifact(
  source: ArtifactSource,
  file: string,
  options: SourceOptions & { signal: AbortSignal },
): Promise<void> {
  const { headers, onRetry, signal } = options;
  const save = async (): Promise<void> => {
    const response = await fetch(source.url, { headers, signal });
    if (!response.ok || response.body === null) {
      throw await downloadFailure(`artifact ${source.name} cannot be read`, source.url, response);
    }
    const hash = createHash('sha256');
    async function* hashed(body: AsyncIterable<Uint8Array>) {
      for await (const chunk of body) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await pipeline(response.body, hashed, createWriteStream(file));
    if (hash.digest('hex') !== source.sha256) {
      throw new WarrenError('DATA_ERROR', `artifact ${source.name} at ${source.url} is damaged`);
    }
  };
  const isRefused = finalDownloadFailures();
  const isFinal = (thrown: unknown) => isRefused(thrown) || isFullDisk(thrown);
  await retryUntilDone(save, { isFinal, onRetry, signal });
}

/** The bytes of an artifact, checked against their sha256; tries again for as long as the API is away. */
export async function readArtifact(source: ArtifactSource, options: SourceOptions): Promise<Uint8Array> {
  const bytes = source.url.startsWith('file:')
    ? await readLocal(source)
    : await retryUntilDone(() => download(source, options.headers), {
        isFinal: finalDownloadFailures(),
        onRetry: options.onRetry,
      });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 === source.sha256) return bytes;
  throw new WarrenError(
    'DATA_ERROR',
    `artifact ${source.name} at ${source.url} has sha256 ${sha256}, expected ${source.sha256}: it is damaged`,
  );
}
