import type { NeighbourParameters } from '#src/catalog/parameters/neighbourParameters.ts';
import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import type { HeldOut } from '#workers/evaluation/ranking/heldOut.ts';
import { PartRanking } from '#workers/evaluation/ranking/partRanking.ts';
import { openProtocol } from '#workers/evaluation/protocols/openProtocol.ts';
import type { RankedUsers } from '#workers/evaluation/ranking/rankedUsers.ts';
import type { Scorer } from '#workers/evaluation/ranking/scorer.ts';
import { NeighbourVotes, type VoteOptions } from '#workers/kernels/neighbours/neighbourVotes.ts';
import { type OverlapIndex, OverlapSearch, overlapIndex } from '#workers/kernels/neighbours/overlapSearch.ts';
import type { ExperimentContext } from '../experiment.ts';
import { pulseOf, rankParts } from './fitAndRank.ts';
import type { RankedCandidates } from './rankedCandidates.ts';
import type { MeasureFor } from './sequenceMeasures.ts';

/** The neighbours of an evaluation, ready for any measure of overlap. */
export interface SequenceEvaluation {
  maximumLength: number;
  /** (rows) Whose training part each row is. */
  rowUsers: Uint32Array;
  index: OverlapIndex;
}

/** A row for every user with training items: its training part, cut to its last M items and the target after them. */
export function openSequenceEvaluation(training: TrainingPart, maximumLength: number): SequenceEvaluation {
  const { offsets, items, itemCount, userCount } = training.dataset;
  const rowUsers = Uint32Array.from({ length: userCount }, (_, user) => user).filter(
    (user) => trainingItems(training, user).length > 0,
  );
  const inputOf = (user: number): number => trainingItems(training, user).length - 1;
  const lengths = rowUsers.map((user) => Math.min(inputOf(user), maximumLength));
  const starts = rowUsers.map((user, row) => offsets[user]! + inputOf(user) - lengths[row]!);
  return { maximumLength, rowUsers, index: overlapIndex({ items, starts, lengths }, itemCount) };
}

export interface SequenceVotes {
  measureFor: MeasureFor;
  neighbours: number;
  /** The predictions that are made of the same neighbours. */
  votes: readonly VoteOptions[];
  /** Places of the lists. */
  listLength: number;
  /** Called before each user; may throw to stop. */
  pulse(done: number, all: number): void;
}

/**
 * For each prediction the ranking of all items for each user of a part from the votes of its k nearest sequences: the
 * neighbours are the other users' training parts, the input is the last M of its history. With the number of users who have no
 * neighbour.
 */
export function rankSequences(
  { maximumLength, rowUsers, index }: SequenceEvaluation,
  part: HeldOut,
  { measureFor, neighbours: k, votes: predictions, listLength, pulse }: SequenceVotes,
): { rankings: RankedUsers[]; alone: number } {
  const { itemCount } = part.split.dataset;
  const search = new OverlapSearch(index, k);
  const votes = new NeighbourVotes(itemCount);
  const rankings = predictions.map(() => new PartRanking(part, { listLength, itemCount, floor: 0 }));
  const scores = new Float64Array(itemCount);
  const rowOf = new Map(Array.from(rowUsers, (user, row) => [user, row] as const));
  let alone = 0;
  for (const [query, number] of part.users.entries()) {
    pulse(query, part.users.length);
    const known = part.history(query);
    const history = known.subarray(Math.max(0, known.length - maximumLength));
    const measure = measureFor({ number, history: known, end: part.ends[query]! });
    const { rowFactor: ofUser } = measure;
    const rowFactor = ofUser === null ? null : (row: number) => ofUser(rowUsers[row]!);
    const neighbours = search.nearest({ history, ownRow: rowOf.get(number) ?? -1 }, { ...measure, rowFactor });
    if (neighbours.rows.length === 0) alone++;
    for (const [at, options] of predictions.entries()) {
      votes.score(index.places, { history, neighbours }, options);
      scores.fill(0);
      for (let voted = 0; voted < votes.size; voted++) scores[votes.items[voted]!] = votes.scores[voted]!;
      rankings[at]!.take(query, scores);
    }
  }
  return { rankings: rankings.map(({ ranked }) => ranked), alone };
}

type Context = ExperimentContext<NeighbourParameters & RankedCandidates & { itemDecay: number }>;

/** Nearest sequences (OverRec, Section VI): all items are ranked. Metrics stand at step 0. */
export async function rankByNeighbours(
  context: Context,
  measuresOf: (training: TrainingPart) => MeasureFor,
): Promise<void> {
  const { parameters, reporter } = context;
  const { neighbours, prediction, duplicateTargets: duplicates, maximumLength, itemDecay } = parameters;
  const protocol = await openProtocol(context);
  const measureFor = measuresOf(protocol.split);
  const start = performance.now();
  const evaluation = openSequenceEvaluation(protocol.split, maximumLength);
  reporter.timing('compute', (performance.now() - start) / 1000);
  const votes = [{ prediction, duplicates, itemDecay }];
  const pulse = pulseOf(context);
  const scorer: Scorer = {
    rank: async (part, { listLength }) => {
      const found = rankSequences(evaluation, part, { measureFor, neighbours, votes, listLength, pulse });
      if (part === protocol.testPart) reporter.note('usersWithoutNeighbours', found.alone);
      return found.rankings[0]!;
    },
  };
  await rankParts(context, protocol, scorer);
}
