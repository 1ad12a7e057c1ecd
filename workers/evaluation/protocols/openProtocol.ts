import { VALIDATED_METRICS, VALIDATION_CUTOFF } from '#src/catalog/rankingMetrics.ts';
import { type SplitChoice, splitSequences } from '#workers/data/split/splitSequences.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import type { Candidates, HeldOut } from '../ranking/heldOut.ts';
import { meanTopNMetrics } from '../ranking/hitMetrics.ts';
import { userMetrics } from '../ranking/partRanking.ts';
import type { RankedUsers } from '../ranking/rankedUsers.ts';
import { rankingMetrics } from '../ranking/rankingMetrics.ts';
import type { Scorer } from '../ranking/scorer.ts';
import { leaveOneOutParts } from './leaveOneOutParts.ts';
import { orderedParts } from './orderedParts.ts';
import type { EvaluationReporter, HeldOutParts, Protocol } from './protocol.ts';
import { reportPart } from './reportPart.ts';

export interface EvaluationContext {
  data: { readonly split: SplitChoice; sequences(): Promise<SequenceDataset> };
  parameters: Candidates & { cutoffs: readonly number[] };
  reporter: EvaluationReporter;
}

/**
 * The protocol of the run's split. Throws DATA_ERROR where nobody can be evaluated, BAD_INPUT where the dataset does not have
 * what the split goes by.
 */
export async function openProtocol(context: EvaluationContext): Promise<Protocol> {
  const { parameters, reporter } = context;
  const { cutoffs } = parameters;
  const parts = partsOf(await context.data.sequences(), context);
  const report: Protocol['report'] = (name, rankings, step) => {
    const part = name === 'test' ? parts.testPart : parts.validationPart;
    reportPart(reporter, { name, part, rankings, step });
  };
  return {
    ...parts,
    cutoffs,
    report,
    validate: async (scorer) => {
      const validated = [...new Set([...cutoffs, VALIDATION_CUTOFF])].sort((a, b) => a - b);
      const metrics = await partMetrics(parts.validationPart, scorer, validated);
      return { metrics, score: metrics[`ndcg@${VALIDATION_CUTOFF}`]! };
    },
    test: async (scorer, step) => {
      const longest = Math.max(...cutoffs);
      const ranked = await scorer.rank(parts.testPart, { listLength: longest, cutoff: longest });
      const rankings = cutoffs.map((cutoff) => ({ cutoff, ranked }));
      report('test', rankings, step);
    },
  };
}

function partsOf(dataset: SequenceDataset, { data, parameters, reporter }: EvaluationContext): HeldOutParts {
  const { split } = data;
  if (split.name === 'leave-one-out') return leaveOneOutParts(dataset, parameters, reporter);
  const testShare = split.shares?.test ?? 0;
  return orderedParts(splitSequences(dataset, split), parameters, { name: split.name, testShare, reporter });
}

async function partMetrics(part: HeldOut, scorer: Scorer, cutoffs: readonly number[]): Promise<Record<string, number>> {
  const longest = Math.max(...cutoffs);
  const ranked: RankedUsers = await scorer.rank(part, { listLength: part.isSingle ? 0 : longest, cutoff: longest });
  if (part.isSingle) return rankingMetrics(ranked.ranks, cutoffs, VALIDATED_METRICS);
  const metrics: Record<string, number> = {};
  for (const cutoff of cutoffs) {
    const means = meanTopNMetrics(userMetrics(part, ranked, cutoff));
    for (const name of VALIDATED_METRICS) metrics[`${name}@${cutoff}`] = means[name];
  }
  return metrics;
}
