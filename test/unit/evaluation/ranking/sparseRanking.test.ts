import { expect, test } from 'vitest';
import { sparseList, sparseTargetPlace } from '#workers/evaluation/ranking/sparseRanking.ts';
import { targetPlace } from '#workers/evaluation/ranking/targetPlace.ts';
import { TopList } from '#workers/evaluation/ranking/topList.ts';
import { topItems } from './topNMetrics.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

test('sparse scores rank and list as the same scores written out', () => {
  const generator = randomGenerator(1, 'sparse ranking');
  for (let round = 0; round < 400; round++) {
    const itemCount = 1 + generator.nextInt(20);
    const scores = Float64Array.from({ length: itemCount }, () => Math.max(0, generator.nextInt(7) - 3));
    const items = [...scores.keys()].filter((item) => scores[item]! > 0 || generator.nextInt(5) === 0);
    generator.shuffle(items);
    const sparse = { items, scores: items.map((item) => scores[item]!), size: items.length };
    const target = generator.nextInt(itemCount);
    const excluded = [...scores.keys()].filter(() => generator.nextInt(3) === 0);
    expect(sparseTargetPlace(sparse, target, { excluded, itemCount })).toEqual(targetPlace(scores, target, excluded));
    const list = new Int32Array(5).fill(-1);
    sparseList(sparse, target, { excluded, list });
    const expected = topItems(scores, itemCount).filter(
      (item) => scores[item]! > 0 && (item === target || !excluded.includes(item)),
    );
    expect([...list]).toEqual([...expected, -1, -1, -1, -1, -1].slice(0, 5));
  }
});

test('a top list keeps what sorting puts first, and empties itself', () => {
  const generator = randomGenerator(2, 'top list');
  const list = new TopList(7, -1);
  const kept = new Int32Array(7);
  for (let round = 0; round < 200; round++) {
    const scores = Array.from({ length: generator.nextInt(40) }, () => generator.nextInt(9) - 3);
    for (const [item, score] of scores.entries()) list.offer(item, score);
    list.offer(99, Number.NaN);
    list.drain(kept);
    const expected = topItems(scores, scores.length).filter((item) => scores[item]! > -1);
    expect([...kept]).toEqual([...expected, -1, -1, -1, -1, -1, -1, -1].slice(0, 7));
  }
});
