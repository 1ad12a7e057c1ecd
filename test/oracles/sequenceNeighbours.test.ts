import { expect, test } from 'vitest';
import { z } from 'zod';
import { experimentOf } from '../../workers/experiments/registry.ts';
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

const found = await realDataset({ name: 'amazon-beauty' });
/** Read by tests that are skipped where it is not there. */
const beauty = found!;

/** Of each similarity and prediction, with ties by number: the rows with the middle and, of SkNN, with 200 neighbours, too. */
const byNumber = sknn_stan.filter(({ tie }) => tie === 'index').sort((a, b) => a.k - b.k);
const nameOf = ({ similarity, prediction }: z.output<typeof rowSchema>) => `${similarity} ${prediction}`;
const CASES = [...new Set(byNumber.map(nameOf))].flatMap((name) => {
  const rows = byNumber.filter((row) => nameOf(row) === name);
  const middle = rows[Math.floor(rows.length / 2)]!;
  const chosen = middle.similarity === 'sknn' ? [middle, rows.find(({ k }) => k === 200)!] : [middle];
  return chosen.map((row) => [`${name} k=${row.k}`, row] as const);
});

test.runIf(found !== null).each(CASES)("OverRec's Table II baselines on Beauty, ties by number: %s", async (_, row) => {
  const { recorded, context } = recordingContext<unknown>(beauty, {
    neighbours: row.k,
    prediction: PREDICTIONS[row.prediction],
    duplicateTargets: 'assign',
    ...(row.similarity === 'stan' ? { variant: 'author' } : {}),
  });
  await experimentOf(row.similarity)(context);
  const metrics = lastValues(recorded);
  for (const name of ['MRR@5', 'MRR@10', 'NDCG@5', 'NDCG@10', 'HR@5', 'HR@10'] as const) {
    const metric = `test/${name.toLowerCase()}`;
    expect(Math.abs(metrics[metric]! - row[name]), `${metric} ${metrics[metric]} ${row[name]}`).toBeLessThanOrEqual(
      METRIC_TOLERANCE,
    );
  }
});
