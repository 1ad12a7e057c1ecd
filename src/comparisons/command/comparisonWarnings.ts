import type { Comparison } from './fetchComparison.ts';

/** Why runs are not comparable, and which of them did not end well. */
export function comparisonWarnings(
  { runs, notComparable }: Pick<Comparison, 'runs' | 'notComparable'>,
  { tested }: { tested: boolean },
): string[] {
  const ends = runs.filter((run) => run.state !== 'SUCCEEDED');
  const consequence = tested ? 'tests leave them out' : 'replicates may leave them out';
  const named = ends.map((run) => `#${run.number} (${run.state.toLowerCase()})`).join(', ');
  return [
    ...notComparable.map((reason) => `not comparable, because ${reason}`),
    ...(ends.length === 0 ? [] : [`not ended well: ${named}; ${consequence}`]),
  ];
}
