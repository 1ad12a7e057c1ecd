import { describe, expect, it } from 'vitest';
import { csvLine } from '#src/base/lib/csvLine.ts';

describe('csvLine', () => {
  it('quotes what holds commas, quotes and line ends', () => {
    expect(csvLine(['a', 1, 'b,c', 'd"e', 'f\ng', Number.NaN])).toBe('a,1,"b,c","d""e","f\ng",NaN\n');
  });

  it('gives a spreadsheet no formula to compute, whatever a run is called', () => {
    const names = [
      '=HYPERLINK("http://x")',
      '+cmd',
      '-cmd',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      ' =1+1',
      '\u00a0@x',
      '\ufeff+cmd',
      '＝1+1',
      '＠SUM(A1)',
    ];
    for (const name of names) expect(csvLine([name]).replace(/^"/, '')).toMatch(/^'/);
  });

  it('leaves a dash that stands for nothing as it is', () => {
    expect(csvLine(['phi', '-', '-'])).toBe('phi,-,-\n');
  });

  it('leaves numbers as they are, negative ones and those in text too', () => {
    expect(csvLine([-1.5, '-2e-3', '+4', -Infinity, '-Infinity'])).toBe('-1.5,-2e-3,+4,-Infinity,-Infinity\n');
  });
});
