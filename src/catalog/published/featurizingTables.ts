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

/** Configurations of Table A.1, in the order of its columns: window (#ws) and negatives (#ns). */
const SENTIMENT_COLUMNS = [
  [3, 3],
  [3, 4],
  [4, 3],
  [4, 4],
] as const;

const SENTIMENT_BY_DIMENSION: Readonly<Record<number, Record<'h' | 'phi-d', readonly PrintedScore[]>>> = {
  16: {
    h: [score(74.87, 1.98), score(75.52, 1.96), score(76.02, 1.96), score(75.79, 1.97)],
    'phi-d': [score(76.65, 0.24), score(77.34, 0.22), score(77.95, 0.22), score(77.5, 0.23)],
  },
  32: {
    h: [score(76.64, 2.01), score(78.23, 1.98), score(79.33, 1.75), score(78.87, 1.82)],
    'phi-d': [score(78.26, 0.23), score(80.07, 0.21), score(81.05, 0.2), score(80.79, 0.21)],
  },
  64: {
    h: [score(76.35, 2.14), score(78.31, 2.16), score(78.48, 2.14), score(78.22, 2.09)],
    'phi-d': [score(78.49, 0.24), score(80.56, 0.24), score(80.86, 0.21), score(80.32, 0.22)],
  },
};

/**
 * Featurizing Pretrained Representations, Table A.1 as printed, and the accuracy with jointly trained word vectors that its text
 * gives: IMDB, 50,000 reviews. Null for what it does not print.
 */
export function featurizingTableA1(
  row: FeaturizingRow | 'joint',
  { dimension, window, negatives }: { dimension: number; window: number; negatives: number },
): PrintedScore | null {
  if (row === 'joint') return score(86.25, 0.12);
  const column = SENTIMENT_COLUMNS.findIndex(([own, other]) => own === window && other === negatives);
  if (column === -1 || (row !== 'h' && row !== 'phi-d')) return null;
  return SENTIMENT_BY_DIMENSION[dimension]?.[row][column] ?? null;
}
