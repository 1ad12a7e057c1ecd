/** Rankings of many users, each with one target: what all ranking metrics are made of. */
export interface RankedUsers {
  /** (users) 1-based rank of the target, ties to the lowest item; 0 where it was never ranked. */
  ranks: Int32Array;
  /** (users) Its rank if all ties were broken in its favour. */
  bestRanks: Int32Array;
  /** (users) Its rank if all ties were broken against it. */
  worstRanks: Int32Array;
  /** Places kept of each list. */
  listLength: number;
  /** (users, listLength) Items recommended, best first; -1 where there are fewer. */
  lists: Int32Array;
}

export function emptyRankedUsers(userCount: number, listLength: number): RankedUsers {
  return {
    ranks: new Int32Array(userCount),
    bestRanks: new Int32Array(userCount),
    worstRanks: new Int32Array(userCount),
    listLength,
    lists: new Int32Array(userCount * listLength).fill(-1),
  };
}

/** Where a target stands, and where it could stand if ties were broken otherwise. */
export interface TargetPlace {
  /** 1-based, ties to the lowest item. */
  rank: number;
  best: number;
  worst: number;
}

export function setPlace(ranked: RankedUsers, user: number, place: TargetPlace): void {
  ranked.ranks[user] = place.rank;
  ranked.bestRanks[user] = place.best;
  ranked.worstRanks[user] = place.worst;
}

/**
 * Share of users whose target ties across the cut-off: in the list with ties broken in its favour, out of it with ties
 * broken against it. For them the tie rule alone decides whether there is a hit. NaN of no users.
 */
export function tieShare({ bestRanks, worstRanks }: RankedUsers, cutoff: number): number {
  let ties = 0;
  for (let user = 0; user < bestRanks.length; user++) {
    if (bestRanks[user]! > 0 && bestRanks[user]! <= cutoff && worstRanks[user]! > cutoff) ties++;
  }
  return ties / bestRanks.length;
}
