import { WarrenError } from '#src/base/contracts/errors.ts';
import { isGenerated } from '#src/catalog/generatedDatasets.ts';
import { generatedItemTable } from '../generate/generatedItemTable.ts';
import { locateItemTable } from './locateDataset.ts';
import { type ItemInfo, readItemTable } from '../read/readItemTable.ts';

/**
 * Titles and genres of a dataset's items by id, from the file beside it, or as they were generated. Throws DATA_ERROR where there is none in the folders,
 * and as `readItemTable` does.
 */
export async function loadItemTable(
  dataset: string | null,
  folders: readonly string[],
): Promise<ReadonlyMap<string, ItemInfo>> {
  const generated = dataset !== null && isGenerated(dataset) ? generatedItemTable(dataset) : null;
  if (generated !== null) return generated;
  const path = dataset === null ? null : locateItemTable(dataset, folders);
  if (path === null) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset}": no file with titles and genres of its items was found in ${folders.join(', ') || 'any folder'}`,
      { path: 'dataset.name' },
    );
  }
  return readItemTable(path);
}
