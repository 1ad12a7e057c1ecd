import { expect, test } from 'vitest';
import { z } from 'zod';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { heldOutItem } from '#workers/evaluation/ranking/heldOut.ts';
import { rankingMetrics } from '#workers/evaluation/ranking/rankingMetrics.ts';
import { SKNN_MEASURE, stanMeasures } from '#workers/experiments/ranking/sequenceMeasures.ts';
import { openSequenceEvaluation, rankSequences } from '#workers/experiments/ranking/sequenceNeighbours.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { lastValues, recordingContext } from '../unit/experiments/recordingContext.ts';
import { oracleFile } from './oracleFile.ts';
import { METRIC_TOLERANCE } from './overrecOracle.ts';
import { realDataset } from './realDataset.ts';

const rowSchema = z.object({
  similarity: z.enum(['sknn', 'stan']),
  prediction: z.enum(['equal_item', 'weighted_y', 'weighted_item_prefix', 'weighted_item_with_target']),
  k: z.number(),
  tie: z.string(),
  'MRR@5': z.number(),
  'MRR@10': z.number(),
  'NDCG@5': z.number(),
  'NDCG@10': z.number(),
  'HR@5': z.number(),
  'HR@10': z.number(),
});
const { sknn_stan } = oracleFile('overrec_beauty.json', z.object({ sknn_stan: z.array(rowSchema) }));

const PREDICTIONS = {
  equal_item: 'equal-item',
  weighted_y: 'weighted-y',
  weighted_item_prefix: 'weighted-item-author-input',
  weighted_item_with_target: 'weighted-item-author',
} as const;

/** As OverRec's code has it. */
const STAN_AUTHORS = { positionDecay: 1, recencyDecay: null, variant: 'author' } as const;

const found = await realDataset({ name: 'amazon-beauty' });
/** Read by tests that are skipped where it is not there. */
const beauty = found!;

type Row = z.output<typeof rowSchema>;

/** With ties by number. */
const rows = sknn_stan.filter(({ tie }) => tie === 'index');
const rowOf = (similarity: string, prediction: string, k: number) =>
  rows.find((row) => row.similarity === similarity && row.prediction === prediction && row.k === k)!;

function expectRow(metrics: Record<string, number>, row: Row): void {
  for (const name of ['MRR@5', 'MRR@10', 'NDCG@5', 'NDCG@10', 'HR@5', 'HR@10'] as const) {
    const found = metrics[name.toLowerCase()]!;
    expect(Math.abs(found - row[name]), `${name} ${found} ${row[name]}`).toBeLessThanOrEqual(METRIC_TOLERANCE);
  }
}

test.runIf(found !== null).each([
  ['sknn', 'equal_item', 100],
  ['stan', 'weighted_item_prefix', 20],
] as const)("OverRec's Table II baselines on Beauty, ties by number: %s %s k=%s", async (similarity, prediction, k) => {
  const { recorded, context } = recordingContext<unknown>(beauty, {
    neighbours: k,
    prediction: PREDICTIONS[prediction],
    duplicateTargets: 'assign',
    ...(similarity === 'stan' ? { variant: 'author' } : {}),
  });
  await experimentOf(similarity)(context);
  const tested = Object.entries(lastValues(recorded)).map(([name, value]) => [name.replace('test/', ''), value]);
  expectRow(Object.fromEntries(tested), rowOf(similarity, prediction, k));
});

test.runIf(found !== null)('the other predictions, of the same neighbors, and more neighbors of SkNN', () => {
  const split = leaveOneOut(beauty);
  const evaluation = openSequenceEvaluation(split, 50);
  const part = heldOutItem(split, 'test', { excludeSeen: false });
  const measures = { sknn: () => SKNN_MEASURE, stan: stanMeasures(split, STAN_AUTHORS) };
  for (const [similarity, k, predictions] of [
    ['stan', 20, ['weighted_y', 'weighted_item_with_target']],
    ['sknn', 200, ['equal_item']],
  ] as const) {
    const { rankings } = rankSequences(evaluation, part, {
      measureFor: measures[similarity],
      neighbours: k,
      votes: predictions.map((name) => ({ prediction: PREDICTIONS[name], duplicates: 'assign', itemDecay: 3 })),
      listLength: 0,
      pulse: () => {},
    });
    for (const [at, prediction] of predictions.entries()) {
      expectRow(rankingMetrics(rankings[at]!.ranks, [5, 10]), rowOf(similarity, prediction, k));
    }
  }
});
