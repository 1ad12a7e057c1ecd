import { type DataLeaves, dataFieldWords, dataLeaves, differingFields } from '#src/base/lib/differingData.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { bestIndexes } from './bestIndexes.ts';

/** A configuration as far as it says what its runs saw. */
interface SeenData {
  datasetName?: string | null;
  dataset?: unknown;
}

/** The data of a configuration with their preparation and split; null where it names none. */
export function dataOf({ datasetName, dataset }: SeenData): DataLeaves | null {
  return datasetName == null ? null : dataLeaves({ ...asPlainObject(dataset), name: datasetName });
}

/** In what data differ, as people say it; null where they do not, or are not named. */
export function unlikeWords(data: readonly (DataLeaves | null)[]): string | null {
  const fields = differingFields(data.filter((one) => one !== null));
  return fields.length === 0 ? null : dataFieldWords(fields);
}

/**
 * Places of the best value among those that saw the same data, one or more for each kind of data; all compete where the data
 * of those that have a value do not differ.
 */
export function bestOfLikeData(
  values: readonly (number | null)[],
  direction: 'higher' | 'lower' | null,
  data: readonly (DataLeaves | null)[],
): ReadonlySet<number> {
  const seen = values.map((value, index) => (value === null ? null : (data[index] ?? null)));
  if (unlikeWords(seen) === null) return bestIndexes(values, direction);
  return new Set(
    seen.flatMap((ours, index) => {
      const like = values.map((value, other) => (areLike(ours, seen[other] ?? null) ? value : null));
      return bestIndexes(like, direction).has(index) ? [index] : [];
    }),
  );
}

/** Whether two are known to have seen the same; who names no data may have seen anything. */
function areLike(ours: DataLeaves | null, theirs: DataLeaves | null): boolean {
  return ours !== null && theirs !== null && differingFields([ours, theirs]).length === 0;
}
