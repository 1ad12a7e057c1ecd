import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { binaryCrossEntropy } from '../tensor/operations/binaryCrossEntropy.ts';
import type { Dropout } from '../tensor/operations/dropout.ts';
import { fullSoftmaxCrossEntropy } from '../tensor/operations/fullSoftmaxCrossEntropy.ts';
import { lastRows, type SequenceLayout, sequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';

/** Sequences of items, packed. */
export interface SequenceInput {
  /** (tokens) */
  readonly items: Int32Array;
  readonly layout: SequenceLayout;
  /** Rows of the tokens after which something is predicted, in order; null for all. */
  readonly rows: Int32Array | null;
}

/** One logical batch of a network that predicts the next item. */
export interface SequenceBatch extends SequenceInput {
  /** (positions) The item that came. */
  readonly targets: Int32Array;
  /** (positions × k) Sampled items that did not come, k for each position; empty for the loss over all items. */
  readonly negatives: Int32Array;
}

/** Which random bits a training step draws: equal ones on every backend. */
export interface StepDraw {
  readonly seed: number;
  /** Steps before this one. */
  readonly step: number;
}

/** A network that turns each prefix of a sequence into a state in the space of the items. */
export interface SequenceNetwork {
  /** All that is trained, by name. Whoever made the network disposes them. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  /** [items, d] The score of an item is its row times the state. */
  readonly items: tf.Variable<tf.Rank.R2>;
  /**
   * Names of the parameters that begin with a row for each item and may be smoothed over a graph of items; `items` alone where
   * nothing is said.
   */
  readonly embeddings?: readonly string[];
  /** Sequences are cut to their last items, this many. */
  readonly maximumLength: number;
  /** [items, d] The rows that score, where they are not the embeddings themselves; a new tensor, differentiable. */
  table?(): tf.Tensor2D;
  /** [positions, d] The states after the tokens asked for; without a draw nothing is dropped. */
  states(input: SequenceInput, draw: StepDraw | null): tf.Tensor2D;
  /** What ranks, with what can be computed once for all histories; the same as `states` without a draw where there is none. */
  prepared?(): { states(input: SequenceInput): tf.Tensor2D; dispose(): void };
}

/** A network that ranks items for histories by products, however it was trained. */
export interface RankingNetwork {
  /** All that is trained, by name. Whoever made the network disposes them. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  /** [items, d] The item embeddings that a run leaves. */
  readonly items: tf.Variable<tf.Rank.R2>;
  /** Names of the parameters that begin with a row for each item and may be smoothed over a graph of items. */
  readonly embeddings: readonly string[];
  /** Histories are cut to their last items, this many. */
  readonly maximumLength: number;
  /** [items, D] The score of an item is its row times the query, up to what all items have in common; a new tensor. */
  itemRows(): tf.Tensor2D;
  /** [histories, D] What the rows are multiplied by; no history may be empty. */
  queries(histories: readonly Uint32Array[]): tf.Tensor2D;
}

/** A network that predicts the next item ranks by the products of its last state with the item embeddings. */
export function rankingOf(network: SequenceNetwork | RankingNetwork): RankingNetwork {
  if ('queries' in network) return network;
  const { parameters, items, maximumLength } = network;
  return {
    parameters,
    items,
    embeddings: network.embeddings ?? ['items'],
    maximumLength,
    itemRows: () => network.table?.() ?? tf.clone(items),
    queries: (histories) => network.states(packHistories(histories, maximumLength), null),
  };
}

export type SequenceLoss = 'bce' | 'bpr' | 'softmax';

/** Dropout of a step at one place of the network; null where nothing is drawn or dropped. */
export function dropoutAt(site: number, rate: number, draw: StepDraw | null): Dropout | null {
  return draw === null || rate === 0 ? null : { rate, seed: draw.seed, step: draw.step, site };
}

/** Mean loss over the positions of the batch; a scalar, differentiable in the parameters. */
export function sequenceLoss(
  network: SequenceNetwork,
  batch: SequenceBatch,
  { loss, draw }: { loss: SequenceLoss; draw: StepDraw | null },
): tf.Scalar {
  const hidden = network.states(batch, draw); // (positions, d)
  return lossOfStates(hidden, network.table?.() ?? network.items, { batch, loss });
}

/** The same of states [positions, d] and the rows that score [items, d]. */
export function lossOfStates(
  hidden: tf.Tensor2D,
  table: tf.Tensor2D,
  { batch, loss }: { batch: SequenceBatch; loss: SequenceLoss },
): tf.Scalar {
  const { targets: positives, negatives } = batch;
  if (loss === 'bce') return binaryCrossEntropy({ hidden, table, positives, negatives });
  if (loss === 'bpr') return bayesianPersonalisedRanking({ hidden, table, positives, negatives });
  return fullSoftmaxCrossEntropy({ hidden, table, targets: positives });
}

/** The rows asked for, or all. */
export function rowsOf(states: tf.Tensor2D, rows: Int32Array | null): tf.Tensor2D {
  return rows === null ? states : embeddingLookup(states, rows);
}

/** Tokens computed at once by `represent`: a few milliseconds, a few megabytes. */
const TOKENS_AT_ONCE = 8192;

/**
 * (histories, D) The query of each history, row-major: the state after its last items. No history may be empty.
 * `betweenBatches` is told how many are done and may throw to stop.
 */
export async function represent(
  network: SequenceNetwork | RankingNetwork,
  histories: readonly Uint32Array[],
  betweenBatches: (done: number) => void = () => undefined,
): Promise<Float32Array> {
  const { maximumLength, queries } = rankingOf(network);
  const prepared = 'states' in network ? network.prepared?.() : undefined;
  const statesOf = (given: readonly Uint32Array[]): tf.Tensor2D =>
    prepared === undefined ? queries(given) : prepared.states(packHistories(given, maximumLength));
  const parts: Float32Array[] = [];
  try {
    for (let from = 0; from < histories.length; ) {
      betweenBatches(from);
      let to = from;
      let tokens = 0;
      while (to < histories.length && (to === from || tokens < TOKENS_AT_ONCE)) {
        tokens += Math.min(maximumLength, histories[to++]!.length);
      }
      const states = tf.tidy(() => statesOf(histories.slice(from, to))); // (to - from, D)
      parts.push(Float32Array.from(await states.data<'float32'>()));
      states.dispose();
      from = to;
    }
  } finally {
    prepared?.dispose();
  }
  return joined(parts);
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of parts) {
    result.set(part, from);
    from += part.length;
  }
  return result;
}

/** The last `maximumLength` items of each history, packed, to be represented by the state after the last. */
export function packHistories(histories: readonly Uint32Array[], maximumLength: number): SequenceInput {
  const cut = histories.map((history) => history.subarray(Math.max(0, history.length - maximumLength)));
  const layout = sequenceLayout(
    cut.map((history) => history.length),
    maximumLength,
  );
  const items = new Int32Array(layout.tokens);
  for (const [s, history] of cut.entries()) items.set(history, layout.offsets[s]!);
  return { items, layout, rows: lastRows(layout) };
}
