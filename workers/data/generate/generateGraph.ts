import { badInput } from '#src/base/contracts/errors.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/** Undirected edges: edge `e` joins `from[e]` and `to[e]`, with `to[e] < from[e]`. */
export interface EdgeList {
  nodes: number;
  from: Uint32Array;
  to: Uint32Array;
}

/**
 * A random graph of Barabási and Albert (1999), as NetworkX builds it: a star of `edges` + 1 nodes, to which node after node is
 * added with `edges` edges to distinct earlier nodes, each chosen with a probability proportional to its degree. It has
 * edges · (nodes − edges) edges, and degrees follow a power law. Throws BAD_INPUT unless 1 ≤ edges < nodes.
 */
export function barabasiAlbert(nodes: number, edges: number, generator: RandomGenerator): EdgeList {
  if (!Number.isInteger(nodes) || !Number.isInteger(edges) || edges < 1 || edges >= nodes) {
    throw badInput(`a graph of ${nodes} nodes with ${edges} edges each: expected 1 ≤ edges < nodes`, 'edges');
  }
  const count = edges * (nodes - edges);
  const from = new Uint32Array(count);
  const to = new Uint32Array(count);
  // every end of every edge: a uniform draw from it is a draw by degree
  const ends = new Uint32Array(2 * count);
  let edge = 0;
  const join = (node: number, other: number): void => {
    from[edge] = node;
    to[edge] = other;
    ends[2 * edge] = node;
    ends[2 * edge + 1] = other;
    edge++;
  };
  for (let leaf = 1; leaf <= edges; leaf++) join(leaf, 0);
  for (let node = edges + 1; node < nodes; node++) {
    const filled = 2 * edge;
    const chosen = new Set<number>();
    while (chosen.size < edges) chosen.add(ends[generator.nextInt(filled)]!);
    for (const other of chosen) join(node, other);
  }
  return { nodes, from, to };
}
