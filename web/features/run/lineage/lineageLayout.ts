import type { Lineage } from '#web/features/run/useLineage.ts';

type Node = Lineage['nodes'][number];

/** A node, or how many are left out beside one, at its place. */
export interface LineageBox {
  id: string;
  node: Node | null;
  /** How many are left out; 0 for a node. */
  more: number;
  /** What passed between it and its neighbor nearer to the run. */
  passed: string;
  x: number;
  y: number;
}

export interface LineageLayout {
  /** One for each distance that there is, from what was there first. */
  columns: { distance: number; boxes: LineageBox[] }[];
  /** From the right side of one box to the left side of another. */
  lines: { id: string; from: readonly [number, number]; to: readonly [number, number] }[];
  width: number;
  height: number;
}

export const BOX = { width: 216, height: 46 };
const GAP = { x: 44, y: 10 };

/** Places of a lineage in columns by distance; a box stands in the order of its neighbors nearer to the run. */
export function lineageLayout({ nodes, edges, rest }: Lineage): LineageLayout {
  const distances = new Map(nodes.map(({ id, distance }) => [id, distance]));
  /** The neighbor nearer to the run, and what passed. */
  const inner = new Map<string, { id: string; label: string }>();
  for (const { from, to, label } of edges) {
    const [outer, nearer] =
      Math.abs(distances.get(from) ?? 0) > Math.abs(distances.get(to) ?? 0) ? [from, to] : [to, from];
    if (!inner.has(outer)) inner.set(outer, { id: nearer, label });
  }
  const boxes: (LineageBox & { distance: number; nearer: string | null })[] = nodes.map((node) => ({
    ...{ id: node.id, node, more: 0, x: 0, y: 0, distance: node.distance },
    passed: inner.get(node.id)?.label ?? '',
    nearer: inner.get(node.id)?.id ?? null,
  }));
  for (const { node, side, count } of rest) {
    const distance = (distances.get(node) ?? 0) + (side === 'BEFORE' ? -1 : 1);
    boxes.push({ id: `${node} ${side}`, node: null, more: count, passed: '', x: 0, y: 0, distance, nearer: node });
  }
  const columns = [...new Set(boxes.map(({ distance }) => distance))]
    .sort((a, b) => a - b)
    .map((distance) => ({ distance, boxes: boxes.filter((box) => box.distance === distance) }));
  const place = new Map<string, number>();
  for (const column of [...columns].sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance))) {
    const rank = ({ nearer }: { nearer: string | null }) => (nearer === null ? 0 : (place.get(nearer) ?? 0));
    column.boxes.sort((a, b) => rank(a) - rank(b) || a.more - b.more);
    for (const [at, { id }] of column.boxes.entries()) place.set(id, at);
  }
  const tallest = Math.max(...columns.map((column) => column.boxes.length));
  const height = tallest * (BOX.height + GAP.y) - GAP.y;
  for (const [at, column] of columns.entries()) {
    const own = column.boxes.length * (BOX.height + GAP.y) - GAP.y;
    for (const [row, box] of column.boxes.entries()) {
      box.x = at * (BOX.width + GAP.x);
      box.y = (height - own) / 2 + row * (BOX.height + GAP.y);
    }
  }
  const boxOf = new Map(boxes.map((box) => [box.id, box]));
  const drawn = [
    ...edges.map(({ from, to }) => [from, to] as const),
    ...rest.map(({ node, side }) =>
      side === 'BEFORE' ? ([`${node} ${side}`, node] as const) : ([node, `${node} ${side}`] as const),
    ),
  ];
  const lines = drawn.flatMap(([from, to]) => {
    const [a, b] = [boxOf.get(from), boxOf.get(to)];
    if (a === undefined || b === undefined) return [];
    const middle = BOX.height / 2;
    return [{ id: `${from} ${to}`, from: [a.x + BOX.width, a.y + middle] as const, to: [b.x, b.y + middle] as const }];
  });
  return { columns, lines, height, width: columns.length * (BOX.width + GAP.x) - GAP.x };
}
