import { badInput } from '#src/base/contracts/errors.ts';
import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';

export interface WalkRequest {
  /** Nodes of a walk, its start included, where it is not cut off. */
  length: number;
  /** Walks from each node. */
  walks: number;
  /** p: going back to the node before has weight 1/p times its edge. */
  returning: number;
  /** q: going where the node before has no edge to has weight 1/q times its edge. */
  leaving: number;
  /** Called every few milliseconds; may throw. */
  pulse?: () => void;
}

/** Walks as compressed rows: walk s is `nodes[offsets[s] .. offsets[s + 1]]`. */
export interface Walks {
  offsets: Uint32Array;
  nodes: Uint32Array;
}

const WALKS_BETWEEN_PULSES = 256;

/**
 * Second-order biased random walks of node2vec (Grover and Leskovec, KDD 2016, Section 3.2) on a symmetric graph with weights above 0:
 * `walks` rounds over all nodes. A step is drawn by the weights of the edges and taken with a probability in proportion to
 * its bias, else drawn again. Nodes without edges have none. Throws BAD_INPUT for settings out of range.
 */
export function randomWalks(graph: SparseMatrix, request: WalkRequest, generator: RandomGenerator): Walks {
  const { length, walks, returning, leaving, pulse } = request;
  if (!(length >= 2 && walks >= 1 && returning > 0 && leaving > 0)) {
    throw badInput(
      `walks of ${length} nodes, ${walks} each, p = ${returning}, q = ${leaving}; expected at least 2 and 1, and p and q above 0`,
      'walks',
    );
  }
  const { rowCount, offsets: starts } = graph;
  const steps = new StepDraw(graph, { returning, leaving });
  let started = 0;
  for (let node = 0; node < rowCount; node++) started += starts[node + 1]! > starts[node]! ? 1 : 0;
  const offsets = new Uint32Array(started * walks + 1);
  const nodes = new Uint32Array(started * walks * length);
  let walk = 0;
  for (let round = 0; round < walks; round++) {
    for (let node = 0; node < rowCount; node++) {
      if (starts[node + 1] === starts[node]) continue;
      if (walk % WALKS_BETWEEN_PULSES === 0) pulse?.();
      const first = walk * length;
      nodes[first] = node;
      nodes[first + 1] = steps.first(node, generator);
      for (let at = first + 2; at < first + length; at++)
        nodes[at] = steps.next(nodes[at - 2]!, nodes[at - 1]!, generator);
      offsets[++walk] = first + length;
    }
  }
  return { offsets, nodes };
}

/** Draws the next node of a walk. */
class StepDraw {
  readonly #graph: SparseMatrix;
  /** (entries) Running sums of the weights of each row. */
  readonly #sums: Float64Array;
  readonly #back: number;
  readonly #away: number;
  readonly #most: number;

  constructor(graph: SparseMatrix, { returning, leaving }: { returning: number; leaving: number }) {
    const { rowCount, offsets, values } = graph;
    this.#graph = graph;
    this.#back = 1 / returning;
    this.#away = 1 / leaving;
    this.#most = Math.max(1, this.#back, this.#away);
    this.#sums = new Float64Array(values.length);
    for (let row = 0; row < rowCount; row++) {
      let sum = 0;
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) this.#sums[at] = sum += values[at]!;
    }
  }

  first(node: number, generator: RandomGenerator): number {
    const { offsets, columns } = this.#graph;
    let [low, high] = [offsets[node]!, offsets[node + 1]! - 1];
    const point = generator.nextFloat() * this.#sums[high]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sums[middle]! > point) high = middle;
      else low = middle + 1;
    }
    return columns[low]!;
  }

  next(before: number, node: number, generator: RandomGenerator): number {
    for (;;) {
      const other = this.first(node, generator);
      if (this.#most === 1 && this.#back === 1 && this.#away === 1) return other;
      const bias = other === before ? this.#back : this.#joins(before, other) ? 1 : this.#away;
      if (generator.nextFloat() * this.#most < bias) return other;
    }
  }

  #joins(a: number, b: number): boolean {
    const { offsets, columns } = this.#graph;
    let [low, high] = [offsets[a]!, offsets[a + 1]!];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (columns[middle]! < b) low = middle + 1;
      else high = middle;
    }
    return low < offsets[a + 1]! && columns[low] === b;
  }
}
