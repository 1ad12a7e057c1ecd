import { expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { StrongestLinks } from '#workers/models/strongestLinks.ts';

test('each node keeps its strongest links, ties to the lowest other, in whatever order they are offered', () => {
  const generator = randomGenerator(4, 'links');
  const room = Uint32Array.from({ length: 40 }, (_, node) => [0, 1, 2, 7, 30, 60][node % 6]!);
  const offers = [...room.keys()].flatMap((node) =>
    Array.from({ length: 40 }, (_, other) => ({ node, other, strength: generator.nextInt(6) / 7 })),
  );
  const order = Uint32Array.from(offers.keys());
  generator.shuffle(order);
  const links = new StrongestLinks(room);
  for (const at of order) links.offer(offers[at]!.node, offers[at]!.other, offers[at]!.strength);
  const { offsets, others, strengths } = links.packed();
  for (const [node, own] of room.entries()) {
    const expected = offers
      .filter((offer) => offer.node === node)
      .sort((a, b) => b.strength - a.strength || a.other - b.other)
      .slice(0, own)
      .sort((a, b) => a.other - b.other);
    const places = { from: offsets[node]!, to: offsets[node + 1]! };
    expect([...others.subarray(places.from, places.to)]).toEqual(expected.map(({ other }) => other));
    expect([...strengths.subarray(places.from, places.to)]).toEqual(expected.map(({ strength }) => strength));
  }
});
