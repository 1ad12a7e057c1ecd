import { type TrainingPart, trainingItems } from '../../data/trainingPart.ts';
import { embeddingRanking } from '../../evaluation/embeddingRanking.ts';
import type { HeldOut } from '../../evaluation/heldOut.ts';
import type { HeldOutLists } from '../../evaluation/heldOutLists.ts';
import { rankHeldOut, validationMetrics } from '../../evaluation/rankHeldOut.ts';
import { rankingMetrics } from '../../evaluation/rankingMetrics.ts';
import { type MfModel, mfScores } from '../../models/mfBpr.ts';
import { embeddingRanks } from '../../training/embeddingRanks.ts';
import type { ExperimentContext } from '../experiment.ts';
import { type Candidates, seenItemsOf, splitForRanking } from './leaveOneOutRanking.ts';
import { reportHeldOut } from './reportHeldOut.ts';
import { reportRanking } from './reportRanking.ts';
import { splitByTime } from './splitByTime.ts';

type Context = ExperimentContext<Candidates>;

/** How a model whose scores are products of embeddings is validated and tested under the run's split. */
export interface MatrixEvaluation {
  training: TrainingPart;
  /** NDCG and hit rate of the validation part, by name: `ndcg@10` and `hr@10` for a cut-off of 10. */
  validate(model: MfModel): Record<string, number>;
  /** Reports `test/…` at `step`. */
  test(model: MfModel, step: number): Promise<void>;
}

/** Evaluation by the run's split: leave-one-out or ratio-by-time. Throws DATA_ERROR where nobody can be evaluated. */
export function matrixEvaluation(context: Context, cutoff: number): MatrixEvaluation {
  return context.split.name === 'leave-one-out'
    ? leaveOneOutEvaluation(context, cutoff)
    : evaluationByTime(context, cutoff);
}

function leaveOneOutEvaluation(context: Context, cutoff: number): MatrixEvaluation {
  const { parameters, reporter, cancellation, threads } = context;
  const { cutoffs, excludeSeen } = parameters;
  const split = splitForRanking(context.dataset, reporter);
  const { evaluatedUsers: users, validation, test } = split;
  const pulse = (): void => cancellation.throwIfCancelled();
  return {
    training: split,
    validate: (model) => {
      const ranks = embeddingRanks(model, {
        users,
        targets: Uint32Array.from(users, (user) => validation[user]!),
        excluded: excludeSeen ? (query) => trainingItems(split, users[query]!) : null,
        limit: cutoff,
        pulse,
      });
      return rankingMetrics(ranks, [cutoff]);
    },
    test: async (model, step) => {
      const seenBy = seenItemsOf(split, parameters);
      const queries = {
        users,
        targets: Uint32Array.from(users, (user) => test[user]!),
        excluded: seenBy === null ? null : (query: number) => seenBy(users[query]!),
        listLength: Math.max(...cutoffs),
        betweenQueries: pulse,
      };
      const ranked = await embeddingRanking(model, queries, threads);
      const rankings = cutoffs.map((each) => ({ cutoff: each, ranked }));
      reportRanking(split, reporter, { rankings, part: 'test', step });
    },
  };
}

function evaluationByTime(context: Context, cutoff: number): MatrixEvaluation {
  const { parameters, reporter, cancellation, dataset } = context;
  const { cutoffs } = parameters;
  const { split, validation, test } = splitByTime(context, parameters);
  const rank = (model: MfModel, part: HeldOut, listLength: number): HeldOutLists =>
    rankHeldOut(part, {
      score: ({ number }, scores) => mfScores(model, number, scores),
      itemCount: dataset.itemCount,
      listLength,
      floor: Number.NEGATIVE_INFINITY,
      pulse: () => cancellation.throwIfCancelled(),
    });
  return {
    training: split,
    validate: (model) => validationMetrics(rank(model, validation, cutoff), [cutoff]),
    test: async (model, step) => {
      const lists = rank(model, test, Math.max(...cutoffs));
      reportHeldOut(reporter, { split, part: test, lists, cutoffs, step });
    },
  };
}
