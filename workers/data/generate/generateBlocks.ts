import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { GeneratedRows } from './generatedRows.ts';
import type { Interactions } from '../prepare/interactions.ts';

/** Expected items of a user inside its block, and outside. */
const INSIDE = 8;
const OUTSIDE = 2;
const MOST_BLOCKS = 10;

/**
 * Bipartite blocks: users and items are dealt out to B blocks (10, fewer where there are few items), u and i to block u mod B and
 * i mod B, and every pair is an edge independently: inside a block with a probability that gives a user 8 items there, outside
 * one that gives 2. No pair comes twice, and the order of a user's items is random. Spectral embeddings find the blocks.
 * Equal arguments give equal data; a user whom chance gives no item gets one of its block.
 */
export function generateBlocks(users: number, items: number, seed: number): Interactions {
  const generator = randomGenerator(seed, `blocks ${users}x${items}`);
  const blocks = Math.max(1, Math.min(MOST_BLOCKS, Math.floor(items / INSIDE / 2)));
  const insideItems = items / blocks;
  const inside = Math.min(1, INSIDE / insideItems);
  const outside = blocks === 1 ? 0 : Math.min(1, OUTSIDE / (items - insideItems));
  const rows = new GeneratedRows();
  for (let user = 0; user < users; user++) {
    const block = user % blocks;
    const own: number[] = [];
    // jumps of geometric length from edge to edge, at the larger probability; the others are thinned out
    const most = Math.max(inside, outside);
    let item = -1;
    for (;;) {
      item += most >= 1 ? 1 : 1 + Math.floor(Math.log(1 - generator.nextFloat()) / Math.log(1 - most));
      if (item >= items) break;
      const probability = item % blocks === block ? inside : outside;
      if (probability >= most || generator.nextFloat() * most < probability) own.push(item);
    }
    if (own.length === 0) own.push(Math.min(items - 1, block));
    generator.shuffle(own);
    for (const met of own) rows.add(user, met);
  }
  return rows.finish({ users, items }, false);
}
