/**
 * Paths of a graph of items, masked (Y. Ye et al., "Graph masked autoencoder for sequential recommendation", SIGIR 2023, Section
 * 3.2): all edges of the anchors, then those of some of the items that these lead to, and so on. Nothing is drawn but from the draw.
 */
import { counterBits, counterKey, type DrawCounter } from '../math/random/counterRandom.ts';
import { sparseFromTriplets } from '../math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { symmetricNormalisation } from '../math/sparse/symmetricNormalisation.ts';

/** Numbers in [0, 1), the same for an equal draw. */
export function drawnNumbers(draw: DrawCounter): () => number {
  const key = counterKey(draw);
  let index = 0;
  return () => counterBits(key, index++) / 2 ** 32;
}

/** (items)² 1 where two items came at most `distance` apart in a sequence of the graph's transitions, without loops. */
export function withoutLoops({ rowCount, columnCount, offsets, columns }: SparseMatrix): SparseMatrix {
  const rows: number[] = [];
  const kept: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (columns[at] === row) continue;
      rows.push(row);
      kept.push(columns[at]!);
    }
  }
  return sparseFromTriplets({ rowCount, columnCount, rows, columns: kept, values: kept.map(() => 1) });
}

/** D^-1/2 (A + 1) D^-1/2 of the entries of a symmetric pattern without loops that are not `masked`. */
export function visibleGraph(
  { rowCount, columnCount, offsets, columns }: SparseMatrix,
  masked: Uint8Array | null,
): SparseMatrix {
  const nextOffsets = new Uint32Array(rowCount + 1);
  const kept: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    let hasLoop = false;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (masked !== null && masked[at] === 1) continue;
      if (!hasLoop && columns[at]! > row) {
        kept.push(row);
        hasLoop = true;
      }
      kept.push(columns[at]!);
    }
    if (!hasLoop) kept.push(row);
    nextOffsets[row + 1] = kept.length;
  }
  const values = new Float64Array(kept.length).fill(1);
  return symmetricNormalisation({
    rowCount,
    columnCount,
    offsets: nextOffsets,
    columns: Uint32Array.from(kept),
    values,
  });
}

/** The `count` nodes of the greatest scores, each with Gumbel noise; ties go to the lower number. */
export function drawnAnchors(scores: ArrayLike<number>, count: number, draw: DrawCounter): number[] {
  const random = drawnNumbers(draw);
  const noisy = Array.from(scores, (score) => score - Math.log(-Math.log(random() + 2 ** -33)));
  return [...noisy.keys()].sort((a, b) => noisy[b]! - noisy[a]! || a - b).slice(0, count);
}

export interface MaskedPaths {
  /** (entries) 1 where an entry is masked; so is its mirror image. */
  readonly masked: Uint8Array;
  /** (edges) Ends of each masked edge, once, from the side that it was reached by. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Masks the edges of paths of `depth` steps from the anchors, of which each goes on from step k with probability `share`^k. */
export function maskPaths(
  { rowCount, offsets, columns }: SparseMatrix,
  twins: Int32Array,
  { anchors, depth, share, draw }: { anchors: readonly number[]; depth: number; share: number; draw: DrawCounter },
): MaskedPaths {
  const random = drawnNumbers(draw);
  const masked = new Uint8Array(columns.length);
  const from: number[] = [];
  const to: number[] = [];
  const reached = new Uint8Array(rowCount);
  let front = anchors;
  for (let step = 1; step <= depth; step++) {
    const next: number[] = [];
    reached.fill(0);
    for (const node of front) {
      for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
        if (masked[at] === 1) continue;
        masked[at] = 1;
        masked[twins[at]!] = 1;
        const other = columns[at]!;
        from.push(node);
        to.push(other);
        if (reached[other] === 1) continue;
        reached[other] = 1;
        next.push(other);
      }
    }
    front = next.filter(() => random() < share ** step);
  }
  return { masked, from: Int32Array.from(from), to: Int32Array.from(to) };
}

/** Attempts to draw an item that is no neighbour. */
const ATTEMPTS = 20;

/** At most `count` of the masked edges, drawn without repetition, each with `others` pairs that are no edges, half by either end. */
export function drawnPairs(
  graph: SparseMatrix,
  { from, to }: Pick<MaskedPaths, 'from' | 'to'>,
  { count, others, draw }: { count: number; others: number; draw: DrawCounter },
): { first: Int32Array; second: Int32Array; each: number } {
  const random = drawnNumbers(draw);
  const below = (bound: number): number => Math.floor(random() * bound);
  const pairs = Math.min(count, from.length);
  const each = 1 + others;
  const first = new Int32Array(pairs * each);
  const second = new Int32Array(pairs * each);
  const order = Int32Array.from(from, (_, edge) => edge);
  const strangerOf = (node: number): number => {
    let found = below(graph.rowCount);
    for (let attempt = 0; attempt < ATTEMPTS && (found === node || hasEdge(graph, node, found)); attempt++)
      found = below(graph.rowCount);
    return found;
  };
  for (let pair = 0; pair < pairs; pair++) {
    const chosen = pair + below(order.length - pair);
    [order[pair], order[chosen]] = [order[chosen]!, order[pair]!];
    const [u, v] = [from[order[pair]!]!, to[order[pair]!]!];
    first[pair * each] = u;
    second[pair * each] = v;
    for (let other = 1; other < each; other++) {
      const at = pair * each + other;
      const keepsFirst = 2 * other <= each;
      first[at] = keepsFirst ? u : strangerOf(v);
      second[at] = keepsFirst ? strangerOf(u) : v;
    }
  }
  return { first, second, each };
}

function hasEdge({ offsets, columns }: SparseMatrix, row: number, column: number): boolean {
  let [low, high] = [offsets[row]!, offsets[row + 1]!];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle]! < column) low = middle + 1;
    else high = middle;
  }
  return low < offsets[row + 1]! && columns[low] === column;
}
