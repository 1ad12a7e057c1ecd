import type { DatasetSelection } from '#src/catalog/datasetSelection.ts';
import { isGenerated } from '#src/catalog/generatedDatasets.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sequenceReportSchema } from '#src/base/contracts/datasetReport.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';
import { CACHE_VERSION } from '../load/cacheFile.ts';
import { writeAtomically } from '../load/writeAtomically.ts';
import { locateItemTable } from '../load/locateDataset.ts';
import { readItemTable } from '../read/readItemTable.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { preprocessingWords, sequenceReport } from './sequenceReport.ts';
import { sourceChecksum } from '../load/sourceChecksum.ts';

/** Raised when the same dataset would be counted otherwise. */
const STATISTICS_VERSION = 1;

const datasetStatisticsSchema = sequenceReportSchema.omit({ comparisons: true, preparation: true }).extend({
  /** In words: `5-core`, `as it is`. */
  preprocessing: z.string(),
  /** Whether interactions or users were left out, so that the counts are not those of the whole dataset. */
  filtered: z.boolean(),
});

/** What a run tells of the dataset that it used: counts, distributions and samples. */
type DatasetStatistics = z.infer<typeof datasetStatisticsSchema>;

/** Where the statistics of what `key` says are kept, beside the datasets themselves. */
function statisticsPath(cacheFolder: string, key: Readonly<Record<string, unknown>>): string {
  const hash = stableHash({ ...key, version: [CACHE_VERSION, STATISTICS_VERSION] });
  return join(cacheFolder, 'datasets', `${hash}.statistics.json`);
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The statistics of a file as `keepStatistics` leaves it; null where there is none, and, after a warning, where it is damaged. */
async function readKeptStatistics(path: string, warn: (text: string) => void): Promise<DatasetStatistics | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  try {
    if (end !== -1 && text.slice(0, end) === sha256Of(body)) return datasetStatisticsSchema.parse(JSON.parse(body));
  } catch {
    // said below
  }
  warn(`the kept statistics ${path} are damaged: they are made again`);
  return null;
}

/** Keeps statistics: a line with the sha256 of the JSON that follows. A folder that cannot be written is only warned of. */
async function keepStatistics(
  path: string,
  statistics: DatasetStatistics,
  warn: (text: string) => void,
): Promise<void> {
  const body = JSON.stringify(statistics);
  await writeAtomically(path, [Buffer.from(`${sha256Of(body)}\n${body}`)]).catch((thrown: unknown) => {
    warn(`statistics could not be kept in ${path}: ${coerceError(thrown).message}`);
  });
}

export interface StatisticsOptions {
  /** Searched for the table of the items' titles, in this order. */
  folders: readonly string[];
  /** Where statistics are kept between loads; null to count every time. */
  cacheFolder: string | null;
  /** Told what keeps titles from being shown or statistics from being kept. */
  warn: (text: string) => void;
}

/**
 * Statistics of a dataset as loaded by `selection`, in one pass over its interactions. Those of data from a file are kept
 * beside the cached dataset, keyed by its fingerprint, the selection and the sha256 of the table of titles; a damaged copy is
 * made again. Titles are for show only: where their table cannot be read there are none, with a warning.
 */
export async function datasetStatistics(
  dataset: SequenceDataset,
  selection: DatasetSelection,
  options: StatisticsOptions,
): Promise<DatasetStatistics> {
  const { folders, warn } = options;
  const cacheFolder = isGenerated(selection.name) ? null : options.cacheFolder;
  try {
    const titles = isGenerated(selection.name) ? null : locateItemTable(selection.name, folders);
    const kept =
      cacheFolder === null
        ? null
        : statisticsPath(cacheFolder, {
            fingerprint: dataset.fingerprint,
            counts: [dataset.userCount, dataset.itemCount, dataset.items.length],
            selection,
            titles: titles === null ? null : await sourceChecksum(titles, cacheFolder),
          });
    const known = kept === null ? null : await readKeptStatistics(kept, warn);
    if (known !== null) return known;
    const statistics = count(dataset, selection, titles === null ? new Map() : await readItemTable(titles));
    if (kept !== null) await keepStatistics(kept, statistics, warn);
    return statistics;
  } catch (thrown) {
    warn(`the titles of dataset "${selection.name}" cannot be shown: ${coerceError(thrown).message}`);
    return count(dataset, selection, new Map());
  }
}

function count(
  dataset: SequenceDataset,
  selection: DatasetSelection,
  info: Parameters<typeof sequenceReport>[1],
): DatasetStatistics {
  const { comparisons: _, preparation: __, ...report } = sequenceReport(dataset, info);
  const words = preprocessingWords(selection);
  const { maximumUsers } = selection;
  const cut = maximumUsers === null ? words : `${words}, the first ${maximumUsers} users`;
  return { ...report, preprocessing: cut, filtered: words !== 'as it is' || maximumUsers !== null };
}
