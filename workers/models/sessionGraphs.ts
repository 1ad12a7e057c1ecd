/**
 * The graphs of sessions (S. Wu et al., "Session-based recommendation with graph neural networks", AAAI 2019, Section 3.2) of a
 * whole batch as one: a node for each distinct item of each session, numbered session by session, an edge from each item to the
 * one after it. Nothing is padded.
 */
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import type { SequenceLayout } from '../tensor/sequenceLayout.ts';

export interface SessionGraphs {
  readonly sessions: number;
  readonly nodes: number;
  /** (distinct) The items of the batch, each once. */
  readonly items: Int32Array;
  /** (nodes) Where the item of each node stands among `items`. */
  readonly places: Int32Array;
  /** (nodes) */
  readonly sessionOf: Int32Array;
  /** (sessions) The node of each session's last item. */
  readonly lastNodes: Int32Array;
  /** (sessions, nodes) How often a session has the item of a node. */
  readonly counts: SparseMatrix;
  /** (edges) Ends of each edge, in the order of sessions; none twice. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** The graphs of the prefixes that end with the tokens `rows` of packed sequences; null for all tokens. */
export function sessionGraphs({
  items,
  layout,
  rows,
}: {
  items: Int32Array;
  layout: SequenceLayout;
  rows: Int32Array | null;
}): SessionGraphs {
  const ends = rows ?? Int32Array.from({ length: layout.tokens }, (_, row) => row);
  const placeOf = new Map<number, number>();
  const places: number[] = [];
  const sessionOf: number[] = [];
  const lastNodes = new Int32Array(ends.length);
  const countOffsets = new Uint32Array(ends.length + 1);
  const counts: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const nodeOf = new Map<number, number>();
  const known = new Set<number>();
  let sequence = 0;
  for (const [session, end] of ends.entries()) {
    while (layout.offsets[sequence + 1]! <= end) sequence++;
    const first = places.length;
    nodeOf.clear();
    known.clear();
    let before = -1;
    for (let token = layout.offsets[sequence]!; token <= end; token++) {
      const item = items[token]!;
      let node = nodeOf.get(item);
      if (node === undefined) {
        node = places.length;
        nodeOf.set(item, node);
        const place = placeOf.get(item) ?? placeOf.size;
        placeOf.set(item, place);
        places.push(place);
        sessionOf.push(session);
        counts.push(0);
      }
      counts[node]!++;
      if (before >= 0) {
        // numbers of pairs of nodes of one session
        const pair = (before - first) * layout.maximumLength + (node - first);
        if (!known.has(pair)) {
          known.add(pair);
          from.push(before);
          to.push(node);
        }
      }
      before = node;
    }
    lastNodes[session] = before;
    countOffsets[session + 1] = places.length;
  }
  const nodes = places.length;
  return {
    sessions: ends.length,
    nodes,
    items: Int32Array.from(placeOf.keys()),
    places: Int32Array.from(places),
    sessionOf: Int32Array.from(sessionOf),
    lastNodes,
    counts: {
      rowCount: ends.length,
      columnCount: nodes,
      offsets: countOffsets,
      columns: Uint32Array.from({ length: nodes }, (_, node) => node),
      values: Float64Array.from(counts),
    },
    from: Int32Array.from(from),
    to: Int32Array.from(to),
  };
}

/**
 * (nodes, 2 rows) What each node hears: from the first `rows` columns the mean of those before it, from the rest the mean of those
 * after it. `rowOf` (nodes) says which row a node has there.
 */
export function heardMeans(
  { nodes, from, to }: Pick<SessionGraphs, 'nodes' | 'from' | 'to'>,
  rowOf: (node: number) => number,
  rows: number,
): SparseMatrix {
  const incoming = new Uint32Array(nodes);
  const outgoing = new Uint32Array(nodes);
  for (const node of to) incoming[node]!++;
  for (const node of from) outgoing[node]!++;
  const offsets = new Uint32Array(nodes + 1);
  for (let node = 0; node < nodes; node++) offsets[node + 1] = offsets[node]! + incoming[node]! + outgoing[node]!;
  const columns = new Uint32Array(offsets[nodes]!);
  const values = new Float64Array(offsets[nodes]!);
  const next = offsets.slice();
  for (const [edge, node] of to.entries()) {
    columns[next[node]!] = rowOf(from[edge]!);
    values[next[node]!++] = 1 / incoming[node]!;
  }
  for (const [edge, node] of from.entries()) {
    columns[next[node]!] = rows + rowOf(to[edge]!);
    values[next[node]!++] = 1 / outgoing[node]!;
  }
  return { rowCount: nodes, columnCount: 2 * rows, offsets, columns, values };
}
