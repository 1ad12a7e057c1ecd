import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sequenceReportSchema } from '#src/base/contracts/datasetReport.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';
import { CACHE_VERSION } from '../load/cacheFile.ts';
import { writeAtomically } from '../load/writeAtomically.ts';

/** Raised when the same dataset would be counted otherwise. */
const STATISTICS_VERSION = 1;

export const datasetStatisticsSchema = sequenceReportSchema.omit({ comparisons: true, preparation: true }).extend({
  /** In words: `5-core`, `as it is`. */
  preprocessing: z.string(),
  /** Whether interactions or users were left out, so that the counts are not those of the whole dataset. */
  filtered: z.boolean(),
});

/** What a run tells of the dataset that it used: counts, distributions and samples. */
export type DatasetStatistics = z.infer<typeof datasetStatisticsSchema>;

/** Where the statistics of what `key` says are kept, beside the datasets themselves. */
export function statisticsPath(cacheFolder: string, key: Readonly<Record<string, unknown>>): string {
  const hash = stableHash({ ...key, version: [CACHE_VERSION, STATISTICS_VERSION] });
  return join(cacheFolder, 'datasets', `${hash}.statistics.json`);
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The statistics of a file as `keepStatistics` leaves it; null where there is none, and, after a warning, where it is damaged. */
export async function readKeptStatistics(
  path: string,
  warn: (text: string) => void,
): Promise<DatasetStatistics | null> {
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
export async function keepStatistics(
  path: string,
  statistics: DatasetStatistics,
  warn: (text: string) => void,
): Promise<void> {
  const body = JSON.stringify(statistics);
  await writeAtomically(path, [Buffer.from(`${sha256Of(body)}\n${body}`)]).catch((thrown: unknown) => {
    warn(`statistics could not be kept in ${path}: ${coerceError(thrown).message}`);
  });
}
