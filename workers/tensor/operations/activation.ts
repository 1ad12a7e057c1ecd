import {
  DEVIATION_KIND,
  ELU_KIND,
  GELU_KIND,
  GELU_TANH_KIND,
  LEAKY_KIND,
  RELU_KIND,
  VARIANCE_KIND,
} from '#workers/wasm/fields/activationFields.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { expectElements } from './expectShape.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** `gelu` is x Φ(x) with the exact normal distribution; `gelu-tanh` its approximation by tanh; see `activation`. */
export type Activation = 'relu' | 'leaky-relu' | 'gelu' | 'gelu-tanh' | 'elu' | 'variance' | 'deviation';

const KINDS: Readonly<Record<Activation, number>> = {
  relu: RELU_KIND,
  'leaky-relu': LEAKY_KIND,
  gelu: GELU_KIND,
  'gelu-tanh': GELU_TANH_KIND,
  elu: ELU_KIND,
  variance: VARIANCE_KIND,
  deviation: DEVIATION_KIND,
};

/** Cost of an element of GELU in floats added, for the choice between one thread and all. */
const GELU_COST = 4;

/**
 * Elementwise non-linearities, x of any shape. `relu`: max(x, 0), gradient 0 at 0; `leaky-relu`: max(x, x/5). `gelu`: x/2 (1 + erf(x/√2)), and
 * `gelu-tanh`: x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))) (Hendrycks and Gimpel, "Gaussian error linear units", 2016).
 * `elu`: x above 0, else eˣ - 1 (Clevert et al., 2016); `variance`: ELU(x) + 1, which is above 0, and `deviation`: its root,
 * whose slope stays finite where the variance vanishes.
 */
export function activation<Shaped extends tf.Tensor>(x: Shaped, kind: Activation): Shaped {
  expectElements('activation', 'x', x);
  const backend = wasmBackendInUse();
  if (!backend) return composedActivation(x, kind);
  return differentiable<Shaped>([x], (save) => {
    const to = backend.allocate(x.shape, 'float32');
    const cost = isCheap(kind) ? x.size : GELU_COST * x.size;
    backend.compute(cost, 'activationForward', KINDS[kind], backend.addressOf(x), to.address, x.size);
    save([x]);
    return {
      value: tf.engine().makeTensorFromTensorInfo(to.info),
      gradient: (upstream, [given]) => [activationGradient(backend, kind, given!, upstream)],
    };
  });
}

/** upstream · f'(x), on the `wasm` backend; for `relu` x may be the value just as well. */
export function activationGradient(
  backend: WasmBackend,
  kind: Activation,
  ...[x, upstream]: [x: tf.Tensor, upstream: tf.Tensor]
): tf.Tensor {
  const to = backend.allocate(x.shape, 'float32');
  const cost = isCheap(kind) ? x.size : 2 * GELU_COST * x.size;
  const addresses = [backend.addressOf(x), backend.addressOf(upstream), to.address] as const;
  backend.compute(cost, 'activationBackward', KINDS[kind], ...addresses, x.size);
  return tf.engine().makeTensorFromTensorInfo(to.info);
}

function isCheap(kind: Activation): boolean {
  return kind === 'relu' || kind === 'leaky-relu';
}

/** The reference implementation of `activation`, out of tfjs operations. */
export function composedActivation<Shaped extends tf.Tensor>(x: Shaped, kind: Activation): Shaped {
  if (kind === 'relu') return tf.relu(x);
  if (kind === 'leaky-relu') return tf.leakyRelu(x, 0.2);
  if (kind === 'elu') return tf.elu(x);
  if (kind === 'variance') return tf.tidy(() => tf.add(tf.elu(x), 1));
  if (kind === 'deviation') return tf.tidy(() => composedDeviation(x));
  return tf.tidy(() => {
    const half = tf.mul(x, 0.5);
    if (kind === 'gelu') return tf.mul(half, tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));
    const inner = tf.mul(tf.add(x, tf.mul(tf.mul(tf.square(x), x), 0.044715)), Math.sqrt(2 / Math.PI));
    return tf.mul(half, tf.add(tf.tanh(inner), 1));
  });
}

function composedDeviation<Shaped extends tf.Tensor>(x: Shaped): Shaped {
  return tf.mul(tf.sqrt(tf.add(tf.relu(x), 1)), tf.exp(tf.mul(tf.minimum(x, 0), 0.5)));
}
