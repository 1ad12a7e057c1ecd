import { badInput } from '#src/base/contracts/errors.ts';
import { rowShares } from '#workers/wasm/linearAlgebra/rowShares.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { embeddingLookup } from './embeddingLookup.ts';
import { expectShape } from './expectShape.ts';
import { heapIntegers, heapTensor } from './heapTensor.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** Which sources each target attends to: rows that follow one another. Targets and sources of a group have nothing to do with others. */
export interface Spans {
  /** (targets) */
  readonly firsts: Int32Array;
  /** (targets + 1) Where the pairs of each target begin; its span has as many sources, at least one. */
  readonly offsets: Int32Array;
  /** (groups + 1) The first target of each group. */
  readonly targetGroups: Int32Array;
  /** (groups + 1) The first source of each group. */
  readonly sourceGroups: Int32Array;
}

export interface SpanAttention {
  readonly spans: Spans;
  /** [targets, d] */
  readonly query: tf.Tensor2D;
  /** [sources, d] */
  readonly key: tf.Tensor2D;
  /** [d, 1] */
  readonly vector: tf.Tensor2D;
  /** [sources, D] */
  readonly values: tf.Tensor2D;
}

/** Spans from the first source and one past the last of each target. */
export function spansOf(
  firsts: Int32Array,
  ends: Int32Array,
  groups: Pick<Spans, 'targetGroups' | 'sourceGroups'>,
): Spans {
  const offsets = new Int32Array(firsts.length + 1);
  for (const [target, first] of firsts.entries()) offsets[target + 1] = offsets[target]! + ends[target]! - first;
  return { firsts, offsets, ...groups };
}

/**
 * [targets, D] Additive attention: the sum of each target's span of values, by the softmax of vectorᵀ σ(query + key) over the span
 * (LESSR's shortcut graphs, T. Chen and R. C.-W. Wong, KDD 2020, Eqs. 7 to 9). Differentiable in all four; nothing of pairs × d is made
 * on wasm, where each group is computed in its order, whatever the number of threads. Throws BAD_INPUT for shapes that do not fit.
 */
export function spanAttention(attention: SpanAttention): tf.Tensor2D {
  const { spans, query, key, vector, values } = attention;
  const d = query.shape[1];
  expectShape('spanAttention', 'query', query, [spans.firsts.length, null]);
  expectShape('spanAttention', 'key', key, [spans.sourceGroups.at(-1)!, d]);
  expectShape('spanAttention', 'vector', vector, [d, 1]);
  expectShape('spanAttention', 'values', values, [key.shape[0], null]);
  for (let target = 0; target < spans.firsts.length; target++) {
    if (spans.offsets[target + 1]! <= spans.offsets[target]!)
      throw badInput(`spanAttention: target ${target} attends to nothing; expected one source or more`, 'spans');
  }
  const backend = wasmBackendInUse();
  return backend ? fused(backend, attention) : composedSpanAttention(attention);
}

/** The reference implementation of `spanAttention`, out of tfjs operations; it makes matrices (pairs, d). */
export function composedSpanAttention({ spans, query, key, vector, values }: SpanAttention): tf.Tensor2D {
  const { firsts, offsets } = spans;
  const targets = new Int32Array(offsets.at(-1)!);
  const sources = new Int32Array(targets.length);
  for (const [target, first] of firsts.entries()) {
    for (let at = offsets[target]!; at < offsets[target + 1]!; at++) {
      targets[at] = target;
      sources[at] = first + at - offsets[target]!;
    }
  }
  const gates = tf.sigmoid(tf.add(embeddingLookup(query, targets), embeddingLookup(key, sources)));
  const scores: tf.Tensor2D = tf.matMul(gates as tf.Tensor2D, vector); // (pairs, 1), at most the norm of the vector each
  const grown: tf.Tensor2D = tf.exp(tf.sub(scores, tf.max(scores)));
  const sumOf = (terms: tf.Tensor2D): tf.Tensor2D =>
    differentiable<tf.Tensor2D>([terms], () => ({
      value: tf.scatterND(tf.tensor2d(targets, [targets.length, 1], 'int32'), terms, [firsts.length, terms.shape[1]]),
      gradient: (upstream) => [embeddingLookup(upstream as tf.Tensor2D, targets)],
    }));
  return tf.div(sumOf(tf.mul(grown, embeddingLookup(values, sources))), sumOf(grown));
}

function fused(backend: WasmBackend, { spans, query, key, vector, values }: SpanAttention): tf.Tensor2D {
  const { firsts, offsets, targetGroups, sourceGroups } = spans;
  const [targets, columns] = query.shape;
  const [sources, width] = values.shape;
  const groups = targetGroups.length - 1;
  const pairs = offsets.at(-1)!;
  const pairGroups = Uint32Array.from(targetGroups, (target) => offsets[target]!);
  const walk = () => ({
    shares: heapIntegers(backend, Int32Array.from(rowShares(pairGroups, backend.kernels.lanes))),
    targetGroups: heapIntegers(backend, targetGroups),
    firsts: heapIntegers(backend, firsts),
    offsets: heapIntegers(backend, offsets),
  });
  return differentiable<tf.Tensor2D>([query, key, vector, values], (save) => {
    const y = heapTensor<tf.Tensor2D>(backend, [targets, width]);
    const weights = heapTensor<tf.Tensor1D>(backend, [pairs]);
    const operands = backend.addressesOf({ query, key, vector, values });
    const places = { weights: weights.address, y: y.address };
    backend.kernels.run('spanAttentionForward', { ...walk(), ...operands, ...places, columns, width });
    save([query, key, vector, values, weights.tensor]);
    return {
      value: y.tensor,
      gradient: (upstream, [q, k, v, x, kept]) => {
        const gradients = {
          query: heapTensor<tf.Tensor2D>(backend, [targets, columns]),
          key: heapTensor<tf.Tensor2D>(backend, [sources, columns]),
          vector: heapTensor<tf.Tensor2D>(backend, [groups, columns]),
          values: heapTensor<tf.Tensor2D>(backend, [sources, width]),
        };
        const scratch = heapTensor<tf.Tensor1D>(backend, [pairs]);
        backend.kernels.run('spanAttentionBackward', {
          ...walk(),
          sourceGroups: heapIntegers(backend, sourceGroups),
          ...backend.addressesOf({ query: q!, key: k!, vector: v!, values: x!, weights: kept!, upstream }),
          scratch: scratch.address,
          queryGradient: gradients.query.address,
          keyGradient: gradients.key.address,
          vectorGradient: gradients.vector.address,
          valueGradient: gradients.values.address,
          columns,
          width,
        });
        const forVector = tf.reshape(tf.sum(gradients.vector.tensor, 0), [columns, 1]);
        return [gradients.query.tensor, gradients.key.tensor, forVector, gradients.values.tensor];
      },
    };
  });
}
