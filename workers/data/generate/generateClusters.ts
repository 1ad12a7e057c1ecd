import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { GeneratedRows } from './generatedRows.ts';
import type { Interactions } from '../prepare/interactions.ts';
import { powerLaw } from './powerLaw.ts';

const POPULARITY_EXPONENT = 0.8;
const INSIDE_PROBABILITY = 0.85;
const SHORTEST = 5;
const MEAN_EXTRA_LENGTH = 5;
const LONGEST = 200;
/** Times of drifting data: a year from the start of 2020, in seconds. */
const START_SECONDS = 1_577_836_800;
const SPAN_SECONDS = 31_536_000;

/** Clusters of so many generated items. */
export function clusterCount(items: number): number {
  return Math.max(2, Math.round(Math.sqrt(items) / 3));
}

function drawLength(generator: RandomGenerator): number {
  let length = SHORTEST;
  while (length < LONGEST && generator.nextFloat() * (MEAN_EXTRA_LENGTH + 1) >= 1) length++;
  return length;
}

/** Item i is of cluster i mod the number of clusters, and the lower, the more popular inside it. */
function drawItem(
  cluster: number,
  items: number,
  ranks: { inside: { draw(g: RandomGenerator): number }; clusters: number },
  generator: RandomGenerator,
): number {
  for (;;) {
    const item = ranks.inside.draw(generator) * ranks.clusters + cluster;
    if (item < items) return item;
  }
}

/**
 * Latent clusters without any order: user u is of cluster u mod C and draws 85 % of its items from its own cluster, the
 * others from any, by power-law popularity inside a cluster. Neighbourhood and factor models beat popularity here, and order
 * says nothing. C is a third of the root of the number of items, at least 2; lengths are 5 plus a geometric number of mean 5.
 * Equal arguments give equal data.
 */
export function generateClusters(users: number, items: number, seed: number): Interactions {
  const generator = randomGenerator(seed, `clusters ${users}x${items}`);
  const clusters = clusterCount(items);
  const ranks = { inside: powerLaw(Math.ceil(items / clusters), POPULARITY_EXPONENT), clusters };
  const rows = new GeneratedRows();
  for (let user = 0; user < users; user++) {
    for (let left = drawLength(generator); left > 0; left--) {
      const inside = generator.nextFloat() < INSIDE_PROBABILITY;
      rows.add(user, drawItem(inside ? user % clusters : generator.nextInt(clusters), items, ranks, generator));
    }
  }
  return rows.finish({ users, items }, false);
}

/**
 * Clusters whose time comes and goes, on one clock: at time t of a year, from 0 to 1, a user draws 85 % of its items from
 * cluster floor(t · C), the others from any. So what was popular in training is not what is popular in testing, recent items
 * tell more than old ones, and a split by one moment is harder than one by users.
 */
export function generateDrift(users: number, items: number, seed: number): Interactions {
  const generator = randomGenerator(seed, `drift ${users}x${items}`);
  const clusters = clusterCount(items);
  const ranks = { inside: powerLaw(Math.ceil(items / clusters), POPULARITY_EXPONENT), clusters };
  const rows = new GeneratedRows();
  for (let user = 0; user < users; user++) {
    const moments = Float64Array.from({ length: drawLength(generator) }, () => generator.nextFloat()).sort();
    for (const moment of moments) {
      const inside = generator.nextFloat() < INSIDE_PROBABILITY;
      const cluster = inside ? Math.floor(moment * clusters) : generator.nextInt(clusters);
      const time = START_SECONDS + Math.floor(moment * SPAN_SECONDS);
      rows.add(user, drawItem(cluster, items, ranks, generator), time);
    }
  }
  return rows.finish({ users, items }, true);
}
