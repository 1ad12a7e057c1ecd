import { describe, expect, test } from 'vitest';
import { paddedGroups } from '#workers/tensor/paddedGroups.ts';
import { lastRows, positions, sequenceLayout, sequenceLength } from '#workers/tensor/sequenceLayout.ts';

describe('the layout of a packed batch', () => {
  const layout = sequenceLayout([3, 1, 2], 5);

  test('says where each sequence and token lies', () => {
    expect(layout).toMatchObject({ sequences: 3, tokens: 6, maximumLength: 3, paddedLength: 5 });
    expect([...layout.offsets]).toEqual([0, 3, 4, 6]);
    expect([...lastRows(layout)]).toEqual([2, 3, 5]);
    expect([...positions(layout)]).toEqual([0, 1, 2, 0, 0, 1]);
    expect(sequenceLength(layout, 2)).toBe(2);
  });

  test('pads to the longest sequence unless told otherwise', () => {
    expect(sequenceLayout([4, 9]).paddedLength).toBe(9);
  });
});

describe('groups of similar length', () => {
  const lengths = Array.from({ length: 97 }, (_, s) => 1 + ((s * s * 31) % 50));
  const layout = sequenceLayout(lengths);
  const { groups, places } = paddedGroups(layout);

  test('hold every sequence once, and every token at its place', () => {
    expect(groups.flatMap(({ members }) => [...members]).sort((a, b) => a - b)).toEqual(lengths.map((_, s) => s));
    const rows = groups.flatMap((group) => [...group.rows]);
    expect([...places].map((place) => rows[place])).toEqual(lengths.flatMap((_, s) => tokensOf(s)));
  });

  test('are padded by a quarter and two tokens at most', () => {
    for (const { members, length } of groups) {
      for (const s of members) expect(length).toBeLessThanOrEqual(lengths[s]! * 1.25 + 2);
    }
  });

  test('of many sequences are as large as may be, and hold every token at its place, too', () => {
    const many = paddedGroups(layout, 'many');
    expect(many.groups.map(({ members, length }) => [members.length, length])).toEqual([[97, 50]]);
    expect([...many.places].map((place) => many.groups[0]!.rows[place])).toEqual(
      lengths.flatMap((_, s) => tokensOf(s)),
    );
    const long = paddedGroups(sequenceLayout([...Array<number>(9).fill(1000), 3000]), 'many');
    expect(long.groups.map(({ members, length }) => [members.length, length])).toEqual([
      [8, 1000],
      [1, 1000],
      [1, 3000],
    ]);
  });

  test('are made once for a layout', () => {
    expect(paddedGroups(layout)).toBe(paddedGroups(layout));
  });

  function tokensOf(s: number): number[] {
    return Array.from({ length: lengths[s]! }, (_, t) => layout.offsets[s]! + t);
  }
});
