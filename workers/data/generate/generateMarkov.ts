import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { numberedIds } from './generatedRows.ts';
import { GrowableUint32 } from '../read/growableArray.ts';
import type { Interactions } from '../prepare/interactions.ts';

/** Popularity of the item at rank r inside its cluster: (r + 1)^-POPULARITY_EXPONENT. */
const POPULARITY_EXPONENT = 0.8;
/** Each item has this many preferred successors; the first is taken with probability 1/2, the next 1/4, … */
const SUCCESSORS = 4;
const FOLLOW_PROBABILITY = 0.6;
const CHANGE_CLUSTER_PROBABILITY = 0.1;
const SHORTEST = 5;
const MEAN_EXTRA_LENGTH = 5;
const LONGEST = 200;

interface Clusters {
  /** Items of each cluster, the most popular first. */
  members: Uint32Array[];
  /** Cumulative popularity of the members. */
  cumulative: Float64Array[];
  /** (items) */
  clusterOf: Uint32Array;
}

function makeClusters(items: number, generator: RandomGenerator): Clusters {
  const count = Math.max(2, Math.round(Math.sqrt(items) / 3));
  const order = Uint32Array.from({ length: items }, (_, item) => item);
  generator.shuffle(order);
  const members = Array.from({ length: count }, (_, cluster) => order.filter((_, place) => place % count === cluster));
  const clusterOf = new Uint32Array(items);
  for (const [cluster, inside] of members.entries()) for (const item of inside) clusterOf[item] = cluster;
  const cumulative = members.map((inside) => {
    let sum = 0;
    return Float64Array.from(inside, (_, rank) => {
      sum += (rank + 1) ** -POPULARITY_EXPONENT;
      return sum;
    });
  });
  return { members, cumulative, clusterOf };
}

/** An item of the cluster, drawn by popularity. */
function drawMember(clusters: Clusters, cluster: number, generator: RandomGenerator): number {
  const cumulative = clusters.cumulative[cluster]!;
  const point = generator.nextFloat() * cumulative[cumulative.length - 1]!;
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cumulative[middle]! > point) high = middle;
    else low = middle + 1;
  }
  return clusters.members[cluster]![low]!;
}

function nextItem(
  last: number,
  model: { clusters: Clusters; successors: Uint32Array },
  generator: RandomGenerator,
): number {
  const { clusters, successors } = model;
  const choice = generator.nextFloat();
  if (choice < FOLLOW_PROBABILITY) {
    let place = 0;
    while (place < SUCCESSORS - 1 && generator.nextFloat() < 0.5) place++;
    return successors[last * SUCCESSORS + place]!;
  }
  const stays = choice < 1 - CHANGE_CLUSTER_PROBABILITY;
  const cluster = stays ? clusters.clusterOf[last]! : generator.nextInt(clusters.members.length);
  return drawMember(clusters, cluster, generator);
}

/**
 * Sequences with known structure: items lie in clusters with power-law popularity, every item has four preferred successors
 * in its cluster (first-order Markov), and users move between clusters now and then. So a Markov model beats item
 * neighbours, and both beat popularity. Every one of the items is met at least once; lengths are 5 plus a geometric number
 * of mean 5. Equal arguments give equal data.
 */
export function generateMarkov(users: number, items: number, seed: number): Interactions {
  const structure = randomGenerator(seed, `markov structure ${users}x${items}`);
  const clusters = makeClusters(items, structure);
  const successors = Uint32Array.from({ length: items * SUCCESSORS }, (_, place) =>
    drawMember(clusters, clusters.clusterOf[Math.floor(place / SUCCESSORS)]!, structure),
  );
  const walks = randomGenerator(seed, `markov walks ${users}x${items}`);
  const seen = new Uint8Array(items);
  const walked = new GrowableUint32();
  const ends = new Uint32Array(users);
  for (let user = 0; user < users; user++) {
    const start = walked.length;
    let last = drawMember(clusters, walks.nextInt(clusters.members.length), walks);
    walked.push(last);
    seen[last] = 1;
    while (walked.length - start < LONGEST) {
      if (walked.length - start >= SHORTEST && walks.nextFloat() * (MEAN_EXTRA_LENGTH + 1) < 1) break;
      last = nextItem(last, { clusters, successors }, walks);
      walked.push(last);
      seen[last] = 1;
    }
    ends[user] = walked.length;
  }
  const firsts = new Map<number, number[]>();
  for (let item = 0; item < items; item++) {
    if (seen[item] === 1) continue;
    const user = walks.nextInt(users);
    firsts.set(user, [item, ...(firsts.get(user) ?? [])]);
  }
  return withFirstItems(walked.view(), ends, { firsts, items });
}

/** The walks, with the items that none of them met put before those of some users. */
function withFirstItems(
  walked: Uint32Array,
  ends: Uint32Array,
  { firsts, items }: { firsts: ReadonlyMap<number, readonly number[]>; items: number },
): Interactions {
  let added = 0;
  for (const inserted of firsts.values()) added += inserted.length;
  const userOf = new Uint32Array(walked.length + added);
  const itemOf = new Uint32Array(walked.length + added);
  let place = 0;
  for (let user = 0, start = 0; user < ends.length; user++) {
    const from = place;
    for (const item of firsts.get(user) ?? []) itemOf[place++] = item;
    itemOf.set(walked.subarray(start, ends[user]!), place);
    place += ends[user]! - start;
    userOf.fill(user, from, place);
    start = ends[user]!;
  }
  return {
    users: userOf,
    items: itemOf,
    times: null,
    userIds: numberedIds(ends.length),
    itemIds: numberedIds(items),
    itemOrder: 'number',
  };
}
