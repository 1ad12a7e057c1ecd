import type { Study } from '#src/catalog/studies/study.ts';
import type { StudyRun } from '#src/studies/verdicts/armRuns.ts';

/** A study of two learned methods and one without randomness, on generated data. */
export const TINY_STUDY: Study = {
  name: 'overrec/table-0',
  title: 'Three methods',
  source: 'Table 0',
  arms: [
    {
      ...{ name: 'sasrec', label: 'SASRec', kind: 'sasrec', dataset: 'generated/markov-small', minutes: 10 },
      quick: { parameters: { epochs: 1 }, minutes: 1 },
    },
    {
      ...{ name: 'gru4rec', label: 'GRU4Rec', kind: 'gru4rec', dataset: 'generated/markov-small', minutes: 20 },
      quick: { parameters: { epochs: 1 }, minutes: 2 },
    },
    { name: 'knn', label: 'kNN', kind: 'item-knn', dataset: 'generated/markov-small', deterministic: true, minutes: 1 },
    {
      ...{ name: 'lost', label: 'Lost', kind: 'popularity', dataset: 'generated/markov-small', minutes: 1 },
      notRunnable: 'its data are not public',
    },
  ],
  seeds: { quick: [1], paper: [1, 2, 3] },
  table: {
    rows: [{ name: 'ndcg', label: 'NDCG@10', group: 'Small' }],
    columns: [
      { name: 'sasrec', label: 'SASRec' },
      { name: 'gru4rec', label: 'GRU4Rec' },
      { name: 'knn', label: 'kNN' },
      { name: 'lost', label: 'Lost' },
      { name: 'gain', label: 'Gain, %' },
    ],
    cells: [
      { row: 'ndcg', column: 'sasrec', printed: { value: 30 }, value: { arm: 'sasrec', metric: 'test/ndcg@10' } },
      { row: 'ndcg', column: 'gru4rec', printed: { value: 20 }, value: { arm: 'gru4rec', metric: 'test/ndcg@10' } },
      { row: 'ndcg', column: 'knn', printed: { value: 10 }, value: { arm: 'knn', metric: 'test/ndcg@10' } },
      { row: 'ndcg', column: 'lost', printed: { value: 5 }, value: { arm: 'lost', metric: 'test/ndcg@10' } },
      {
        row: 'ndcg',
        column: 'gain',
        scale: 1,
        value: {
          parts: [
            { arm: 'sasrec', metric: 'test/ndcg@10' },
            { arm: 'knn', metric: 'test/ndcg@10' },
          ],
          combine: ([a = Number.NaN, b = Number.NaN]) => 100 * (a / b - 1),
          words: 'gain',
        },
      },
    ],
    scale: 100,
    digits: 1,
    unit: '%',
    tolerance: { relative: 0.05 },
  },
  claims: [
    {
      name: 'sasrec-best',
      text: 'SASRec is best.',
      source: 'Section 0',
      statements: [
        { above: 'sasrec', below: 'gru4rec', metric: 'test/ndcg@10' },
        { above: 'sasrec', below: 'knn', metric: 'test/ndcg@10' },
      ],
    },
    {
      name: 'knn-weak',
      text: 'kNN is weak.',
      source: 'Section 0',
      statements: [{ value: { arm: 'knn', metric: 'test/ndcg@10' }, words: 'NDCG@10 of kNN', to: 0.2 }],
    },
    {
      name: 'gru-best',
      text: 'GRU4Rec is best.',
      source: 'Section 0',
      statements: [{ above: 'gru4rec', below: 'sasrec', metric: 'test/ndcg@10' }],
    },
  ],
};

/** A finished run of an arm. */
export function finishedRun(arm: string, seed: number, value: number, more: Partial<StudyRun> = {}): StudyRun {
  const number = more.number ?? seed + 100 * TINY_STUDY.arms.findIndex(({ name }) => name === arm);
  return {
    ...{ id: `run-${number}`, number, arm, seed, budget: 'paper', state: 'SUCCEEDED', error: null, auditOf: null },
    ...{
      seconds: 60,
      endedAt: new Date(Date.UTC(2026, 10, 22)),
      commit: 'abcdef',
      machine: 'two cores',
      arithmetic: 'plain',
      environment: {},
    },
    metrics: new Map([['test/ndcg@10', { last: value, lowest: value, highest: value }]]),
    ...more,
  };
}
