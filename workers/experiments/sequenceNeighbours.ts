import type { NeighbourParameters } from '../../src/catalog/kinds/neighbourParameters.ts';
import type { LeaveOneOut } from '../data/leaveOneOut.ts';
import { NeighbourVotes, type RowPlaces } from '../kernels/neighbourVotes.ts';
import { type OverlapMeasure, OverlapSearch, overlapIndex } from '../kernels/overlapSearch.ts';
import type { Cancellation, Reporter } from './experiment.ts';
import { type Candidates, rankByScores, splitForRanking, timed } from './leaveOneOutRanking.ts';
import { reportRanking } from './reportRanking.ts';
import type { SequenceDataset } from '../data/sequenceDataset.ts';

export interface NeighbourRanking {
  parameters: NeighbourParameters & Candidates;
  itemDecay: number;
  /** How like a user's history is to the rows, one a user. */
  measureFor: (user: number) => OverlapMeasure;
  dataset: SequenceDataset;
  reporter: Reporter;
  cancellation: Cancellation;
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

/**
 * Nearest sequences in OverRec's leave-one-out evaluation (Section VI): the neighbours are the other users' training parts,
 * the test input is the last M of x_1 … x_{n-1}, all items are ranked. Metrics stand at step 0.
 */
export function rankByNeighbours(ranking: NeighbourRanking): void {
  const { parameters, reporter, dataset, cancellation, itemDecay } = ranking;
  const { neighbours: k, prediction, duplicateTargets: duplicates, maximumLength } = parameters;
  const split = splitForRanking(dataset, reporter);
  const places = trainingRows(split, maximumLength);
  const index = timed(reporter, 'compute', () => overlapIndex(places, dataset.itemCount));
  const search = new OverlapSearch(index, k);
  const votes = new NeighbourVotes(dataset.itemCount);
  let alone = 0;
  const ranked = timed(reporter, 'evaluate', () =>
    rankByScores(split, {
      score(known, scores, user) {
        const history = known.subarray(Math.max(0, known.length - maximumLength));
        const neighbours = search.nearest({ history, ownRow: user }, ranking.measureFor(user));
        if (neighbours.rows.length === 0) alone++;
        votes.score(places, { history, neighbours }, { prediction, duplicates, itemDecay });
        scores.fill(0);
        for (let at = 0; at < votes.size; at++) scores[votes.items[at]!] = votes.scores[at]!;
      },
      parameters,
      reporter,
      cancellation,
    }),
  );
  reporter.note('usersWithoutNeighbours', alone);
  reportRanking(split, reporter, {
    rankings: parameters.cutoffs.map((cutoff) => ({ cutoff, ranked })),
    part: 'test',
    step: 0,
  });
}
