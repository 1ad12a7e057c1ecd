import type { RankedUsers } from './rankedUsers.ts';

/** What the lists of all users are held against. */
export interface ListFacts {
  /** (items) How many users trained with each item. */
  popularity: Uint32Array;
  /** Users with a training part. */
  userCount: number;
  /** (users) Mean popularity of the items that each ranked user trained with; NaN of a user without any. */
  profilePopularity: Float64Array;
}

/** Qualities of recommendations other than being right. All are NaN where nothing was recommended. */
export interface ListMetrics {
  /** Share of all items that are in at least one list. */
  coverage: number;
  /**
   * Mean self-information of the recommended items, -log2(users with the item / users), in bits: Zhou et al. 2010, PNAS 107,
   * 4511. An item that nobody trained with counts as if one user had.
   */
  novelty: number;
  /**
   * How much more popular recommendations are than what their users chose: mean popularity of lists over that of profiles,
   * minus 1, averaged over users first (GAP of Abdollahpouri et al. 2019). 0 is unbiased.
   */
  popularityBias: number;
  /** Gini coefficient of how often each item is recommended, over all items: 0 for all alike, near 1 for a few only. */
  gini: number;
  /** Share of the places in the lists that hold a recommendation. */
  filled: number;
}

/** Metrics of the first `cutoff` places of each list. */
export function listMetrics(
  ranked: Pick<RankedUsers, 'listLength' | 'lists'>,
  cutoff: number,
  facts: ListFacts,
): ListMetrics {
  const { popularity, userCount, profilePopularity } = facts;
  const users = ranked.lists.length / ranked.listLength;
  const places = Math.min(cutoff, ranked.listLength);
  const recommended = new Uint32Array(popularity.length);
  let count = 0;
  let information = 0;
  let listed = 0;
  let profiled = 0;
  for (let user = 0; user < users; user++) {
    let size = 0;
    let sum = 0;
    for (let place = 0; place < places; place++) {
      const item = ranked.lists[user * ranked.listLength + place]!;
      if (item < 0) break;
      size++;
      sum += popularity[item]!;
      recommended[item]!++;
      information -= Math.log2(Math.max(popularity[item]!, 1) / userCount);
    }
    count += size;
    const profile = profilePopularity[user]!;
    if (size === 0 || Number.isNaN(profile)) continue;
    listed += sum / size;
    profiled += profile;
  }
  const covered = recommended.reduce((items, times) => items + (times > 0 ? 1 : 0), 0);
  const nothing = count === 0;
  return {
    coverage: nothing ? Number.NaN : covered / popularity.length,
    novelty: information / count,
    popularityBias: listed / profiled - 1,
    gini: giniCoefficient(recommended),
    filled: count / (users * cutoff),
  };
}

/**
 * Gini coefficient of amounts that are 0 or more: 0 where all are equal, (n - 1) / n where one has everything. Of sorted
 * amounts x_1 <= … <= x_n it is sum_i (2 i - n - 1) x_i / (n sum_i x_i). NaN where there is nothing to share out.
 */
export function giniCoefficient(amounts: ArrayLike<number>): number {
  const sorted = Float64Array.from(amounts).sort();
  let weighted = 0;
  let total = 0;
  for (let index = 0; index < sorted.length; index++) {
    weighted += (2 * index + 1 - sorted.length) * sorted[index]!;
    total += sorted[index]!;
  }
  return weighted / (sorted.length * total);
}
