import type { NeighbourParameters } from '../../../src/catalog/parameters/neighbourParameters.ts';
import { type LeaveOneOut, testHistory } from '../../data/leaveOneOut.ts';
import type { SequenceDataset } from '../../data/sequenceDataset.ts';
import type { RankedUsers } from '../../evaluation/rankedUsers.ts';
import { NeighbourVotes, type RowPlaces, type VoteOptions } from '../../kernels/neighbourVotes.ts';
import { type OverlapIndex, type OverlapMeasure, OverlapSearch, overlapIndex } from '../../kernels/overlapSearch.ts';
import type { Cancellation, Reporter } from '../experiment.ts';
import { type Candidates, ScoreRanker, splitForRanking, timed } from './leaveOneOutRanking.ts';
import { reportRanking } from './reportRanking.ts';

export interface NeighbourRanking {
  parameters: NeighbourParameters & Candidates;
  itemDecay: number;
  /** How like a user's history is to the rows, one a user. */
  measureFor: (user: number) => OverlapMeasure;
  dataset: SequenceDataset;
  reporter: Reporter;
  cancellation: Cancellation;
}

/** Neighbours of a leave-one-out evaluation, ready for any measure of overlap. */
export interface SequenceEvaluation {
  split: LeaveOneOut;
  maximumLength: number;
  index: OverlapIndex;
}

/** The training part of every user, cut to its last M items and the target after them: row u is user u's. */
function trainingRows(split: LeaveOneOut, maximumLength: number): RowPlaces {
  const { offsets, items, userCount } = split.dataset;
  const starts = new Uint32Array(userCount);
  const lengths = new Uint32Array(userCount);
  for (let user = 0; user < userCount; user++) {
    const target = split.trainEnd[user]! - 1;
    starts[user] = Math.max(offsets[user]!, target - maximumLength);
    lengths[user] = target - starts[user]!;
  }
  return { items, starts, lengths };
}

export function openSequenceEvaluation(split: LeaveOneOut, maximumLength: number): SequenceEvaluation {
  const index = overlapIndex(trainingRows(split, maximumLength), split.dataset.itemCount);
  return { split, maximumLength, index };
}

export interface SequenceVotes {
  measureFor: (user: number) => OverlapMeasure;
  neighbours: number;
  /** The predictions that are made of the same neighbours. */
  votes: readonly VoteOptions[];
  candidates: Candidates;
  cancellation: Cancellation;
  /** Called now and then with the users done and all that there are. */
  progress?: (done: number, all: number) => void;
}

/**
 * For each prediction the ranking of all items for each user from the votes of its k nearest sequences: the neighbours are the
 * other users' training parts, the test input is the last M of x_1 … x_{n-1}. With the number of users who have no neighbour.
 */
export function rankSequences(
  { split, maximumLength, index }: SequenceEvaluation,
  { measureFor, neighbours: k, votes: predictions, candidates, cancellation, progress }: SequenceVotes,
): { rankings: RankedUsers[]; alone: number } {
  const { evaluatedUsers, dataset } = split;
  const search = new OverlapSearch(index, k);
  const votes = new NeighbourVotes(dataset.itemCount);
  const ranker = new ScoreRanker(split, candidates);
  const rankings = predictions.map(() => ranker.emptyRanking());
  const scores = new Float64Array(dataset.itemCount);
  let alone = 0;
  for (const [query, user] of evaluatedUsers.entries()) {
    if (query % 64 === 0) cancellation.throwIfCancelled();
    if (query % 2048 === 0) progress?.(query, evaluatedUsers.length);
    const known = testHistory(split, user);
    const history = known.subarray(Math.max(0, known.length - maximumLength));
    const neighbours = search.nearest({ history, ownRow: user }, measureFor(user));
    if (neighbours.rows.length === 0) alone++;
    for (const [at, options] of predictions.entries()) {
      votes.score(index.places, { history, neighbours }, options);
      scores.fill(0);
      for (let voted = 0; voted < votes.size; voted++) scores[votes.items[voted]!] = votes.scores[voted]!;
      ranker.rank(rankings[at]!, query, scores);
    }
  }
  progress?.(evaluatedUsers.length, evaluatedUsers.length);
  return { rankings, alone };
}

/** Nearest sequences in OverRec's leave-one-out evaluation (Section VI): all items are ranked. Metrics stand at step 0. */
export function rankByNeighbours(ranking: NeighbourRanking): void {
  const { parameters, measureFor, reporter, dataset, cancellation, itemDecay } = ranking;
  const { neighbours, prediction, duplicateTargets: duplicates, maximumLength } = parameters;
  const split = splitForRanking(dataset, reporter);
  const evaluation = timed(reporter, 'compute', () => openSequenceEvaluation(split, maximumLength));
  const { rankings, alone } = timed(reporter, 'evaluate', () =>
    rankSequences(evaluation, {
      measureFor,
      neighbours,
      votes: [{ prediction, duplicates, itemDecay }],
      candidates: parameters,
      cancellation,
      progress: (done, all) => reporter.progress(done / all, `ranked for ${done} of ${all} users`),
    }),
  );
  reporter.note('usersWithoutNeighbours', alone);
  reportRanking(split, reporter, {
    rankings: parameters.cutoffs.map((cutoff) => ({ cutoff, ranked: rankings[0]! })),
    part: 'test',
    step: 0,
  });
}
