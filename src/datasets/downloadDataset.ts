import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatasetInfo } from '#src/catalog/datasetInfo.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type DownloadOptions, download } from '#src/base/platform/downloads/download.ts';
import { withFileLock } from '#src/base/platform/files/fileLock.ts';
import { unpackZip } from '#src/base/platform/downloads/unpackZip.ts';

export interface DownloadRequest {
  /** Where the files are put. */
  folder: string;
  /** Reads the dataset in the folder given, before it is put in place; throws where it is not right. */
  verify: (folder: string) => Promise<void>;
  onProgress: (file: string, receivedBytes: number, totalBytes: number | null) => void;
  /** Asked once no other process fetches it: whether one of them has, so that there is nothing left to do. */
  isPresent?: () => boolean;
  /** Told when another process is fetching it and has to be waited for. */
  onWait?: () => void;
  signal?: AbortSignal;
  /** Times that a broken connection is taken up again, and the first wait between. */
  retry?: Pick<DownloadOptions, 'retries' | 'backoffMs'>;
}

export interface DownloadedDataset {
  /** Files that are now in the folder. */
  paths: string[];
  downloads: { url: string; sha256: string }[];
}

/** Every file below `folder`, relative to it. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/**
 * Fetches a known dataset from its public home, unpacks it, reads it, and only then puts its files into the folder. What was
 * downloaded stays in `.incoming` until then, so that a broken download is taken up again; one process at a time fetches a
 * dataset. Throws NOT_FOUND for datasets whose home wants a person (a login, a form), CANCELLED, and as `download` and
 * `unpackZip` do.
 */
export async function downloadDataset(dataset: DatasetInfo, request: DownloadRequest): Promise<DownloadedDataset> {
  if (dataset.downloads.length === 0) {
    throw new WarrenError(
      'NOT_FOUND',
      `${dataset.name} cannot be downloaded by a program. Fetch it from ${dataset.home} and put it into a data folder as ${dataset.files[0]?.name ?? dataset.name}`,
      { path: 'name' },
    );
  }
  const incoming = join(request.folder, '.incoming', dataset.name.replaceAll('/', '-'));
  return withFileLock(
    `${incoming}.lock`,
    async () => (request.isPresent?.() === true ? { paths: [], downloads: [] } : fetchInto(incoming, dataset, request)),
    request,
  );
}

async function fetchInto(incoming: string, dataset: DatasetInfo, request: DownloadRequest): Promise<DownloadedDataset> {
  const unpacked = join(incoming, 'unpacked');
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked, { recursive: true });
  const fetched: DownloadedDataset['downloads'] = [];
  for (const { url, sha256, maximumBytes, unpack, saveAs } of dataset.downloads) {
    const path = join(unpack === null ? unpacked : incoming, saveAs);
    const part = join(incoming, `${saveAs}.downloaded`);
    const done = await download(url, part, {
      sha256,
      maximumBytes,
      onProgress: (received, total) => request.onProgress(saveAs, received, total),
      ...request.retry,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    await mkdir(dirname(path), { recursive: true });
    await rename(part, path);
    if (unpack !== null) await unpackZip(path, unpacked, { members: unpack, maximumBytes });
    fetched.push({ url, sha256: done.sha256 });
  }
  await request.verify(unpacked);
  const paths: string[] = [];
  for (const file of await filesBelow(unpacked)) {
    const path = join(request.folder, file);
    await mkdir(dirname(path), { recursive: true });
    await rename(join(unpacked, file), path);
    paths.push(path);
  }
  await rm(incoming, { recursive: true, force: true });
  return { paths, downloads: fetched };
}
