import { expect, test } from 'vitest';
import { randomWalks } from '#workers/graphs/randomWalks.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';

/** A triangle 0 1 2, a tail 2 3 with weight 3, and a lone node 4. */
const GRAPH = sparseFromTriplets({
  rowCount: 5,
  columnCount: 5,
  rows: [0, 1, 0, 2, 1, 2, 2, 3],
  columns: [1, 0, 2, 0, 2, 1, 3, 2],
  values: [1, 1, 1, 1, 1, 1, 3, 3],
});

/** How often node 2, reached from node 0, goes on to each node. */
function turnsAtTwo(returning: number, leaving: number): number[] {
  const request = { length: 40, walks: 1500, returning, leaving };
  const { nodes, offsets } = randomWalks(GRAPH, request, randomGenerator(2, 'walks'));
  const counts = [0, 0, 0, 0, 0];
  for (let walk = 0; walk + 1 < offsets.length; walk++) {
    for (let at = offsets[walk]! + 2; at < offsets[walk + 1]!; at++) {
      if (nodes[at - 2] === 0 && nodes[at - 1] === 2) counts[nodes[at]!]!++;
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / total);
}

test.each([
  [1, 1],
  [0.25, 4],
  [4, 0.5],
])('steps have the probabilities of node2vec for p = %d, q = %d', (p, q) => {
  // from 0 to 2: back to 0 with 1/p, to 1, which 0 has an edge to, with 1, to 3, which it has none to, with 3/q
  const weights = [1 / p, 1, 0, 3 / q, 0];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [node, share] of turnsAtTwo(p, q).entries())
    expect(Math.abs(share - weights[node]! / total)).toBeLessThan(0.01);
});

test('walks follow edges, begin at every node that has any, and repeat', () => {
  const request = { length: 6, walks: 3, returning: 2, leaving: 0.5 };
  const found = randomWalks(GRAPH, request, randomGenerator(3, 'walks'));
  expect(found).toEqual(randomWalks(GRAPH, request, randomGenerator(3, 'walks')));
  expect(Array.from(found.offsets)).toEqual(Array.from({ length: 13 }, (_, walk) => 6 * walk));
  const starts = Array.from(found.nodes).filter((_, at) => at % 6 === 0);
  expect(starts).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  for (let at = 1; at < found.nodes.length; at++) {
    if (at % 6 === 0) continue;
    const [from, to] = [found.nodes[at - 1]!, found.nodes[at]!];
    expect(Array.from(GRAPH.columns.subarray(GRAPH.offsets[from]!, GRAPH.offsets[from + 1]!))).toContain(to);
  }
});

test.each([
  { length: 1, walks: 1, returning: 1, leaving: 1 },
  { length: 5, walks: 1, returning: 0, leaving: 1 },
])('%j is refused', (request) => {
  expect(() => randomWalks(GRAPH, request, randomGenerator(1, 'walks'))).toThrow(/expected at least 2 and 1/);
});
