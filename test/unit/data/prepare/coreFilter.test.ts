import { expect, test } from 'vitest';
import { coreFilter } from '#workers/data/prepare/coreFilter.ts';
import type { Interactions } from '#workers/data/prepare/interactions.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

function interactionsOf(pairs: readonly (readonly [number, number])[]): Interactions {
  const names = (values: number[]): string[] => Array.from({ length: Math.max(...values) + 1 }, (_, n) => String(n));
  return {
    users: Uint32Array.from(pairs, ([user]) => user),
    items: Uint32Array.from(pairs, ([, item]) => item),
    times: null,
    userIds: names(pairs.map(([user]) => user)),
    itemIds: names(pairs.map(([, item]) => item)),
    itemOrder: 'number',
  };
}

/** Removes one offender at a time, on plain arrays. */
function slowCore(pairs: readonly (readonly [number, number])[], core: number): (readonly [number, number])[] {
  let left = [...pairs];
  for (;;) {
    const few = left.find(
      ([user, item]) =>
        left.filter((pair) => pair[0] === user).length < core || left.filter((pair) => pair[1] === item).length < core,
    );
    if (few === undefined) return left;
    left = left.filter((pair) => pair !== few);
  }
}

test('removal goes on until it is stable', () => {
  // a chain: each user and item falls only after the one before
  const chain = interactionsOf([
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 1],
    [2, 2],
  ]);
  const kept = coreFilter(chain, 2);
  expect([...kept.users, ...kept.items]).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a core of 0 or 1 keeps everything', () => {
  const data = interactionsOf([
    [0, 1],
    [1, 0],
  ]);
  for (const core of [0, 1])
    expect([...coreFilter(data, core).users, ...coreFilter(data, core).items]).toEqual([1, 1, 1, 1]);
});

test('leaves what removing one interaction at a time leaves', () => {
  const generator = randomGenerator(3, 'core test');
  for (let round = 0; round < 30; round++) {
    const pairs = Array.from({ length: 60 }, () => [generator.nextInt(14), generator.nextInt(12)] as const);
    for (const core of [2, 3, 4, 5]) {
      const kept = coreFilter(interactionsOf(pairs), core);
      const fast = pairs.filter(([user, item]) => kept.users[user] === 1 && kept.items[item] === 1);
      expect(fast).toEqual(slowCore(pairs, core));
    }
  }
});
