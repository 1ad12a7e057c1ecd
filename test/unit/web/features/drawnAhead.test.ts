import { describe, expect, it } from 'vitest';
import { drawnAhead } from '#web/features/runs/drawnAhead.ts';

const range = (startIndex: number, endIndex: number) => ({ startIndex, endIndex, count: 100, overscan: 0, lanes: 1 });
const ends = (indices: readonly number[]) => [indices[0], indices.at(-1), indices.length];

describe('the rows that are drawn', () => {
  it('reach further to the side that scrolling goes to, also after it has come to rest', () => {
    const drawn = drawnAhead({ ahead: 6, behind: 2 });
    expect(ends(drawn(range(0, 20)))).toEqual([0, 26, 27]);
    expect(ends(drawn(range(10, 30)))).toEqual([8, 36, 29]);
    expect(ends(drawn(range(10, 30)))).toEqual([8, 36, 29]);
    expect(ends(drawn(range(9, 29)))).toEqual([3, 31, 29]);
    expect(ends(drawn(range(79, 99)))).toEqual([77, 99, 23]);
  });

  it('are none of an empty table', () => {
    expect(drawnAhead({ ahead: 6, behind: 2 })({ ...range(0, 0), count: 0 })).toEqual([]);
  });
});
