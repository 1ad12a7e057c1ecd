import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

export interface DownloadOptions {
  /** Lower-case hexadecimal; other content is refused, and nothing is kept. Null takes any. */
  sha256: string | null;
  /** More than this is refused, and nothing is kept. */
  maximumBytes: number;
  /** Told how far it is, first when the server begins to send; `totalBytes` is null where it does not say. */
  onProgress?: (receivedBytes: number, totalBytes: number | null) => void;
  signal?: AbortSignal;
  /** Times that a broken connection is taken up again. 4. */
  retries?: number;
  /** Wait before the first of them, doubled each time. 500. */
  backoffMs?: number;
}

export interface Downloaded {
  sha256: string;
  sizeBytes: number;
  /** Bytes that an earlier attempt had left and that were not fetched again. */
  resumedBytes: number;
}

/** A connection that broke or a server that is busy: worth another try. */
class Interrupted extends Error {}

const SILENCE_MS = 60_000;

/**
 * Fetches a file over HTTP into `path`, which is there only once it is whole and of the right checksum. What has come stays in
 * `path.part` and is taken up again where it ended, now and in a later call, as long as the server still has the same file
 * (`If-Range` with its ETag or date). Throws UNAVAILABLE where the server cannot be reached or breaks off too often, NOT_FOUND
 * where it has no such file, TOO_LARGE, and DATA_ERROR for another checksum.
 */
export async function download(url: string, path: string, options: DownloadOptions): Promise<Downloaded> {
  const { retries = 4, backoffMs = 500 } = options;
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  const resumedBytes = await sizeOf(part);
  for (let attempt = 0; ; attempt++) {
    try {
      await fetchInto(url, part, options);
      break;
    } catch (thrown) {
      if (!(thrown instanceof Interrupted)) throw thrown;
      if (attempt >= retries) throw new WarrenError('UNAVAILABLE', `${url}: ${thrown.message}`, { path: url });
      await delay(backoffMs * 2 ** attempt, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  }
  const sha256 = await sha256Of(part);
  if (options.sha256 !== null && sha256 !== options.sha256) {
    await discard(part);
    throw new WarrenError(
      'DATA_ERROR',
      `${url} has sha256 ${sha256}, expected ${options.sha256}: its home has changed it, or it was damaged on the way. Try again, or import the file by hand`,
      { path: url },
    );
  }
  const sizeBytes = await sizeOf(part);
  await rename(part, path);
  await discard(part);
  return { sha256, sizeBytes, resumedBytes: Math.min(resumedBytes, sizeBytes) };
}

/** One attempt: what is still missing of the file is appended to `part`. */
async function fetchInto(url: string, part: string, options: DownloadOptions): Promise<void> {
  const had = await sizeOf(part);
  const mark = had > 0 ? await readFile(markOf(part), 'utf8').catch(() => '') : '';
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (mark !== '') Object.assign(headers, { range: `bytes=${had}-`, 'if-range': mark });
  const silence = new AbortController();
  const signal = AbortSignal.any([silence.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(url, { headers, signal }).catch((thrown: unknown) => {
      throw interruption(thrown, options.signal);
    });
    refuseStatus(response, url);
    const start = response.status === 206 ? had : 0;
    if (start > 0 && !response.headers.get('content-range')?.startsWith(`bytes ${had}-`)) {
      await discard(part);
      throw new Interrupted('the server sent another part than was asked for');
    }
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const total = Number.isFinite(length) ? start + length : null;
    if (total !== null && total > options.maximumBytes) throw tooLarge(url, options.maximumBytes);
    await writeFile(markOf(part), response.headers.get('etag') ?? response.headers.get('last-modified') ?? '');
    options.onProgress?.(start, total);
    await append(response, part, {
      start,
      received(bytes) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        options.onProgress?.(bytes, total);
        if (bytes > options.maximumBytes) throw tooLarge(url, options.maximumBytes);
      },
    });
    const size = await sizeOf(part);
    if (total !== null && size < total) throw new Interrupted(`broke off after ${size} of ${total} bytes`);
  } catch (thrown) {
    if (thrown instanceof WarrenError && thrown.code === 'TOO_LARGE') await discard(part);
    throw thrown instanceof WarrenError ? thrown : interruption(thrown, options.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function append(
  response: Response,
  part: string,
  { start, received }: { start: number; received: (bytes: number) => void },
): Promise<void> {
  const file = await open(part, start === 0 ? 'w' : 'a');
  let bytes = start;
  try {
    for await (const chunk of response.body ?? []) {
      await file.write(chunk);
      bytes += chunk.length;
      received(bytes);
    }
  } finally {
    await file.close();
  }
}

function refuseStatus({ status, statusText }: Response, url: string): void {
  if (status === 200 || status === 206) return;
  if (status === 408 || status === 416 || status === 429 || status >= 500) {
    throw new Interrupted(`the server answered ${status} ${statusText}`.trim());
  }
  throw new WarrenError('NOT_FOUND', `${url}: the server answered ${`${status} ${statusText}`.trim()}`, { path: url });
}

function tooLarge(url: string, maximumBytes: number): WarrenError {
  return new WarrenError('TOO_LARGE', `${url} has more than ${maximumBytes} bytes, the most that is taken`, {
    path: url,
  });
}

/** What was thrown, as something to try again; a cancellation stays what it is. */
function interruption(thrown: unknown, signal: AbortSignal | undefined): Error {
  if (thrown instanceof Interrupted || thrown instanceof WarrenError) return thrown;
  if (signal?.aborted === true)
    return new WarrenError('CANCELLED', 'the download was cancelled; it can be taken up again');
  const error = coerceError(thrown);
  const cause = error.cause === undefined ? '' : `: ${coerceError(error.cause).message}`;
  return new Interrupted(`${error.message}${cause}`);
}

/** Beside what has come: by what the server will know that the file is still the same. */
function markOf(part: string): string {
  return `${part}.mark`;
}

async function discard(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(markOf(part), { force: true });
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
