import { badInput } from '#src/base/contracts/errors.ts';
import type { tf } from '../tf.ts';

/** Refuses a tensor whose shape is not `expected` (null: any extent from 1). Throws BAD_INPUT naming operation and input. */
export function expectShape(
  operation: string,
  input: string,
  tensor: tf.Tensor,
  expected: readonly (number | null)[],
): void {
  const { shape } = tensor;
  const right =
    shape.length === expected.length &&
    expected.every((extent, axis) => (extent === null ? shape[axis]! >= 1 : shape[axis] === extent));
  if (right) return;
  const wanted = expected.map((extent) => extent ?? 'at least 1').join(', ');
  throw badInput(`${operation}: ${input} has shape [${shape.join(', ')}]; expected [${wanted}]`);
}

/** Refuses a tensor without elements. Throws BAD_INPUT. */
export function expectElements(operation: string, input: string, tensor: tf.Tensor): void {
  if (tensor.size > 0) return;
  throw badInput(`${operation}: ${input} has shape [${tensor.shape.join(', ')}]; expected at least one element`);
}
