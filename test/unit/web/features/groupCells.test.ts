import { expect, it } from 'vitest';
import { groupColumns } from '#web/features/runs/groupCells.ts';

const rowsOf = (...cells: string[][]) => cells.map((some) => ({ cells: some, runs: 1, metrics: [] }));

it('numbers that groups differ in have as few digits as tell them apart, and texts stay', () => {
  const rows = rowsOf(['mf', '0.0463938182414881'], ['vae', '0.03928792480760844'], ['gru', '–']);
  expect(groupColumns({ heads: ['model', 'lr'], rows })).toEqual([
    { isNumeric: false, texts: ['mf', 'vae', 'gru'] },
    { isNumeric: true, texts: ['0.04639', '0.03929', '–'] },
  ]);
  const chosen = rowsOf(['0.1'], ['0.05']);
  expect(groupColumns({ heads: ['lr'], rows: chosen })[0]?.texts, 'as somebody wrote them').toEqual(['0.1', '0.05']);
  const near = rowsOf(['0.12345678'], ['0.12345679']);
  expect(groupColumns({ heads: ['lr'], rows: near })[0]?.texts, 'different values stay different').toEqual([
    ...['0.12345678', '0.12345679'],
  ]);
});
