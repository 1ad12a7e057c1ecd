import type { NamedParameters } from '#workers/wasm/calls/kernels.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { kernelParameters } from './dropout.ts';
import { scratchBytes } from './fusedAttention.ts';
import type { GaussianAttention } from './gaussianAttention.ts';
import { heapTensor } from './heapTensor.ts';

/** `wassersteinAttention` by kernels that walk the packed sequences, each lane a run of whole ones. */
export function fusedWassersteinAttention(backend: WasmBackend, attention: GaussianAttention): tf.Tensor2D {
  const { query, key, value, layout, heads } = attention;
  return differentiable<tf.Tensor2D>([query, key, value], (save) => {
    const to = heapTensor<tf.Tensor2D>(backend, query.shape);
    const denominators = heapTensor<tf.Tensor2D>(backend, [layout.tokens, heads]);
    const offsets = tf.tensor1d(layout.offsets, 'int32');
    const inputs = backend.addressesOf({ query, key, value });
    const outputs = { out: to.address, denominators: denominators.address };
    withJob(backend, { attention, offsets }, (job) => {
      backend.compute(cost(attention), 'wassersteinForward', { ...inputs, ...outputs, ...job });
    });
    save([query, key, value, denominators.tensor, offsets]);
    return {
      value: to.tensor,
      gradient: (upstream, saved) => gradients(backend, attention, { upstream, saved }),
    };
  });
}

/** Gradients of query, key and value; `saved` are they, the denominators and the offsets. */
function gradients(
  backend: WasmBackend,
  attention: GaussianAttention,
  { upstream, saved }: { upstream: tf.Tensor; saved: readonly tf.Tensor[] },
): tf.Tensor[] {
  const [query, key, value, denominators, offsets] = saved as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
  const results = [query, key, value].map((input) => heapTensor(backend, input.shape));
  const inputs = backend.addressesOf({ query, key, value, upstream, denominators });
  const [toQuery, toKey, toValue] = results.map(({ address }) => address) as [number, number, number];
  const outputs = { toQuery, toKey, toValue };
  const stride = Math.ceil(attention.layout.maximumLength / 8) * 8;
  backend.withScratch(backend.kernels.lanes * 4 * stride * stride, (products) => {
    withJob(backend, { attention, offsets }, (job) => {
      backend.compute(2 * cost(attention), 'wassersteinBackward', { ...inputs, ...outputs, products, ...job });
    });
  });
  return results.map(({ tensor }) => tensor);
}

type Shared = Exclude<keyof NamedParameters<'wassersteinForward'>, 'query' | 'key' | 'value' | 'out' | 'denominators'>;
/** What both kernels take: where the sequences are, scratch for every lane, sizes, and the dropout's key. */
type JobParameters = Pick<NamedParameters<'wassersteinForward'>, Shared>;

function withJob(
  backend: WasmBackend,
  { attention, offsets }: { attention: GaussianAttention; offsets: tf.Tensor },
  work: (parameters: JobParameters) => void,
): void {
  const { query, layout, heads, dropout } = attention;
  const columns = query.shape[1] / 2;
  const bytes = backend.kernels.lanes * scratchBytes(layout.maximumLength, columns / heads);
  const { sequences, paddedLength, maximumLength: longest } = layout;
  const job = { offsets: backend.addressOf(offsets), sequences, columns, heads, paddedLength, longest };
  backend.withScratch(bytes, (scratch) => work({ ...job, ...kernelParameters(dropout), scratch }));
}

/** About how many floats are added, taking sequences to be of one length. */
function cost({ query, layout }: GaussianAttention): number {
  return (query.size * layout.tokens) / layout.sequences;
}
