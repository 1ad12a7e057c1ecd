import { WarrenError } from '../../src/contracts/errors.ts';
import { type LeaveOneOut, leaveOneOut, testHistory } from '../data/leaveOneOut.ts';
import type { SequenceDataset } from '../data/sequenceDataset.ts';
import { rankingMetrics } from '../evaluation/rankingMetrics.ts';
import { targetRank } from '../evaluation/targetRank.ts';
import type { Cancellation, Reporter } from './experiment.ts';

/** The split, noted with the results. Throws DATA_ERROR where no user can be evaluated. */
export function splitForRanking(dataset: SequenceDataset, reporter: Reporter): LeaveOneOut {
  const split = leaveOneOut(dataset);
  const evaluated = split.evaluatedUsers.length;
  if (evaluated === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": none of its ${dataset.userCount} users has three interactions, so leave-one-out can evaluate nobody`,
      { path: 'dataset' },
    );
  }
  reporter.note('evaluatedUsers', evaluated);
  if (evaluated < dataset.userCount) {
    reporter.log('warn', `${dataset.userCount - evaluated} users with fewer than 3 interactions are not evaluated`);
  }
  return split;
}

export interface TestRanking {
  /** Writes the score of every item for a user with this history (x_1 … x_{n-1}) into `scores`. */
  score: (history: Uint32Array, scores: Float64Array) => void;
  excludeSeen: boolean;
  reporter: Reporter;
  cancellation: Cancellation;
}

/**
 * (evaluated users) The 1-based rank of each user's last item among all items, ties to the lowest item. With `excludeSeen`
 * the other items of the history are left out.
 */
export function testRanks(split: LeaveOneOut, ranking: TestRanking): Int32Array {
  const { evaluatedUsers, test, dataset } = split;
  const scores = new Float64Array(dataset.itemCount);
  const ranks = new Int32Array(evaluatedUsers.length);
  for (const [index, user] of evaluatedUsers.entries()) {
    if (index % 64 === 0) ranking.cancellation.throwIfCancelled();
    if (index % 4096 === 0)
      ranking.reporter.progress(index / ranks.length, `ranked for ${index} of ${ranks.length} users`);
    const history = testHistory(split, user);
    ranking.score(history, scores);
    ranks[index] = targetRank(scores, test[user]!, ranking.excludeSeen ? history : []);
  }
  ranking.reporter.progress(1, `ranked for ${ranks.length} users`);
  return ranks;
}

/** Reports `test/mrr@N`, `test/ndcg@N` and `test/hr@N` at `step`. */
export function reportTestMetrics(
  reporter: Reporter,
  ranks: Int32Array,
  { cutoffs, step }: { cutoffs: readonly number[]; step: number },
): void {
  for (const [name, value] of Object.entries(rankingMetrics(ranks, cutoffs))) {
    reporter.metric(`test/${name}`, step, value);
  }
}

/** Runs `work` and adds its time to a phase. */
export function timed<Result>(reporter: Reporter, phase: string, work: () => Result): Result {
  const start = performance.now();
  try {
    return work();
  } finally {
    reporter.timing(phase, (performance.now() - start) / 1000);
  }
}
