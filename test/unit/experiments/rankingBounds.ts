import { expect } from 'vitest';

/** What one ranking reports of the same users. */
export interface RankingScores {
  /** Share of users whose test item is among the first `cutoff`. */
  hits: number | undefined;
  /** NDCG of one test item a user at that cut-off. */
  gain: number | undefined;
  users: number;
  cutoff: number;
}

/** Holds for every ranking with one test item a user, and for no number that was made up: hits are of whole users, gains by place. */
export function expectRankingScores({ hits, gain, users, cutoff }: RankingScores, what: string): void {
  const hitUsers = hits! * users;
  expect(hitUsers, `${what}: users who are hit`).toBeCloseTo(Math.round(hitUsers), 6);
  expect(gain, `${what}: no hit is worth more than the first place`).toBeLessThanOrEqual(hits! + 1e-9);
  expect(gain, `${what}: or less than the last`).toBeGreaterThanOrEqual(hits! / Math.log2(cutoff + 1) - 1e-9);
}
