import type { MetricDirection } from './kind.ts';

export interface MetricInfo {
  /** Which way it is better; null where neither is. */
  direction: MetricDirection | null;
  description: string;
  /** Where it comes from; null where it is everybody's. */
  source: string | null;
}

/** What a list of N items says of one user. */
export interface UserHits {
  /** 1-based ranks of the user's true items among the first N places, ascending. */
  readonly ranks: ArrayLike<number>;
  /** True items of the user, at least 1; those without a rank are misses. */
  readonly truthCount: number;
  /** N */
  readonly cutoff: number;
}

/** A metric of the first N places of a user's ranking: what it means, and its formula. */
export interface RankingMetric extends MetricInfo {
  /** Its value for one user; over users it is a mean. */
  readonly ofUser: (hits: UserHits) => number;
}

const SET_SOURCE = 'C. D. Manning, P. Raghavan, H. Schütze. Introduction to information retrieval. 2008, Chapter 8.';

const precisionOf = ({ ranks, cutoff }: UserHits): number => ranks.length / cutoff;
const recallOf = ({ ranks, truthCount }: UserHits): number => ranks.length / truthCount;

/** The harmonic mean of precision and recall, 0 where both are 0. */
export function f1Score(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/** Every metric of rankings by name, in the order in which they are reported. A new one is an entry here, and nothing else. */
export const RANKING_METRICS = {
  mrr: {
    direction: 'higher',
    description: '1 / rank of the first hit, 0 without one among N, as a mean over users.',
    source: 'E. M. Voorhees. The TREC-8 question answering track report. 1999.',
    ofUser: ({ ranks }) => (ranks.length > 0 ? 1 / ranks[0]! : 0),
  },
  ndcg: {
    direction: 'higher',
    description:
      'Gains 1 / log2(rank + 1) of the hits among N, over those of the best list there could be, as a mean over users.',
    source: 'K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. ACM TOIS 2002.',
    ofUser: ({ ranks, truthCount, cutoff }) => {
      let gain = 0;
      for (let at = 0; at < ranks.length; at++) gain += 1 / Math.log2(ranks[at]! + 1);
      let ideal = 0;
      for (let rank = 1; rank <= Math.min(truthCount, cutoff); rank++) ideal += 1 / Math.log2(rank + 1);
      return gain / ideal;
    },
  },
  hr: {
    direction: 'higher',
    description: 'Share of the users with a hit among N.',
    source: null,
    ofUser: ({ ranks }) => (ranks.length > 0 ? 1 : 0),
  },
  precision: {
    direction: 'higher',
    description: 'Hits / N, as a mean over users.',
    source: SET_SOURCE,
    ofUser: precisionOf,
  },
  recall: {
    direction: 'higher',
    description: 'Hits / true items, as a mean over users.',
    source: SET_SOURCE,
    ofUser: recallOf,
  },
  f1: {
    direction: 'higher',
    description: 'Harmonic mean of precision and recall of a user, as a mean over users.',
    source: SET_SOURCE,
    ofUser: (hits) => f1Score(precisionOf(hits), recallOf(hits)),
  },
  map: {
    direction: 'higher',
    description:
      'Precision at the rank of each hit, summed, over the hits that a list of N could have, as a mean over users.',
    source: SET_SOURCE,
    ofUser: ({ ranks, truthCount, cutoff }) => {
      let precisions = 0;
      for (let at = 0; at < ranks.length; at++) precisions += (at + 1) / ranks[at]!;
      return precisions / Math.min(truthCount, cutoff);
    },
  },
} as const satisfies Record<string, RankingMetric>;

export type RankingMetricName = keyof typeof RANKING_METRICS;

/** Names of the metrics of rankings, in that order. */
export const RANKING_METRIC_NAMES = Object.keys(RANKING_METRICS) as RankingMetricName[];

/** What validations of a recommender tell. */
export const VALIDATED_METRICS = ['mrr', 'ndcg', 'hr', 'f1'] as const satisfies readonly RankingMetricName[];

/** Epochs are compared by their NDCG of so many places, which validations tell whatever the cut-offs. */
export const VALIDATION_CUTOFF = 10;

/** Qualities of the recommended lists other than being right, by name. */
export const LIST_METRICS = {
  coverage: {
    direction: 'higher',
    description: 'Share of all items that are in at least one list of N.',
    source: null,
  },
  novelty: {
    direction: 'higher',
    description: 'Mean self-information of the recommended items, -log2(users with the item / users), in bits.',
    source: 'T. Zhou et al. Solving the apparent diversity-accuracy dilemma of recommender systems. PNAS 2010.',
  },
  'popularity-bias': {
    direction: null,
    description:
      'Mean popularity of the lists over that of what their users chose, minus 1; 0 is unbiased, and neither way is better.',
    source: 'H. Abdollahpouri et al. The unfairness of popularity bias in recommendation. RMSE 2019.',
  },
  gini: {
    direction: null,
    description: 'Gini coefficient of how often each item is recommended: 0 for all alike, near 1 for a few only.',
    source: null,
  },
} as const satisfies Record<string, MetricInfo>;
