import { expect, test } from 'vitest';
import { BOX, lineageLayout } from '#web/features/run/lineage/lineageLayout.ts';
import type { Lineage } from '#web/features/run/useLineage.ts';

const node = (id: string, distance: number): Lineage['nodes'][number] => ({
  ...{ id, distance, type: 'RUN', reference: id, label: id, detail: '', state: 'SUCCEEDED' },
});
const edge = (from: string, to: string, label = '') => ({ from, to, label });

test('a lineage stands in columns by distance, without boxes over each other, beside what it belongs to', () => {
  const { columns, lines, width, height } = lineageLayout({
    nodes: [node('run', 0), node('a', -1), node('b', -1), node('of b', -2), node('of a', -2), node('c', 1)],
    edges: [edge('a', 'run', 'x.npy'), edge('b', 'run'), edge('of b', 'b'), edge('of a', 'a'), edge('run', 'c')],
    rest: [{ node: 'c', side: 'AFTER', count: 37 }],
  });
  expect(columns.map(({ distance, boxes }) => [distance, boxes.map(({ id }) => id)])).toEqual([
    [-2, ['of a', 'of b']],
    [-1, ['a', 'b']],
    [0, ['run']],
    [1, ['c']],
    [2, ['c AFTER']],
  ]);
  expect(columns[1]!.boxes[0]!.passed).toBe('x.npy');
  expect(columns[4]!.boxes[0]!.more).toBe(37);
  const boxes = columns.flatMap((column) => column.boxes);
  for (const [at, a] of boxes.entries()) {
    expect(a.x >= 0 && a.y >= 0 && a.x + BOX.width <= width && a.y + BOX.height <= height).toBe(true);
    for (const b of boxes.slice(at + 1)) {
      expect(Math.abs(a.x - b.x) >= BOX.width || Math.abs(a.y - b.y) >= BOX.height).toBe(true);
    }
  }
  expect(lines).toHaveLength(6);
  for (const { from, to } of lines) expect(from[0]).toBeLessThan(to[0]);
});
