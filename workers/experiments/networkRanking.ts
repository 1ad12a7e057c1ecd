import { type LeaveOneOut, testHistory, trainingItems } from '../data/leaveOneOut.ts';
import { embeddingRanking } from '../evaluation/embeddingRanking.ts';
import type { RankedUsers } from '../evaluation/rankedUsers.ts';
import { represent, type SequenceNetwork } from '../models/sequenceNetwork.ts';
import type { ExperimentContext } from './experiment.ts';
import { type Candidates, seenItemsOf } from './leaveOneOutRanking.ts';

type Context = Pick<ExperimentContext<Candidates>, 'parameters' | 'threads' | 'cancellation'>;

/** What is ranked by which network, and how many of the best items are listed for each user. */
export interface NetworkRanking {
  split: LeaveOneOut;
  network: SequenceNetwork;
  listLength: number;
}

/** All items ranked for every evaluated user after x_1 … x_{n-2}; the target is x_{n-1}. */
export async function rankValidationItems(
  context: Context,
  { split, network, listLength }: NetworkRanking,
): Promise<RankedUsers> {
  const { evaluatedUsers, validation } = split;
  return rank(context, network, {
    histories: Array.from(evaluatedUsers, (user) => trainingItems(split, user)),
    targets: Uint32Array.from(evaluatedUsers, (user) => validation[user]!),
    excluded: context.parameters.excludeSeen ? (query) => trainingItems(split, evaluatedUsers[query]!) : null,
    listLength,
  });
}

/** All items ranked for every evaluated user after x_1 … x_{n-1}; the target is x_n. */
export async function rankTestItems(
  context: Context,
  { split, network, listLength }: NetworkRanking,
): Promise<RankedUsers> {
  const { evaluatedUsers, test } = split;
  const seenBy = seenItemsOf(split, context.parameters);
  return rank(context, network, {
    histories: Array.from(evaluatedUsers, (user) => testHistory(split, user)),
    targets: Uint32Array.from(evaluatedUsers, (user) => test[user]!),
    excluded: seenBy === null ? null : (query) => seenBy(evaluatedUsers[query]!),
    listLength,
  });
}

interface Queries {
  /** (queries) What is known of each user. */
  histories: readonly Uint32Array[];
  /** (queries) */
  targets: Uint32Array;
  excluded: ((query: number) => Uint32Array) | null;
  listLength: number;
}

/** Ranks all items for each query by their products with the state after its history. */
async function rank(context: Context, network: SequenceNetwork, queries: Queries): Promise<RankedUsers> {
  const { cancellation, threads } = context;
  const { histories, targets, excluded, listLength } = queries;
  const betweenQueries = (): void => cancellation.throwIfCancelled();
  const users = await represent(network, histories, betweenQueries); // (queries, d)
  const items = Float32Array.from(await network.items.data<'float32'>());
  const model = { users, items, dimension: network.items.shape[1] };
  const rows = Uint32Array.from(histories.keys());
  return embeddingRanking(model, { users: rows, targets, excluded, listLength, betweenQueries }, threads);
}
