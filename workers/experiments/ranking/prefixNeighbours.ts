import type { OverrecParameters } from '#src/catalog/kinds/overrec.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { firstTargets, type HeldOut } from '#workers/evaluation/ranking/heldOut.ts';
import type { CutoffRanking } from '#workers/evaluation/protocols/protocol.ts';
import { emptyRankedUsers, type RankedUsers, setPlace } from '#workers/evaluation/ranking/rankedUsers.ts';
import { sparseList, sparseTargetPlace } from '#workers/evaluation/ranking/sparseRanking.ts';
import {
  type NeighbourRows,
  neighbourRows,
  type PrefixRange,
  type PrefixSpan,
  prefixPlaces,
} from '#workers/kernels/neighbours/neighbourRows.ts';
import { nearestRowSearch, type SearchOutcome } from '#workers/kernels/neighbours/nearestRowSearch.ts';
import type { NearestSequences, Queries } from '#workers/kernels/neighbours/nearestSequences.ts';
import { NeighbourVotes, type RowPlaces, type VoteOptions } from '#workers/kernels/neighbours/neighbourVotes.ts';
import { patternKernel } from '#workers/kernels/pattern/patternKernel.ts';
import type { PatternKernelOptions } from '#workers/kernels/pattern/patternKernelTables.ts';
import type { Cancellation } from '../experiment.ts';
import type { RankedCandidates } from './rankedCandidates.ts';

/** Which prefixes are neighbours, what is predicted, and from what: docs/errata.md, 10. */
export type PrefixProtocol = Pick<OverrecParameters, 'neighbourSet' | 'testInput' | 'maximumLength'>;

/** Neighbours and queries of an evaluation, ready for any kernel. */
export interface PrefixEvaluation {
  part: HeldOut;
  protocol: PrefixProtocol;
  rows: NeighbourRows;
  places: RowPlaces;
  queries: Queries;
}

/** Users with fewer interactions have no prefixes that are neighbours. */
const SHORTEST = 3;

/** Prefixes x_1 .. x_q with target x_(q+1) that are neighbours, by the ends of a user's training and validation part. */
const PREFIXES: Readonly<
  Record<PrefixProtocol['neighbourSet'], (ends: { training: number; validation: number }) => PrefixSpan>
> = {
  'training-prefixes': ({ training }) => ({ first: 1, last: training - 1 }),
  'training-and-validation-prefixes': ({ validation }) => ({ first: 1, last: validation - 1 }),
  'last-training-prefix': ({ training }) => ({ first: Math.max(1, training - 1), last: training - 1 }),
};

/** Throws DATA_ERROR where there are no neighbours. */
export function openPrefixEvaluation(part: HeldOut, protocol: PrefixProtocol): PrefixEvaluation {
  const { split, users } = part;
  const { dataset, trainEnd, validationEnd } = split;
  const { offsets, items } = dataset;
  const range: PrefixRange = (length, user) => {
    const start = offsets[user]!;
    if (length < SHORTEST) return { first: 1, last: 0 };
    return PREFIXES[protocol.neighbourSet]({
      training: trainEnd[user]! - start,
      validation: validationEnd[user]! - start,
    });
  };
  const rows = neighbourRows(dataset, range, protocol.maximumLength);
  if (rows.rowCount === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": no user has a training item after the first, so there are no neighbours`,
      { path: 'dataset' },
    );
  }
  const starts = new Uint32Array(users.length);
  const lengths = new Uint16Array(users.length);
  for (const query of users.keys()) {
    const { start, end } = inputOf(part, protocol, query);
    lengths[query] = Math.min(end - start, protocol.maximumLength);
    starts[query] = end - lengths[query]!;
  }
  return { part, protocol, rows, places: prefixPlaces(dataset, range, rows), queries: { items, starts, lengths } };
}

/** Where what is known of a user begins and ends in the dataset's items. */
function inputOf(part: HeldOut, { testInput }: PrefixProtocol, query: number): { start: number; end: number } {
  const { dataset, trainEnd } = part.split;
  const user = part.users[query]!;
  const end = testInput === 'without-validation-item' ? trainEnd[user]! : part.ends[query]!;
  return { start: dataset.offsets[user]!, end };
}

export interface PrefixSearch {
  kernel: Omit<PatternKernelOptions, 'maximumLength'>;
  /** Rows kept for each query. */
  count: number;
  threads: number;
  cancellation: Cancellation;
  /** Called now and then with the queries done and all that there are. */
  progress?: (done: number, all: number) => void;
}

/** The nearest prefixes of every user by a kernel. */
export function nearestPrefixes(
  { rows, queries, protocol }: PrefixEvaluation,
  { kernel, count, threads, cancellation, progress }: PrefixSearch,
): Promise<SearchOutcome> {
  const all = queries.starts.length;
  let next = 0;
  return nearestRowSearch(rows, queries, {
    kernel: patternKernel({ ...kernel, maximumLength: protocol.maximumLength }),
    count,
    threads,
    betweenQueries(done) {
      cancellation.throwIfCancelled();
      if (done < next) return;
      next = done + all / 50;
      progress?.(done, all);
    },
  });
}

export interface PrefixVotes {
  /** Neighbours that vote; null for as many as each cut-off. */
  neighbours: number | null;
  votes: VoteOptions;
  candidates: RankedCandidates;
  cancellation: Cancellation;
}

/** The numbers of neighbours that vote, each once. */
export function votingCounts({ neighbours, candidates }: Pick<PrefixVotes, 'neighbours' | 'candidates'>): number[] {
  return [...new Set(neighbours === null ? candidates.cutoffs : [neighbours])];
}

/** For each cut-off, the ranking of all items for each user, from the votes of its nearest prefixes. */
export function prefixRankings(
  evaluation: PrefixEvaluation,
  nearest: NearestSequences,
  options: PrefixVotes,
): CutoffRanking[] {
  const ranked = new Map(
    votingCounts(options).map((k) => [k, rankTargets(evaluation, { nearest, k }, options)] as const),
  );
  return options.candidates.cutoffs.map((cutoff) => ({ cutoff, ranked: ranked.get(options.neighbours ?? cutoff)! }));
}

function rankTargets(
  { part, protocol, places }: PrefixEvaluation,
  { nearest, k }: { nearest: NearestSequences; k: number },
  { votes: options, candidates, cancellation }: PrefixVotes,
): RankedUsers {
  const { split, users } = part;
  const { items, itemCount } = split.dataset;
  const { rows, values, count } = nearest;
  const votes = new NeighbourVotes(itemCount);
  const longest = Math.max(...candidates.cutoffs);
  const listLength = options.prediction === 'weighted-y' ? Math.min(k, longest) : longest;
  const ranked = emptyRankedUsers(users.length, listLength);
  const targets = firstTargets(part);
  for (const [query, user] of users.entries()) {
    if (query % 256 === 0) cancellation.throwIfCancelled();
    const { start, end } = inputOf(part, protocol, query);
    const target = targets[query]!;
    const neighbours = {
      rows: rows.subarray(query * count, query * count + k),
      values: values.subarray(query * count, query * count + k),
    };
    const history = items.subarray(Math.max(start, end - protocol.maximumLength), end);
    const scores = votes.score(places, { history, neighbours }, options);
    // what counts as seen: the training part, or all that is known of a user, also beyond what the kernel sees
    const seen = candidates.seenItems === 'training' ? trainingItems(split, user) : items.subarray(start, end);
    const excluded = candidates.excludeSeen ? seen : [];
    setPlace(ranked, query, sparseTargetPlace(scores, target, { excluded, itemCount }));
    const list = ranked.lists.subarray(query * listLength, (query + 1) * listLength);
    sparseList(scores, target, { excluded, list });
  }
  return ranked;
}
