import { type LeaveOneOut, testHistory } from '../../data/leaveOneOut.ts';
import { trainingItems } from '../../data/trainingPart.ts';
import { embeddingRanking } from '../../evaluation/embeddingRanking.ts';
import type { RankedUsers } from '../../evaluation/rankedUsers.ts';
import { type RankingNetwork, rankingOf, represent, type SequenceNetwork } from '../../models/sequenceNetwork.ts';
import { tf } from '../../tensor/tf.ts';
import type { ExperimentContext } from '../experiment.ts';
import { type Candidates, seenItemsOf } from './leaveOneOutRanking.ts';

type Context = Pick<ExperimentContext<Candidates>, 'parameters' | 'threads' | 'cancellation'>;

/** What is ranked by which network, and how many of the best items are listed for each user. */
export interface NetworkRanking {
  split: LeaveOneOut;
  network: SequenceNetwork | RankingNetwork;
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

/** Ranks all items for each query by the products of their rows with what the network makes of its history. */
async function rank(
  context: Context,
  network: SequenceNetwork | RankingNetwork,
  queries: Queries,
): Promise<RankedUsers> {
  const { cancellation, threads } = context;
  const { histories, targets, excluded, listLength } = queries;
  const betweenQueries = (): void => cancellation.throwIfCancelled();
  const users = await represent(network, histories, betweenQueries); // (queries, D)
  const table = tf.tidy(() => rankingOf(network).itemRows()); // (items, D)
  const items = Float32Array.from(await table.data<'float32'>());
  const model = { users, items, dimension: table.shape[1] };
  table.dispose();
  const rows = Uint32Array.from(histories.keys());
  return embeddingRanking(model, { users: rows, targets, excluded, listLength, betweenQueries }, threads);
}
