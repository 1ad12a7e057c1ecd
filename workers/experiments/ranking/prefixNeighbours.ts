import type { OverrecParameters } from '../../../src/catalog/kinds/overrec.ts';
import { WarrenError } from '../../../src/contracts/errors.ts';
import type { LeaveOneOut } from '../../data/leaveOneOut.ts';
import { trainingItems } from '../../data/trainingPart.ts';
import { emptyRankedUsers, type RankedUsers, setPlace } from '../../evaluation/rankedUsers.ts';
import { sparseList, sparseTargetPlace } from '../../evaluation/sparseRanking.ts';
import { type NeighbourRows, neighbourRows, type PrefixRange, prefixPlaces } from '../../kernels/neighbourRows.ts';
import { nearestRowSearch, type SearchOutcome } from '../../kernels/nearestRowSearch.ts';
import type { NearestRows, Queries } from '../../kernels/nearestRows.ts';
import { NeighbourVotes, type RowPlaces, type VoteOptions } from '../../kernels/neighbourVotes.ts';
import { patternKernel } from '../../kernels/patternKernel.ts';
import type { PatternKernelOptions } from '../../kernels/patternTables.ts';
import type { Cancellation } from '../experiment.ts';
import type { Candidates } from './leaveOneOutRanking.ts';
import type { CutoffRanking } from './reportRanking.ts';

/** Which prefixes are neighbours, what is predicted, and from what: errata 10. */
export type PrefixProtocol = Pick<OverrecParameters, 'neighbourSet' | 'evaluate' | 'testInput' | 'maximumLength'>;

/** The protocol of Table II: training prefixes are neighbours, the test input is the last M of x_1 … x_{n-1}. */
export function tableProtocol(maximumLength: number): PrefixProtocol {
  return { neighbourSet: 'training-prefixes', evaluate: 'test', testInput: 'with-validation-item', maximumLength };
}

/** Neighbours and queries of an evaluation, ready for any kernel. */
export interface PrefixEvaluation {
  split: LeaveOneOut;
  protocol: PrefixProtocol;
  rows: NeighbourRows;
  places: RowPlaces;
  queries: Queries;
}

/** Prefixes x_1 .. x_q with target x_(q+1) that are neighbours, of a user with n items; x_(n-1) is the validation item. */
const PREFIXES: Readonly<Record<PrefixProtocol['neighbourSet'], PrefixRange>> = {
  'training-prefixes': (n) => ({ first: 1, last: n - 3 }),
  'training-and-validation-prefixes': (n) => ({ first: 1, last: n - 2 }),
  'last-training-prefix': (n) => ({ first: Math.max(1, n - 3), last: n - 3 }),
};

/** Throws DATA_ERROR where there are no neighbours. */
export function openPrefixEvaluation(split: LeaveOneOut, protocol: PrefixProtocol): PrefixEvaluation {
  const { dataset, evaluatedUsers: users } = split;
  const range = PREFIXES[protocol.neighbourSet];
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
  for (const [query, user] of users.entries()) {
    const { start, inputEnd } = placesOf(split, protocol, user);
    lengths[query] = Math.min(inputEnd - start, protocol.maximumLength);
    starts[query] = inputEnd - lengths[query]!;
  }
  const queries = { items: dataset.items, starts, lengths };
  return { split, protocol, rows, places: prefixPlaces(dataset, range, rows), queries };
}

/** Where the target of a user lies, and where the input before it ends. */
function placesOf(
  { dataset }: LeaveOneOut,
  { evaluate, testInput }: PrefixProtocol,
  user: number,
): { start: number; inputEnd: number; target: number } {
  const end = dataset.offsets[user + 1]!;
  const target = evaluate === 'test' ? end - 1 : end - 2;
  const withoutValidation = evaluate === 'test' && testInput === 'without-validation-item';
  return { start: dataset.offsets[user]!, inputEnd: withoutValidation ? target - 1 : target, target };
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
  candidates: Candidates;
  cancellation: Cancellation;
}

/** The numbers of neighbours that vote, each once. */
export function votingCounts({ neighbours, candidates }: Pick<PrefixVotes, 'neighbours' | 'candidates'>): number[] {
  return [...new Set(neighbours === null ? candidates.cutoffs : [neighbours])];
}

/** For each cut-off, the ranking of all items for each user, from the votes of its nearest prefixes. */
export function prefixRankings(
  evaluation: PrefixEvaluation,
  nearest: NearestRows,
  options: PrefixVotes,
): CutoffRanking[] {
  const ranked = new Map(
    votingCounts(options).map((k) => [k, rankTargets(evaluation, { nearest, k }, options)] as const),
  );
  return options.candidates.cutoffs.map((cutoff) => ({ cutoff, ranked: ranked.get(options.neighbours ?? cutoff)! }));
}

function rankTargets(
  { split, protocol, places }: PrefixEvaluation,
  { nearest, k }: { nearest: NearestRows; k: number },
  { votes: options, candidates, cancellation }: PrefixVotes,
): RankedUsers {
  const { items, itemCount } = split.dataset;
  const { rows, values, count } = nearest;
  const votes = new NeighbourVotes(itemCount);
  const longest = Math.max(...candidates.cutoffs);
  const listLength = options.prediction === 'weighted-y' ? Math.min(k, longest) : longest;
  const ranked = emptyRankedUsers(split.evaluatedUsers.length, listLength);
  for (const [query, user] of split.evaluatedUsers.entries()) {
    if (query % 256 === 0) cancellation.throwIfCancelled();
    const { start, inputEnd, target: targetPlace } = placesOf(split, protocol, user);
    const target = items[targetPlace]!;
    const neighbours = {
      rows: rows.subarray(query * count, query * count + k),
      values: values.subarray(query * count, query * count + k),
    };
    const history = items.subarray(Math.max(start, inputEnd - protocol.maximumLength), inputEnd);
    const scores = votes.score(places, { history, neighbours }, options);
    // what counts as seen: the training part, or all that is known of a user, also beyond what the kernel sees
    const seen = candidates.seenItems === 'training' ? trainingItems(split, user) : items.subarray(start, inputEnd);
    const excluded = candidates.excludeSeen ? seen : [];
    setPlace(ranked, query, sparseTargetPlace(scores, target, { excluded, itemCount }));
    const list = ranked.lists.subarray(query * listLength, (query + 1) * listLength);
    sparseList(scores, target, { excluded, list });
  }
  return ranked;
}
