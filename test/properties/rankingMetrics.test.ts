import { expect, test } from 'vitest';
import { hitMetrics } from '#workers/evaluation/ranking/hitMetrics.ts';
import { listMetrics } from '#workers/evaluation/ranking/listMetrics.ts';
import { emptyRankedUsers } from '#workers/evaluation/ranking/rankedUsers.ts';
import { RANKING_METRIC_NAMES } from '#src/catalog/rankingMetrics.ts';
import { rankingMetrics } from '#workers/evaluation/ranking/rankingMetrics.ts';
import { targetPlace } from '#workers/evaluation/ranking/targetPlace.ts';
import { topNMetrics } from '#test/unit/evaluation/ranking/topNMetrics.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';

const ROUNDS = 300;
/** Sums in another order differ by rounding. */
const DIGITS = 12;

function eachRound(name: string, check: (generator: RandomGenerator, round: number) => void): void {
  test(name, () => {
    for (let round = 0; round < ROUNDS; round++) check(randomGenerator(round, name), round);
  });
}

function randomRanking(generator: RandomGenerator) {
  const itemCount = 2 + generator.nextInt(30);
  const scores = Float64Array.from({ length: itemCount }, () => generator.nextFloat());
  const order = Uint32Array.from(scores.keys());
  generator.shuffle(order);
  const truth = [...order.slice(0, 1 + generator.nextInt(itemCount))];
  return { itemCount, scores, order, truth };
}

eachRound('metrics of a list are between 0 and 1', (generator) => {
  const { scores, truth } = randomRanking(generator);
  const metrics = topNMetrics(scores, truth, 1 + generator.nextInt(40));
  for (const name of RANKING_METRIC_NAMES) {
    expect(metrics[name], name).toBeGreaterThanOrEqual(0);
    expect(metrics[name], name).toBeLessThanOrEqual(1 + 1e-12);
  }
});

eachRound('a perfect ranking has ndcg, map and mrr 1, one without a hit has 0 everywhere', (generator) => {
  const truthCount = 1 + generator.nextInt(10);
  const cutoff = 1 + generator.nextInt(15);
  const perfect = hitMetrics(
    Array.from({ length: truthCount }, (_, index) => index + 1),
    { truthCount, cutoff },
  );
  for (const name of ['hr', 'ndcg', 'map', 'mrr'] as const) expect(perfect[name]).toBeCloseTo(1, DIGITS);
  const none = hitMetrics([cutoff + 1], { truthCount, cutoff });
  for (const name of RANKING_METRIC_NAMES) expect(none[name]).toBe(0);
});

eachRound('renaming items changes nothing where scores are different', (generator) => {
  const { scores, order, truth, itemCount } = randomRanking(generator);
  const renamed = new Float64Array(itemCount);
  for (const [item, name] of order.entries()) renamed[name] = scores[item]!;
  const cutoff = 1 + generator.nextInt(itemCount);
  const renamedTruth = truth.map((item) => order[item]!);
  expect(topNMetrics(renamed, renamedTruth, cutoff)).toEqual(topNMetrics(scores, truth, cutoff));
  expect(targetPlace(renamed, order[0]!)).toEqual(targetPlace(scores, 0));
});

eachRound('the order of the users changes nothing', (generator) => {
  const ranks = Int32Array.from({ length: 1 + generator.nextInt(50) }, () => generator.nextInt(20));
  const shuffled = ranks.slice();
  generator.shuffle(shuffled);
  const metrics = rankingMetrics(ranks, [5, 10]);
  for (const [name, value] of Object.entries(rankingMetrics(shuffled, [5, 10]))) {
    expect(value, name).toBeCloseTo(metrics[name]!, DIGITS);
  }
});

eachRound('hit rate, recall, mrr and ndcg of one target never fall with a larger cut-off', (generator) => {
  const ranks = Int32Array.from({ length: 20 }, () => generator.nextInt(30));
  for (let cutoff = 1; cutoff < 30; cutoff++) {
    const [here, further] = [rankingMetrics(ranks, [cutoff]), rankingMetrics(ranks, [cutoff + 1])];
    for (const name of ['mrr', 'ndcg', 'hr']) {
      expect(further[`${name}@${cutoff + 1}`]!).toBeGreaterThanOrEqual(here[`${name}@${cutoff}`]!);
    }
  }
});

eachRound('hit rate, recall and mrr of many targets never fall with a larger cut-off', (generator) => {
  const { scores, truth, itemCount } = randomRanking(generator);
  for (let cutoff = 1; cutoff < itemCount; cutoff++) {
    const [here, further] = [topNMetrics(scores, truth, cutoff), topNMetrics(scores, truth, cutoff + 1)];
    for (const name of ['hr', 'recall', 'mrr'] as const) expect(further[name]).toBeGreaterThanOrEqual(here[name]);
  }
});

eachRound('one target: the means over ranks are the means of the metrics of lists', (generator) => {
  const cutoff = 1 + generator.nextInt(12);
  const ranks = Int32Array.from({ length: 1 + generator.nextInt(20) }, () => generator.nextInt(20));
  const all = rankingMetrics(ranks, [cutoff], RANKING_METRIC_NAMES);
  const users = Array.from(ranks, (rank) => hitMetrics(rank > 0 ? [rank] : [], { truthCount: 1, cutoff }));
  for (const name of RANKING_METRIC_NAMES) {
    const mean = users.reduce((sum, user) => sum + user[name], 0) / users.length;
    expect(all[`${name}@${cutoff}`], name).toBeCloseTo(mean, DIGITS);
  }
});

eachRound('qualities of lists are bounded, and coverage grows with the cut-off', (generator) => {
  const itemCount = 2 + generator.nextInt(20);
  const userCount = 1 + generator.nextInt(20);
  const listLength = 1 + generator.nextInt(itemCount);
  const ranked = emptyRankedUsers(userCount, listLength);
  for (let user = 0; user < userCount; user++) {
    const order = Uint32Array.from({ length: itemCount }, (_, item) => item);
    generator.shuffle(order);
    ranked.lists.set(order.subarray(0, 1 + generator.nextInt(listLength)), user * listLength);
  }
  const popularity = Uint32Array.from({ length: itemCount }, () => generator.nextInt(userCount + 1));
  const facts = { popularity, userCount, profilePopularity: new Float64Array(userCount).fill(1) };
  let before = 0;
  for (let cutoff = 1; cutoff <= listLength; cutoff++) {
    const { coverage, novelty, gini, filled, popularityBias } = listMetrics(ranked, cutoff, facts);
    expect(coverage).toBeGreaterThanOrEqual(before);
    expect(coverage).toBeLessThanOrEqual(1);
    expect(novelty).toBeGreaterThanOrEqual(0);
    expect(novelty).toBeLessThanOrEqual(Math.log2(userCount) + 1e-12);
    expect(gini).toBeGreaterThanOrEqual(-1e-12);
    expect(gini).toBeLessThan(1);
    expect(filled).toBeGreaterThan(0);
    expect(filled).toBeLessThanOrEqual(1);
    expect(popularityBias).toBeGreaterThanOrEqual(-1);
    before = coverage;
  }
});
