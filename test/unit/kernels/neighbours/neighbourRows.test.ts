import { expect, test } from 'vitest';
import { type ItemSequences, neighbourRows } from '#workers/kernels/neighbours/neighbourRows.ts';

const sequences: ItemSequences = {
  // 0 1 2 3 4 | 1 1 | 3 0 3 3
  offsets: Uint32Array.of(0, 5, 7, 11),
  items: Uint32Array.of(0, 1, 2, 3, 4, 1, 1, 3, 0, 3, 3),
  itemCount: 5,
};

/** All (row, distance) of an item, as the index tells them. */
function occurrences(rows: ReturnType<typeof neighbourRows>, item: number): string[] {
  const found: string[] = [];
  for (let posting = rows.postingOffsets[item]!; posting < rows.postingOffsets[item + 1]!; posting++) {
    for (let d = rows.postingFirst[posting]!; d <= rows.postingLast[posting]!; d++) {
      found.push(`${rows.postingRow[posting]! + d}:${d}`);
    }
  }
  return found.sort();
}

test('rows are numbered by sequence, then by prefix, with the item that follows as target', () => {
  const rows = neighbourRows(sequences, (n) => ({ first: 1, last: n - 2 }), 50);
  expect(rows.rowCount).toBe(5);
  expect([...rows.targets]).toEqual([1, 2, 3, 0, 3]);
  expect([...rows.lengths]).toEqual([1, 2, 3, 1, 2]);
  expect([...rows.rowsByLength]).toEqual([0, 3, 1, 4, 2]);
});

test('the index finds each item of each row at its distance from the end', () => {
  const rows = neighbourRows(sequences, (n) => ({ first: 1, last: n - 2 }), 50);
  expect(occurrences(rows, 0)).toEqual(['0:0', '1:1', '2:2', '4:0']);
  expect(occurrences(rows, 3)).toEqual(['3:0', '4:1']);
  expect(occurrences(rows, 4)).toEqual([]);
});

test('items further back than the maximum length are not part of a row', () => {
  const rows = neighbourRows(sequences, (n) => ({ first: 1, last: n - 2 }), 2);
  expect(occurrences(rows, 0)).toEqual(['0:0', '1:1', '4:0']);
  expect([...rows.lengths]).toEqual([1, 2, 2, 1, 2]);
});

test('one prefix a sequence, and sequences without any', () => {
  const rows = neighbourRows(sequences, (n) => ({ first: Math.max(1, n - 3), last: n - 3 }), 50);
  expect([...rows.targets]).toEqual([2, 0]);
  expect(occurrences(rows, 0)).toEqual(['0:1']);
  expect(occurrences(rows, 3)).toEqual(['1:0']);
});

test('the postings of an item come by their greatest distance, descending', () => {
  const rows = neighbourRows(sequences, (n) => ({ first: 1, last: n - 1 }), 50);
  for (let item = 0; item < 5; item++) {
    const last = [...rows.postingLast.subarray(rows.postingOffsets[item], rows.postingOffsets[item + 1])];
    expect(last).toEqual([...last].sort((a, b) => b - a));
  }
});
