/** Representations of Featurizing, Table 1, in the order of its rows; d is 32 there. */
export const FEATURIZING_ROWS = ['h', 'avg-h', 'phi-d', 'phi-2d'] as const;
export type FeaturizingRow = (typeof FEATURIZING_ROWS)[number];

/** A printed mean and, where there is one, the standard deviation over ten runs, in percent. */
export interface PrintedScore {
  mean: number;
  standardDeviation: number | null;
}

function score(mean: number, standardDeviation: number | null = null): PrintedScore {
  return { mean, standardDeviation };
}

/**
 * Featurizing Pretrained Representations, Table 1 as printed: ML-1M, task 1 (genre) and task 2 (next film). Its A/B tests of an
 * unnamed company cannot be repeated and are left out.
 */
export const FEATURIZING_TABLE_1: Readonly<
  Record<FeaturizingRow, { accuracy: PrintedScore; macroF1: PrintedScore; recall5: PrintedScore; ndcg5: PrintedScore }>
> = {
  h: {
    accuracy: score(64.82, 2.83),
    macroF1: score(44.79, 2.21),
    recall5: score(66.55, 3.03),
    ndcg5: score(33.96, 1.83),
  },
  'avg-h': { accuracy: score(68.72), macroF1: score(59.04), recall5: score(68.98), ndcg5: score(35.02) },
  'phi-d': {
    accuracy: score(68.64, 0.27),
    macroF1: score(58.91, 0.25),
    recall5: score(68.9, 0.33),
    ndcg5: score(34.97, 0.17),
  },
  'phi-2d': {
    accuracy: score(85.77, 0.19),
    macroF1: score(90.46, 0.21),
    recall5: score(71.3, 0.27),
    ndcg5: score(37.48, 0.15),
  },
};
