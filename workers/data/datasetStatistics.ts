import type { DatasetSelection } from '../../src/catalog/datasetSelection.ts';
import { isGenerated } from '../../src/catalog/generatedDatasets.ts';
import type { SequenceReport } from '../../src/contracts/datasetReport.ts';
import { coerceError } from '../../src/lib/coerceError.ts';
import { locateItemTable } from './locateDataset.ts';
import { type ItemInfo, readItemTable } from './readItemTable.ts';
import type { SequenceDataset } from './sequenceDataset.ts';
import { preprocessingWords, sequenceReport } from './sequenceReport.ts';

/** What a run tells of the dataset that it used: counts, distributions and samples. */
export interface DatasetStatistics extends Omit<SequenceReport, 'comparisons' | 'preparation'> {
  /** In words: `5-core`, `as it is`. */
  preprocessing: string;
  /** Whether interactions or users were left out, so that the counts are not those of the whole dataset. */
  filtered: boolean;
}

/** Titles by item id; none where there is no table of them, or it cannot be read: they are for show only. */
async function titlesOf(
  name: string,
  { folders, warn }: { folders: readonly string[]; warn: (text: string) => void },
): Promise<ReadonlyMap<string, ItemInfo>> {
  try {
    const path = isGenerated(name) ? null : locateItemTable(name, folders);
    return path === null ? new Map() : await readItemTable(path);
  } catch (thrown) {
    warn(`the titles of dataset "${name}" cannot be shown: ${coerceError(thrown).message}`);
    return new Map();
  }
}

/** Statistics of a dataset as loaded by `selection`, in one pass over its interactions. */
export async function datasetStatistics(
  dataset: SequenceDataset,
  selection: DatasetSelection,
  options: { folders: readonly string[]; warn: (text: string) => void },
): Promise<DatasetStatistics> {
  const {
    comparisons: _,
    preparation: __,
    ...report
  } = sequenceReport(dataset, await titlesOf(selection.name, options));
  const words = preprocessingWords(selection);
  const { maximumUsers } = selection;
  const cut = maximumUsers === null ? words : `${words}, the first ${maximumUsers} users`;
  return { ...report, preprocessing: cut, filtered: words !== 'as it is' || maximumUsers !== null };
}
