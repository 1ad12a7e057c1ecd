import type { ItemSequences } from '#workers/kernels/neighbours/neighbourRows.ts';
import type { Queries } from '#workers/kernels/neighbours/nearestSequences.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/** Sequences of 1 to `longest` items; few items make many matches and ties, low numbers are more frequent. */
export function randomSequences(
  random: RandomGenerator,
  { users, items, longest }: { users: number; items: number; longest: number },
): ItemSequences {
  const offsets = new Uint32Array(users + 1);
  const drawn: number[] = [];
  for (let user = 0; user < users; user++) {
    const length = 1 + random.nextInt(longest);
    for (let t = 0; t < length; t++) drawn.push(Math.min(random.nextInt(items), random.nextInt(items)));
    offsets[user + 1] = drawn.length;
  }
  return { offsets, items: Uint32Array.from(drawn), itemCount: items };
}

/** All of each sequence but its last item, cut to the last `maximumLength`; sequences of one item ask for that item. */
export function testQueries(sequences: ItemSequences, maximumLength: number): Queries {
  const users = sequences.offsets.length - 1;
  const starts = new Uint32Array(users);
  const lengths = new Uint16Array(users);
  for (let user = 0; user < users; user++) {
    const start = sequences.offsets[user]!;
    const end = Math.max(start + 1, sequences.offsets[user + 1]! - 1);
    lengths[user] = Math.min(end - start, maximumLength);
    starts[user] = end - lengths[user]!;
  }
  return { items: sequences.items, starts, lengths };
}
