import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';

/** An input of an operation under test. */
export interface Operand {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface ValueAndGradients {
  readonly value: number[];
  readonly gradients: number[][];
}

/** Standard normal numbers, always the same for a name. */
export function normalOperand(name: string, shape: readonly number[]): Operand {
  const generator = randomGenerator(7, name);
  const size = shape.reduce((product, extent) => product * extent, 1);
  return { shape, values: Float32Array.from({ length: size }, () => generator.normal()) };
}

/** What the loss of a test is the sum of: every output times one of these. */
export function outputWeight(index: number): number {
  return Math.sin(1 + index * 0.7) + 0.3;
}

/** Value of `operation` and gradients of Σ outputWeight · output, on the backend in use. Checks that nothing leaks. */
export function valueAndGradients(
  operands: readonly Operand[],
  operation: (inputs: tf.Tensor[]) => tf.Tensor,
): ValueAndGradients {
  const before = tf.memory().numTensors;
  const inputs = operands.map(({ values, shape }) => tf.tensor(values, [...shape]));
  const output = tf.tidy(() => operation(inputs));
  const weights = tf.tensor(
    Float32Array.from({ length: output.size }, (_, i) => outputWeight(i)),
    output.shape,
  );
  const found = tf.grads((...given: tf.Tensor[]) => operation(given))(inputs, weights);
  const result = {
    value: [...output.dataSync()],
    gradients: found.map((gradient) => [...gradient.dataSync()]),
  };
  tf.dispose([inputs, output, weights, found]);
  const after = tf.memory().numTensors;
  if (after !== before) throw new Error(`${after - before} tensors leaked`);
  return result;
}

/** Central differences of Σ outputWeight · output of a float64 reference implementation, at the operands. */
export function finiteDifferences(
  operands: readonly Operand[],
  reference: (inputs: Float64Array[]) => ArrayLike<number>,
): number[][] {
  const inputs = operands.map(({ values }) => Float64Array.from(values));
  const loss = () => Array.from(reference(inputs)).reduce((sum, output, i) => sum + output * outputWeight(i), 0);
  const step = 1e-5;
  return inputs.map((input) =>
    Array.from(input, (kept, i) => {
      input[i] = kept + step;
      const above = loss();
      input[i] = kept - step;
      const below = loss();
      input[i] = kept;
      return (above - below) / (2 * step);
    }),
  );
}

/** Greatest difference, in units of the greatest magnitude expected (at least 1). */
export function worstDifference(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  let [difference, magnitude] = [0, 1];
  for (let i = 0; i < found.length; i++) {
    const gap = Math.abs(found[i]! - expected[i]!);
    if (!(gap <= difference)) difference = Number.isNaN(gap) ? Number.POSITIVE_INFINITY : gap;
    magnitude = Math.max(magnitude, Math.abs(expected[i]!));
  }
  return difference / magnitude;
}

/** Greatest of `worstDifference` over the value and all gradients. */
export function worstOfAll(found: ValueAndGradients, expected: ValueAndGradients): number {
  return Math.max(
    worstDifference(found.value, expected.value),
    ...found.gradients.map((gradient, i) => worstDifference(gradient, expected.gradients[i] ?? [])),
  );
}
