import { WarrenError } from '../../../src/contracts/errors.ts';
import { type LeaveOneOut, leaveOneOut, testHistory } from '../../data/leaveOneOut.ts';
import { trainingItems } from '../../data/trainingPart.ts';
import type { SequenceDataset } from '../../data/sequenceDataset.ts';
import { emptyRankedUsers, type RankedUsers, setPlace } from '../../evaluation/rankedUsers.ts';
import { targetPlace } from '../../evaluation/targetPlace.ts';
import { TopList } from '../../evaluation/topList.ts';
import type { Cancellation, Reporter } from '../experiment.ts';

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

/** Which items are ranked: parameters that all ranking kinds share. */
export interface Candidates {
  cutoffs: readonly number[];
  excludeSeen: boolean;
  seenItems?: 'training' | 'training-and-validation' | undefined;
}

/** Items left out of a user's ranking for the test item, or null where all items are ranked. Views. */
export function seenItemsOf(
  split: LeaveOneOut,
  { excludeSeen, seenItems }: Candidates,
): ((user: number) => Uint32Array) | null {
  if (!excludeSeen) return null;
  return (user) => (seenItems === 'training' ? trainingItems(split, user) : testHistory(split, user));
}

export interface TestRanking {
  /**
   * Writes the score of every item for a user with this history (x_1 … x_{n-1}) into `scores`: evidence for the item, 0 where
   * there is none. Items with 0 are ranked, but not recommended.
   */
  score: (history: Uint32Array, scores: Float64Array, user: number) => void;
  parameters: Candidates;
  reporter: Reporter;
  cancellation: Cancellation;
}

/**
 * Ranks all items, ties to the lowest item, for each evaluated user, whose last item is the target. With `excludeSeen` the
 * items that the user has seen are left out, but for the target.
 */
export function rankByScores(split: LeaveOneOut, ranking: TestRanking): RankedUsers {
  const { evaluatedUsers, dataset } = split;
  const { parameters, reporter, cancellation } = ranking;
  const ranker = new ScoreRanker(split, parameters);
  const ranked = ranker.emptyRanking();
  const scores = new Float64Array(dataset.itemCount);
  for (const [index, user] of evaluatedUsers.entries()) {
    if (index % 64 === 0) cancellation.throwIfCancelled();
    if (index % 4096 === 0)
      reporter.progress(index / evaluatedUsers.length, `ranked for ${index} of ${evaluatedUsers.length} users`);
    ranking.score(testHistory(split, user), scores, user);
    ranker.rank(ranked, index, scores);
  }
  reporter.progress(1, `ranked for ${evaluatedUsers.length} users`);
  return ranked;
}

/** Ranks the items for one evaluated user after another by the scores of all items, as `rankByScores` does. */
export class ScoreRanker {
  readonly #split: LeaveOneOut;
  readonly #seenBy: ((user: number) => Uint32Array) | null;
  readonly #list: TopList;
  readonly #listLength: number;
  /** Number of the ranking that last left an item out. (items) */
  readonly #leftOut: Int32Array;
  #rankings = 0;

  constructor(split: LeaveOneOut, candidates: Candidates) {
    this.#split = split;
    this.#seenBy = seenItemsOf(split, candidates);
    this.#listLength = Math.max(...candidates.cutoffs);
    this.#list = new TopList(this.#listLength, 0);
    this.#leftOut = new Int32Array(split.dataset.itemCount);
  }

  emptyRanking(): RankedUsers {
    return emptyRankedUsers(this.#split.evaluatedUsers.length, this.#listLength);
  }

  /** Puts the place of the target and the list of the evaluated user number `index` into `ranked`. `scores`: (items). */
  rank(ranked: RankedUsers, index: number, scores: Float64Array): void {
    const user = this.#split.evaluatedUsers[index]!;
    const target = this.#split.test[user]!;
    const seen = this.#seenBy?.(user) ?? [];
    setPlace(ranked, index, targetPlace(scores, target, seen));
    const [list, leftOut, ranking] = [this.#list, this.#leftOut, ++this.#rankings];
    for (const item of seen) leftOut[item] = ranking;
    leftOut[target] = 0;
    let threshold = list.threshold;
    for (let item = 0; item < scores.length; item++) {
      if (!(scores[item]! > threshold) || leftOut[item] === ranking) continue;
      list.offer(item, scores[item]!);
      threshold = list.threshold;
    }
    list.drain(ranked.lists.subarray(index * this.#listLength, (index + 1) * this.#listLength));
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
