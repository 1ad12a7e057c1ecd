import { BINARY_CROSS_ENTROPY } from '#workers/wasm/fields/sampledLossFields.ts';
import { tf } from '../tf.ts';
import { fusedSampledLoss } from './fusedSampledLoss.ts';
import { checkSampledLoss, composedScores, type SampledLoss } from './sampledLoss.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Binary cross-entropy of the item that came against sampled ones (SASRec, Kang and McAuley 2018, section III-E): the sum over
 * positions of -log σ(s⁺) - mean over its negatives of log(1 - σ(s⁻)), over the normaliser. A scalar, differentiable in
 * `hidden` and `table`.
 */
export function binaryCrossEntropy(loss: SampledLoss): tf.Scalar {
  checkSampledLoss('binaryCrossEntropy', loss);
  return wasmBackendInUse() ? fusedSampledLoss(loss, BINARY_CROSS_ENTROPY) : composedBinaryCrossEntropy(loss);
}

/** The reference implementation of `binaryCrossEntropy`, out of tfjs operations. */
export function composedBinaryCrossEntropy(loss: SampledLoss): tf.Scalar {
  return tf.tidy(() => {
    const { positive, negative } = composedScores(loss);
    const [positions, each] = negative.shape;
    const ones = tf.sum(tf.softplus(tf.neg(positive)));
    const zeros = tf.div(tf.sum(tf.softplus(negative)), each);
    return tf.div(tf.add(ones, zeros), loss.normaliser ?? positions) as tf.Scalar;
  });
}
