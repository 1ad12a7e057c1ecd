import { setTimeout as delay } from 'node:timers/promises';
import type { DatasetInfo } from '#src/catalog/datasetInfo.ts';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { isGenerated } from '#src/catalog/generatedDatasets.ts';
import { toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { downloadDataset } from '#src/datasets/downloadDataset.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { locateDataset } from '#workers/data/load/locateDataset.ts';
import type { Reporter } from '#workers/experiments/experiment.ts';

export interface FetchOptions {
  /** Searched in this order; what is fetched is put into the last, which is Warren's own. */
  folders: readonly string[];
  reporter: Pick<Reporter, 'log' | 'progress'>;
  signal: AbortSignal;
  /** The catalog's entry of a name. `knownDataset`. */
  known?: (name: string) => DatasetInfo | undefined;
  /** Wait before a broken transfer is taken up again, doubled each time. 500. */
  backoffMs?: number;
}

/** Times that a transfer that had begun is taken up again; a home that cannot be reached is asked once. */
const RESUMPTIONS = 4;
const TELL_EVERY_MS = 250;

/**
 * Fetches a known dataset of sequences, series or prices that is in none of the folders from its public home, when it can be
 * downloaded: other names never touch the network. Returns whether it did. Throws DATA_ERROR, at once where its home cannot
 * be reached, with the folders that were searched, the address that was tried and what to do; CANCELLED when the signal is
 * aborted.
 */
export async function fetchDataset(name: string, options: FetchOptions): Promise<boolean> {
  const { folders, known = knownDataset } = options;
  const folder = folders.at(-1);
  const dataset = isGenerated(name) ? undefined : known(name);
  // the loader that comes next says what is wrong with every other name
  if (folder === undefined || dataset === undefined || dataset.holds === 'text') return false;
  if (dataset.downloads.length === 0 || isPresent(dataset.name, folders)) return false;
  try {
    await fetchInto(folder, dataset, options);
    return true;
  } catch (thrown) {
    if (options.signal.aborted) throw new WarrenError('CANCELLED', 'the run was cancelled');
    throw failure(dataset, { folders, folder, thrown });
  }
}

function isPresent(name: string, folders: readonly string[]): boolean {
  try {
    locateDataset(name, folders);
    return true;
  } catch {
    return false;
  }
}

async function fetchInto(folder: string, dataset: DatasetInfo, options: FetchOptions): Promise<void> {
  const { folders, reporter, signal, backoffMs = 500 } = options;
  const { name, home, licence } = dataset;
  reporter.log('info', `dataset "${name}" is in no data folder: fetching it from ${urls(dataset)} into ${folder}`);
  reporter.progress(0, `fetching ${name}`);
  for (let attempt = 0; ; attempt++) {
    let hasBegun = false;
    let toldMs = 0;
    try {
      const { paths } = await downloadDataset(dataset, {
        folder,
        signal,
        retry: { retries: 0 },
        isPresent: () => isPresent(name, folders),
        onWait: () => reporter.progress(0, `another process is fetching ${name}`),
        onProgress(file, bytes, total) {
          hasBegun = true;
          if (performance.now() - toldMs < TELL_EVERY_MS) return;
          toldMs = performance.now();
          reporter.progress(
            0,
            `fetching ${file}: ${megabytes(bytes)}${total === null ? '' : ` of ${megabytes(total)}`} MB`,
          );
        },
        verify: (staged) => verify(name, staged),
      });
      if (paths.length > 0) reporter.log('info', `fetched ${paths.join(', ')}; ${home}; terms: ${licence}`);
      return;
    } catch (thrown) {
      const mayResume = hasBegun && toErrorRecord(thrown).code === 'UNAVAILABLE';
      if (!mayResume || attempt >= RESUMPTIONS) throw thrown;
      await delay(backoffMs * 2 ** attempt, undefined, { signal });
    }
  }
}

/** Reads what was fetched, strictly, before it is put in place. */
async function verify(name: string, staged: string): Promise<void> {
  const selection = datasetSelectionSchema.parse({ name });
  await loadSequenceDataset(selection, { folders: [staged], cacheFolder: null, countOnly: true });
}

function failure(
  dataset: DatasetInfo,
  { folders, folder, thrown }: { folders: readonly string[]; folder: string; thrown: unknown },
): WarrenError {
  const { name, home, downloads } = dataset;
  const reason = downloads.reduce((text, { url }) => text.replace(`${url}: `, ''), toErrorRecord(thrown).message);
  return new WarrenError(
    'DATA_ERROR',
    `dataset "${name}" was not found: searched ${folders.join(', ')}; and it could not be fetched from ${urls(dataset)}: ${reason}. With a network, fetch it with: warren data download ${name}; or by hand from ${home} into ${folder}.`,
    { path: 'dataset.name', cause: thrown },
  );
}

function urls(dataset: DatasetInfo): string {
  return dataset.downloads.map(({ url }) => url).join(', ');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
