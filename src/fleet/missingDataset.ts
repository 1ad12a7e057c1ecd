import { z } from 'zod';
import { allDatasets, knownDataset } from '#src/catalog/datasets.ts';
import { isGenerated } from '#src/catalog/generatedDatasets.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { selectWorkers } from '#src/fleet/store/workerRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const detailsSchema = z.object({ datasets: z.array(z.string()) });

/** The datasets that workers which are alive say they can read; null when one of them does not say. */
export async function datasetsOfWorkers(context: Pick<ServiceContext, 'db'>): Promise<ReadonlySet<string> | null> {
  const names = new Set<string>();
  for (const { details } of await selectWorkers(context.db, { includeStopped: false })) {
    const parsed = detailsSchema.safeParse(details);
    if (!parsed.success) return null;
    for (const name of parsed.data.datasets) names.add(name);
  }
  return names;
}

/** Why a run with this dataset will probably fail; null when the catalog or a worker has it, or may have it. */
export function whyDatasetIsMissing(name: string, ofWorkers: ReadonlySet<string> | null): string | null {
  if (ofWorkers === null || isGenerated(name) || knownDataset(name) !== undefined) return null;
  const stem = name.replace(/\.gz$/, '').replace(/\.(txt|csv|tsv|inter|jsonl)$/, '');
  if (ofWorkers.has(stem)) return null;
  const known = allDatasets().map((dataset) => dataset.name);
  return `dataset "${name}" is neither in the catalog nor in the data folders of a worker that is alive: the run will fail unless one gets it.${didYouMean(stem, known)}`;
}
