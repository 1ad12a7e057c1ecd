import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateInteractions } from '#workers/data/generate/generateInteractions.ts';
import { barabasiAlbert } from '#workers/data/generate/generateGraph.ts';
import { gaussianMixture, noisySinusoid } from '#workers/data/generate/generateSeries.ts';
import { powerLaw } from '#workers/data/generate/powerLaw.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const GENERATORS = ['markov', 'clusters', 'drift', 'blocks'] as const;

test.each(GENERATORS)('%s: equal arguments give equal data, another seed other data', (what) => {
  const of = (seed: number) => generateInteractions({ what, users: 60, items: 40, seed });
  expect(of(1)).toEqual(of(1));
  expect([...of(2).items]).not.toEqual([...of(1).items]);
});

test.each(GENERATORS)(
  '%s: every user has interactions, every number is one of the items, down to the smallest',
  (what) => {
    for (const [users, items] of [
      [1, 2],
      [50, 3],
      [40, 300],
    ] as const) {
      const data = generateInteractions({ what, users, items, seed: 3 });
      expect(new Set(data.users).size).toBe(users);
      expect(data.items.every((item) => item < items)).toBe(true);
      expect([data.userIds.length, data.itemIds.length]).toEqual([users, items]);
    }
  },
);

test('clusters: most of what a user meets is of its own cluster', () => {
  // 900 items are dealt out to 10 clusters: 85 %, and a tenth of the others
  const { users, items } = generateInteractions({ what: 'clusters', users: 1000, items: 900, seed: 1 });
  const inside = items.filter((item, i) => item % 10 === users[i]! % 10).length / items.length;
  expect(inside).toBeGreaterThan(0.84);
  expect(inside).toBeLessThan(0.89);
});

test('drift: what is popular early is not what is popular late, on one clock', () => {
  const { items, times, clock } = generateInteractions({ what: 'drift', users: 1000, items: 900, seed: 1 });
  expect(clock).toBe(true);
  const sorted = times!.slice().sort();
  const early = items.filter((_, i) => times![i]! < sorted[Math.floor(sorted.length / 10)]!);
  const late = items.filter((_, i) => times![i]! > sorted[Math.floor((9 * sorted.length) / 10)]!);
  const ofFirst = (part: Uint32Array): number => part.filter((item) => item % 10 === 0).length / part.length;
  expect(ofFirst(early)).toBeGreaterThan(0.75);
  expect(ofFirst(late)).toBeLessThan(0.05);
});

test('blocks: eight items inside, two outside, none twice', () => {
  const { users, items } = generateInteractions({ what: 'blocks', users: 2000, items: 1000, seed: 1 });
  const inside = items.filter((item, i) => item % 10 === users[i]! % 10).length / 2000;
  expect(Math.abs(inside - 8)).toBeLessThan(0.25);
  expect(Math.abs(items.length / 2000 - inside - 2)).toBeLessThan(0.15);
  expect(new Set(Array.from(items, (item, i) => users[i]! * 1000 + item)).size).toBe(items.length);
});

test('Barabási-Albert: as many edges as there must be, no loop, no edge twice, a few nodes of high degree', () => {
  const { from, to } = barabasiAlbert(1000, 3, randomGenerator(1, 'graph'));
  expect(from.length).toBe(3 * 997);
  expect(from.every((node, edge) => to[edge]! < node)).toBe(true);
  expect(new Set(Array.from(from, (node, edge) => node * 1000 + to[edge]!)).size).toBe(from.length);
  const degrees = new Uint32Array(1000);
  for (const node of [...from, ...to]) degrees[node]!++;
  expect(Math.min(...degrees.subarray(4))).toBe(3);
  expect(Math.max(...degrees)).toBeGreaterThan(40);
  expect(() => barabasiAlbert(3, 3, randomGenerator(1, 'graph'))).toThrow(/1 ≤ edges < nodes/);
});

test('sinusoids are sinusoids, with noise of the size asked for', () => {
  const clean = noisySinusoid({ length: 9, period: 8, noise: 0 }, randomGenerator(1, 'noise'));
  expect([clean[0], clean[2], clean[6]]).toEqual([0, 1, -1]);
  const noisy = noisySinusoid({ length: 10_000, period: 100, noise: 0.05 }, randomGenerator(1, 'noise'));
  const whole = noisySinusoid({ length: 10_000, period: 100, noise: 0 }, randomGenerator(1, 'noise'));
  const variance = noisy.reduce((sum, value, t) => sum + (value - whole[t]!) ** 2, 0) / noisy.length;
  expect(Math.sqrt(variance)).toBeCloseTo(0.05, 2);
});

test('mixtures have the weights, means and deviations asked for', () => {
  const components = [
    { weight: 3, mean: [0, 5], deviation: 1 },
    { weight: 1, mean: [-4, 1], deviation: 0.1 },
  ];
  const { points, labels } = gaussianMixture(components, 20_000, randomGenerator(1, 'mixture'));
  for (const [label, { mean, deviation }] of components.entries()) {
    const own = [...labels.keys()].filter((point) => labels[point] === label);
    expect(own.length / 20_000).toBeCloseTo(label === 0 ? 0.75 : 0.25, 1);
    for (const d of [0, 1]) {
      const values = own.map((point) => points[2 * point + d]!);
      const average = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(average).toBeCloseTo(mean[d]!, 1);
      const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length;
      expect(Math.sqrt(variance)).toBeCloseTo(deviation, 1);
    }
  }
});

test('a power law draws its ranks in proportion', () => {
  const generator = randomGenerator(1, 'ranks');
  const law = powerLaw(3, 1);
  const counts = [0, 0, 0];
  for (let draw = 0; draw < 11_000; draw++) counts[law.draw(generator)]!++;
  // 1 : 1/2 : 1/3 of 11/6
  for (const [rank, expected] of [6000, 3000, 2000].entries())
    expect(Math.abs(counts[rank]! - expected)).toBeLessThan(200);
});

test('markov data are the same bytes as ever: runs on them can be compared over versions', () => {
  const { users, items } = generateInteractions({ what: 'markov', users: 300, items: 400, seed: 1 });
  const hash = createHash('sha256').update(users).update(items).digest('hex');
  expect(hash).toBe('3f9d929643a4094bf73e317593ac689d875495b282fb6d6e22313bef99abb3a3');
});
