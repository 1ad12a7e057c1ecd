import type { DatasetSelection } from '#src/catalog/datasetSelection.ts';
import { isGenerated } from '#src/catalog/generatedDatasets.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { type DatasetStatistics, keepStatistics, readKeptStatistics, statisticsPath } from './keptStatistics.ts';
import { locateItemTable } from '../load/locateDataset.ts';
import { readItemTable } from '../read/readItemTable.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { preprocessingWords, sequenceReport } from './sequenceReport.ts';
import { sourceChecksum } from '../load/sourceChecksum.ts';

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
