import type { MetricDirection } from './kind.ts';
import type { MetricInfo } from './rankingMetrics.ts';

const metric = (direction: MetricDirection | null, description: string, source: string | null = null): MetricInfo => ({
  direction,
  description,
  source,
});

const SEVERAL = 'as a mean over pretrainings';

/** Metrics that are no rankings, by the last part of their name, without a cut-off. A new one is an entry here. */
export const VALUE_METRICS: Readonly<Record<string, MetricInfo>> = {
  // training
  loss: metric('lower', 'What training lowers, as a mean over what was trained on.'),
  loss_left: metric('lower', 'The loss after the last step over that before the first.'),
  bce: metric('lower', 'Binary cross-entropy.'),
  perplexity: metric('lower', 'e to the mean cross-entropy of a token.'),
  'cross-entropy': metric('lower', 'Mean of -log of the probability of what came.'),
  nll: metric('lower', 'Mean of -log of the likelihood of what came.'),
  throughput: metric('higher', 'Tokens a second.'),
  drift: metric('lower', 'How far the tangent kernel moves in training, over its norm at the start.'),
  // classification
  accuracy: metric('higher', 'Share of samples whose class was predicted.'),
  'test-accuracy': metric('higher', 'Accuracy on the test part.'),
  'valid-accuracy': metric('higher', 'Accuracy on held-out parts of the training data.'),
  acc: metric('higher', 'Accuracy, as other programs call it.'),
  'macro-f1': metric('higher', 'F1 of each class, averaged.'),
  auc: metric('higher', 'Area under the receiver operating characteristic.'),
  auroc: metric('higher', 'Area under the receiver operating characteristic.'),
  // regression
  snr: metric(
    'higher',
    'Signal-to-noise ratio of predictions, 10 log10(sum y² / sum (y - ŷ)²), in decibels.',
    'RNTK, Section 4',
  ),
  rmse: metric('lower', 'Root of the mean squared error, in the unit of the targets.'),
  mse: metric('lower', 'Mean squared error.'),
  mae: metric('lower', 'Mean absolute error.'),
  mape: metric('lower', 'Mean absolute error over the true value.'),
  r2: metric('higher', 'Share of the variance that is explained.'),
  // rankings by several, and lists of other programs
  pma: metric('higher', 'Share of the greatest accuracy on a dataset, as a mean over datasets.', 'RNTK, Table 1'),
  'friedman-rank': metric('lower', 'Mean rank of a method over datasets; 1 is the best everywhere.', 'RNTK, Table 1'),
  'sampled-recall': metric('higher', 'Recall among drawn candidates.'),
  'sampled-ndcg': metric('higher', 'NDCG among drawn candidates.'),
  'mean-recall': metric('higher', `Recall, ${SEVERAL}.`),
  'mean-ndcg': metric('higher', `NDCG, ${SEVERAL}.`),
  'mean-sampled-recall': metric('higher', `Recall among drawn candidates, ${SEVERAL}.`),
  'mean-sampled-ndcg': metric('higher', `NDCG among drawn candidates, ${SEVERAL}.`),
  'mean-accuracy': metric('higher', `Accuracy, ${SEVERAL}.`),
  'mean-macro-f1': metric('higher', `Macro F1, ${SEVERAL}.`),
  // embeddings
  purity: metric('higher', 'Share of the nearest neighbors of an item that have its label.'),
  'map-purity': metric('higher', 'The same in the map.'),
  residual: metric('lower', '‖A x - λ x‖ of an eigenvector.'),
  aligned_difference: metric(
    'lower',
    'How far an embedding moves when an edge is added, after alignment.',
    'LEPORID, Figure 2',
  ),
  norm_difference: metric(
    'lower',
    'How much the norm of an embedding changes when an edge is added.',
    'LEPORID, Figure 2',
  ),
  raw_difference: metric('lower', 'How far an embedding moves when an edge is added.', 'LEPORID, Figure 2'),
  // kernels and features
  error: metric('lower', 'Distance from what it approximates.'),
  'error-as-printed': metric('lower', 'The same by the formula as it is printed.'),
  'difference-over-ball': metric('lower', 'Greatest distance of two functions over a ball.'),
  'lasso-error': metric('lower', 'Distance of the coefficients that lasso finds from the true ones.'),
  'support-error': metric('lower', 'How far the support that lasso finds is from the true one.'),
  'sampling-error': metric('lower', 'Distance of random features from their expectation.'),
  flatness: metric('higher', 'How even the sensitivity of a kernel is over time.'),
  'broken-share': metric('lower', 'Share of draws in which a bound did not hold.'),
};

/** Families: all metrics whose names have this part. */
export const METRIC_FAMILIES: Readonly<Record<string, MetricInfo>> = {
  time: metric('lower', 'Seconds of a phase.'),
  'time-ratio': metric('lower', 'Seconds of a phase with what is tried, over those without.'),
  latency: metric('lower', 'Seconds until an answer.'),
  flatness: metric('higher', 'How even sensitivity is over time, by parameter and value.'),
};
