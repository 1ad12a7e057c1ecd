import type { HeldOut } from './heldOut.ts';
import { PartRanking } from './partRanking.ts';
import type { RankedUsers } from './rankedUsers.ts';
import { scoreOrder } from './scoreOrder.ts';

/** How far a ranking is wanted. */
export interface RankingRequest {
  /** Best items to list for each user; 0 where only ranks of targets are asked for. */
  readonly listLength: number;
  /** Ranks beyond it need not be told apart, and may be 0: hits are counted up to here. */
  readonly cutoff: number;
}

/** A recommender that can be asked: it ranks the candidates of every user of a part. */
export interface Scorer {
  rank(part: HeldOut, request: RankingRequest): Promise<RankedUsers>;
}

/** A user of a part. */
export interface AskedUser {
  /** Its number in the dataset. */
  readonly number: number;
  readonly history: Uint32Array;
  /** Where in the dataset's items the history ends. */
  readonly end: number;
}

export interface UserScores {
  /** Writes the score of every item for a user into `scores` (items). */
  score(user: AskedUser, scores: Float64Array): void;
  /** Whether these are the same for every user, and none is NaN: then they are asked for once a part. Default false. */
  isSameForAll?: boolean | undefined;
  /** Items that do not score above it are ranked, but not recommended: 0 where a score is evidence for the item. */
  floor: number;
  /** Called before each user; may throw to stop. */
  pulse(done: number, all: number): void;
}

/** A recommender that scores all items for one user after the other. */
export function userScorer({ score, isSameForAll = false, floor, pulse }: UserScores): Scorer {
  return {
    rank: async (part, { listLength }) => {
      const { itemCount } = part.split.dataset;
      const ranking = new PartRanking(part, { listLength, itemCount, floor });
      const scores = new Float64Array(itemCount);
      const write = (index: number) =>
        score({ number: part.users[index]!, history: part.history(index), end: part.ends[index]! }, scores);
      if (isSameForAll && part.users.length > 0) write(0);
      const order = isSameForAll ? scoreOrder(scores) : null;
      for (const index of part.users.keys()) {
        pulse(index, part.users.length);
        if (order === null) {
          write(index);
          ranking.take(index, scores);
        } else {
          ranking.takeOrdered(index, order);
        }
      }
      return ranking.ranked;
    },
  };
}
