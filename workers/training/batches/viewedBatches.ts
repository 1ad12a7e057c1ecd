import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { ViewedBatch } from '#workers/models/cl4SRec.ts';
import { MASKED } from '#workers/models/maskedItems.ts';
import { lastRows, sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import { sequenceBatches } from './sequenceBatches.ts';
import type { BatchSource } from '../trainableNetwork.ts';

/** Which share of a sequence each way of changing it takes, rounded down. */
export interface ViewShares {
  /** η, kept: items that follow one another. */
  crop: number;
  /** γ, masked. */
  mask: number;
  /** β, shuffled: items that follow one another. */
  reorder: number;
}

interface ViewedBatchOptions {
  batchSize: number;
  maximumLength: number;
  negatives: number;
  shares: ViewShares;
}

/**
 * `sequenceBatches` of users, each with two views of its inputs, changed in two different ways (X. Xie et al., ICDE 2022, Eqs. 4 to
 * 6). Views are drawn from the stream of the negatives.
 */
export function viewedBatches(
  training: TrainingPart,
  { shares, ...options }: ViewedBatchOptions,
): BatchSource<ViewedBatch> {
  const source = sequenceBatches(training, { ...options, samples: 'positions' });
  return {
    ...source,
    *epoch(streams) {
      for (const batch of source.epoch(streams)) {
        const { items, layout } = batch;
        const views: [Int32Array[], Int32Array[]] = [[], []];
        for (let s = 0; s < layout.sequences; s++) {
          const sequence = items.subarray(layout.offsets[s], layout.offsets[s + 1]);
          for (const [side, way] of twoWays(streams.negatives).entries()) {
            views[side]!.push(CHANGES[way](sequence, shares, streams.negatives));
          }
        }
        const all = views.flat();
        const viewLayout = sequenceLayout(
          all.map(({ length }) => length),
          options.maximumLength,
        );
        const joined = new Int32Array(viewLayout.tokens);
        for (const [view, sequence] of all.entries()) joined.set(sequence, viewLayout.offsets[view]);
        yield { ...batch, views: { items: joined, layout: viewLayout, rows: lastRows(viewLayout) } };
      }
    },
  };
}

const WAYS = ['crop', 'mask', 'reorder'] as const;
type Way = (typeof WAYS)[number];

/** Two different ones, in any order. */
function twoWays(generator: RandomGenerator): [Way, Way] {
  const first = generator.nextInt(WAYS.length);
  const second = (first + 1 + generator.nextInt(WAYS.length - 1)) % WAYS.length;
  return [WAYS[first]!, WAYS[second]!];
}

type Change = (sequence: Int32Array, shares: ViewShares, generator: RandomGenerator) => Int32Array;

/** The ways to change a sequence; none makes it empty. */
export const CHANGES: Readonly<Record<Way, Change>> = {
  crop: (sequence, { crop }, generator) => {
    const length = Math.max(1, Math.floor(crop * sequence.length));
    const from = generator.nextInt(sequence.length - length + 1);
    return sequence.slice(from, from + length);
  },
  mask: (sequence, { mask }, generator) => {
    const places = Uint32Array.from(sequence, (_, place) => place);
    generator.shuffle(places);
    const masked = sequence.slice();
    for (const place of places.subarray(0, Math.floor(mask * sequence.length))) masked[place] = MASKED;
    return masked;
  },
  reorder: (sequence, { reorder }, generator) => {
    const length = Math.floor(reorder * sequence.length);
    const from = generator.nextInt(sequence.length - length + 1);
    const part = Uint32Array.from(sequence.subarray(from, from + length));
    generator.shuffle(part);
    const changed = sequence.slice();
    changed.set(part, from);
    return changed;
  },
};
