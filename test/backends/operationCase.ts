import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type PlainTensor, plain, plainSize } from './plainTensor.ts';

/** An operation on float inputs, and its reference implementation in doubles. */
export interface OperationCase {
  name: string;
  shapes: readonly (readonly number[])[];
  /** Inputs are drawn evenly from here; -2 to 2 unless told. */
  range?: readonly [number, number];
  compute(...inputs: tf.Tensor[]): tf.Tensor;
  reference(...inputs: PlainTensor[]): PlainTensor;
  /** Products or sums that one result is made of: its error grows with the root. */
  terms?: number;
  /** Whether tfjs has a right gradient; true unless told. */
  isDifferentiable?: boolean;
}

export function randomInputs({ name, shapes, range: [low, high] = [-2, 2] }: OperationCase): PlainTensor[] {
  const generator: RandomGenerator = randomGenerator(5, name);
  return shapes.map((shape) => plain(shape, () => Math.fround(low + (high - low) * generator.nextFloat())));
}

export function toTensor({ shape, values }: PlainTensor): tf.Tensor {
  return tf.tensor(Float32Array.from(values), [...shape]);
}

/** The greatest difference, relative to the greatest true value or 1; infinite where shapes or NaNs differ. */
export function errorOf(shape: readonly number[], values: ArrayLike<number>, truth: PlainTensor): number {
  if (shape.join() !== truth.shape.join() || values.length !== truth.values.length) return Number.POSITIVE_INFINITY;
  let worst = 0;
  let scale = 1;
  for (const [index, wanted] of truth.values.entries()) {
    const got = values[index]!;
    if (Object.is(got, wanted) || (Number.isNaN(got) && Number.isNaN(wanted))) continue;
    const difference = Math.abs(got - wanted);
    if (!(difference <= worst)) worst = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
    if (Number.isFinite(wanted)) scale = Math.max(scale, Math.abs(wanted));
  }
  return worst / scale;
}

const truths = new WeakMap<OperationCase, PlainTensor>();
const slopes = new WeakMap<OperationCase, PlainTensor[]>();

/** What `make` gave for the operation, made once for all backends. */
function remembered<Value>(known: WeakMap<OperationCase, Value>, operation: OperationCase, make: () => Value): Value {
  const value = known.get(operation) ?? make();
  known.set(operation, value);
  return value;
}

/** The operation's error on the backend in use. */
export function forwardError(operation: OperationCase): number {
  const inputs = randomInputs(operation);
  const truth = remembered(truths, operation, () => operation.reference(...inputs));
  return tf.tidy(() => {
    const result = operation.compute(...inputs.map(toTensor));
    return errorOf(result.shape, result.dataSync(), truth);
  });
}

/** The error of each input's gradient, of a weighted sum of the results, held against differences of the reference implementation. */
export function gradientErrors(operation: OperationCase): number[] {
  const inputs = randomInputs(operation);
  const result = operation.reference(...inputs);
  const generator = randomGenerator(6, operation.name);
  const weights = plain(result.shape, () => Math.fround(generator.nextFloat() - 0.5));
  const lossOf = (given: PlainTensor[]) =>
    operation.reference(...given).values.reduce((sum, value, index) => sum + value * weights.values[index]!, 0);
  const truth = remembered(slopes, operation, () => inputs.map((_, which) => differences(lossOf, inputs, which)));
  return tf.tidy(() => {
    const weighted = toTensor(weights);
    const loss = (...x: tf.Tensor[]) => tf.sum(tf.mul(operation.compute(...x), weighted));
    const gradients = tf.grads(loss)(inputs.map(toTensor));
    return gradients.map((gradient, which) => errorOf(gradient.shape, gradient.dataSync(), truth[which]!));
  });
}

/** Central differences of `loss` by each element of one input. */
function differences(loss: (inputs: PlainTensor[]) => number, inputs: PlainTensor[], which: number): PlainTensor {
  const step = 1e-5;
  const { shape, values } = inputs[which]!;
  const result = new Float64Array(plainSize(shape));
  for (const index of result.keys()) {
    const [above, below] = [step, -step].map((moved) => {
      const changed = values.slice();
      changed[index]! += moved;
      return loss(inputs.with(which, { shape, values: changed }));
    }) as [number, number];
    result[index] = (above - below) / (2 * step);
  }
  return { shape, values: result };
}
