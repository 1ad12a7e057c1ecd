import type { NamedParameters } from '#workers/wasm/calls/kernels.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import type { Attention } from './attention.ts';
import { differentiable } from './differentiable.ts';
import { kernelParameters } from './dropout.ts';

/** `causalAttention` by kernels that walk the packed sequences, each lane a run of whole ones. */
export function fusedAttention(backend: WasmBackend, attention: Attention): tf.Tensor2D {
  const { query, key, value, layout, heads, pads } = attention;
  const inputs = pads ? [query, key, value, pads.key, pads.value] : [query, key, value];
  return differentiable<tf.Tensor2D>(inputs, (save) => {
    const to = backend.allocate(query.shape, 'float32');
    const denominators = tf.engine().makeTensorFromTensorInfo(backend.allocate([layout.tokens, heads], 'float32').info);
    const offsets = tf.tensor1d(layout.offsets, 'int32');
    const addresses = backend.addressesOf({ query, key, value, out: to.info, denominators });
    withJob(backend, { attention, offsets, pads: inputs.slice(3) }, (job) => {
      backend.compute(cost(attention), 'attentionForward', { ...addresses, ...job });
    });
    save([query, key, value, denominators, offsets, ...inputs.slice(3)]);
    return {
      value: tf.engine().makeTensorFromTensorInfo(to.info),
      gradient: (upstream, saved) => gradients(backend, attention, { upstream, saved }),
    };
  });
}

interface AttentionGradient {
  readonly upstream: tf.Tensor;
  /** query, key, value, denominators, offsets, and the pads' key and value. */
  readonly saved: readonly tf.Tensor[];
}

/** Gradients of the inputs; the pads' are summed by lane, then in the order of the lanes. */
function gradients(backend: WasmBackend, attention: Attention, { upstream, saved }: AttentionGradient): tf.Tensor[] {
  const [query, key, value, denominators, offsets, ...pads] = saved as [
    tf.Tensor,
    tf.Tensor,
    tf.Tensor,
    ...tf.Tensor[],
  ];
  const results = [query, key, value].map(({ shape }) => backend.allocate(shape, 'float32'));
  const addresses = backend.addressesOf({ query, key, value, upstream, denominators: denominators! });
  const parts = tf.zeros([backend.kernels.lanes, 2, pads.length > 0 ? query.shape[1]! : 0]);
  const [toQuery, toKey, toValue] = results.map(({ address }) => address) as [number, number, number];
  const padGradients = pads.length > 0 ? backend.addressOf(parts) : 0;
  withJob(backend, { attention, offsets: offsets!, pads }, (job) => {
    const outputs = { toQuery, toKey, toValue, padGradients };
    backend.compute(2 * cost(attention), 'attentionBackward', { ...addresses, ...outputs, ...job });
  });
  const own = results.map(({ info }) => tf.engine().makeTensorFromTensorInfo(info) as tf.Tensor);
  return pads.length > 0 ? [...own, ...tf.unstack(tf.sum(parts, 0))] : own;
}

interface Job {
  readonly attention: Attention;
  readonly offsets: tf.Tensor;
  readonly pads: readonly tf.Tensor[];
}

type Shared = Exclude<keyof NamedParameters<'attentionForward'>, 'query' | 'key' | 'value' | 'out' | 'denominators'>;
/** What both kernels take: where the sequences and pads are, scratch for every lane, and sizes with the dropout's key. */
type JobParameters = Pick<NamedParameters<'attentionForward'>, Shared>;

function withJob(backend: WasmBackend, { attention, offsets, pads }: Job, work: (given: JobParameters) => void): void {
  const { query, layout, heads, causal, dropout } = attention;
  const columns = query.shape[1];
  const bytes = backend.kernels.lanes * scratchBytes(layout.maximumLength, columns / heads);
  const [padKey, padValue] = pads;
  const addressOrNone = (pad: tf.Tensor | undefined): number => (pad === undefined ? 0 : backend.addressOf(pad));
  const job = {
    offsets: backend.addressOf(offsets),
    sequences: layout.sequences,
    columns,
    heads,
    causal: causal ? 1 : 0,
    paddedLength: layout.paddedLength,
    padKey: addressOrNone(padKey),
    padValue: addressOrNone(padValue),
    longest: layout.maximumLength,
    ...kernelParameters(dropout),
  };
  backend.withScratch(bytes, (scratch) => work({ ...job, scratch }));
}

/** Scratch of a lane, as `useScratch` of workers/wasm/assembly/attentionJob.ts lays it out. */
export function scratchBytes(longest: number, width: number): number {
  const stride = Math.ceil(longest / 8) * 8;
  const wide = Math.ceil(width / 8) * 8;
  return Math.ceil((4 * (2 * stride * stride + stride * wide + 2 * stride)) / 64) * 64;
}

/** About how many floats are added, taking sequences to be of one length. */
function cost({ query, layout }: Attention): number {
  return (query.size * layout.tokens) / layout.sequences;
}
