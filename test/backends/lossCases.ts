import {
  bayesianPersonalisedRanking,
  composedBayesianPersonalisedRanking,
} from '#workers/tensor/operations/bayesianPersonalisedRanking.ts';
import { binaryCrossEntropy, composedBinaryCrossEntropy } from '#workers/tensor/operations/binaryCrossEntropy.ts';
import { composedFullSoftmax } from '#workers/tensor/operations/composedFullSoftmax.ts';
import {
  composedBlankLookup,
  composedEmbeddingLookup,
  embeddingLookup,
} from '#workers/tensor/operations/embeddingLookup.ts';
import type { FullSoftmax } from '#workers/tensor/operations/fullSoftmax.ts';
import { fullSoftmaxCrossEntropy } from '#workers/tensor/operations/fullSoftmaxCrossEntropy.ts';
import { composedGatheredLinear, gatheredLinear } from '#workers/tensor/operations/gatheredLinear.ts';
import type { SampledLoss } from '#workers/tensor/operations/sampledLoss.ts';
import type { tf } from '#workers/tensor/tf.ts';
import type { OperationCase } from './operationCase.ts';
import { type PlainTensor, plain } from './plainTensor.ts';

/** Numbers that repeat, and do not come in order. */
function someIds(count: number, items: number): Int32Array {
  return Int32Array.from({ length: count }, (_, at) => (at * at * 7 + 3 * at) % items);
}

function lookupCase(rows: number, columns: number, compute: typeof embeddingLookup): OperationCase {
  const ids = someIds(2 * rows + 1, rows);
  return {
    name: `${compute.name} [${rows}, ${columns}]`,
    shapes: [[rows, columns]],
    terms: 4,
    compute: (table) => compute(table as tf.Tensor2D, ids),
    reference: (table) => {
      let at = 0;
      return plain([ids.length, columns], () => {
        const place = at++;
        return table!.values[ids[Math.floor(place / columns)]! * columns + (place % columns)]!;
      });
    },
  };
}

/** Row `ids[at]` of the table, zeros where that is -1: what stands in column `column`. */
function rowOrBlank(table: PlainTensor, id: number, column: number): number {
  return id < 0 ? 0 : table.values[id * table.shape[1]! + column]!;
}

function blankLookupCase(compute: typeof composedBlankLookup): OperationCase {
  const ids = Int32Array.of(3, -1, 0, 3, -1, 6, 2);
  return {
    name: `${compute.name} with blanks`,
    shapes: [[7, 5]],
    terms: 4,
    compute: (table) => compute(table as tf.Tensor2D, ids),
    reference: (table) => plain([ids.length, 5], ([row, column]) => rowOrBlank(table!, ids[row!]!, column!)),
  };
}

/** A layer of `rows` rows, each of which sees three of `known`, some of them blank. */
function gatheredCase(
  [known, channels, rows, out]: readonly [number, number, number, number],
  { rectified, compute }: { rectified: boolean; compute: typeof gatheredLinear },
): OperationCase {
  const ids = someIds(3 * rows, known + 1).map((id) => id - 1);
  return {
    name: `${compute.name} [${known}, ${channels}] to [${rows}, ${out}]${rectified ? ' rectified' : ''}`,
    shapes: [[known, channels], [3 * channels, out], [out]],
    terms: 3 * channels,
    compute: (x, weight, bias) =>
      compute({
        ...{ x: x as tf.Tensor2D, weight: weight as tf.Tensor2D, bias: bias as tf.Tensor1D },
        ...{ ids, taps: 3, rectified },
      }),
    reference: (x, weight, bias) =>
      plain([rows, out], ([row, column]) => {
        let sum = bias!.values[column!]!;
        for (let inner = 0; inner < 3 * channels; inner++) {
          const seen = rowOrBlank(x!, ids[3 * row! + Math.floor(inner / channels)]!, inner % channels);
          sum += seen * weight!.values[inner * out + column!]!;
        }
        return rectified ? Math.max(sum, 0) : sum;
      }),
  };
}

const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** The dot product of a state and an item. */
function score(hidden: PlainTensor, table: PlainTensor, position: number, item: number): number {
  const columns = hidden.shape[1]!;
  let sum = 0;
  for (let c = 0; c < columns; c++) {
    sum += hidden.values[position * columns + c]! * table.values[item * columns + c]!;
  }
  return sum;
}

interface SampledCase {
  sizes: readonly [positions: number, items: number, columns: number, each: number];
  normaliser?: number;
  pairwise: boolean;
  compute(loss: SampledLoss): tf.Scalar;
}

function sampledCase({ sizes, normaliser, pairwise, compute }: SampledCase): OperationCase {
  const [positions, items, columns, each] = sizes;
  const positives = someIds(positions, items);
  const negatives = someIds(positions * each + 1, items).subarray(1);
  return {
    name: `${compute.name} [${sizes}]${normaliser === undefined ? '' : ` over ${normaliser}`}`,
    shapes: [
      [positions, columns],
      [items, columns],
    ],
    terms: columns,
    compute: (hidden, table) =>
      compute({ hidden: hidden as tf.Tensor2D, table: table as tf.Tensor2D, positives, negatives, normaliser }),
    reference: (hidden, table) => {
      let sum = 0;
      for (let i = 0; i < positions; i++) {
        const own = score(hidden!, table!, i, positives[i]!);
        if (!pairwise) sum += softplus(-own);
        for (let k = 0; k < each; k++) {
          const other = score(hidden!, table!, i, negatives[i * each + k]!);
          sum += softplus(pairwise ? other - own : other) / each;
        }
      }
      return plain([], () => sum / (normaliser ?? positions));
    },
  };
}

interface SoftmaxCase {
  sizes: readonly [positions: number, items: number, columns: number];
  weighted?: boolean;
  compute(softmax: FullSoftmax): tf.Scalar;
}

function softmaxCase({ sizes, weighted = false, compute }: SoftmaxCase): OperationCase {
  const [positions, items, columns] = sizes;
  const targets = someIds(positions, items);
  const weights = weighted ? Float32Array.from(targets, (_, at) => (at % 3) / 2) : undefined;
  const normaliser = weighted ? 2.5 : undefined;
  return {
    name: `${compute.name} [${sizes}]${weighted ? ' weighted, with bias' : ''}`,
    shapes: [[positions, columns], [items, columns], ...(weighted ? [[items]] : [])],
    terms: columns,
    compute: (hidden, table, bias) =>
      compute({
        hidden: hidden as tf.Tensor2D,
        table: table as tf.Tensor2D,
        bias: bias as tf.Tensor1D | undefined,
        targets,
        weights,
        normaliser,
      }),
    reference: (hidden, table, bias) => {
      let sum = 0;
      for (let i = 0; i < positions; i++) {
        const scores = Array.from(
          { length: items },
          (_, item) => score(hidden!, table!, i, item) + (bias?.values[item] ?? 0),
        );
        const greatest = Math.max(...scores);
        const logSum = greatest + Math.log(scores.reduce((total, value) => total + Math.exp(value - greatest), 0));
        sum += (weights?.[i] ?? 1) * (logSum - scores[targets[i]!]!);
      }
      return plain([], () => sum / (normaliser ?? positions));
    },
  };
}

/** In blocks of a few positions. */
function composedInBlocks(softmax: FullSoftmax): tf.Scalar {
  return composedFullSoftmax(softmax, 3 * softmax.table.shape[0] + 1);
}

export const LOSS_CASES: readonly OperationCase[] = [
  lookupCase(1, 1, embeddingLookup),
  lookupCase(7, 5, embeddingLookup),
  lookupCase(40, 64, embeddingLookup),
  lookupCase(7, 5, composedEmbeddingLookup),
  blankLookupCase(function embeddingLookupOf(table, ids) {
    return embeddingLookup(table, ids, { blanks: true });
  }),
  blankLookupCase(composedBlankLookup),
  gatheredCase([5, 4, 3, 6], { rectified: false, compute: gatheredLinear }),
  gatheredCase([40, 8, 21, 33], { rectified: true, compute: gatheredLinear }),
  gatheredCase([5, 4, 3, 1], { rectified: true, compute: composedGatheredLinear }),
  sampledCase({ sizes: [1, 1, 1, 1], pairwise: false, compute: binaryCrossEntropy }),
  sampledCase({ sizes: [37, 11, 7, 3], pairwise: false, normaliser: 50, compute: binaryCrossEntropy }),
  sampledCase({ sizes: [9, 11, 16, 1], pairwise: false, compute: composedBinaryCrossEntropy }),
  sampledCase({ sizes: [1, 2, 3, 2], pairwise: true, compute: bayesianPersonalisedRanking }),
  sampledCase({ sizes: [37, 11, 7, 1], pairwise: true, normaliser: 50, compute: bayesianPersonalisedRanking }),
  sampledCase({ sizes: [9, 11, 16, 2], pairwise: true, compute: composedBayesianPersonalisedRanking }),
  softmaxCase({ sizes: [3, 530, 2], weighted: true, compute: fullSoftmaxCrossEntropy }), // more items than are made at once
  softmaxCase({ sizes: [1, 1, 1], compute: fullSoftmaxCrossEntropy }),
  softmaxCase({ sizes: [10, 23, 7], compute: fullSoftmaxCrossEntropy }),
  softmaxCase({ sizes: [9, 37, 12], weighted: true, compute: fullSoftmaxCrossEntropy }),
  softmaxCase({ sizes: [7, 5, 3], weighted: true, compute: composedInBlocks }),
];
