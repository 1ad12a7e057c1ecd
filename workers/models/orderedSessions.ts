/**
 * Sessions as LESSR sees them (T. Chen and R. C.-W. Wong, KDD 2020, Section 4.1), a whole batch as one, without pads: a node for each
 * distinct item of a session, numbered as they come. The multigraph has an edge for each step from an item to the next, in the order
 * of time; in the shortcut graph an item hears itself and all that came before it, which are nodes that follow one another.
 */
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Spans } from '../tensor/operations/spanAttention.ts';
import { spansOf } from '../tensor/operations/spanAttention.ts';
import { type SequenceLayout, sequenceLayout } from '../tensor/sequenceLayout.ts';

export interface OrderedSessions {
  /** (nodes) */
  readonly items: Int32Array;
  /** (sessions) The node of each session's last item. */
  readonly lastNodes: Int32Array;
  /** What each node hears in the shortcut graph; groups are sessions. */
  readonly shortcuts: Spans;
  /** All nodes of each session; groups and targets are sessions. */
  readonly whole: Spans;
  /** Steps by the node that they lead to, each node's in the order of time; null where no session has two items. */
  readonly steps: {
    /** (edges) The nodes that they come from. */
    readonly from: Int32Array;
    /** A sequence for each node that a step leads to, in their order. */
    readonly layout: SequenceLayout;
    /** (nodes) The number of a node's sequence; that of none, which is one past the last, where no step leads to it. */
    readonly sequenceOf: Int32Array;
  } | null;
}

/** The sessions that end with the tokens `rows` of packed sequences; null for all tokens. */
export function orderedSessions({
  items,
  layout,
  rows,
}: {
  items: Int32Array;
  layout: SequenceLayout;
  rows: Int32Array | null;
}): OrderedSessions {
  const ends = rows ?? Int32Array.from({ length: layout.tokens }, (_, row) => row);
  const nodeItems: number[] = [];
  const heardUntil: number[] = [];
  const lastNodes = new Int32Array(ends.length);
  const firsts = new Int32Array(ends.length + 1);
  const from: number[] = [];
  const to: number[] = [];
  const nodeOf = new Map<number, number>();
  let sequence = 0;
  for (const [session, end] of ends.entries()) {
    while (layout.offsets[sequence + 1]! <= end) sequence++;
    nodeOf.clear();
    let before = -1;
    for (let token = layout.offsets[sequence]!; token <= end; token++) {
      const item = items[token]!;
      let node = nodeOf.get(item);
      if (node === undefined) {
        node = nodeItems.length;
        nodeOf.set(item, node);
        nodeItems.push(item);
      }
      heardUntil[node] = nodeItems.length;
      if (before >= 0) {
        from.push(before);
        to.push(node);
      }
      before = node;
    }
    lastNodes[session] = before;
    firsts[session + 1] = nodeItems.length;
  }
  const nodes = nodeItems.length;
  const firstOf = new Int32Array(nodes);
  for (let session = 0; session < ends.length; session++)
    firstOf.fill(firsts[session]!, firsts[session], firsts[session + 1]);
  const everySession = Int32Array.from({ length: ends.length + 1 }, (_, session) => session);
  return {
    items: Int32Array.from(nodeItems),
    lastNodes,
    shortcuts: spansOf(firstOf, Int32Array.from(heardUntil), { targetGroups: firsts, sourceGroups: firsts }),
    whole: spansOf(firsts.slice(0, -1), firsts.slice(1), { targetGroups: everySession, sourceGroups: firsts }),
    steps: from.length === 0 ? null : stepsByNode(from, to, nodes),
  };
}

function stepsByNode(
  from: readonly number[],
  to: readonly number[],
  nodes: number,
): NonNullable<OrderedSessions['steps']> {
  const next = new Int32Array(nodes + 1);
  for (const node of to) next[node + 1]!++;
  const lengths = Array.from(next.subarray(1)).filter((count) => count > 0);
  const sequenceOf = new Int32Array(nodes);
  let sequence = 0;
  for (let node = 0; node < nodes; node++) sequenceOf[node] = next[node + 1]! > 0 ? sequence++ : lengths.length;
  for (let node = 0; node < nodes; node++) next[node + 1]! += next[node]!;
  const sorted = new Int32Array(from.length);
  for (const [edge, node] of to.entries()) sorted[next[node]!++] = from[edge]!;
  return { from: sorted, layout: sequenceLayout(lengths), sequenceOf };
}

/** Throws OUT_OF_MEMORY, saying what is needed and what would help, for a batch of sessions that takes more than `limitBytes`. */
export function checkSessionMemory(
  { layout, rows }: { layout: SequenceLayout; rows: Int32Array | null },
  { numbersPerNode, numbersPerPair }: { numbersPerNode: number; numbersPerPair: number },
  limitBytes = 2 ** 32,
): void {
  let [nodes, pairs] = [0, 0];
  let sequence = 0;
  for (let at = 0; at < (rows?.length ?? layout.tokens); at++) {
    const end = rows?.[at] ?? at;
    while (layout.offsets[sequence + 1]! <= end) sequence++;
    const length = end - layout.offsets[sequence]! + 1;
    nodes += length;
    pairs += (length * (length + 1)) / 2;
  }
  const bytes = 4 * (nodes * numbersPerNode + pairs * numbersPerPair);
  if (bytes <= limitBytes) return;
  const words = (count: number): string => `${(count / 2 ** 30).toPrecision(3)} GiB`;
  throw new WarrenError(
    'OUT_OF_MEMORY',
    `a batch of sessions with ${nodes} items and ${pairs} pairs of them needs about ${words(bytes)}, the limit is ${words(limitBytes)}: ` +
      'take a smaller batchSize, maximumLength or dimension, or samples prefixes',
    { path: 'parameters.batchSize' },
  );
}
