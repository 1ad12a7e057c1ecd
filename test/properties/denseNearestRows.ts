import { BestRows } from '#workers/kernels/neighbours/bestRows.ts';
import type { ItemSequences, PrefixRange } from '#workers/kernels/neighbours/neighbourRows.ts';
import {
  emptyNearestSequences,
  type NearestSequences,
  type Queries,
} from '#workers/kernels/neighbours/nearestSequences.ts';
import { recurrentKernelPair } from '#workers/kernels/recurrent/recurrentKernelPair.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { itemSequencePair } from '#workers/kernels/recurrent/sequencePair.ts';

/**
 * The slow reference implementation of `sparseNearestRows`: the kernel of every pair of query and prefix, from its sequences, with no use of
 * what pairs have in common. O(queries rows M); for tests and benchmarks.
 */
export function denseNearestRows(
  sequences: ItemSequences,
  queries: Queries,
  options: {
    range: PrefixRange;
    network: RecurrentKernelParameters;
    kernel: 'rntk' | 'nngp';
    maximumLength: number;
    count: number;
  },
): NearestSequences {
  const inputs = prefixes(sequences, options.range, options.maximumLength);
  const nearest = emptyNearestSequences(queries.starts.length, options.count);
  const best = new BestRows(options.count);
  for (let query = 0; query < queries.starts.length; query++) {
    const start = queries.starts[query]!;
    const input = queries.items.subarray(start, start + queries.lengths[query]!);
    best.clear();
    for (let row = 0; row < inputs.length; row++) {
      best.offer(
        row,
        recurrentKernelPair(options.network, itemSequencePair(input, inputs[row]!))[THETA_OR_K[options.kernel]],
      );
    }
    nearest.rows.set(best.rows.subarray(0, best.size), query * options.count);
    nearest.values.set(best.values.subarray(0, best.size), query * options.count);
  }
  return nearest;
}

const THETA_OR_K = { rntk: 'theta', nngp: 'nngp' } as const;

function prefixes(sequences: ItemSequences, range: PrefixRange, maximumLength: number): Uint32Array[] {
  const inputs: Uint32Array[] = [];
  for (let u = 0; u + 1 < sequences.offsets.length; u++) {
    const start = sequences.offsets[u]!;
    const { first, last } = range(sequences.offsets[u + 1]! - start, u);
    for (let q = first; q <= last; q++) {
      inputs.push(sequences.items.subarray(start + Math.max(0, q - maximumLength), start + q));
    }
  }
  return inputs;
}
