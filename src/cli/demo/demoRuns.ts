import type { EnqueueRunsInput } from '#src/generated/api.ts';

/** Project of the demo's runs. */
export const DEMO_PROJECT = 'demo';

/** Metrics of the closing table. */
export const DEMO_METRICS = ['test/ndcg@10', 'test/mrr@10', 'test/hr@10'] as const;

/**
 * The experiments of the demo: OverRec's two kernels beside the usual comparators, one of them trained with three seeds, for
 * fewer epochs than by default: nobody should wait longer than half a minute.
 */
export function demoRuns(dataset: string): EnqueueRunsInput[] {
  const common = { project: DEMO_PROJECT, dataset: { name: dataset }, tags: ['demo'] };
  return [
    { ...common, kind: 'overrec', name: 'OverRec, RNTK', parameters: { kernel: 'rntk' } },
    { ...common, kind: 'overrec', name: 'OverRec, NNGP', parameters: { kernel: 'nngp' } },
    { ...common, kind: 'popularity', name: 'Popularity' },
    { ...common, kind: 'item-knn', name: 'Item kNN' },
    { ...common, kind: 'markov', name: 'Markov chain' },
    { ...common, kind: 'mf-bpr', name: 'MF-BPR', seeds: [1, 2, 3], parameters: { epochs: 15, dimension: 32 } },
  ];
}
