import { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';
import { composedDropout, type Dropout, droppedOnWasm, drops, kernelParameters } from './dropout.ts';
import { expectElements, expectShape } from './expectShape.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** x + dropout(y), as at the end of a residual branch. x and y of one shape; null drops nothing. */
export function residualDropout<Shaped extends tf.Tensor>(x: Shaped, y: Shaped, drop: Dropout | null): Shaped {
  expectShape('residualDropout', 'y', y, x.shape);
  expectElements('residualDropout', 'x', x);
  if (!drops(drop)) return tf.add(x, y);
  const backend = wasmBackendInUse();
  if (!backend) return composedResidualDropout(x, y, drop);
  return differentiable<Shaped>([x, y], () => {
    const to = backend.allocate(x.shape, 'float32');
    const operands = { ...backend.addressesOf({ x, y, to: to.info }), count: x.size };
    backend.compute(2 * x.size, 'residualDropout', { ...operands, ...kernelParameters(drop) });
    return {
      value: tf.engine().makeTensorFromTensorInfo(to.info),
      gradient: (upstream) => [tf.clone(upstream), droppedOnWasm(backend, upstream, drop)],
    };
  });
}

/** The reference implementation of `residualDropout`, out of tfjs operations. */
export function composedResidualDropout<Shaped extends tf.Tensor>(x: Shaped, y: Shaped, drop: Dropout | null): Shaped {
  return tf.tidy(() => tf.add(x, composedDropout(y, drop)));
}
