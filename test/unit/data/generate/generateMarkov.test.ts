import { expect, test } from 'vitest';
import { generateMarkov } from '#workers/data/generate/generateMarkov.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { selectionOf, sequencesOf } from '../dataFiles.ts';

const load = (name: string) => loadSequenceDataset(selectionOf(name), { folders: [], cacheFolder: null });

test('has exactly the users and items that its name says', async () => {
  expect(await load('generated/markov-small')).toMatchObject({ userCount: 300, itemCount: 120 });
  expect(await load('generated/markov-20x90')).toMatchObject({ userCount: 20, itemCount: 90 });
  expect(await load('generated/markov-1x2')).toMatchObject({ userCount: 1, itemCount: 2 });
});

test('equal names give equal data, other seeds other data', async () => {
  const first = await load('generated/markov-50x40');
  expect(await load('generated/markov-50x40')).toEqual(first);
  expect((await load('generated/markov-50x40-seed1')).fingerprint).toBe(first.fingerprint);
  expect((await load('generated/markov-50x40-seed2')).fingerprint).not.toBe(first.fingerprint);
});

test('every user has at least five interactions and can be evaluated', async () => {
  const lengths = sequencesOf(await load('generated/markov-200x50')).map((sequence) => sequence.length);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(5);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  expect(mean).toBeGreaterThan(8);
  expect(mean).toBeLessThan(12);
});

test('popularity has a head and a tail', () => {
  const { items } = generateMarkov(3000, 200, 1);
  const counts = new Array<number>(200).fill(0);
  for (const item of items) counts[item]!++;
  counts.sort((a, b) => b - a);
  const share = (from: number, to: number): number => counts.slice(from, to).reduce((a, b) => a + b, 0) / items.length;
  expect(share(0, 20)).toBeGreaterThan(3 * share(180, 200));
});

test('what follows an item is far from what is popular', () => {
  const { users, items } = generateMarkov(3000, 100, 1);
  const follow = new Map<number, Map<number, number>>();
  for (let i = 1; i < items.length; i++) {
    if (users[i] !== users[i - 1]) continue;
    const row = follow.get(items[i - 1]!) ?? new Map<number, number>();
    row.set(items[i]!, (row.get(items[i]!) ?? 0) + 1);
    follow.set(items[i - 1]!, row);
  }
  const topShares = [...follow.values()]
    .map((row) => [...row.values()])
    .filter((counts) => counts.reduce((a, b) => a + b) >= 50)
    .map((counts) => Math.max(...counts) / counts.reduce((a, b) => a + b));
  expect(topShares.reduce((a, b) => a + b) / topShares.length).toBeGreaterThan(0.3);
});
