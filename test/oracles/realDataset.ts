import { join } from 'node:path';
import { type DatasetSelection, datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { DATASETS, knownDataset } from '#src/catalog/datasets.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';

/** Our name of a dataset as vectors name it: ours, or an Amazon category in short (`Beauty`). */
export function datasetNamed(title: string): string {
  const category = `amazon-${title.toLowerCase()}`;
  const known =
    knownDataset(title) ?? DATASETS.find(({ name }) => name === category || name.startsWith(`${category}-`));
  if (known === undefined) throw new Error(`the vectors name the dataset "${title}", which is not in the catalog`);
  return known.name;
}

/**
 * A real dataset from the folders of WARREN_DATA, or null, with the reason printed, where it is not there: the test is then
 * to be skipped. With CI=true a missing dataset is a failure.
 */
export async function realDataset(
  selection: { name: string } & Partial<DatasetSelection>,
): Promise<SequenceDataset | null> {
  const folders = (process.env.WARREN_DATA ?? join(projectRoot(), '..', 'shared', 'data')).split(':').filter(Boolean);
  const whole: DatasetSelection = { ...datasetSelectionSchema.parse({ name: selection.name }), ...selection };
  try {
    return await loadSequenceDataset(whole, { folders, cacheFolder: null });
  } catch (thrown) {
    if (process.env.CI === 'true') throw thrown;
    console.warn(`skipped: ${coerceError(thrown).message}`);
    return null;
  }
}
