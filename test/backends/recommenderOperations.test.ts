import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { sparseProduct } from '#workers/math/sparse/sparseProduct.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { composedFullSoftmax } from '#workers/tensor/operations/composedFullSoftmax.ts';
import { embeddingLookup } from '#workers/tensor/operations/embeddingLookup.ts';
import { fullSoftmaxCrossEntropy } from '#workers/tensor/operations/fullSoftmaxCrossEntropy.ts';
import { composedGru, gru } from '#workers/tensor/operations/gru.ts';
import { composedLstm, lstm } from '#workers/tensor/operations/lstm.ts';
import { composedSparseDenseProduct, sparseDenseProduct } from '#workers/tensor/operations/sparseDenseProduct.ts';
import { sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import { squaredNorms } from '#workers/tensor/operations/squaredNorms.ts';
import { sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { TEST_BACKENDS } from './backends.ts';
import { LOSS_CASES } from './lossCases.ts';
import { errorOf, forwardError, gradientErrors, type OperationCase } from './operationCase.ts';
import { plain } from './plainTensor.ts';
import { RECURRENT_CASES } from './recurrentCases.ts';

const FAMILIES: readonly { family: string; cases: readonly OperationCase[] }[] = [
  { family: 'recurrent layers', cases: RECURRENT_CASES },
  { family: 'embeddings and losses', cases: LOSS_CASES },
];

function beyond(operation: OperationCase, tolerance: number, errors: number[]): string[] {
  const allowed = tolerance * Math.sqrt(operation.terms ?? 1);
  return errors.flatMap((error) => (error <= allowed ? [] : [`${operation.name}: error ${error}`]));
}

/** Values and gradients of `compute` at `inputs`, one after the other. */
function valuesAndGradients(inputs: tf.Tensor[], compute: (...given: tf.Tensor[]) => tf.Tensor): Float32Array[] {
  return tf.tidy(() => {
    const weights = tf.range(1, compute(...inputs).size + 1);
    const loss = (...given: tf.Tensor[]) => tf.mean(tf.mul(tf.reshape(compute(...given), [-1]), weights));
    const gradients = tf.grads(loss)(inputs);
    return [compute(...inputs), ...gradients].map((tensor) => tensor.dataSync<'float32'>().slice());
  });
}

describe.each(TEST_BACKENDS)('on $label', ({ tolerance, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let tensors = 0;
  const generator = randomGenerator(3, 'recommender operations');
  const drawn = (shape: number[]): tf.Tensor => {
    const size = shape.reduce((product, extent) => product * extent, 1);
    return tf.tensor(
      Float32Array.from({ length: size }, () => generator.nextFloat() - 0.5),
      shape,
    );
  };
  const closeTo = (fused: Float32Array[], composed: Float32Array[]) => {
    for (const [index, values] of fused.entries()) {
      const truth = { ...plain([values.length], () => 0), values: Float64Array.from(composed[index]!) };
      expect(errorOf([values.length], values, truth)).toBeLessThan(1e-5);
    }
  };

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  beforeEach(() => {
    tensors = tf.memory().numTensors;
  });
  afterEach(() => {
    expect(tf.memory().numTensors).toBe(tensors);
  });

  test.each(FAMILIES)('$family equal their reference implementations', ({ cases }) => {
    expect(cases.flatMap((operation) => beyond(operation, tolerance, [forwardError(operation)]))).toEqual([]);
  });

  test.each(FAMILIES)('gradients of $family equal differences of their reference implementations', ({ cases }) => {
    expect(cases.flatMap((operation) => beyond(operation, 4 * tolerance, gradientErrors(operation)))).toEqual([]);
  });

  test.each([
    ['more often than there are rows', 7, 40],
    ['seldom', 40, 7],
  ] as const)('squared norms of rows that are met %s are those of the looked up rows', (_, rows, met) => {
    const table = drawn([rows, 5]) as tf.Tensor2D;
    const ids = Int32Array.from({ length: met }, (__, at) => (at * at) % rows);
    const found = valuesAndGradients([table], (given) => squaredNorms(given as tf.Tensor2D, ids));
    const looked = valuesAndGradients([table], (given) =>
      tf.sum(tf.square(embeddingLookup(given as tf.Tensor2D, ids))),
    );
    closeTo(found, looked);
    table.dispose();
  });

  test.each([
    ['of all items alike', () => 0],
    ['that grow from item to item', (item: number) => item / 20],
    ['that fall from item to item', (item: number) => -item / 20],
  ])('a softmax over several blocks of positions and items equals its composed form, of scores %s', (_, level) => {
    const [positions, items] = [301, 1100];
    const levels = tf.tensor1d(Float32Array.from({ length: items }, (_item, item) => level(item)));
    const inputs = [drawn([positions, 24]), drawn([items, 24]), tf.tidy(() => tf.add(drawn([items]), levels))];
    const targets = Int32Array.from({ length: positions }, (_position, at) => (at * 13) % items);
    const [fused, composed] = [fullSoftmaxCrossEntropy, composedFullSoftmax].map((compute) => {
      const lossOf = (hidden: tf.Tensor, table: tf.Tensor, bias: tf.Tensor) =>
        compute({
          hidden: hidden as tf.Tensor2D,
          table: table as tf.Tensor2D,
          bias: bias as tf.Tensor1D,
          targets,
        });
      const [hidden, table, bias] = inputs;
      const loss = tf.tidy(() => lossOf(hidden!, table!, bias!).dataSync<'float32'>().slice());
      return [loss, ...valuesAndGradients(inputs, lossOf)];
    });
    closeTo(fused!, composed!);
    tf.dispose([...inputs, levels]);
  });

  test.each([
    ['gru', 3, gru, composedGru],
    ['lstm', 4, lstm, composedLstm],
  ] as const)('%s over many sequences equals its composed form', (_, blocks, layer, composedLayer) => {
    const layout = sequenceLayout(Array.from({ length: 61 }, (_entry, s) => 1 + ((s * 7) % 19)));
    const inputs = [drawn([layout.tokens, 10]), drawn([10, 20 * blocks]), drawn([20, 20 * blocks])];
    const [fused, composed] = [layer, composedLayer].map((compute) =>
      valuesAndGradients(inputs, (x, inputWeight, hiddenWeight) =>
        compute(x as tf.Tensor2D, layout, {
          inputWeight: inputWeight as tf.Tensor2D,
          hiddenWeight: hiddenWeight as tf.Tensor2D,
        }),
      ),
    );
    closeTo(fused!, composed!);
    tf.dispose(inputs);
  });

  test('a sparse product and its gradient equal the plain ones', () => {
    // Of three rows the second is empty, and the last column has no entry.
    const matrix: SparseMatrix = {
      rowCount: 3,
      columnCount: 4,
      offsets: Uint32Array.of(0, 2, 2, 5),
      columns: Uint32Array.of(0, 2, 0, 1, 2),
      values: Float64Array.of(0.5, -2, 3, 0.25, 1),
    };
    const sparse = sparseTensor(matrix);
    const [x, upstream] = [drawn([4, 21]), drawn([3, 21])];
    const doubles = (tensor: tf.Tensor) => Float64Array.from(tensor.dataSync());
    const values = sparseProduct(matrix, doubles(x), 21);
    const gradient = sparseProduct(transposeSparse(matrix), doubles(upstream), 21);
    for (const compute of [sparseDenseProduct, composedSparseDenseProduct]) {
      tf.tidy(() => {
        const result = compute(sparse, x as tf.Tensor2D);
        expect(errorOf(result.shape, result.dataSync(), { shape: [3, 21], values })).toBeLessThan(1e-6);
        const slope = tf.grad((given) => tf.sum(tf.mul(compute(sparse, given as tf.Tensor2D), upstream)))(x);
        expect(errorOf(slope.shape, slope.dataSync(), { shape: [4, 21], values: gradient })).toBeLessThan(1e-6);
      });
    }
    sparse.dispose();
    tf.dispose([x, upstream]);
  });

  test('a second computation gives the same bits', () => {
    const inputs = [drawn([200, 16]), drawn([500, 16])];
    const targets = Int32Array.from({ length: 200 }, (_, at) => (at * 13) % 500);
    const compute = () =>
      valuesAndGradients(inputs, (hidden, table) =>
        fullSoftmaxCrossEntropy({ hidden: hidden as tf.Tensor2D, table: table as tf.Tensor2D, targets }),
      );
    expect(compute()).toEqual(compute());
    tf.dispose(inputs);
  });

  test('a row that the table lacks is refused', () => {
    const table = drawn([4, 3]) as tf.Tensor2D;
    expect(() => embeddingLookup(table, Int32Array.of(0, 4))).toThrow(
      'row number 4 at place 1; the table has rows 0 to 3',
    );
    expect(() => embeddingLookup(table, Int32Array.of(0, -1))).toThrow('row number -1 at place 1');
    expect(() => embeddingLookup(table, Int32Array.of(0, -2), { blanks: true })).toThrow('row number -2 at place 1');
    table.dispose();
  });
});
