import { expect, test } from 'vitest';
import { z } from 'zod';
import { overrec } from '#workers/experiments/overrec.ts';
import { overrecParameters } from '#src/catalog/kinds/overrec.ts';
import { lastValues, recordingContext } from '../unit/experiments/recordingContext.ts';
import { oracleFile } from './oracleFile.ts';
import { realDataset } from './realDataset.ts';

const rowSchema = z.object({
  var: z.enum(['exact', 'author']),
  sw: z.number(),
  su: z.number(),
  kernel: z.enum(['rntk', 'nngp']),
  tie: z.string(),
  rule: z.string(),
  'MRR@5': z.number(),
  'NDCG@10': z.number(),
});
const { sigma_sweep } = oracleFile('overrec_beauty.json', z.object({ sigma_sweep: z.array(rowSchema) }));

/** The sweep is printed to five decimals. */
const TOLERANCE = 1e-5;

const found = await realDataset({ name: 'amazon-beauty' });

test.runIf(found !== null)(
  "Figure 6 on Beauty by the authors' code, at the corners and the middle of the grid",
  async () => {
    const swept = sigma_sweep.filter(
      ({ var: variant, tie, rule }) => variant === 'author' && tie === 'index' && rule === 'assign',
    );
    const [sigmaW, sigmaU] = [endsAndMiddle(swept.map(({ sw }) => sw)), endsAndMiddle(swept.map(({ su }) => su))];
    const rows = swept.filter(({ sw, su }) => {
      const [w, u] = [sigmaW.indexOf(sw), sigmaU.indexOf(su)];
      return w >= 0 && u >= 0 && (w === 1) === (u === 1);
    });
    expect(rows.length).toBe(10); // of both kernels
    for (const row of rows) {
      const { kernel } = row;
      const parameters = overrecParameters.parse({
        ...{ kernel, variant: 'author', duplicateTargets: 'assign' },
        ...{ sigmaW: whole(row.sw), sigmaU: whole(row.su) },
      });
      const { recorded, context } = recordingContext(found!, parameters, { threads: 2 });
      await overrec(context);
      const metrics = lastValues(recorded);
      const place = `${kernel}, σ_W ${row.sw}, σ_U ${row.su}`;
      expect(Math.abs(metrics['test/mrr@5']! - row['MRR@5']), `${place}: mrr@5`).toBeLessThanOrEqual(TOLERANCE);
      expect(Math.abs(metrics['test/ndcg@10']! - row['NDCG@10']), `${place}: ndcg@10`).toBeLessThanOrEqual(TOLERANCE);
    }
  },
);

/** The least, the middle and the greatest of the values. */
function endsAndMiddle(values: readonly number[]): number[] {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  return [...new Set([0, Math.floor(distinct.length / 2), distinct.length - 1].map((place) => distinct[place]!))];
}

/** The file has √2 as 1.4142. */
function whole(value: number): number {
  return value.toFixed(4) === Math.SQRT2.toFixed(4) ? Math.SQRT2 : value;
}
