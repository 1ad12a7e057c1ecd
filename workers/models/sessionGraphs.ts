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
  const lists: NodeLists = { placeOf: new Map(), places: [], sessionOf: [], counts: [], from: [], to: [] };
  const lastNodes = new Int32Array(ends.length);
  const countOffsets = new Uint32Array(ends.length + 1);
  let sequence = 0;
  for (const [session, end] of ends.entries()) {
    while (layout.offsets[sequence + 1]! <= end) sequence++;
    const tokens = items.subarray(layout.offsets[sequence]!, end + 1);
    lastNodes[session] = addSession(lists, tokens, { session, maximumLength: layout.maximumLength });
    countOffsets[session + 1] = lists.places.length;
  }
  const nodes = lists.places.length;
  return {
    sessions: ends.length,
    nodes,
    items: Int32Array.from(lists.placeOf.keys()),
    places: Int32Array.from(lists.places),
    sessionOf: Int32Array.from(lists.sessionOf),
    lastNodes,
    counts: {
      rowCount: ends.length,
      columnCount: nodes,
      offsets: countOffsets,
      columns: Uint32Array.from({ length: nodes }, (_, node) => node),
      values: Float64Array.from(lists.counts),
    },
    from: Int32Array.from(lists.from),
    to: Int32Array.from(lists.to),
  };
}

/** What grows session by session; its lists are those of `SessionGraphs`. */
interface NodeLists {
  /** Where each item stands among the items of the batch. */
  placeOf: Map<number, number>;
  places: number[];
  sessionOf: number[];
  /** (nodes) */
  counts: number[];
  from: number[];
  to: number[];
}

/** Adds nodes and edges of one session. Returns the node of its last item. */
function addSession(
  lists: NodeLists,
  tokens: Int32Array,
  { session, maximumLength }: { session: number; maximumLength: number },
): number {
  const first = lists.places.length;
  const nodeOf = new Map<number, number>();
  const known = new Set<number>();
  let before = -1;
  for (const item of tokens) {
    const node = nodeOf.get(item) ?? addNode(lists, item, session);
    nodeOf.set(item, node);
    lists.counts[node]!++;
    const pair = (before - first) * maximumLength + (node - first); // numbers the pairs of nodes of one session
    if (before >= 0 && !known.has(pair)) {
      known.add(pair);
      lists.from.push(before);
      lists.to.push(node);
    }
    before = node;
  }
  return before;
}

function addNode({ placeOf, places, sessionOf, counts }: NodeLists, item: number, session: number): number {
  const place = placeOf.get(item) ?? placeOf.size;
  placeOf.set(item, place);
  sessionOf.push(session);
  counts.push(0);
  return places.push(place) - 1;
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
