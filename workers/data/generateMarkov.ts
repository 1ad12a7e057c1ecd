import { type RandomGenerator, randomGenerator } from '../math/randomGenerator.ts';
import { GrowableUint32 } from './growableArray.ts';
import type { Interactions } from './interactions.ts';

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
  const sequences: number[][] = [];
  for (let user = 0; user < users; user++) {
    let last = drawMember(clusters, walks.nextInt(clusters.members.length), walks);
    const sequence = [last];
    while (sequence.length < LONGEST) {
      if (sequence.length >= SHORTEST && walks.nextFloat() * (MEAN_EXTRA_LENGTH + 1) < 1) break;
      last = nextItem(last, { clusters, successors }, walks);
      sequence.push(last);
    }
    for (const item of sequence) seen[item] = 1;
    sequences.push(sequence);
  }
  for (let item = 0; item < items; item++) {
    if (seen[item] === 0) sequences[walks.nextInt(users)]!.unshift(item);
  }
  return flatten(sequences, items);
}

function flatten(sequences: readonly number[][], items: number): Interactions {
  const users = new GrowableUint32();
  const flat = new GrowableUint32();
  for (const [user, sequence] of sequences.entries()) {
    for (const item of sequence) {
      users.push(user);
      flat.push(item);
    }
  }
  return {
    users: users.view(),
    items: flat.view(),
    times: null,
    userIds: sequences.map((_, user) => String(user + 1)),
    itemIds: Array.from({ length: items }, (_, item) => String(item + 1)),
    itemOrder: 'number',
  };
}
