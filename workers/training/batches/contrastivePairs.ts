import { AliasTable } from '#workers/math/random/aliasTable.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { BatchSource, RandomStreams } from '../trainableNetwork.ts';

/** Pairs of items that came near each other, and items drawn against each. */
export interface ContrastiveBatch {
  /** (pairs) The item whose input vector predicts. */
  sources: Int32Array;
  /** (pairs) The item that came. */
  targets: Int32Array;
  /** (pairs × negatives), by pair. */
  negatives: Int32Array;
}

export interface ContrastiveCorpus {
  offsets: Uint32Array;
  tokens: Uint32Array;
  words: number;
}

export interface ContrastiveOptions {
  window: number;
  shrinkWindow: boolean;
  negatives: number;
  negativePower: number;
  batchSize: number;
}

/**
 * Batches of all pairs within the window, in both directions, sentences in a new order each epoch; negatives are drawn in
 * proportion to count^power (a draw of the target itself is drawn again, a hundred times at most). The last batch is smaller.
 */
export function contrastivePairs(
  corpus: ContrastiveCorpus,
  options: ContrastiveOptions,
): BatchSource<ContrastiveBatch> {
  const { offsets, tokens, words } = corpus;
  const counts = new Float64Array(words);
  for (const token of tokens) counts[token]!++;
  const table = new AliasTable(counts.map((count) => Math.sign(count) * count ** options.negativePower));
  let pairs = 0;
  for (let s = 0; s + 1 < offsets.length; s++) {
    const length = offsets[s + 1]! - offsets[s]!;
    // the mean of windows drawn from 1 to w is taken for their number
    const window = options.shrinkWindow ? (1 + options.window) / 2 : options.window;
    const reach = Math.min(window, length - 1);
    pairs += Math.max(0, 2 * reach * length - reach * (reach + 1));
  }
  return {
    batchesPerEpoch: Math.max(1, Math.ceil(pairs / options.batchSize)),
    epoch: (streams) => drawBatches(corpus, options, { table, streams }),
    sizeOf: ({ sources }) => ({ positions: sources.length, tokens: sources.length }),
  };
}

function* drawBatches(
  { offsets, tokens }: ContrastiveCorpus,
  { window, shrinkWindow, negatives, batchSize }: ContrastiveOptions,
  { table, streams }: { table: AliasTable; streams: RandomStreams },
): Generator<ContrastiveBatch> {
  const order = Uint32Array.from({ length: offsets.length - 1 }, (_, sentence) => sentence);
  streams.order.shuffle(order);
  let [sources, targets]: [number[], number[]] = [[], []];
  const finish = (): ContrastiveBatch => {
    const drawn = new Int32Array(targets.length * negatives);
    for (let at = 0; at < drawn.length; at++) {
      drawn[at] = drawOther(table, targets[Math.floor(at / negatives)]!, streams.negatives);
    }
    const batch = { sources: Int32Array.from(sources), targets: Int32Array.from(targets), negatives: drawn };
    [sources, targets] = [[], []];
    return batch;
  };
  for (const sentence of order) {
    const [start, end] = [offsets[sentence]!, offsets[sentence + 1]!];
    for (let place = start; place < end; place++) {
      const reach = shrinkWindow ? 1 + streams.order.nextInt(window) : window;
      const last = Math.min(end - 1, place + reach);
      for (let other = Math.max(start, place - reach); other <= last; other++) {
        if (other === place) continue;
        sources.push(tokens[other]!);
        targets.push(tokens[place]!);
        if (sources.length === batchSize) yield finish();
      }
    }
  }
  if (sources.length > 0) yield finish();
}

function drawOther(table: AliasTable, target: number, generator: RandomGenerator): number {
  for (let trial = 0; trial < 100; trial++) {
    const drawn = table.draw(generator);
    if (drawn !== target) return drawn;
  }
  return target;
}
