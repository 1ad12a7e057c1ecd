import { expect, test } from 'vitest';
import { z } from 'zod';
import { targetRank } from '#test/unit/evaluation/ranking/targetRank.ts';
import { topItems, topNMetrics } from '#test/unit/evaluation/ranking/topNMetrics.ts';
import { meanTopNMetrics } from '#workers/evaluation/ranking/hitMetrics.ts';
import { f1Score } from '#src/catalog/rankingMetrics.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const metrics = { HR: number, Precision: number, Recall: number, F1: number, MRR: number, NDCG: number };
const oracle = oracleFile(
  'rank_metrics.json',
  z.object({
    ranking: z.array(
      z.object({
        scores: z.array(z.array(number)),
        truth: z.array(z.array(number)),
        N: number,
        per_user: z.array(z.object({ ...metrics, topN: z.array(number), rank_of_first_truth: number })),
        mean: z.object(metrics),
        F1_of_mean_precision_and_recall: number,
      }),
    ),
  }),
);

const NAMES = [
  ['hr', 'HR'],
  ['precision', 'Precision'],
  ['recall', 'Recall'],
  ['f1', 'F1'],
  ['mrr', 'MRR'],
  ['ndcg', 'NDCG'],
] as const;

test.each(oracle.ranking.map((table, index) => [index, table] as const))(
  'ranking table %i, users and means',
  (_index, table) => {
    const found = table.scores.map((scores, user) => topNMetrics(scores, table.truth[user]!, table.N));
    for (const [user, expected] of table.per_user.entries()) {
      expect(topItems(table.scores[user]!, table.N)).toEqual(expected.topN);
      for (const [name, theirs] of NAMES)
        expect(found[user]![name], `${theirs} of user ${user}`).toBeCloseTo(expected[theirs], 10);
    }
    const mean = meanTopNMetrics(found);
    for (const [name, theirs] of NAMES) expect(mean[name], `mean ${theirs}`).toBeCloseTo(table.mean[theirs], 10);
    expect(f1Score(mean.precision, mean.recall)).toBeCloseTo(table.F1_of_mean_precision_and_recall, 10);
  },
);

test('the rank of the best true item is the least target rank', () => {
  for (const table of oracle.ranking) {
    for (const [user, expected] of table.per_user.entries()) {
      const scores = Float64Array.from(table.scores[user]!);
      const ranks = table.truth[user]!.map((item) => targetRank(scores, item));
      expect(Math.min(...ranks)).toBe(expected.rank_of_first_truth);
    }
  }
});
