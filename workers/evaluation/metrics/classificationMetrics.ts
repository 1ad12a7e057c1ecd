import { badInput } from '#src/base/contracts/errors.ts';

export interface ClassificationMetrics {
  /** Share of samples whose class was predicted. */
  accuracy: number;
  /** F1 of each class that is true or predicted somewhere, averaged; 0 for one without a hit. */
  macroF1: number;
}

/** Metrics of predicted against true classes (samples). Throws BAD_INPUT for no samples, or as many of each not given. */
export function classificationMetrics(predicted: ArrayLike<number>, truth: ArrayLike<number>): ClassificationMetrics {
  if (predicted.length !== truth.length || truth.length === 0) {
    throw badInput(`expected as many predictions as classes, and some: got ${predicted.length} and ${truth.length}`);
  }
  const classes = new Map<number, { hits: number; predicted: number; actual: number }>();
  const countsOf = (label: number) => {
    const counts = classes.get(label) ?? { hits: 0, predicted: 0, actual: 0 };
    classes.set(label, counts);
    return counts;
  };
  let hits = 0;
  for (let sample = 0; sample < truth.length; sample++) {
    countsOf(predicted[sample]!).predicted++;
    countsOf(truth[sample]!).actual++;
    if (predicted[sample] !== truth[sample]) continue;
    countsOf(truth[sample]!).hits++;
    hits++;
  }
  let f1 = 0;
  for (const counts of classes.values()) f1 += (2 * counts.hits) / (counts.predicted + counts.actual);
  return { accuracy: hits / truth.length, macroF1: f1 / classes.size };
}
