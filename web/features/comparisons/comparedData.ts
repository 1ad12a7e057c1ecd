import type { DataLeaves } from '#src/base/lib/differingData.ts';
import type { Comparison } from './useComparison.ts';
import { dataOf, unlikeWords } from '#web/lib/bestOfLikeData.ts';

/** What the compared runs saw: dataset, preparation, split, and the content by its fingerprint; null where one does not say. */
export function dataOfRuns({ runs, environment }: Comparison): (DataLeaves | null)[] {
  const fingerprints = environment.find(({ path }) => path === 'fingerprint')?.values ?? [];
  return runs.map(({ configuration }, index) => {
    const data = dataOf(configuration);
    const fingerprint: unknown = fingerprints[index];
    return data === null || typeof fingerprint !== 'string' ? data : new Map([...data, ['content', fingerprint]]);
  });
}

/** The same of the configurations; one whose runs saw different content is like no other. */
export function dataOfGroups(comparison: Comparison): (DataLeaves | null)[] {
  const ofRuns = dataOfRuns(comparison);
  const places = new Map(comparison.runs.map(({ id }, index) => [id, index]));
  return comparison.groups.map(({ runIds, configuration }) => {
    const data = runIds.map((id) => ofRuns[places.get(id) ?? -1] ?? null);
    const first = data.find((one) => one !== null) ?? null;
    return first === null || unlikeWords(data) === null
      ? first
      : new Map([...first, ['content', `several of ${configuration.hash}`]]);
  });
}

/** What the stars of a table mean, or why there is none. */
export function starsText(data: readonly (DataLeaves | null)[], marked: boolean, what: string): string {
  const words = unlikeWords(data);
  if (words === null) return 'best of its row, where higher or lower is known to be better';
  return marked
    ? `best among ${what} of the same data: they differ in ${words}`
    : `nothing is marked: the ${what} saw different data (${words})`;
}
