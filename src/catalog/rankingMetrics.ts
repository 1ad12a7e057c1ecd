import type { MetricDirection } from './kind.ts';

export interface MetricInfo {
  /** Which way it is better; null where neither is. */
  direction: MetricDirection | null;
  description: string;
  /** Where it comes from; null where it is everybody's. */
  source: string | null;
}

const SET_SOURCE = 'C. D. Manning, P. Raghavan, H. Schütze. Introduction to information retrieval. 2008, Chapter 8.';

/** Metrics of the first N places of a user's ranking, by name; `workers/evaluation/metrics` has their formulas. */
export const RANKING_METRICS = {
  mrr: {
    direction: 'higher',
    description: '1 / rank of the first hit, 0 without one among N, as a mean over users.',
    source: 'E. M. Voorhees. The TREC-8 question answering track report. 1999.',
  },
  ndcg: {
    direction: 'higher',
    description:
      'Gains 1 / log2(rank + 1) of the hits among N, over those of the best list there could be, as a mean over users.',
    source: 'K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. ACM TOIS 2002.',
  },
  hr: { direction: 'higher', description: 'Share of the users with a hit among N.', source: null },
  precision: { direction: 'higher', description: 'Hits / N, as a mean over users.', source: SET_SOURCE },
  recall: { direction: 'higher', description: 'Hits / true items, as a mean over users.', source: SET_SOURCE },
  f1: {
    direction: 'higher',
    description: 'Harmonic mean of precision and recall of a user, as a mean over users.',
    source: SET_SOURCE,
  },
  map: {
    direction: 'higher',
    description:
      'Precision at the rank of each hit, summed, over the hits that a list of N could have, as a mean over users.',
    source: SET_SOURCE,
  },
} as const satisfies Record<string, MetricInfo>;

export type RankingMetricName = keyof typeof RANKING_METRICS;

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

export type ListMetricName = keyof typeof LIST_METRICS;
