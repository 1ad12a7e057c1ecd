import { BAYESIAN_PERSONALISED_RANKING } from '#workers/wasm/fields/sampledLossFields.ts';
import { tf } from '../tf.ts';
import { fusedSampledLoss } from './fusedSampledLoss.ts';
import { checkSampledLoss, composedScores, type SampledLoss } from './sampledLoss.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Bayesian personalised ranking (Rendle et al. 2009) without its penalty, which is the optimizer's: the sum over positions of
 * the mean over its negatives of -log σ(s⁺ - s⁻), over the normaliser. A scalar, differentiable in `hidden` and `table`.
 */
export function bayesianPersonalisedRanking(loss: SampledLoss): tf.Scalar {
  checkSampledLoss('bayesianPersonalisedRanking', loss);
  if (wasmBackendInUse()) return fusedSampledLoss(loss, BAYESIAN_PERSONALISED_RANKING);
  return composedBayesianPersonalisedRanking(loss);
}

/** The reference implementation of `bayesianPersonalisedRanking`, out of tfjs operations. */
export function composedBayesianPersonalisedRanking(loss: SampledLoss): tf.Scalar {
  return tf.tidy(() => {
    const { positive, negative } = composedScores(loss);
    const [positions, each] = negative.shape;
    const sum = tf.sum(tf.softplus(tf.sub(negative, positive)));
    return tf.div(sum, each * (loss.normaliser ?? positions)) as tf.Scalar;
  });
}
